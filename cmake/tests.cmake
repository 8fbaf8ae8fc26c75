# stepwell_test(NAME SOURCES ... LIBS ...): a GoogleTest program whose every test is a CTest test. STEPWELL_TEST_PREFIX
# tells the same test of two builds apart when ./test runs both.
find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)
include(GoogleTest)

# Where nothing is instrumented each source of a test is compiled by itself, which shows that it includes what it needs;
# of the sources of the layers clang-tidy shows that.
set(STEPWELL_TESTS_TOGETHER OFF)
if(STEPWELL_SANITIZE)
  set(STEPWELL_TESTS_TOGETHER ${CMAKE_UNITY_BUILD})
  # Under a sanitizer, g++ 12 takes for uninitialized what it has lost sight of.
  set(STEPWELL_TEST_OPTIONS -Wno-maybe-uninitialized)
endif()

# The headers of GoogleTest and RapidCheck cost more than most tests: they are compiled once and shared.
add_library(stepwell_test_pch OBJECT ${CMAKE_CURRENT_LIST_DIR}/test_pch.cc)
target_link_libraries(stepwell_test_pch PRIVATE GTest::gtest GTest::gmock rapidcheck stepwell_warnings)
target_compile_options(stepwell_test_pch PRIVATE ${STEPWELL_TEST_OPTIONS})
target_precompile_headers(stepwell_test_pch PRIVATE <gtest/gtest.h> <gmock/gmock.h> <rapidcheck.h> <vector>)

function(stepwell_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBS} GTest::gtest_main GTest::gmock rapidcheck stepwell_warnings)
  target_compile_options(${name} PRIVATE ${STEPWELL_TEST_OPTIONS})
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${STEPWELL_TESTS_TOGETHER})
  target_precompile_headers(${name} REUSE_FROM stepwell_test_pch)
  gtest_discover_tests(${name} TEST_PREFIX "${STEPWELL_TEST_PREFIX}" DISCOVERY_MODE PRE_TEST
                       PROPERTIES TIMEOUT 300)
endfunction()
