#pragma once

#include <array>
#include <compare>
#include <memory>
#include <string>
#include <string_view>

namespace stepwell {

struct Sha256Digest {
  static constexpr std::size_t kSize = 32;

  std::array<char, kSize> bytes = {};

  std::string_view view() const& { return {bytes.data(), bytes.size()}; }
  std::string to_hex() const;  // 64 lower-case digits
  friend auto operator<=>(const Sha256Digest&, const Sha256Digest&) = default;
};

Sha256Digest sha256(std::string_view bytes);

// The same for bytes that come in pieces: the digest is that of their concatenation.
class Sha256 {
 public:
  Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;
  ~Sha256();

  void update(std::string_view piece);
  // Gives the digest and starts anew.
  Sha256Digest finish();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

}  // namespace stepwell
