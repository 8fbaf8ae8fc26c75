#include "stepwell/compile/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stepwell/compile/load.h"

namespace stepwell {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CatalogTest : public testing::Test {
 protected:
  static Document document(const std::string& text) {
    Diagnostics diagnostics("test.yaml");
    auto loaded = load_document(text, "order", diagnostics);
    EXPECT_TRUE(loaded.has_value()) << diagnostics.to_string();
    return *std::move(loaded);
  }
  // A playbook 'order' with one step.
  static Document order(const std::string& step, const std::string& metadata = "{}") {
    return document("metadata: " + metadata + "\nworkflow: [{step: " + step + "}]");
  }
  // The version it gets, or the refusal.
  std::string put(Document document) {
    const auto entry = catalog.register_document(std::move(document));
    return entry ? std::to_string((*entry)->version) : entry.error();
  }
  std::string latest(const std::string& name, DocumentKind kind = DocumentKind::playbook) const {
    const auto entry = catalog.latest(kind, name);
    return entry ? std::to_string((*entry)->version) : entry.error();
  }
  std::string exact(const std::string& name, std::int64_t version) const {
    const auto entry = catalog.exact(DocumentKind::playbook, name, version);
    return entry ? std::to_string((*entry)->version) : entry.error();
  }
  std::vector<std::string> listed() const {
    std::vector<std::string> all;
    for (const CatalogEntryPtr& entry : catalog.list()) {
      all.push_back(std::string(kind_word(entry->document.kind)) + " " + entry->document.name + " " +
                    std::to_string(entry->version));
    }
    return all;
  }

  Catalog catalog;
};

TEST_F(CatalogTest, WithoutAVersionTheNextOneIsGivenAndTheSameDefinitionKeepsItsOwn) {
  EXPECT_EQ(put(order("a")), "1");
  EXPECT_EQ(put(order("b")), "2");
  EXPECT_EQ(put(order("a")), "1");
  EXPECT_EQ(put(order("c")), "3");
  EXPECT_EQ(latest("order"), "3");
  EXPECT_EQ(exact("order", 1), "1");
}

TEST_F(CatalogTest, AnAuthoredVersionIsUsedAsItIs) {
  EXPECT_EQ(put(order("a", "{version: 7}")), "7");
  EXPECT_EQ(put(order("b")), "8");
  EXPECT_EQ(put(order("c", "{version: 3}")), "3");
  EXPECT_EQ(put(order("b", "{version: 9}")), "9");
  EXPECT_EQ(latest("order"), "9");
  EXPECT_EQ(put(order("b")), "9") << "the latest of those that are the same";
}

TEST_F(CatalogTest, ARegisteredVersionNeverChanges) {
  EXPECT_EQ(put(order("a", "{version: 1}")), "1");
  const CatalogEntryPtr before = *catalog.exact(DocumentKind::playbook, "order", 1);
  EXPECT_EQ(put(order("b", "{version: 1}")),
            "version 1 of playbook 'order' is registered with another definition; give this one another version, or "
            "none");
  EXPECT_EQ(put(order("a", "{version: 1}")), "1");
  EXPECT_EQ(*catalog.exact(DocumentKind::playbook, "order", 1), before);
  EXPECT_EQ(catalog.list().size(), 1u);
}

TEST_F(CatalogTest, ARefusedDocumentLeavesNoTrace) {
  Document last = order("a", "{version: 9223372036854775807}");
  EXPECT_EQ(put(std::move(last)), "9223372036854775807");
  EXPECT_EQ(put(order("b")), "playbook 'order' has no version left after 9223372036854775807");
  EXPECT_EQ(catalog.list().size(), 1u);
}

TEST_F(CatalogTest, KindsDoNotMeet) {
  EXPECT_EQ(put(order("a")), "1");
  EXPECT_EQ(put(document("kind: Prompt\ntemplate: Hello")), "1");
  EXPECT_EQ(put(document("kind: Schedule\ncron: '@daily'\nplaybook: order")), "1");
  EXPECT_EQ(put(order("b", "{name: billing/pay}")), "1");
  EXPECT_EQ(put(order("b")), "2");
  EXPECT_THAT(listed(), ElementsAre("Playbook billing/pay 1", "Playbook order 1", "Playbook order 2",
                                    "Schedule order 1", "Prompt order 1"));
}

TEST_F(CatalogTest, WhatIsNotThereIsNamedWithTheNearest) {
  EXPECT_EQ(latest("order"), "there is no playbook 'order'");
  put(order("a"));
  put(order("b"));
  EXPECT_EQ(latest("ordr"), "there is no playbook 'ordr'; did you mean 'order'?");
  EXPECT_EQ(exact("order", 5), "there is no version 5 of playbook 'order'; there is 1, 2");
  EXPECT_EQ(latest("order", DocumentKind::prompt), "there is no prompt 'order'");
}

const std::vector<DocumentSource> kOneIsBad = {
    {"good.yaml", "good", "workflow: [{step: a}]"},
    {"bad.yaml", "bad", "workflow: [{step: a, nxet: b}]\nworkload: 5"},
    {"worse.yaml", "worse", "kind: Schedule\nmetadata: {name: nightly}\ncron: '@daly'\nplaybook: good"},
};

TEST_F(CatalogTest, StrictRefusesToStartAndSaysAll) {
  const auto found = catalog.load(kOneIsBad, StartMode::strict);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].to_string().substr(0, 20), "bad.yaml:1:22: error");
  EXPECT_EQ(found[1].to_string().substr(0, 20), "bad.yaml:2:11: error");
  EXPECT_EQ(found[2].to_string().substr(0, 21), "worse.yaml:3:8: error");
  EXPECT_TRUE(catalog.list().empty());
  EXPECT_EQ(latest("good"), "there is no playbook 'good'");
}

