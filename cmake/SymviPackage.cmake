# Packages: `cpack -G DEB` makes libsymvi-dev (library, headers, CMake package),
# symvi (programs) and symvi-mpi (the one for several machines), `cpack --config CPackSourceConfig.cmake` the sources.

set(CPACK_PACKAGE_NAME symvi)
set(CPACK_PACKAGE_VENDOR "symvi contributors")
set(CPACK_PACKAGE_CONTACT "symvi contributors <symvi@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${symvi_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)

set(CPACK_COMPONENTS_ALL development)
if(TARGET symvi_bnn)
  list(APPEND CPACK_COMPONENTS_ALL programs)
endif()
if(TARGET symvi_bnn_mpi)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)

# What a program that uses symvi compiles with.  Where the system has no mlpack
# that is recent enough, its headers come from scripts/setup.sh --headers, which
# is installed, and which wants a compiler and certificates.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libsymvi-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS libopenblas-dev)
string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", rapidjson-dev")
set(_mlpack "libmlpack-dev (>= 4.6), libensmallen-dev, libarmadillo-dev")
string(APPEND _mlpack ", libcereal-dev")
if(mlpack_INCLUDE_DIR MATCHES "^/usr/include")
  string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", ${_mlpack}")
else()
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "${_mlpack}")
endif()
if(TARGET symvi_onnx_library)
  string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    ", libonnx-dev, libprotobuf-dev")
endif()
if(TARGET symvi_mpi_library)
  string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", libopenmpi-dev")
endif()

# What the programs link, as dpkg-shlibdeps finds it.
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_NAME symvi)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SECTION math)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SHLIBDEPS ON)

# dpkg-shlibdeps does not know that the library of MPI starts its tools.
set(CPACK_DEBIAN_MPI_PACKAGE_NAME symvi-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_SECTION math)
set(CPACK_DEBIAN_MPI_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS openmpi-bin)
set(CPACK_COMPONENT_MPI_DESCRIPTION
  "Bayesian neural networks on the command line: training on several machines")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
  "Bayesian posteriors over the weights of mlpack networks: library and headers")
set(CPACK_COMPONENT_PROGRAMS_DESCRIPTION
  "Bayesian neural networks on the command line: train, predict, evaluate, ONNX")

set(CPACK_SOURCE_GENERATOR TGZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME "symvi-${symvi_VERSION}")
set(CPACK_SOURCE_IGNORE_FILES "/build/" "/\\\\.deps" "/\\\\.git/" "/\\\\.git$"
  "\\\\.swp$")
include(CPack)
