#include <cctype>
#include <fstream>
#include <sstream>
#include <string>
#include <variant>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "stepwell/kernel/playbook/event.h"

namespace stepwell {
namespace {

// "| 21 | step.done | run, output |": how the page lists an event.
template <typename T>
std::string row_of() {
  std::string fields;
  T::each_field([&](std::string_view name, auto) { fields += (fields.empty() ? "" : ", ") + std::string(name); });
  return fmt::format("| {} | {} |{}{} |", T::kTag, T::kName, fields.empty() ? "" : " ", fields);
}

template <typename... Events>
void expect_rows(const std::string& page, const std::variant<Events...>*) {
  auto check = [&](const std::string& row) { EXPECT_NE(page.find(row), std::string::npos) << row; };
  (check(row_of<Events>()), ...);
}

template <typename... Events>
std::size_t number_of(const std::variant<Events...>*) {
  return sizeof...(Events);
}

TEST(EventsPage, ListsEveryEventWithItsTagAndFields) {
  std::ifstream in(STEPWELL_EVENTS_PAGE);
  std::stringstream text;
  text << in.rdbuf();
  const std::string page = text.str();
  ASSERT_FALSE(page.empty());
  expect_rows(page, static_cast<const Event*>(nullptr));
  std::size_t rows = 0;
  for (std::size_t at = page.find("\n| "); at != std::string::npos; at = page.find("\n| ", at + 1)) {
    rows += std::isdigit(static_cast<unsigned char>(page[at + 3])) != 0 ? 1 : 0;
  }
  EXPECT_EQ(rows, number_of(static_cast<const Event*>(nullptr))) << "the page lists an event that is not there";
}

}  // namespace
}  // namespace stepwell
