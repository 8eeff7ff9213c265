// Time for one pair of shapes, all of its contact points. With Coal (coal.cpp) in the same program.

#include <benchmark/benchmark.h>

#include "collide/near_pairs.hpp"
#include "footfall/collide/broad_phase.hpp"

namespace footfall::collide {
namespace {

void benchManifold(benchmark::State& state, ShapeKind a, ShapeKind b) {
  const std::vector<RandomPair> pairs = nearPairs(a, b);
  std::vector<std::pair<Placed, Placed>> placed;
  for (const RandomPair& pair : pairs) placed.emplace_back(pair.a.placed(1), pair.b.placed(2));
  Scratch scratch;
  std::vector<ManifoldPoint> points;
  std::size_t next = 0, found = 0;
  for (auto _ : state) {
    points.clear();
    manifold(placed[next].first, placed[next].second, kBenchMargin, scratch, points);
    found += points.size();
    next = next + 1 < placed.size() ? next + 1 : 0;
  }
  state.counters["points"] = static_cast<double>(found) / static_cast<double>(state.iterations());
}

#define BENCH_PAIR(a, b) BENCHMARK_CAPTURE(benchManifold, a##_##b, ShapeKind::a, ShapeKind::b)
BENCH_PAIR(sphere, sphere);
BENCH_PAIR(sphere, box);
BENCH_PAIR(capsule, capsule);
BENCH_PAIR(capsule, box);
BENCH_PAIR(box, box);
BENCH_PAIR(box, hull);
BENCH_PAIR(hull, hull);
BENCH_PAIR(cylinder, box);
BENCH_PAIR(cylinder, cylinder);
BENCH_PAIR(cylinder, hull);

void benchBoxOnBox(benchmark::State& state) {
  const Body lower = box({0.2, 0.1, 0.05}, at(0, 0, 0)), upper = box({0.2, 0.1, 0.05}, at(0.1, 0, 0.05));
  const Placed a = upper.placed(1), b = lower.placed(2);
  Scratch scratch;
  std::vector<ManifoldPoint> points;
  for (auto _ : state) {
    points.clear();
    manifold(a, b, kBenchMargin, scratch, points);
    benchmark::DoNotOptimize(points.data());
  }
}
BENCHMARK(benchBoxOnBox);

void benchFarBoxes(benchmark::State& state) {
  const Body a = box({0.2, 0.1, 0.05}, at(0, 0, 0)), b = box({0.2, 0.1, 0.05}, at(0.5, 0, 0));
  const Placed placed_a = a.placed(1), placed_b = b.placed(2);
  Scratch scratch;
  std::vector<ManifoldPoint> points;
  for (auto _ : state) {
    manifold(placed_a, placed_b, kBenchMargin, scratch, points);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(benchFarBoxes);

/// A wall of bricks that tremble.
void benchBroadPhaseOfWall(benchmark::State& state) {
  RandomPoints random(1);
  std::vector<AxisAlignedBox> boxes;
  std::vector<int> groups;
  for (int i = 0; i < static_cast<int>(state.range(0)); ++i) {
    const int layer = i / 25;
    const Vector3d middle(0.2 * (i % 25), 0.0, 0.05 * layer);
    boxes.push_back({middle - Vector3d(0.101, 0.051, 0.026), middle + Vector3d(0.101, 0.051, 0.026)});
    groups.push_back(i);
  }
  BroadPhase broad(groups, {});
  std::vector<BroadPhase::IndexPair> pairs;
  for (auto _ : state) {
    for (AxisAlignedBox& one : boxes) one.lower.x() += random.number(-1e-6, 1e-6);
    broad.findPairs(boxes, pairs);
  }
  state.counters["pairs"] = static_cast<double>(pairs.size());
}
BENCHMARK(benchBroadPhaseOfWall)->Arg(50)->Arg(500)->Arg(2000);

}  // namespace
}  // namespace footfall::collide
