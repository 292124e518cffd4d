# Every C++ file is formatted as .clang-format says.
#
#   usage: cmake -D ROOT=<checkout> -D CLANG_FORMAT=<program> -P check_format.cmake
#
# Releases of clang-format differ in details; the one that counts is that of
# Debian 12, which CI has.

set(_release 14)
execute_process(COMMAND "${CLANG_FORMAT}" --version OUTPUT_VARIABLE _version)
if(NOT _version MATCHES "version ${_release}\\.")
  string(STRIP "${_version}" _version)
  message(STATUS "skipped: clang-format ${_release} is not there (${_version})")
  return()
endif()

set(_files)
foreach(_folder IN ITEMS include src bindings examples tests benchmarks cmake)
  file(GLOB_RECURSE _more RELATIVE "${ROOT}"
    "${ROOT}/${_folder}/*.hpp" "${ROOT}/${_folder}/*.cpp")
  list(APPEND _files ${_more})
endforeach()
list(LENGTH _files _count)
execute_process(COMMAND "${CLANG_FORMAT}" --dry-run --Werror ${_files}
  WORKING_DIRECTORY "${ROOT}" RESULT_VARIABLE _failed
  OUTPUT_VARIABLE _output ERROR_VARIABLE _output)
if(NOT _failed)
  message(STATUS "${_count} files are formatted as .clang-format says")
  return()
endif()

string(REGEX MATCHALL "[^\n]*: error: code should be clang-formatted" _places
  "${_output}")
list(TRANSFORM _places REPLACE ":[0-9]+:[0-9]+: error.*" "")
list(REMOVE_DUPLICATES _places)
list(LENGTH _places _wrong)
list(JOIN _places "\n  " _places)
message(FATAL_ERROR "${_wrong} of ${_count} files are not formatted as "
  ".clang-format says:\n  ${_places}\n"
  "To format all: git ls-files '*.hpp' '*.cpp' | xargs ${CLANG_FORMAT} -i")
