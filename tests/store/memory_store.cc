#include "stepwell/store/memory_store.h"

#include "store_suite.h"

namespace stepwell {
namespace {

// The store outlives a crash: it is the disk.
class MemoryHome final : public StoreHome {
 public:
  Store& store() override { return *store_; }
  void crash() override {}
  bool move_to_backup() override {
    EXPECT_EQ(store_->backup("anywhere").error().kind, StoreError::Kind::invalid);
    return false;
  }

 private:
  std::unique_ptr<Store> store_ = open_memory_store();
};

INSTANTIATE_TEST_SUITE_P(Memory, StoreSuite, testing::Values([] { return std::make_unique<MemoryHome>(); }));

}  // namespace
}  // namespace stepwell
