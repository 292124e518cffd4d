# Finds the headers of mlpack and of what mlpack includes, and OpenBLAS.
#
# Target:   mlpack::mlpack
# Results:  mlpack_FOUND, mlpack_VERSION, mlpack_INCLUDE_DIR
# Hints:    mlpack_ROOT, CMAKE_PREFIX_PATH, and SYMVI_DEPS_PREFIX (the prefix
#           that scripts/setup.sh fills)
#
# mlpack 4 is header-only and installs no CMake package of its own.

set(_mlpack_hints "${SYMVI_DEPS_PREFIX}/usr" ${SYMVI_MLPACK_HINT})

find_path(mlpack_INCLUDE_DIR mlpack/core/util/version.hpp
  HINTS ${_mlpack_hints} PATH_SUFFIXES include)
foreach(_part "ARMADILLO:armadillo" "ENSMALLEN:ensmallen.hpp"
    "CEREAL:cereal/cereal.hpp")
  string(REPLACE ":" ";" _part "${_part}")
  list(GET _part 0 _name)
  list(GET _part 1 _header)
  find_path(mlpack_${_name}_INCLUDE_DIR ${_header}
    HINTS "${mlpack_INCLUDE_DIR}" ${_mlpack_hints} PATH_SUFFIXES include)
  mark_as_advanced(mlpack_${_name}_INCLUDE_DIR)
endforeach()
find_path(mlpack_STB_INCLUDE_DIR stb_image.h
  HINTS "${mlpack_INCLUDE_DIR}" ${_mlpack_hints}
  PATH_SUFFIXES stb include/stb include)

# OpenBLAS holds LAPACK too; any other BLAS needs both named.
find_library(mlpack_BLAS_LIBRARY openblas)
if(mlpack_BLAS_LIBRARY)
  set(mlpack_LIBRARIES "${mlpack_BLAS_LIBRARY}")
else()
  find_package(LAPACK QUIET)
  set(mlpack_LIBRARIES ${LAPACK_LIBRARIES} ${BLAS_LIBRARIES})
endif()
mark_as_advanced(mlpack_INCLUDE_DIR mlpack_STB_INCLUDE_DIR mlpack_BLAS_LIBRARY)

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
_mlpack_read_version("${mlpack_INCLUDE_DIR}/mlpack/core/util/version.hpp"
  MLPACK_VERSION mlpack_VERSION)
_mlpack_read_version(
  "${mlpack_ARMADILLO_INCLUDE_DIR}/armadillo_bits/arma_version.hpp"
  ARMA_VERSION mlpack_ARMADILLO_VERSION)

set(_mlpack_reason
  "mlpack >= 4.6 with Armadillo, ensmallen, cereal, stb and OpenBLAS is needed: \
scripts/setup.sh of symvi brings them in")
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(mlpack
  REQUIRED_VARS mlpack_INCLUDE_DIR mlpack_ARMADILLO_INCLUDE_DIR
    mlpack_ENSMALLEN_INCLUDE_DIR mlpack_CEREAL_INCLUDE_DIR
    mlpack_STB_INCLUDE_DIR mlpack_LIBRARIES
  VERSION_VAR mlpack_VERSION
  REASON_FAILURE_MESSAGE "${_mlpack_reason}")

if(mlpack_FOUND AND mlpack_ARMADILLO_VERSION VERSION_LESS 12)
  message(FATAL_ERROR "Armadillo ${mlpack_ARMADILLO_VERSION} in "
    "${mlpack_ARMADILLO_INCLUDE_DIR} is too old for mlpack ${mlpack_VERSION}: "
    "run scripts/setup.sh of symvi, or set mlpack_ARMADILLO_INCLUDE_DIR.")
endif()

if(mlpack_FOUND AND NOT TARGET mlpack::mlpack)
  add_library(mlpack::mlpack INTERFACE IMPORTED)
  set(_mlpack_dirs "${mlpack_INCLUDE_DIR}" "${mlpack_ARMADILLO_INCLUDE_DIR}"
    "${mlpack_ENSMALLEN_INCLUDE_DIR}" "${mlpack_CEREAL_INCLUDE_DIR}"
    "${mlpack_STB_INCLUDE_DIR}")
  list(REMOVE_DUPLICATES _mlpack_dirs)
  target_include_directories(mlpack::mlpack SYSTEM INTERFACE ${_mlpack_dirs})
  # No Armadillo wrapper library; stb from the system; STBIR_NO_SIMD because
  # stb's SIMD constants are defined in every file that includes mlpack, and
  # STBIR_DONT_CHANGE_FP_CONTRACT because stb would forbid fused multiply-adds
  # in whatever follows it.
  target_compile_definitions(mlpack::mlpack INTERFACE
    ARMA_DONT_USE_WRAPPER MLPACK_USE_SYSTEM_STB STBIR_NO_SIMD
    STBIR_DONT_CHANGE_FP_CONTRACT)
  target_link_libraries(mlpack::mlpack INTERFACE ${mlpack_LIBRARIES})
endif()