TEST_F(CatalogTest, WarnGoesOnAndRemembersWhatIsUnavailable) {
  EXPECT_EQ(catalog.load(kOneIsBad, StartMode::warn).size(), 3u);
  EXPECT_EQ(latest("good"), "1");
  EXPECT_THAT(latest("bad"), HasSubstr("playbook 'bad' is unavailable: bad.yaml:1:22: error: step 'a' has no key"));
  EXPECT_EQ(exact("bad", 1), latest("bad"));
  EXPECT_THAT(latest("nightly", DocumentKind::schedule),
              HasSubstr("schedule 'nightly' is unavailable: worse.yaml:3:8"));
  EXPECT_THAT(listed(), ElementsAre("Playbook good 1"));

  EXPECT_EQ(put(order("a", "{name: bad}")), "1");
  EXPECT_EQ(latest("bad"), "1") << "repaired";
}

TEST_F(CatalogTest, AnOlderVersionIsNotTakenForTheOneThatIsBroken) {
  const std::vector<DocumentSource> sources = {
      {"two.yaml", "order", "metadata: {version: 2}\nworkflow: []"},
      {"one.yaml", "order", "metadata: {version: 1}\nworkflow: [{step: a}]"},
  };
  EXPECT_EQ(catalog.load(sources, StartMode::warn).size(), 1u);
  EXPECT_THAT(latest("order"), HasSubstr("unavailable: two.yaml:2:11"));
  EXPECT_EQ(exact("order", 1), "1");
}

TEST_F(CatalogTest, TwoFilesThatClaimOneVersionAreAnError) {
  const std::vector<DocumentSource> sources = {
      {"one.yaml", "order", "metadata: {version: 1}\nworkflow: [{step: a}]"},
      {"two.yaml", "order", "metadata: {version: 1}\nworkflow: [{step: b}]"},
  };
  const auto found = catalog.load(sources, StartMode::strict);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0].to_string(), HasSubstr("two.yaml:1:1: error: version 1 of playbook 'order' is registered with"));
  EXPECT_TRUE(catalog.list().empty());
}

}  // namespace
}  // namespace stepwell
