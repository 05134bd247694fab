# SUNDIALS 6 or 7, time integrators: target SUNDIALS::bristle, with CVODE, the explicit part of
# ARKODE and serial vectors, and KLU if both libraries have it (SUNDIALS_KLU_FOUND).
# (The package files that SUNDIALS installs itself ask for MPI, PETSc and more.)
find_path(SUNDIALS_INCLUDE_DIR sundials/sundials_config.h)
find_path(SUNDIALS_KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
set(sundials_needed)
foreach(part cvode arkode nvecserial sunmatrixdense sunlinsoldense sunnonlinsolfixedpoint)
  find_library(SUNDIALS_${part}_LIBRARY sundials_${part})
  list(APPEND sundials_needed SUNDIALS_${part}_LIBRARY)
endforeach()
find_library(SUNDIALS_core_LIBRARY NAMES sundials_core sundials_generic)
find_library(SUNDIALS_sunmatrixsparse_LIBRARY sundials_sunmatrixsparse)
find_library(SUNDIALS_sunlinsolklu_LIBRARY sundials_sunlinsolklu)
find_library(SUNDIALS_klu_LIBRARY klu)

if(SUNDIALS_INCLUDE_DIR)
  file(STRINGS ${SUNDIALS_INCLUDE_DIR}/sundials/sundials_config.h sundials_version
    REGEX "define SUNDIALS_VERSION \"")
  string(REGEX REPLACE ".*\"(.*)\".*" "\\1" SUNDIALS_VERSION "${sundials_version}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SUNDIALS
  REQUIRED_VARS SUNDIALS_core_LIBRARY SUNDIALS_INCLUDE_DIR ${sundials_needed}
  VERSION_VAR SUNDIALS_VERSION)

set(SUNDIALS_KLU_FOUND FALSE)
if(SUNDIALS_FOUND AND SUNDIALS_KLU_INCLUDE_DIR AND SUNDIALS_klu_LIBRARY AND
   SUNDIALS_sunlinsolklu_LIBRARY AND SUNDIALS_sunmatrixsparse_LIBRARY)
  set(SUNDIALS_KLU_FOUND TRUE)
endif()
if(SUNDIALS_FOUND AND NOT TARGET SUNDIALS::bristle)
  add_library(SUNDIALS::bristle INTERFACE IMPORTED)
  set(sundials_libraries)
  foreach(part IN LISTS sundials_needed)
    list(APPEND sundials_libraries ${${part}})
  endforeach()
  set(sundials_includes ${SUNDIALS_INCLUDE_DIR})
  if(SUNDIALS_KLU_FOUND)
    list(APPEND sundials_libraries ${SUNDIALS_sunlinsolklu_LIBRARY}
      ${SUNDIALS_sunmatrixsparse_LIBRARY} ${SUNDIALS_klu_LIBRARY})
    list(APPEND sundials_includes ${SUNDIALS_KLU_INCLUDE_DIR})
  endif()
  list(APPEND sundials_libraries ${SUNDIALS_core_LIBRARY})
  # Headers of a version 7 that was built with MPI include mpi.h.
  file(STRINGS ${SUNDIALS_INCLUDE_DIR}/sundials/sundials_config.h sundials_mpi
    REGEX "^#define SUNDIALS_MPI_ENABLED 1")
  if(sundials_mpi AND SUNDIALS_VERSION VERSION_GREATER_EQUAL 7)
    find_package(MPI QUIET COMPONENTS C)
    list(APPEND sundials_includes ${MPI_C_INCLUDE_DIRS})
  endif()
  set_target_properties(SUNDIALS::bristle PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${sundials_includes}"
    INTERFACE_LINK_LIBRARIES "${sundials_libraries}")
endif()
foreach(part IN LISTS sundials_needed)
  mark_as_advanced(${part})
endforeach()
mark_as_advanced(SUNDIALS_INCLUDE_DIR SUNDIALS_KLU_INCLUDE_DIR SUNDIALS_core_LIBRARY
  SUNDIALS_sunmatrixsparse_LIBRARY SUNDIALS_sunlinsolklu_LIBRARY SUNDIALS_klu_LIBRARY)
