#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "stepwell/base/crc32c.h"
#include "stepwell/base/hex.h"
#include "stepwell/base/sha256.h"

namespace stepwell {
namespace {

// The examples of FIPS 180-2.
TEST(Sha256Test, KnownAnswers) {
  EXPECT_EQ(sha256("").to_hex(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc").to_hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq").to_hex(),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')).to_hex(),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256Test, PiecesGiveTheDigestOfTheWhole) {
  Sha256 hash;
  hash.update("a");
  hash.update("");
  hash.update("bc");
  EXPECT_EQ(hash.finish(), sha256("abc"));
  EXPECT_EQ(hash.finish(), sha256("")) << "finish starts anew";
  Sha256 moved = std::move(hash);
  moved.update("abc");
  EXPECT_EQ(moved.finish(), sha256("abc"));
}

// The examples of RFC 3720 appendix B.4, and the check value of the CRC catalogues.
TEST(Crc32cTest, KnownAnswers) {
  std::string ascending, descending;
  for (char i = 0; i < 32; ++i) {
    ascending.push_back(i);
    descending.push_back(static_cast<char>(31 - i));
  }
  for (auto* crc : {&crc32c, &crc32c_by_table}) {
    EXPECT_EQ(crc("", 0), 0u);
    EXPECT_EQ(crc("123456789", 0), 0xE3069283u);
    EXPECT_EQ(crc(std::string(32, '\0'), 0), 0x8A9136AAu);
    EXPECT_EQ(crc(std::string(32, '\xFF'), 0), 0x62A8AB43u);
    EXPECT_EQ(crc(ascending, 0), 0x46DD794Eu);
    EXPECT_EQ(crc(descending, 0), 0x113FDB5Cu);
  }
}

RC_GTEST_PROP(Crc32cTest, TableAndHardwareAgreeAndPiecesAddUp, (const std::string& a, const std::string& b)) {
  const std::uint32_t whole = crc32c_by_table(a + b);
  RC_ASSERT(crc32c_by_table(b, crc32c_by_table(a)) == whole);
  RC_ASSERT(crc32c(b, crc32c(a)) == whole);
  if (has_crc32c_hardware()) RC_ASSERT(crc32c_by_hardware(b, crc32c_by_hardware(a)) == whole);
}

}  // namespace
}  // namespace stepwell
