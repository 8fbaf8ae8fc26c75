#include "stepwell/kernel/table.h"

#include <map>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "stepwell/kernel/ids.h"

namespace stepwell {
namespace {

struct Entry {
  TokenId id;
  int payload = 0;
};

TEST(Table, KeepsWhatIsAddedInOrderAndForgetsWhatIsErased) {
  Table<TokenId, Entry> table;
  for (std::uint64_t i = 1; i <= 20; ++i) table.add({{i}, static_cast<int>(i)});
  for (std::uint64_t i = 1; i <= 15; ++i) table.erase({i});
  EXPECT_EQ(table.size(), 5u);
  EXPECT_EQ(table.find({15}), nullptr);
  EXPECT_EQ(table.at({16}).payload, 16);
}

TEST(Table, AddsAnEntryByItsIdAndErasesItByItself) {
  Table<TokenId, Entry> table;
  table.add(TokenId{1}).payload = 10;
  table.add(TokenId{2}).payload = 20;
  table.erase(table.at({1}));
  EXPECT_EQ(table.find({1}), nullptr);
  EXPECT_EQ(table.at({2}).payload, 20);
}

TEST(TableDeathTest, RefusesAnIdThatIsNotNew) {
  Table<TokenId, Entry> table;
  table.add({{2}, 0});
  EXPECT_DEATH(table.add({{2}, 0}), "entries_");
}

RC_GTEST_PROP(TableProperty, IsAMapOfWhatLives, (const std::vector<std::pair<bool, std::uint8_t>>& steps)) {
  Table<TokenId, Entry> table;
  std::map<TokenId, int> model;
  std::uint64_t last = 0;
  for (const auto& [adds, number] : steps) {
    if (adds || model.empty()) {
      last += 1 + number % 3;
      table.add({{last}, number});
      model[{last}] = number;
    } else {
      const auto chosen = std::next(model.begin(), number % model.size());
      table.erase(chosen->first);
      model.erase(chosen);
    }
  }
  std::map<TokenId, int> seen;
  table.each([&](const Entry& entry) { seen[entry.id] = entry.payload; });
  RC_ASSERT(seen == model);
  RC_ASSERT(table.size() == model.size());
}

}  // namespace
}  // namespace stepwell
