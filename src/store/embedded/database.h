#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "stepwell/base/instant.h"
#include "stepwell/store/store_error.h"

// SQLite, without showing it.
namespace stepwell {

// Bytes, as against text.
struct Bytes {
  std::string_view view = {};
};

// One connection. Not synchronised: whoever uses it holds its mutex.
class Connection {
 public:
  enum class Mode : std::uint8_t { write, create, read };
  static Stored<std::unique_ptr<Connection>> open(const std::string& path, Mode mode);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  // Statements without parameters and answers, separated by semicolons.
  Stored<> run(const std::string& statements);
  std::uint64_t changes();

  // Runs `work` in a transaction: all of it happens, or nothing. Synced if that is asked for; otherwise a loss of power
  // may undo the latest ones, from the end.
  enum class Sync : bool { no, yes };
  Stored<> transaction(Sync sync, const std::function<Stored<>()>& work);

  // Writes the whole database, as this connection sees it, to a new file.
  Stored<> copy_to(const std::string& path);

  std::uint64_t written_bytes() const;
  std::uint64_t syncs() const;
  std::mutex& mutex();

 private:
  friend class Query;
  struct Impl;
  struct Statement;
  explicit Connection(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// One statement: prepared once per connection, then used again. Parameters are bound in their order. One with the same
// text may not be used while this one is.
class Query {
 public:
  Query(Connection& connection, std::string_view sql);
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;
  ~Query();

  // What is bound must live until the query is done.
  template <typename... Parameters>
  Query& bind(const Parameters&... parameters) {
    (bind_one(parameters), ...);
    return *this;
  }

  // Goes to the next row; false after the last. For statements without rows, see run().
  Stored<bool> next();
  // Does it, and makes it ready for other parameters.
  Stored<> run();

  std::int64_t integer(int column) const;
  std::string text(int column) const;
  std::string_view bytes(int column) const;  // valid until the next row
  bool is_null(int column) const;
  Instant instant(int column) const;
  std::optional<Instant> optional_instant(int column) const;

 private:
  void bind_one(std::int64_t number);
  void bind_one(std::uint64_t number) { bind_one(static_cast<std::int64_t>(number)); }
  void bind_one(std::uint32_t number) { bind_one(static_cast<std::int64_t>(number)); }
  void bind_one(bool flag) { bind_one(static_cast<std::int64_t>(flag)); }
  void bind_one(std::string_view text);
  void bind_one(const std::string& text) { bind_one(std::string_view(text)); }
  void bind_one(Bytes bytes);
  void bind_one(Instant instant) { bind_one(instant.micros()); }
  void bind_one(const std::optional<Instant>& instant);

  Connection& connection_;
  Connection::Statement* statement_ = nullptr;  // of the connection's; none if it could not be prepared
  std::optional<StoreError> error_;
  int bound_ = 0;
};

}  // namespace stepwell
