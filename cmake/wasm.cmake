# Toolchain of the WebAssembly build: clang and wasi-libc as Debian packages them. See web/engine/CMakeLists.txt.
set(CMAKE_SYSTEM_NAME Generic)
set(SINEW_WASM ON)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
# The C library's headers are not where clang would look for them.
set(CMAKE_C_FLAGS_INIT "-nostdlibinc -isystem /usr/include/wasm32-wasi -msimd128 -mbulk-memory -mnontrapping-fptoint -msign-ext -Wno-unused-command-line-argument")
# Nothing can be run, and a program without entry cannot be linked, when CMake tries the compiler.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
