# Several source files are compiled as one: HiGHS takes half of the time. Set in .cargo/config.toml.
set(CMAKE_UNITY_BUILD ON)
set(CMAKE_UNITY_BUILD_BATCH_SIZE 64)
