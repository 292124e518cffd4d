# Decides whether the Python package is built, and for which interpreter: that
# of Python_EXECUTABLE, else the system's rather than the first in PATH, because
# numpy and pybind11 come from the system.  Sets
#   SYMVI_PYTHON_ENABLED   TRUE where everything was found

set(SYMVI_PYTHON_ENABLED FALSE)
if(NOT SYMVI_PYTHON)
  return()
endif()

if(NOT Python_EXECUTABLE)
  find_program(SYMVI_PYTHON_EXECUTABLE python3 PATHS /usr/bin NO_DEFAULT_PATH)
  mark_as_advanced(SYMVI_PYTHON_EXECUTABLE)
  if(SYMVI_PYTHON_EXECUTABLE)
    set(Python_EXECUTABLE "${SYMVI_PYTHON_EXECUTABLE}")
  endif()
endif()

set(_missing)
find_package(Python 3.9 QUIET COMPONENTS Interpreter Development.Module)
if(NOT Python_Development.Module_FOUND)
  list(APPEND _missing python3-dev)
endif()
if(NOT _missing)
  find_package(pybind11 2.10 QUIET)
  if(NOT pybind11_FOUND)
    list(APPEND _missing pybind11-dev)
  endif()
endif()
foreach(_module IN ITEMS numpy sklearn)
  if(Python_Interpreter_FOUND)
    execute_process(
      COMMAND "${Python_EXECUTABLE}" -c
        "import importlib.util as u; exit(u.find_spec('${_module}') is None)"
      RESULT_VARIABLE _result ERROR_QUIET)
    if(NOT _result EQUAL 0)
      list(APPEND _missing python3-${_module})
    endif()
  endif()
endforeach()

if(NOT _missing)
  set(SYMVI_PYTHON_ENABLED TRUE)
  message(STATUS "Python: ${Python_EXECUTABLE}, ${Python_VERSION}; "
    "pybind11 ${pybind11_VERSION}")
else()
  list(JOIN _missing ", " _missing)
  if(NOT SYMVI_PYTHON STREQUAL "AUTO")
    message(FATAL_ERROR "SYMVI_PYTHON is ${SYMVI_PYTHON}, but for the "
      "interpreter '${Python_EXECUTABLE}' these are missing: ${_missing}; "
      "scripts/setup.sh installs them for the system's.")
  endif()
  message(STATUS "Python: skipped (${_missing} not found)")
endif()
