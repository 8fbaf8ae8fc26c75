# stepwell_test(NAME SOURCES ... LIBS ...): a GoogleTest program whose every test is a CTest test. STEPWELL_TEST_PREFIX
# tells the same test of two builds apart when ./test runs both.
find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)
include(GoogleTest)

# The headers of GoogleTest and RapidCheck cost more than most tests: they are compiled once and shared.
add_library(stepwell_test_pch OBJECT ${CMAKE_CURRENT_LIST_DIR}/test_pch.cc)
target_link_libraries(stepwell_test_pch PRIVATE GTest::gtest GTest::gmock rapidcheck stepwell_warnings)
target_precompile_headers(stepwell_test_pch PRIVATE <gtest/gtest.h> <gmock/gmock.h> <rapidcheck.h> <vector>)

function(stepwell_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBS} GTest::gtest_main GTest::gmock rapidcheck stepwell_warnings)
  target_precompile_headers(${name} REUSE_FROM stepwell_test_pch)
  gtest_discover_tests(${name} TEST_PREFIX "${STEPWELL_TEST_PREFIX}" DISCOVERY_MODE PRE_TEST
                       PROPERTIES TIMEOUT 300)
endfunction()
