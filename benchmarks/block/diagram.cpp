// What a diagram costs around its blocks: a thousand of them, per block and step. The same arithmetic in a plain loop,
// and a call of a virtual function for each block, tell how much of it is the scheduler.

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "footfall/block.hpp"
#include "footfall/block_library/library.hpp"

namespace footfall {
namespace {

constexpr int kRows = 333;  ///< of gain, sum and delay: 999 blocks, and a source

std::string name(const char* kind, int row) { return kind + std::to_string(row); }

/// Row by row: gain = 0.9 · the sum before, sum = gain + delay, delay = the sum one step ago.
Diagram mixedDiagram() {
  BlockRegistry library;
  addLibraryBlocks(library);
  DiagramBuilder b;
  b.add("source", library, "Clock");
  std::string last = "source";
  for (int row = 0; row < kRows; ++row) {
    const std::string gain = name("gain", row), sum = name("sum", row), delay = name("delay", row);
    b.add(gain, library, "Gain", {{"factor", 0.9}});
    b.add(sum, library, "Sum", {{"signs", "+-"}});
    b.add(delay, library, "UnitDelay");
    b.connect(last, gain);
    b.connect(gain, sum + ".in1");
    b.connect(delay, sum + ".in2");
    b.connect(sum, delay);
    last = sum;
  }
  b.output("end", last);
  return b.build({.step = 1e-3});
}

void perBlock(benchmark::State& state, double blocks) {
  state.counters["per_block"] =
      benchmark::Counter(blocks, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// A block that does nothing.
class Nothing : public Block {
 public:
  void declare(BlockInterface& io) const override {
    io.input("in", SignalType::scalar());
    io.output("out", SignalType::scalar());
  }
  void outputs(Evaluation&) const override {}
};

void BM_MixedBlocks(benchmark::State& state) {
  const Diagram diagram = mixedDiagram();
  Context context = diagram.makeContext();
  for (auto _ : state) diagram.step(context);
  perBlock(state, 3 * kRows + 1);
}
BENCHMARK(BM_MixedBlocks);

void BM_EmptyBlocks(benchmark::State& state) {
  DiagramBuilder b;
  BlockRegistry library;
  addLibraryBlocks(library);
  b.add("source", library, "Clock");
  std::string last = "source";
  for (int k = 0; k < 3 * kRows; ++k) {
    b.add(name("block", k), std::make_shared<Nothing>());
    b.connect(last, name("block", k));
    last = name("block", k);
  }
  const Diagram diagram = b.build({.step = 1e-3});
  Context context = diagram.makeContext();
  for (auto _ : state) diagram.step(context);
  perBlock(state, 3 * kRows + 1);
}
BENCHMARK(BM_EmptyBlocks);

/// The arithmetic of the mixed blocks without blocks.
void BM_PlainLoop(benchmark::State& state) {
  std::vector<double> delay(kRows, 0.0);
  double time = 0.0;
  for (auto _ : state) {
    double last = time;
    for (int row = 0; row < kRows; ++row) {
      last = 0.9 * last - delay[row];
      delay[row] = last;
    }
    benchmark::DoNotOptimize(last);
    time += 1e-3;
  }
  perBlock(state, 3 * kRows + 1);
}
BENCHMARK(BM_PlainLoop);

}  // namespace
}  // namespace footfall
