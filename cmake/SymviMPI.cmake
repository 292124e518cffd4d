# Decides whether the component symvi::mpi is built.  Sets
#   SYMVI_MPI_ENABLED      TRUE where SYMVI_MPI is not OFF and MPI was found

set(SYMVI_MPI_ENABLED FALSE)
if(SYMVI_MPI)
  set(MPI_CXX_SKIP_MPICXX TRUE)
  find_package(MPI 3.0 QUIET COMPONENTS CXX)
  if(MPI_CXX_FOUND)
    set(SYMVI_MPI_ENABLED TRUE)
    message(STATUS "MPI: ${MPI_CXX_VERSION}, ${MPIEXEC_EXECUTABLE}")
  elseif(SYMVI_MPI STREQUAL "AUTO")
    message(STATUS "MPI: skipped (libopenmpi-dev or libmpich-dev not found)")
  else()
    message(FATAL_ERROR "SYMVI_MPI is ON, but no MPI 3 was found; install "
      "libopenmpi-dev and openmpi-bin, or set SYMVI_MPI to AUTO.")
  endif()
endif()
