#include "stepwell/store/faulty_store.h"

#include "store_suite.h"

namespace stepwell {
namespace {

// Every crash is a loss of power that takes back all it can.
class FaultyHome final : public StoreHome {
 public:
  Store& store() override { return store_; }
  void crash() override { store_.lose_power(); }
  bool move_to_backup() override { return false; }

 private:
  FaultyStore store_;
};

INSTANTIATE_TEST_SUITE_P(Faulty, StoreSuite, testing::Values([] { return std::make_unique<FaultyHome>(); }));

}  // namespace
}  // namespace stepwell
