#include "stepwell/base/sha256.h"

#include <openssl/evp.h>

#include "stepwell/base/check.h"
#include "stepwell/base/hex.h"

namespace stepwell {
namespace {

// Looking the algorithm up costs more than hashing a small value: it is done once per process and never freed.
const EVP_MD* algorithm() {
  static const EVP_MD* const fetched = EVP_MD_fetch(nullptr, "SHA2-256", nullptr);
  CHECK(fetched != nullptr);
  return fetched;
}

}  // namespace

struct Sha256::Context {
  EVP_MD_CTX* evp = EVP_MD_CTX_new();

  Context() {
    CHECK(evp != nullptr);
    start();
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() { EVP_MD_CTX_free(evp); }

  void start() { CHECK(EVP_DigestInit_ex2(evp, algorithm(), nullptr) == 1); }
  void update(std::string_view piece) { CHECK(EVP_DigestUpdate(evp, piece.data(), piece.size()) == 1); }
  Sha256Digest finish() {
    Sha256Digest digest;
    CHECK(EVP_DigestFinal_ex(evp, reinterpret_cast<unsigned char*>(digest.bytes.data()), nullptr) == 1);
    return digest;
  }
};

std::string Sha256Digest::to_hex() const { return stepwell::to_hex(view()); }

Sha256::Sha256() : context_(std::make_unique<Context>()) {}
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;
Sha256::~Sha256() = default;

void Sha256::update(std::string_view piece) { context_->update(piece); }

Sha256Digest Sha256::finish() {
  const Sha256Digest digest = context_->finish();
  context_->start();
  return digest;
}

// Making a context costs as much as hashing a small value.
Sha256Digest sha256(std::string_view bytes) {
  thread_local Sha256 hash;
  hash.update(bytes);
  return hash.finish();
}

}  // namespace stepwell
