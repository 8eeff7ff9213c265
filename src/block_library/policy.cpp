#include "block_library/groups.hpp"
#include "block_library/policy_network.hpp"
#include "block_library/shapes.hpp"
#include "footfall/base/error.hpp"
#include "footfall/base/internal/read_text.hpp"
#include "footfall/block/named_file.hpp"

namespace footfall {
namespace {

class Policy : public Block {
 public:
  explicit Policy(const Parameters& p)
      : network_(parsePolicy(readText(namedFile(p, "file")), namedFile(p, "file").string())),
        unit_(p.text("unit", "")) {}
  static BlockDescription description() {
    return {
        "Policy",
        "control",
        "a learned policy: a network of full layers from a file",
        {{"file", "written by footfall.rl.Policy.save(); looked for beside the file of the diagram", "", "", true,
          "file"},
         {"unit", "unit of the output", "none", "", false}},
        {{"in", "observation; vector as long as the file says"}},
        {{"out", "action; scalar or vector as long as the file says"}},
        "x₀ = clip((in − mean) · scale), x_k = f(W x_{k−1} + b) for each layer, out = clip(x_n). Activations f: none, "
        "tanh, relu, elu. The file is plain text: docs/learning.md. `sample: 20 ms` lets it decide as often as it "
        "learned to; an export as an FMU carries the file."};
  }
  void declare(BlockInterface& io) const override {
    io.input("in", SignalType::vector(network_.inputs()));
    io.output("out", numbers(network_.outputs(), unit_));
  }
  std::unique_ptr<BlockScratch> makeScratch() const override {
    auto scratch = std::make_unique<Layers>();
    scratch->values = network_.makeScratch();
    return scratch;
  }
  void outputs(Evaluation& e) const override {
    std::vector<VectorXd>& values = e.scratch<Layers>().values;
    network_.evaluate(e.vector(0), values);
    e.outVector(0) = values.back();
  }

 private:
  struct Layers : BlockScratch {
    std::vector<VectorXd> values;
  };

  PolicyNetwork network_;
  std::string unit_;
};

}  // namespace

void addPolicy(BlockRegistry& registry) { registry.add<Policy>(); }

}  // namespace footfall
