# The library itself. Sources are compiled once, position-independent, and serve both forms:
#   sinew         static, alias sinew::sinew; internal symbols can be reached, which the tests use
#   sinew_shared  shared, alias sinew::shared; only the public API is visible

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

file(GLOB_RECURSE library_sources CONFIGURE_DEPENDS src/*.c)
file(GLOB_RECURSE avx2_sources CONFIGURE_DEPENDS src/*_avx2.c)

# Kernels for AVX2 are compiled with it but entered only on processors that have it.
set(has_avx2_kernels FALSE)
if(avx2_sources AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
    set(has_avx2_kernels TRUE)
    set_source_files_properties(${avx2_sources} PROPERTIES COMPILE_OPTIONS -mavx2)
elseif(avx2_sources)
    list(REMOVE_ITEM library_sources ${avx2_sources})
endif()

add_library(sinew_objects OBJECT ${library_sources})
set_target_properties(sinew_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_include_directories(sinew_objects PUBLIC include PRIVATE src)
target_link_libraries(sinew_objects PRIVATE Threads::Threads)
if(has_avx2_kernels)
    target_compile_definitions(sinew_objects PRIVATE SN_HAS_AVX2_KERNELS=1)
endif()

add_library(sinew STATIC $<TARGET_OBJECTS:sinew_objects>)
add_library(sinew::sinew ALIAS sinew)

add_library(sinew_shared SHARED $<TARGET_OBJECTS:sinew_objects>)
add_library(sinew::shared ALIAS sinew_shared)
# Before 1.0 every minor version may change the binary interface.
set_target_properties(sinew_shared PROPERTIES
    OUTPUT_NAME sinew
    EXPORT_NAME shared
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

foreach(library sinew sinew_shared)
    target_include_directories(${library} PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    # Public: inline functions of sinew/math.h call sqrtf.
    target_link_libraries(${library} PUBLIC m PRIVATE Threads::Threads)
endforeach()
