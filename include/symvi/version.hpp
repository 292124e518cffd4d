/**
 * @file symvi/version.hpp
 *
 * The version of symvi, as macros.  CMake reads it from here.
 */
#ifndef SYMVI_VERSION_HPP
#define SYMVI_VERSION_HPP

#define SYMVI_VERSION_MAJOR 0
#define SYMVI_VERSION_MINOR 2
#define SYMVI_VERSION_PATCH 0

//! The version as one string, "major.minor.patch".
#define SYMVI_VERSION "0.2.0"

#endif
