#include "stepwell/server/backing.h"

#include <fmt/format.h>

#include "stepwell/kernel/playbook/words.h"

namespace stepwell {

namespace {

std::string_view code_of(StoreError::Kind kind) {
  switch (kind) {
    case StoreError::Kind::failed: return "store_failed";
    case StoreError::Kind::unknown: return "unknown";
    case StoreError::Kind::full: return "store_full";
    case StoreError::Kind::corrupt: return "store_corrupt";
    case StoreError::Kind::held: return "store_held";
    case StoreError::Kind::fenced: return "store_fenced";
    case StoreError::Kind::invalid: return "invalid";
  }
  return "";
}

}  // namespace

Problem problem_of(const StoreError& error) { return {std::string(code_of(error.kind)), error.message}; }

Problem problem_of(const Answer& answer) {
  if (answer.kind == Answer::Kind::refused)
    return {std::string(refusal_word(answer.refusal.code)), answer.refusal.message};
  return {"unknown", "the store failed while this was decided: it may have been accepted or not; ask again"};
}

Answered<std::string> find_execution(const Backing& backing, const std::string& text) {
  if (auto current = backing.runtime.catch_up(); !current) return std::unexpected(problem_of(current.error()));
  const auto exact = backing.store.find_execution(text);
  if (!exact) return std::unexpected(problem_of(exact.error()));
  if (*exact) return text;
  const auto page = backing.store.find_executions({.id_prefix = text, .limit = 2});
  if (!page) return std::unexpected(problem_of(page.error()));
  if (text.empty() || page->rows.empty()) {
    return std::unexpected(
        Problem{"not_found", fmt::format("there is no execution '{}'; `stepwell ls` shows those there are", text)});
  }
  if (page->rows.size() > 1) {
    return std::unexpected(Problem{"not_found", fmt::format("several executions begin with '{}'; give more of it: {}, "
                                                            "{}, ...",
                                                            text, page->rows[0].id, page->rows[1].id)});
  }
  return page->rows.front().id;
}

}  // namespace stepwell
