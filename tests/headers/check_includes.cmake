# Who includes whom, against the tables of docs/architecture.md, and the number
# of public headers.
#
#   usage: cmake -D ROOT=<checkout> -P check_includes.cmake
#
# Fails on an include of a folder that is not above the including one in the
# table or not named there, on a name in the table that nobody includes, on a
# public header that includes an internal one, on bindings/ or examples/ that
# reach into src/, on a file that docs/ names and that does not exist, and on a
# page that docs/README.md does not list.

cmake_minimum_required(VERSION 3.25)
set(_failures 0)
macro(fail)
  message(${ARGN})
  math(EXPR _failures "${_failures} + 1")
endmacro()

# The table: "| `folder` | names | ... |"; the walks: "| 4 | `a/b`, `c/d` | ...".
set(_order)
set(_walk)
file(STRINGS "${ROOT}/docs/architecture.md" _lines)
foreach(_line IN LISTS _lines)
  if(_line MATCHES "^\\| `([a-z]+)` \\| ([a-z, ]*)\\|")
    set(_folder "${CMAKE_MATCH_1}")
    string(REGEX MATCHALL "[a-z]+" _documented_${_folder} "${CMAKE_MATCH_2}")
    list(APPEND _order "${_folder}")
  elseif(_line MATCHES "^\\| [0-9]+ \\| ([^|]*)\\|")
    string(REGEX MATCHALL "[a-z_/]+" _files "${CMAKE_MATCH_1}")
    list(APPEND _walk ${_files})
  endif()
endforeach()
if(NOT _order OR NOT _walk)
  message(FATAL_ERROR "docs/architecture.md has lost its tables.")
endif()

# Includes that go up and are known: "including file, included path".
set(_tolerated
  "src/objective/objectives.cpp model/extern_objectives.hpp"
  "src/objective/objectives_float.cpp model/extern_objectives.hpp")

# The folder of a path below include/symvi/ or src/.
set(_base require.hpp require.cpp version.hpp prereqs.hpp
  network/mlpack_version.hpp)
function(folder_of path result)
  string(REGEX REPLACE "/.*" "" folder "${path}")
  if(path IN_LIST _base)
    set(folder base)
  endif()
  set(${result} "${folder}" PARENT_SCOPE)
endfunction()

# The path below include/symvi/ or src/ that an include of `file` names, and
# whether it is public or internal; empty: neither, a header of somebody else.
function(resolve file include path kind)
  set(${path} "" PARENT_SCOPE)
  set(${kind} "" PARENT_SCOPE)
  if(include MATCHES "^<symvi/(.*)>$")
    set(${path} "${CMAKE_MATCH_1}" PARENT_SCOPE)
    set(${kind} public PARENT_SCOPE)
    return()
  endif()
  if(NOT include MATCHES "^\"(.*)\"$")
    return()
  endif()
  cmake_path(GET file PARENT_PATH folder)
  cmake_path(SET near NORMALIZE "${folder}/${CMAKE_MATCH_1}")
  foreach(candidate IN ITEMS "${near}" "src/${CMAKE_MATCH_1}")
    if(EXISTS "${ROOT}/${candidate}")
      if(candidate MATCHES "^src/(.*)")
        set(${path} "${CMAKE_MATCH_1}" PARENT_SCOPE)
        set(${kind} internal PARENT_SCOPE)
      elseif(candidate MATCHES "^include/symvi/(.*)")
        set(${path} "${CMAKE_MATCH_1}" PARENT_SCOPE)
        set(${kind} public PARENT_SCOPE)
      endif()
      return()
    endif()
  endforeach()
endfunction()

file(GLOB_RECURSE _files RELATIVE "${ROOT}"
  "${ROOT}/include/symvi/*.hpp" "${ROOT}/src/*.hpp" "${ROOT}/src/*.cpp"
  "${ROOT}/bindings/*.hpp" "${ROOT}/bindings/*.cpp"
  "${ROOT}/examples/*.hpp" "${ROOT}/examples/*.cpp")
