# What was found and, for what was not, the Debian package that brings it.

find_program(BRISTLE_GNUPLOT gnuplot)
mark_as_advanced(BRISTLE_GNUPLOT)

function(bristle_feature text found package)
  if(found)
    message(STATUS "  ${text} yes")
  else()
    message(STATUS "  ${text} NO: install ${package}")
  endif()
endfunction()

list(JOIN BRISTLE_LEVELS " " levels)
message(STATUS "bristle ${PROJECT_VERSION}, ${CMAKE_BUILD_TYPE}")
message(STATUS "  array kernels               ${levels}")
bristle_feature("units in text (UDUNITS)    " "${BRISTLE_HAVE_UDUNITS}" libudunits2-dev)
bristle_feature("scenario files (libyaml)   " "${BRISTLE_HAVE_YAML}" libyaml-dev)
bristle_feature("CVODE, ARKODE (SUNDIALS)   " "${BRISTLE_HAVE_SUNDIALS}" libsundials-dev)
bristle_feature("plots (gnuplot, run time)  " "${BRISTLE_GNUPLOT}" gnuplot-nox)
if(PROJECT_IS_TOP_LEVEL)
  bristle_feature("tests (cmocka)             " "${CMOCKA_LIBRARY}" libcmocka-dev)
  bristle_feature("benchmark against SLEEF    " "${SLEEF_LIBRARY}" libsleef-dev)
endif()
