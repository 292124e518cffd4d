/**
 * @file catch_main.cpp
 *
 * The main() of the test programs; version 3 of Catch2 brings its own.
 */
#if SYMVI_CATCH_VERSION < 3
  #define CATCH_CONFIG_MAIN
  #include <catch2/catch.hpp>
#endif