foreach(_file IN LISTS _files)
  set(_from "")
  if(_file MATCHES "^(include/symvi|src)/(.*)")
    folder_of("${CMAKE_MATCH_2}" _from)
    list(FIND _order "${_from}" _place)
    if(_place LESS 0)
      fail("${_file}: the folder '${_from}' is not in docs/architecture.md.")
    endif()
  endif()
  file(STRINGS "${ROOT}/${_file}" _lines REGEX "^ *#include ")
  foreach(_line IN LISTS _lines)
    string(REGEX REPLACE "^ *#include +" "" _include "${_line}")
    resolve("${_file}" "${_include}" _path _kind)
    if(_path STREQUAL "")
      continue()
    endif()
    if(_kind STREQUAL "internal" AND NOT _file MATCHES "^src/")
      fail("${_file}: ${_include} is internal, in src/.")
      continue()
    endif()
    folder_of("${_path}" _to)
    if(_from STREQUAL "" OR _from STREQUAL _to)
      continue()
    endif()
    list(FIND _order "${_to}" _above)
    if("${_file} ${_path}" IN_LIST _tolerated)
      list(REMOVE_ITEM _tolerated "${_file} ${_path}")
    elseif(_above LESS 0 OR _above GREATER _place)
      fail("${_file}: ${_include} goes up: '${_to}' is not above '${_from}'.")
    else()
      list(APPEND _found_${_from} "${_to}")
    endif()
  endforeach()
endforeach()

foreach(_entry IN LISTS _tolerated)
  message(STATUS "not there any more, remove it from this test: ${_entry}")
endforeach()

# What is documented is what there is.
foreach(_folder IN LISTS _order)
  if(NOT EXISTS "${ROOT}/include/symvi/${_folder}" AND
      NOT EXISTS "${ROOT}/src/${_folder}" AND NOT _folder STREQUAL "base")
    continue() # A component that is to come, or lives elsewhere.
  endif()
  set(_found ${_found_${_folder}})
  list(REMOVE_DUPLICATES _found)
  list(SORT _found)
  if(NOT "${_found}" STREQUAL "${_documented_${_folder}}")
    list(JOIN _found ", " _found)
    fail("docs/architecture.md: the row of `${_folder}` must be\n"
      "  | `${_folder}` | ${_found} | ...")
  endif()
endforeach()
foreach(_name IN LISTS _walk)
  file(GLOB _there "${ROOT}/include/symvi/${_name}.*" "${ROOT}/src/${_name}.*")
  if(NOT _there)
    fail("docs/architecture.md: there is no ${_name}.hpp or .cpp.")
  endif()
endforeach()

file(GLOB _pages RELATIVE "${ROOT}/docs" "${ROOT}/docs/*.md")
file(READ "${ROOT}/docs/README.md" _index)
foreach(_page IN LISTS _pages)
  file(READ "${ROOT}/docs/${_page}" _text)
  string(REGEX MATCHALL "[a-z_]+/[a-z_/]+\\.hpp" _names "${_text}")
  foreach(_name IN LISTS _names)
    string(REGEX REPLACE "^symvi/" "" _name "${_name}")
    if(NOT EXISTS "${ROOT}/include/symvi/${_name}" AND
        NOT EXISTS "${ROOT}/src/${_name}" AND NOT EXISTS "${ROOT}/${_name}")
      fail("docs/${_page}: there is no ${_name}.")
    endif()
  endforeach()
  string(FIND "${_index}" "](${_page})" _at)
  if(_at LESS 0 AND NOT _page STREQUAL "README.md")
    fail("docs/README.md does not list ${_page}.")
  endif()
endforeach()

# The public face: what can be included by itself.
set(_total 1) # symvi.hpp
set(_counts "symvi.hpp 1")
foreach(_folder IN LISTS _order)
  set(_count 0)
  foreach(_file IN LISTS _files)
    if(NOT _file MATCHES "_impl\\.hpp$" AND _file MATCHES "^include/symvi/(.*)")
      folder_of("${CMAKE_MATCH_1}" _of)
      if(_of STREQUAL _folder)
        math(EXPR _count "${_count} + 1")
      endif()
    endif()
  endforeach()
  math(EXPR _total "${_total} + ${_count}")
  string(APPEND _counts ", ${_folder} ${_count}")
endforeach()
message(STATUS "public headers: ${_total} (${_counts})")
if(_failures)
  message(FATAL_ERROR "docs/architecture.md and the code differ: ${_failures}.")
endif()
