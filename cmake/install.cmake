# Everything below the prefix may be moved as a whole: no absolute path is written.

install(TARGETS bristle EXPORT bristleTargets)
install(TARGETS bristle_static EXPORT bristleStaticTargets)
install(TARGETS bristle_cli)
install(FILES ${PUBLIC_HEADERS} TYPE INCLUDE)
install(FILES man/bristle.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES completions/bristle
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${SCENARIOS} DESTINATION ${CMAKE_INSTALL_DATADIR}/bristle/scenarios)
install(FILES ${page_files} DESTINATION ${CMAKE_INSTALL_DATADIR}/bristle/laws)
install(FILES LICENSE README.md CHANGELOG.md TYPE DOC)

# pkg-config
file(RELATIVE_PATH pc_to_prefix
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" pc_to_prefix ${pc_to_prefix})
set(pc_private "${CMAKE_THREAD_LIBS_INIT} -lm")
if(BRISTLE_HAVE_UDUNITS)
  string(PREPEND pc_private "-ludunits2 ")
endif()
if(BRISTLE_HAVE_YAML)
  string(PREPEND pc_private "-lyaml ")
endif()
if(BRISTLE_HAVE_KLU)
  string(PREPEND pc_private "-lklu ")
endif()
if(BRISTLE_HAVE_SUNDIALS)
  if(SUNDIALS_KLU_FOUND)
    string(PREPEND pc_private "-lsundials_sunlinsolklu -lsundials_sunmatrixsparse -lklu ")
  endif()
  string(PREPEND pc_private "-lsundials_cvode -lsundials_arkode -lsundials_nvecserial "
    "-lsundials_sunlinsoldense -lsundials_sunmatrixdense -lsundials_sunnonlinsolfixedpoint ")
endif()
configure_file(cmake/bristle.pc.in bristle.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/bristle.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# find_package
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/bristle)
configure_package_config_file(cmake/bristleConfig.cmake.in bristleConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(bristleConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(
  FILES
    ${PROJECT_BINARY_DIR}/bristleConfig.cmake
    ${PROJECT_BINARY_DIR}/bristleConfigVersion.cmake
    cmake/FindKLU.cmake
    cmake/FindLibYAML.cmake
    cmake/FindSUNDIALS.cmake
    cmake/FindUDUNITS2.cmake
  DESTINATION ${package_dir})
install(EXPORT bristleTargets NAMESPACE bristle:: DESTINATION ${package_dir})
install(EXPORT bristleStaticTargets NAMESPACE bristle:: DESTINATION ${package_dir})
