#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <utility>

namespace stepwell {

// Why a store could not do what it was asked.
struct StoreError {
  enum class Kind : std::uint8_t {
    failed,   // the disk or the database refused; what was asked has not happened
    unknown,  // whether it has happened is not known: open the store anew and look
    full,     // no space is left; what was asked has not happened
    corrupt,  // what is stored is not what was written: the message names the place
    held,     // another process has the store
    fenced,   // another owner has taken the shard: this one must stop
    invalid,  // no store, a newer format, a wrong name
  };
  Kind kind = Kind::failed;
  std::string message = {};
};

template <typename T = void>
using Stored = std::expected<T, StoreError>;

inline std::unexpected<StoreError> refuse(StoreError::Kind kind, std::string message) {
  return std::unexpected(StoreError{.kind = kind, .message = std::move(message)});
}

}  // namespace stepwell
