#include "stepwell/kernel/playbook/words.h"

namespace stepwell {

std::string_view refusal_word(RefusalCode code) {
  switch (code) {
    case RefusalCode::stale: return "stale";
    case RefusalCode::repeated: return "repeated";
    case RefusalCode::version_conflict: return "version_conflict";
    case RefusalCode::id_conflict: return "id_conflict";
    case RefusalCode::invalid: return "invalid";
    case RefusalCode::not_allowed: return "not_allowed";
    case RefusalCode::not_found: return "not_found";
    case RefusalCode::ended: return "ended";
    case RefusalCode::needs_blob: return "needs_blob";
  }
  return "";
}

std::string_view settled_word(Settled how) {
  switch (how) {
    case Settled::arrived: return "arrived";
    case Settled::ended: return "ended";
    case Settled::failed: return "failed";
    case Settled::cancelled: return "cancelled";
  }
  return "";
}

std::string_view message_word(MessageKind kind) {
  switch (kind) {
    case MessageKind::start_child: return "start_child";
    case MessageKind::cancel_child: return "cancel_child";
    case MessageKind::child_ended: return "child_ended";
    case MessageKind::start_independent: return "start_independent";
    case MessageKind::emit: return "emit";
  }
  return "";
}

}  // namespace stepwell
