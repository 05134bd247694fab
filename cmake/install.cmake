# Everything below the prefix may be moved as a whole: no absolute path is written.

install(TARGETS bristle EXPORT bristleTargets)
install(TARGETS bristle_static EXPORT bristleStaticTargets)
install(TARGETS bristle_cli)
if(TARGET bristle_mpi)
  install(TARGETS bristle_mpi)
endif()
install(FILES ${PUBLIC_HEADERS} TYPE INCLUDE)
install(FILES man/bristle.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES completions/bristle
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${SCENARIOS} DESTINATION ${CMAKE_INSTALL_DATADIR}/bristle/scenarios)
install(FILES ${page_files} DESTINATION ${CMAKE_INSTALL_DATADIR}/bristle/laws)
# The documents lie as in the source, so that their links lead somewhere.
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md TYPE DOC)
install(DIRECTORY docs examples octave TYPE DOC PATTERN CMakeLists.txt EXCLUDE)
install(FILES ${SCENARIOS} DESTINATION ${CMAKE_INSTALL_DOCDIR}/scenarios)
install(DIRECTORY bench/results DESTINATION ${CMAKE_INSTALL_DOCDIR}/bench)

# pkg-config
file(RELATIVE_PATH pc_to_prefix
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" pc_to_prefix ${pc_to_prefix})
set(pc_private "${CMAKE_THREAD_LIBS_INIT} -lm")
if(BRISTLE_HAVE_UDUNITS)
  string(PREPEND pc_private "-ludunits2 ")
endif()
if(BRISTLE_HAVE_SQLITE)
  string(PREPEND pc_private "-lsqlite3 ")
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

# The archive by its name: -lbristle takes the shared library where both are installed.
set(pc_libs "\${libdir}/${CMAKE_STATIC_LIBRARY_PREFIX}bristle${CMAKE_STATIC_LIBRARY_SUFFIX} ${pc_private}")
configure_file(cmake/bristle-static.pc.in bristle-static.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/bristle-static.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(BRISTLE_CORE)
  install(TARGETS bristle_core EXPORT bristleCoreTargets)
  configure_file(cmake/bristle_core.pc.in bristle_core.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/bristle_core.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

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
if(BRISTLE_CORE)
  install(EXPORT bristleCoreTargets NAMESPACE bristle:: DESTINATION ${package_dir})
endif()
