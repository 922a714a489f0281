# Installation: headers, both libraries, a CMake package and a pkg-config file.

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)

install(DIRECTORY include/sinew DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(TARGETS sinew sinew_shared EXPORT sinew_targets)
install(EXPORT sinew_targets NAMESPACE sinew:: FILE sinew-targets.cmake DESTINATION ${package_dir})

if(SINEW_BUILD_TOOLS)
    install(DIRECTORY include/sinew_scene DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
    install(TARGETS sinew_scene ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    set(scene_modules "jansson")
    if(ASSIMP_FOUND)
        string(APPEND scene_modules ", assimp")
    endif()
endif()

configure_package_config_file(cmake/sinew-config.cmake.in sinew-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(sinew-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sinew-config.cmake ${PROJECT_BINARY_DIR}/sinew-config-version.cmake
        DESTINATION ${package_dir})

# The prefix is found from where the file lies, so that an installed tree can be moved.
file(RELATIVE_PATH prefix_from_pkgconfig
     ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/sinew.pc.in sinew.pc @ONLY)
if(SINEW_BUILD_TOOLS)
    configure_file(cmake/sinew-scene.pc.in sinew-scene.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/sinew-scene.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
# What a newcomer tries: scenes, the format of scene files, the pages, programs.
install(DIRECTORY scenes examples DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES docs/scene.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew)
install(FILES ${PROJECT_BINARY_DIR}/sinew.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
