#include "stepwell/store/embedded/embedded_store.h"

#include "embedded_home.h"
#include "store_suite.h"

namespace stepwell {
namespace {

INSTANTIATE_TEST_SUITE_P(Embedded, StoreSuite, testing::Values([] { return std::make_unique<EmbeddedHome>(); }));

// Small segments, so that the same stories use many; and none of the system's ways around its cache.
INSTANTIATE_TEST_SUITE_P(EmbeddedSmall, StoreSuite, testing::Values([] {
                           return std::make_unique<EmbeddedHome>(
                               EmbeddedOptions{.journal = {.segments = {.segment_bytes = 3 * kBlockBytes,
                                                                        .first_segment_bytes = 2 * kBlockBytes,
                                                                        .spares = 1},
                                                           .direct = false}});
                         }));

}  // namespace
}  // namespace stepwell
