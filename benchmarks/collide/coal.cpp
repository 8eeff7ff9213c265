// The same pairs with Coal: its nearest points alone, and with the polygon of contact.

#include <benchmark/benchmark.h>
#include <coal/collision.h>
#include <coal/contact_patch.h>

#include "collide/coal_shapes.hpp"
#include "collide/near_pairs.hpp"

namespace footfall::collide {
namespace {

struct CoalPair {
  std::shared_ptr<coal::ShapeBase> a, b;
  coal::Transform3s X_a, X_b;
  coal::ComputeCollision collide;
  coal::ComputeContactPatch patch;

  explicit CoalPair(const RandomPair& pair)
      : a(coalShape(pair.a.shape)),
        b(coalShape(pair.b.shape)),
        X_a(coalPose(pair.a.X_WS())),
        X_b(coalPose(pair.b.X_WS())),
        collide(a.get(), b.get()),
        patch(a.get(), b.get()) {}
};

void benchCoal(benchmark::State& state, ShapeKind a, ShapeKind b, bool with_patch) {
  std::vector<CoalPair> pairs;
  for (const RandomPair& pair : nearPairs(a, b)) pairs.emplace_back(pair);
  coal::CollisionRequest request(coal::CONTACT, 1);
  request.security_margin = kBenchMargin;
  const coal::ContactPatchRequest patch_request(1);
  coal::CollisionResult result;
  coal::ContactPatchResult patches(patch_request);
  std::size_t next = 0, found = 0;
  for (auto _ : state) {
    const CoalPair& pair = pairs[next];
    result.clear();
    pair.collide(pair.X_a, pair.X_b, request, result);
    if (with_patch && result.isCollision()) {
      patches.clear();
      pair.patch(pair.X_a, pair.X_b, result, patch_request, patches);
      if (patches.numContactPatches() > 0) found += patches.getContactPatch(0).size();
    } else {
      found += result.numContacts();
    }
    next = next + 1 < pairs.size() ? next + 1 : 0;
  }
  state.counters["points"] = static_cast<double>(found) / static_cast<double>(state.iterations());
}

#define BENCH_COAL(a, b)                                                    \
  BENCHMARK_CAPTURE(benchCoal, a##_##b, ShapeKind::a, ShapeKind::b, false); \
  BENCHMARK_CAPTURE(benchCoal, a##_##b##_with_polygon, ShapeKind::a, ShapeKind::b, true)
BENCH_COAL(sphere, sphere);
BENCH_COAL(sphere, box);
BENCH_COAL(capsule, capsule);
BENCH_COAL(capsule, box);
BENCH_COAL(box, box);
BENCH_COAL(box, hull);
BENCH_COAL(hull, hull);
BENCH_COAL(cylinder, box);
BENCH_COAL(cylinder, cylinder);
BENCH_COAL(cylinder, hull);

}  // namespace
}  // namespace footfall::collide
