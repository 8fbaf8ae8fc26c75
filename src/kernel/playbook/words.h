#pragma once

#include <string_view>

#include "stepwell/kernel/playbook/command.h"
#include "stepwell/kernel/playbook/event.h"

// The words by which people and programs know what the kernel says.
namespace stepwell {

std::string_view refusal_word(RefusalCode code);
std::string_view settled_word(Settled how);
std::string_view message_word(MessageKind kind);

}  // namespace stepwell
