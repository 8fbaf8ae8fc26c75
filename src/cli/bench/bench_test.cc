#include <filesystem>

#include <gtest/gtest.h>

#include "stepwell/cli/bench/measure.h"
#include "stepwell/cli/bench/soak.h"
#include "stepwell/cli/testing/command_test.h"
#include "stepwell/value/json_read.h"

namespace stepwell::cli {
namespace {

class BenchTest : public CommandTest {
 protected:
  static Ran bench(const std::vector<std::string>& line) { return run_line({"bench"}, line); }
};

TEST_F(BenchTest, AWorkloadIsALineOfJsonWithFloorRatioAndGoal) {
  const Ran ran = bench({"signal", "--quick", "--json", "--dir", folder()});
  ASSERT_EQ(ran.code, ExitCode::ok) << ran.err;
  const auto line = parse_json(ran.out);
  ASSERT_TRUE(line) << ran.out;
  for (const char* name : {"workload", "steps", "seconds", "steps_per_second", "p50_ms", "p99_ms", "cpu_seconds",
                           "bytes_per_step", "reached", "floor", "ratio", "goal", "met"}) {
    EXPECT_NE(line->find(name), nullptr) << name;
  }
  EXPECT_EQ(line->find("workload")->as_text(), "signal");
  EXPECT_GT(line->find("floor")->find("value")->as_real(), 0);
  EXPECT_TRUE(std::filesystem::is_empty(folder())) << "the stores are gone";
}

TEST_F(BenchTest, WithoutJsonItIsARowOfATable) {
  const Ran ran = bench({"sequence-1", "--quick", "--dir", folder()});
  ASSERT_EQ(ran.code, ExitCode::ok) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("WORKLOAD"));
  EXPECT_NE(ran.out.find("\nsequence-1 "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("<= 1.35 x floor"), std::string::npos) << ran.out;
}

TEST_F(BenchTest, WhatThereIsNotIsRefusedBeforeAnythingIsMeasured) {
  const Ran unknown = bench({"sequence-65", "--dir", folder()});
  EXPECT_EQ(unknown.code, ExitCode::usage);
  EXPECT_NE(unknown.err.find("no workload 'sequence-65'; did you mean 'sequence-64'?"), std::string::npos)
      << unknown.err;
  const Ran minutes = bench({"soak", "--minutes", "soon", "--dir", folder()});
  EXPECT_EQ(minutes.code, ExitCode::usage);
  EXPECT_NE(minutes.err.find("not 'soon'"), std::string::npos) << minutes.err;
  const Ran nowhere = bench({"signal", "--dir", folder() + "/none"});
  EXPECT_EQ(nowhere.code, ExitCode::usage);
  EXPECT_NE(nowhere.err.find("cannot make a directory in"), std::string::npos) << nowhere.err;
  const Ran memory = bench({"signal", "--store", "memory"});
  EXPECT_EQ(memory.code, ExitCode::usage);
  EXPECT_NE(memory.err.find("say --dir"), std::string::npos) << memory.err;
}

TEST_F(BenchTest, ItMeasuresTheDiskOfTheStoreWhichNeedNotBeThereYet) {
  const Ran ran = bench({"signal", "--quick", "--json", "--store", folder() + "/not/yet"});
  EXPECT_EQ(ran.code, ExitCode::ok) << ran.err;
  EXPECT_TRUE(std::filesystem::is_empty(folder()));
}

TEST(Sorted, HasPercentiles) {
  std::vector<double> values;
  for (int i = 100; i > 0; --i) values.push_back(i);
  const Sorted sorted(std::move(values));
  EXPECT_EQ(sorted.at(0), 1);
  EXPECT_EQ(sorted.at(0.5), 51);
  EXPECT_EQ(sorted.at(0.99), 100);
  EXPECT_EQ(sorted.at(1), 100);
  EXPECT_EQ(Sorted().at(0.5), 0);
}

std::vector<SoakSample> flat_soak() {
  return std::vector<SoakSample>(20, {.p50 = 0.01, .resident_mib = 100, .descriptors = 20});
}

TEST(Soak, ThatStaysAsItWasIsFlat) { EXPECT_EQ(growth_of(windows_of(flat_soak()), true), ""); }

TEST(Soak, WarmingUpAndOneBadMomentAreNoGrowth) {
  auto samples = flat_soak();
  samples[0].resident_mib = samples[3].resident_mib = 10;
  samples.back() = {.p50 = 1, .resident_mib = 1000, .descriptors = 1000};
  EXPECT_EQ(growth_of(windows_of(samples), true), "");
}

TEST(Soak, NamesWhatHasGrown) {
  auto samples = flat_soak();
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i].resident_mib += static_cast<double>(10 * i);
  EXPECT_EQ(growth_of(windows_of(samples), true), "memory from 160.0 to 280.0 MiB");
  samples = flat_soak();
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i].descriptors += static_cast<double>(i);
  EXPECT_EQ(growth_of(windows_of(samples), true), "descriptors from 26 to 38");
}

TEST(Soak, LatencyCountsOnlyIfAskedFor) {
  auto samples = flat_soak();
  for (std::size_t i = 10; i < samples.size(); ++i) samples[i].p50 = 0.03;
  EXPECT_EQ(growth_of(windows_of(samples), true), "p50 from 10.00 to 30.00 ms");
  EXPECT_EQ(growth_of(windows_of(samples), false), "");
}

}  // namespace
}  // namespace stepwell::cli
