# stepwell_fuzz(FILE LIB): the libFuzzer program of one x_fuzz.cc, and a CTest test that runs it for a few seconds. What
# it learns is kept in the build folder; tests/fuzz/x_fuzz/ holds inputs to begin with, where that helps.
function(stepwell_fuzz file library)
  cmake_path(GET file STEM name)
  add_executable(${name} ${file})
  target_link_libraries(${name} PRIVATE ${library} stepwell_warnings)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})

  set(learned ${CMAKE_BINARY_DIR}/corpus/${name})
  file(MAKE_DIRECTORY ${learned})
  set(seeds ${CMAKE_SOURCE_DIR}/tests/fuzz/${name})
  if(NOT EXISTS ${seeds})
    set(seeds)
  endif()
  add_test(NAME ${STEPWELL_TEST_PREFIX}${name}
           COMMAND ${name} -max_total_time=10 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 ${learned} ${seeds})
  set_tests_properties(${STEPWELL_TEST_PREFIX}${name} PROPERTIES LABELS slow TIMEOUT 120)
endfunction()
