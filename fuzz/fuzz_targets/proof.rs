#![no_main]

ndqueens_fuzz::run_with_libfuzzer!(proof);
