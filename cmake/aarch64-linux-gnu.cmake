# Compiles for 64-bit ARM with Debian's g++-aarch64-linux-gnu, and runs what it compiled in qemu-user (preset `arm`).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
find_program(FOOTFALL_QEMU NAMES qemu-aarch64 qemu-aarch64-static REQUIRED)
mark_as_advanced(FOOTFALL_QEMU)
set(CMAKE_CROSSCOMPILING_EMULATOR ${FOOTFALL_QEMU};-L;/usr/aarch64-linux-gnu)

# Programs are this machine's; headers and libraries of this machine would not fit.
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
