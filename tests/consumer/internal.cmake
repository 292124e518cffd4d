# What is installed is the public face: no header of src/ is there, and a program
# that includes one does not compile.
#
#   usage: cmake -D ROOT=<checkout> -D PREFIX=<installed> -D CXX=<compiler>
#     -P internal.cmake

file(GLOB_RECURSE _installed RELATIVE "${PREFIX}/include" "${PREFIX}/include/*")
list(FILTER _installed INCLUDE REGEX "^symvi")
if(NOT _installed)
  message(FATAL_ERROR "nothing is installed in ${PREFIX}")
endif()
foreach(_header IN LISTS _installed)
  if(NOT EXISTS "${ROOT}/include/${_header}")
    message(SEND_ERROR "${_header} is installed, but is not public.")
  endif()
endforeach()

file(GLOB_RECURSE _internal RELATIVE "${ROOT}/src" "${ROOT}/src/*.hpp")
foreach(_header IN LISTS _internal)
  if(EXISTS "${PREFIX}/include/${_header}" OR
      (EXISTS "${PREFIX}/include/symvi/${_header}" AND
        NOT EXISTS "${ROOT}/include/symvi/${_header}"))
    message(SEND_ERROR "src/${_header} is installed, but is internal.")
  endif()
endforeach()

# The public one shows that the compiler works at all.
foreach(_case IN ITEMS "TRUE;<symvi/kernel/random_stream.hpp>"
    "FALSE;<symvi/kernel/normal.hpp>" "FALSE;\"kernel/normal.hpp\"")
  list(POP_FRONT _case _compiles)
  set(_source "${CMAKE_CURRENT_BINARY_DIR}/internal_check.cpp")
  file(WRITE "${_source}" "#include ${_case}\n")
  execute_process(COMMAND "${CXX}" -std=c++17 -fsyntax-only
    "-I${PREFIX}/include" "${_source}"
    RESULT_VARIABLE _failed OUTPUT_QUIET ERROR_QUIET)
  if((_compiles AND _failed) OR (NOT _compiles AND NOT _failed))
    message(SEND_ERROR "a program that includes ${_case} must compile: "
      "${_compiles}, but the compiler returned ${_failed}.")
  endif()
endforeach()
