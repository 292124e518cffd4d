# Finds the headers of mlpack and of what mlpack includes, and OpenBLAS.
#
# Target:   mlpack::mlpack
# Results:  mlpack_FOUND, mlpack_INCLUDE_DIR, mlpack_VERSION,
#           mlpack_ENSMALLEN_VERSION, mlpack_ARMADILLO_VERSION
# Input:    SYMVI_MLPACK: the generation to find, such as 4.6; none: the system's
#           or what scripts/setup.sh took instead
# Hints:    mlpack_ROOT, CMAKE_PREFIX_PATH, and SYMVI_DEPS_PREFIX (the prefix
#           that scripts/setup.sh fills); SYMVI_MLPACK_SETUP (the command that
#           an error recommends)
#
# mlpack 4 is header-only and installs no CMake package of its own.

# Reads "#define PREFIX_MAJOR n" and _MINOR, _PATCH of a header.
function(_mlpack_read_version header prefix result)
  set(version)
  if(EXISTS "${header}")
    file(STRINGS "${header}" lines REGEX "#define ${prefix}_(MAJOR|MINOR|PATCH)")
    string(REGEX MATCHALL "(MAJOR|MINOR|PATCH) +[0-9]+" version "${lines}")
    list(TRANSFORM version REPLACE "[A-Z]+ +" "")
    list(JOIN version "." version)
  endif()
  set(${result} "${version}" PARENT_SCOPE)
endfunction()
# Passes over a directory with another generation of mlpack than the one asked
# for, or with one that is too old.
function(_mlpack_is_wanted result directory)
  _mlpack_read_version("${directory}/mlpack/core/util/version.hpp"
    MLPACK_VERSION version)
  string(REGEX MATCH "^[0-9]+\\.[0-9]+" generation "${version}")
  if(generation VERSION_LESS 4.6 OR
      (SYMVI_MLPACK AND NOT generation VERSION_EQUAL SYMVI_MLPACK))
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

# Trees of scripts/setup.sh: the chosen one comes before the system's headers,
# the others, newest first, after them.
set(_mlpack_choice "${SYMVI_MLPACK}")
set(_mlpack_hints "${SYMVI_MLPACK_HINT}")
set(_mlpack_trees)
if(SYMVI_DEPS_PREFIX)
  if(NOT _mlpack_choice AND EXISTS "${SYMVI_DEPS_PREFIX}/mlpack.default")
    file(STRINGS "${SYMVI_DEPS_PREFIX}/mlpack.default" _mlpack_choice)
  endif()
  list(APPEND _mlpack_hints "${SYMVI_DEPS_PREFIX}/mlpack-${_mlpack_choice}")
  file(GLOB _mlpack_trees "${SYMVI_DEPS_PREFIX}/mlpack-*")
  list(SORT _mlpack_trees COMPARE NATURAL ORDER DESCENDING)
endif()

# Another choice in the same build directory: search again.
set(_mlpack_parts ARMADILLO_ ENSMALLEN_ CEREAL_ STB_)
if(DEFINED mlpack_CHOICE AND NOT "${mlpack_CHOICE}" STREQUAL "${_mlpack_choice}")
  foreach(_part IN LISTS _mlpack_parts ITEMS "")
    unset(mlpack_${_part}INCLUDE_DIR CACHE)
  endforeach()
endif()
set(mlpack_CHOICE "${_mlpack_choice}" CACHE INTERNAL "Generation searched for")

find_path(mlpack_INCLUDE_DIR mlpack/core/util/version.hpp
  HINTS ${_mlpack_hints} PATHS ${_mlpack_trees} PATH_SUFFIXES include
  VALIDATOR _mlpack_is_wanted)
# Some packages of mlpack leave stb to the system, others bring it.
if(EXISTS "${mlpack_INCLUDE_DIR}/mlpack/core/stb/bundled/stb_image.h")
  set(mlpack_STB_INCLUDE_DIR "${mlpack_INCLUDE_DIR}" CACHE PATH "")
  set(_mlpack_stb)
else()
  set(_mlpack_stb MLPACK_USE_SYSTEM_STB)
endif()
foreach(_part "ARMADILLO_:armadillo" "ENSMALLEN_:ensmallen.hpp"
    "CEREAL_:cereal/cereal.hpp" "STB_:stb_image.h")
  string(REPLACE ":" ";" _part "${_part}")
  list(GET _part 0 _name)
  list(GET _part 1 _header)
  find_path(mlpack_${_name}INCLUDE_DIR ${_header}
    HINTS "${mlpack_INCLUDE_DIR}" PATH_SUFFIXES stb include include/stb)
  mark_as_advanced(mlpack_${_name}INCLUDE_DIR)
endforeach()

# OpenBLAS holds LAPACK too; any other BLAS needs both named.
find_library(mlpack_BLAS_LIBRARY openblas)
if(mlpack_BLAS_LIBRARY)
  set(mlpack_LIBRARIES "${mlpack_BLAS_LIBRARY}")
