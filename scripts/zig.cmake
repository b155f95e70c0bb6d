# HiGHS is compiled as in .cargo/config.toml, with the compilers that cargo-zigbuild names. Set in scripts/release.
include(${CMAKE_CURRENT_LIST_DIR}/unity.cmake)
set(CMAKE_C_COMPILER $ENV{CC_x86_64_unknown_linux_gnu})
set(CMAKE_CXX_COMPILER $ENV{CXX_x86_64_unknown_linux_gnu})
