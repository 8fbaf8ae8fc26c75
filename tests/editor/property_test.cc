#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "stepwell/compile/testing/arbitrary_playbook.h"
#include "stepwell/compile/testing/rephrase.h"
#include "stepwell/value/json_write.h"

#include "editor_schema.h"

namespace stepwell {
namespace {

RC_GTEST_PROP(EditorSchemaProperty, AcceptsRandomPlaybooksInAnyWords, ()) {
  testing::Dice dice(*rc::gen::arbitrary<std::uint64_t>());
  const Value plain = testing::arbitrary_playbook(dice, *rc::gen::inRange<std::size_t>(1, 12));
  for (const Value& document : {plain, testing::Rephrase(dice).playbook(plain)}) {
    const std::string complaints = editor_complaints(document);
    RC_LOG() << to_json(document) << "\n" << complaints;
    RC_ASSERT(complaints.empty());
  }
}

}  // namespace
}  // namespace stepwell
