# Helpers for symvi's own programs and tests.

# Flags of symvi's own files; never seen by a project that uses symvi.
add_library(symvi_build_options INTERFACE)
target_compile_options(symvi_build_options INTERFACE
  -Wall -Wextra -Wpedantic $<$<BOOL:${SYMVI_WERROR}>:-Werror>)
# GCC 14 takes the memory inside a small Armadillo matrix for memory that its
# destructor frees.
target_compile_options(symvi_build_options INTERFACE
  $<$<CXX_COMPILER_ID:GNU>:-Wno-free-nonheap-object>)
if(SYMVI_SANITIZE)
  set(_sanitize -fsanitize=address,undefined -fno-sanitize-recover=undefined)
  # Under the sanitizers GCC takes its own std::function for uninitialised.
  target_compile_options(symvi_build_options INTERFACE
    ${_sanitize} -fno-omit-frame-pointer -Wno-error=maybe-uninitialized)
  target_link_options(symvi_build_options INTERFACE ${_sanitize})
endif()
if(SYMVI_SANITIZE_THREAD)
  target_compile_options(symvi_build_options INTERFACE -fsanitize=thread)
  target_link_options(symvi_build_options INTERFACE -fsanitize=thread)
endif()
if(SYMVI_COVERAGE)
  target_compile_options(symvi_build_options INTERFACE --coverage)
  target_link_options(symvi_build_options INTERFACE --coverage)
endif()

# symvi_precompile(<target>...): programs that need mlpack share its headers,
# parsed once; they are most of the time that a file takes to compile.
function(symvi_precompile)
  if(NOT SYMVI_PRECOMPILE)
    return()
  endif()
  if(NOT TARGET symvi_precompiled)
    add_library(symvi_precompiled OBJECT
      "${symvi_SOURCE_DIR}/cmake/precompiled.cpp")
    target_link_libraries(symvi_precompiled PRIVATE
      symvi::symvi symvi_build_options)
    target_precompile_headers(symvi_precompiled PRIVATE <symvi/prereqs.hpp>)
  endif()
  foreach(target IN LISTS ARGN)
    target_precompile_headers(${target} REUSE_FROM symvi_precompiled)
  endforeach()
endfunction()

# Node and its module onnxruntime-node, which run exported models in tests;
# SYMVI_NODE_MODULES is empty where scripts/setup.sh has skipped them.
find_program(SYMVI_NODE NAMES node nodejs)
mark_as_advanced(SYMVI_NODE)
set(SYMVI_NODE_MODULES)
if(SYMVI_NODE AND EXISTS "${SYMVI_DEPS_PREFIX}/node.done")
  set(SYMVI_NODE_MODULES "${SYMVI_DEPS_PREFIX}/node/node_modules")
endif()

# One thread each: two are slower than one on small matrices, and CTest runs
# several tests at once.
set(SYMVI_TEST_ENVIRONMENT
  OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 UBSAN_OPTIONS=print_stacktrace=1)

# Sets environment, labels and time limit of the CTest entry `name`.
function(symvi_test_properties name)
  set(labels ${ARGN})
  if(NOT labels)
    set(labels fast)
  endif()
  set(timeout 300)
  if("slow" IN_LIST labels OR SYMVI_SANITIZE OR SYMVI_COVERAGE)
    set(timeout 1200)
  endif()
  set_tests_properties(${name} PROPERTIES
    ENVIRONMENT "${SYMVI_TEST_ENVIRONMENT}"
    LABELS "${labels}"
    TIMEOUT ${timeout})
endfunction()

# Builds all programs whose tests are labelled fast.
add_custom_target(symvi_fast_tests)

# symvi_add_test(<name> SOURCES <file>... [LABELS <label>...]
#                [LIBRARIES <target>...])
# Builds the Catch2 program test_<name> and adds it to CTest as <name>.  It may
# include internal headers.
function(symvi_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LABELS;LIBRARIES")
  add_executable(test_${name} ${arg_SOURCES})
  target_link_libraries(test_${name} PRIVATE
    symvi::symvi symvi_build_options symvi_catch ${arg_LIBRARIES})
  target_include_directories(test_${name} PRIVATE "${symvi_SOURCE_DIR}/src")
  target_compile_definitions(test_${name} PRIVATE
    SYMVI_SOURCE_DIR="${symvi_SOURCE_DIR}")
  symvi_precompile(test_${name})
  add_test(NAME ${name} COMMAND test_${name})
  symvi_test_properties(${name} ${arg_LABELS})
  if(NOT arg_LABELS OR "fast" IN_LIST arg_LABELS)
    add_dependencies(symvi_fast_tests test_${name})
  endif()
endfunction()

# symvi_add_example(<name> SOURCES <file>... [LIBRARIES <target>...]
#                   [QUICK_ARGS <argument>...] [LABELS <label>...] [RANKS])
# Builds the program <name> and adds example_<name>, a short run, to CTest.
# With RANKS mpirun can start it, where MPI was found.
function(symvi_add_example name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "RANKS" ""
    "SOURCES;LIBRARIES;QUICK_ARGS;LABELS")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE
    symvi::symvi symvi_build_options CLI11::CLI11 ${arg_LIBRARIES})
  target_compile_definitions(${name} PRIVATE
    SYMVI_SOURCE_DIR="${symvi_SOURCE_DIR}")
  if(arg_RANKS AND TARGET symvi::mpi)
    target_link_libraries(${name} PRIVATE symvi::mpi)
    target_compile_definitions(${name} PRIVATE SYMVI_EXAMPLE_RANKS)
  endif()
  symvi_precompile(${name})
  if(SYMVI_TESTS)
    add_test(NAME example_${name} COMMAND ${name} ${arg_QUICK_ARGS})
    symvi_test_properties(example_${name} ${arg_LABELS})
  endif()
endfunction()
