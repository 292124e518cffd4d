# Where scripts/setup.sh puts what the system does not carry.
set(SYMVI_DEPS_PREFIX "${CMAKE_CURRENT_SOURCE_DIR}/.deps" CACHE PATH
  "Prefix of dependencies unpacked by scripts/setup.sh")
set(SYMVI_MLPACK "$ENV{SYMVI_MLPACK}" CACHE STRING
  "Generation of mlpack to compile with, such as 4.6; empty: the default")

# Defaults of a build of symvi itself; a project that uses symvi keeps its own.
if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build" FORCE)
endif()

find_program(SYMVI_CCACHE ccache)
mark_as_advanced(SYMVI_CCACHE)
if(SYMVI_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${SYMVI_CCACHE}")
endif()

# Most of the time that a file takes to compile goes to mlpack's headers: parse
# them once.  Not with ccache, which would never find a file again: no two
# builds make the same precompiled header.
set(_precompile ON)
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(_precompile OFF)
endif()
option(SYMVI_PRECOMPILE "Precompile mlpack's headers for symvi's own programs"
  ${_precompile})

set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_EXTENSIONS OFF)
