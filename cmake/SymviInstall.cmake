# Install rules, package files for find_package() and pkg-config.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)

set(_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/symvi")

# Headers of a component that was not built would only fail at link time.
set(_without)
if(NOT TARGET symvi_onnx_library)
  list(APPEND _without PATTERN onnx EXCLUDE)
endif()
if(NOT TARGET symvi_mpi_library)
  list(APPEND _without PATTERN mpi EXCLUDE)
endif()
install(DIRECTORY include/ DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.hpp" ${_without})
target_include_directories(symvi INTERFACE
  "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")

set(_targets symvi)
foreach(_component IN ITEMS symvi_onnx_library symvi_mpi_library)
  if(TARGET ${_component})
    list(APPEND _targets ${_component})
  endif()
endforeach()
install(TARGETS ${_targets} EXPORT symviTargets)
install(EXPORT symviTargets NAMESPACE symvi:: DESTINATION "${_package_dir}")

configure_package_config_file(cmake/symviConfig.cmake.in symviConfig.cmake
  INSTALL_DESTINATION "${_package_dir}")
write_basic_package_version_file(symviConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${CMAKE_CURRENT_BINARY_DIR}/symviConfig.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/symviConfigVersion.cmake"
  cmake/Findmlpack.cmake
  DESTINATION "${_package_dir}")

# pkg-config: directories that the compiler searches anyway are not named.
set(SYMVI_PC_INCLUDES)
get_target_property(_dirs mlpack::mlpack INTERFACE_INCLUDE_DIRECTORIES)
list(REMOVE_ITEM _dirs ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES})
foreach(_dir IN LISTS _dirs)
  # In one word, and with another flag in between: pkg-config would lose the
  # quotes of a second word, or of a second directory in a row.
  string(APPEND SYMVI_PC_INCLUDES
    " -isystem\"${_dir}\" -I\"\${includedir}\"")
endforeach()
get_target_property(_definitions mlpack::mlpack INTERFACE_COMPILE_DEFINITIONS)
list(TRANSFORM _definitions PREPEND "-D")
list(JOIN _definitions " " SYMVI_PC_DEFINITIONS)
list(JOIN mlpack_LIBRARIES " " SYMVI_PC_LIBS)
configure_file(cmake/symvi.pc.in symvi.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/symvi.pc"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
# Where the system's mlpack is too old, it brings in the headers of a later one.
install(PROGRAMS scripts/setup.sh
  DESTINATION "${CMAKE_INSTALL_DATADIR}/symvi/scripts")
if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/LICENSE")
  install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
endif()