else()
  find_package(LAPACK QUIET)
  set(mlpack_LIBRARIES ${LAPACK_LIBRARIES} ${BLAS_LIBRARIES})
endif()
mark_as_advanced(mlpack_INCLUDE_DIR mlpack_BLAS_LIBRARY)

_mlpack_read_version("${mlpack_INCLUDE_DIR}/mlpack/core/util/version.hpp"
  MLPACK_VERSION mlpack_VERSION)
string(REGEX MATCH "^[0-9]+\\.[0-9]+" _mlpack_generation "${mlpack_VERSION}")
set(mlpack_GENERATION "${_mlpack_generation}" CACHE INTERNAL "Major and minor")
_mlpack_read_version(
  "${mlpack_ENSMALLEN_INCLUDE_DIR}/ensmallen_bits/ens_version.hpp"
  ENS_VERSION mlpack_ENSMALLEN_VERSION)
_mlpack_read_version(
  "${mlpack_ARMADILLO_INCLUDE_DIR}/armadillo_bits/arma_version.hpp"
  ARMA_VERSION mlpack_ARMADILLO_VERSION)

if(SYMVI_MLPACK_SETUP)
  set(_mlpack_reason "mlpack >= 4.6 with Armadillo, ensmallen, cereal, stb and \
OpenBLAS is needed: ${SYMVI_MLPACK_SETUP} brings in its headers")
elseif(SYMVI_MLPACK)
  set(_mlpack_reason "mlpack ${SYMVI_MLPACK} is not there: SYMVI_MLPACK=\
${SYMVI_MLPACK} scripts/setup.sh of symvi brings it in")
else()
  set(_mlpack_reason "mlpack >= 4.6 with Armadillo, ensmallen, cereal, stb and \
OpenBLAS is needed: scripts/setup.sh of symvi brings them in")
endif()
set(_mlpack_quiet "${mlpack_FIND_QUIETLY}")
set(mlpack_FIND_QUIETLY TRUE) # The message below says more.
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(mlpack
  REQUIRED_VARS mlpack_INCLUDE_DIR mlpack_ARMADILLO_INCLUDE_DIR
    mlpack_ENSMALLEN_INCLUDE_DIR mlpack_CEREAL_INCLUDE_DIR
    mlpack_STB_INCLUDE_DIR mlpack_LIBRARIES
  VERSION_VAR mlpack_VERSION
  REASON_FAILURE_MESSAGE "${_mlpack_reason}")
set(mlpack_FIND_QUIETLY "${_mlpack_quiet}")
if(mlpack_FOUND AND NOT mlpack_FIND_QUIETLY)
  message(STATUS "mlpack ${mlpack_VERSION}, ensmallen "
    "${mlpack_ENSMALLEN_VERSION}, Armadillo ${mlpack_ARMADILLO_VERSION}: "
    "${mlpack_INCLUDE_DIR}")
endif()

foreach(_part "ARMADILLO:Armadillo:12" "ENSMALLEN:ensmallen:2.22")
  string(REPLACE ":" ";" _part "${_part}")
  list(GET _part 0 _name)
  list(GET _part 1 _title)
  list(GET _part 2 _oldest)
  if(mlpack_FOUND AND mlpack_${_name}_VERSION VERSION_LESS _oldest)
    message(FATAL_ERROR "${_title} ${mlpack_${_name}_VERSION} in "
      "${mlpack_${_name}_INCLUDE_DIR} is too old, ${_oldest} is needed: run "
      "scripts/setup.sh of symvi, or set mlpack_${_name}_INCLUDE_DIR.")
  endif()
endforeach()

if(mlpack_FOUND AND NOT TARGET mlpack::mlpack)
  add_library(mlpack::mlpack INTERFACE IMPORTED)
  set(_mlpack_dirs "${mlpack_INCLUDE_DIR}" "${mlpack_ARMADILLO_INCLUDE_DIR}"
    "${mlpack_ENSMALLEN_INCLUDE_DIR}" "${mlpack_CEREAL_INCLUDE_DIR}"
    "${mlpack_STB_INCLUDE_DIR}")
  list(REMOVE_DUPLICATES _mlpack_dirs)
  target_include_directories(mlpack::mlpack SYSTEM INTERFACE ${_mlpack_dirs})
  # No Armadillo wrapper library, and no SuperLU, which nothing here links and
  # Armadillo 15 misses aloud; stb from where it is; STBIR_NO_SIMD because
  # stb's SIMD constants are defined in every file that includes mlpack, and
  # STBIR_DONT_CHANGE_FP_CONTRACT because stb would forbid fused multiply-adds
  # in whatever follows it.
  target_compile_definitions(mlpack::mlpack INTERFACE
    ARMA_DONT_USE_WRAPPER ARMA_DONT_USE_SUPERLU ${_mlpack_stb} STBIR_NO_SIMD
    STBIR_DONT_CHANGE_FP_CONTRACT)
  target_link_libraries(mlpack::mlpack INTERFACE ${mlpack_LIBRARIES})
endif()
