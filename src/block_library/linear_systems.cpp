#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "block_library/groups.hpp"
#include "block_library/memory_type.hpp"
#include "block_library/state_space.hpp"
#include "footfall/base/error.hpp"

namespace footfall {
namespace {

/// ẋ = A x + B u, y = C x + D u.
class ContinuousSystem : public LinearBlock {
 public:
  using LinearBlock::LinearBlock;
  void declare(BlockInterface& io) const override {
    LinearBlock::declare(io);
    io.continuous_states = states();
    io.sample_time = SampleTime::continuous();
  }
  void initialize(Evaluation& e) const override { e.continuous() = matrices().initial; }
  void outputs(Evaluation& e) const override { output(e, e.continuous()); }
  void derivatives(Evaluation& e) const override { next(e, e.continuous(), e.derivative()); }
};

/// What the next state is being computed in.
struct NextState : BlockScratch {
  VectorXd x;
};

/// x⁺ = A x + B u, y = C x + D u.
class DiscreteSystem : public LinearBlock {
 public:
  using LinearBlock::LinearBlock;
  void declare(BlockInterface& io) const override {
    LinearBlock::declare(io);
    io.discrete_states = states();
  }
  std::unique_ptr<BlockScratch> makeScratch() const override {
    auto scratch = std::make_unique<NextState>();
    scratch->x.resize(states());
    return scratch;
  }
  void initialize(Evaluation& e) const override { e.discrete() = matrices().initial; }
  void outputs(Evaluation& e) const override { output(e, e.discrete()); }
  void update(Evaluation& e) const override {
    VectorXd& x = e.scratch<NextState>().x;
    next(e, e.discrete(), {x.data(), x.size()});
    e.discrete() = x;
  }
};

std::vector<ParameterDescription> matrixDescriptions() {
  return {{"A", "matrix of n × n, as a list of rows", "", "-", true},
          {"B", "matrix of n × inputs", "", "-", true},
          {"C", "matrix of outputs × n", "", "-", true},
          {"D", "matrix of outputs × inputs", "0", "-", false},
          {"initial", "state x at the start; a number or a list", "0", "-", false},
          unitDescription()};
}

std::vector<ParameterDescription> polynomialDescriptions(const char* variable) {
  return {{"numerator", fmt::format("factors of falling powers of {}", variable), "", "-", true},
          {"denominator", fmt::format("factors of falling powers of {}", variable), "", "-", true},
          unitDescription()};
}

class StateSpaceBlock : public ContinuousSystem {
 public:
  explicit StateSpaceBlock(const Parameters& p) : ContinuousSystem(readStateSpace(p), p.text("unit", "")) {}
  static BlockDescription description() {
    return {"StateSpace",
            "continuous",
            "a linear system of differential equations",
            matrixDescriptions(),
            {{"in", "u: scalar, or vector with as many as B has columns"}},
            {{"out", "y: scalar, or vector with as many as C has rows"}},
            "dx/dt = A x + B u, y = C x + D u. Without direct feed-through when D is zero."};
  }
};

class DiscreteStateSpace : public DiscreteSystem {
 public:
  explicit DiscreteStateSpace(const Parameters& p) : DiscreteSystem(readStateSpace(p), p.text("unit", "")) {}
  static BlockDescription description() {
    return {"DiscreteStateSpace",
            "discrete",
            "a linear system of difference equations",
            matrixDescriptions(),
            {{"in", "u: scalar, or vector with as many as B has columns"}},
            {{"out", "y: scalar, or vector with as many as C has rows"}},
            "x⁺ = A x + B u, y = C x + D u. Without direct feed-through when D is zero."};
  }
};

class TransferFunction : public ContinuousSystem {
 public:
  explicit TransferFunction(const Parameters& p) : ContinuousSystem(readTransferFunction(p), p.text("unit", "")) {}
  static BlockDescription description() {
    return {"TransferFunction",
            "continuous",
            "a linear system as a fraction of polynomials in s",
            polynomialDescriptions("s"),
            {{"in", "scalar"}},
            {{"out", "scalar"}},
            "numerator [1] and denominator [1, 0.4, 1]: 1 / (s² + 0.4 s + 1). At rest at the start."};
  }
};

class DiscreteTransferFunction : public DiscreteSystem {
 public:
  explicit DiscreteTransferFunction(const Parameters& p)
      : DiscreteSystem(readTransferFunction(p), p.text("unit", "")) {}
  static BlockDescription description() {
    return {"DiscreteTransferFunction",
            "discrete",
            "a linear system as a fraction of polynomials in z",
            polynomialDescriptions("z"),
            {{"in", "scalar"}},
            {{"out", "scalar"}},
            "numerator [1] and denominator [1, -0.9]: 1 / (z − 0.9). At rest at the start."};
  }
};

/// Low pass of first or second order (Butterworth), by the bilinear transform that is exact at the cut-off frequency.
/// States of each element: two numbers of the transposed direct form II.
class DiscreteFilter : public Block {
 public:
  explicit DiscreteFilter(const Parameters& p) : sample_time_(requiredSampleTime(p)), initial_(p) {
    const double cutoff = p.number("cutoff", Quantity::frequency);
    if (!(cutoff > 0.0 && cutoff * sample_time_.period < 0.5))
      throw p.error("cutoff", fmt::format("is {} Hz, expected above 0 and below half of the sampling rate, {} Hz",
                                          cutoff, 0.5 / sample_time_.period));
    const int order = p.count("order", 1);
    const double k = std::tan(std::numbers::pi * cutoff * sample_time_.period);
    if (order == 1) {
      b_ = Vector3d(k, k, 0.0) / (1.0 + k);
      a_ = Vector3d(1.0, (k - 1.0) / (1.0 + k), 0.0);
    } else if (order == 2) {
      const double scale = 1.0 + std::numbers::sqrt2 * k + k * k;
      b_ = k * k / scale * Vector3d(1.0, 2.0, 1.0);
      a_ = Vector3d(1.0, 2.0 * (k * k - 1.0) / scale, (1.0 - std::numbers::sqrt2 * k + k * k) / scale);
    } else {
      throw p.error("order", fmt::format("is {}, expected 1 or 2", order));
    }
  }
  static BlockDescription description() {
    return {"DiscreteFilter",
            "discrete",
            "low pass, element by element",
            {{"cutoff", "frequency that it weakens by 3 dB", "", "Hz", true},
             {"order", "1, or 2 (Butterworth)", "1", "-", false},
             sampleDescription(),
             {"initial", "value that the input is expected to have had before the start", "0", "-", false},
             sizeDescription()},
            {{"in", "numbers"}},
            {{"out", "the slow part of in"}},
            ""};
  }
  void declare(BlockInterface& io) const override {
    io.input("in");
    io.output("out", SignalType::any());
    io.sample_time = sample_time_;
  }
  void inferTypes(TypeInference& types) const override {
    const auto type = initial_.numbersLike(types, 0);
    if (!type) return;
    types.setOutput(0, *type);
    types.setDiscreteStates(2 * type->size());
  }
  /// As if the input had been at its initial value for ever.
  void initialize(Evaluation& e) const override {
    const Eigen::Index n = e.discrete().size() / 2;
    initial_.fill(e.discrete(), n);
    e.discrete().head(n) *= 1.0 - b_[0];
    e.discrete().tail(n) *= b_[2] - a_[2];
  }
  void outputs(Evaluation& e) const override {
    e.outVector(0) = b_[0] * e.vector(0) + e.discrete().head(e.vector(0).size());
  }
  void update(Evaluation& e) const override {
    const auto in = e.vector(0);
    const auto out = e.outVector(0);
    const Eigen::Index n = in.size();
    e.discrete().head(n) = b_[1] * in - a_[1] * out + e.discrete().tail(n);
    e.discrete().tail(n) = b_[2] * in - a_[2] * out;
  }

 private:
  SampleTime sample_time_;
  InitialValue initial_;
  Vector3d b_, a_;  ///< factors of the inputs and outputs now, one and two samples ago
};

}  // namespace

void addLinearSystems(BlockRegistry& registry) {
  registry.add<StateSpaceBlock>();
  registry.add<TransferFunction>();
  registry.add<DiscreteStateSpace>();
  registry.add<DiscreteTransferFunction>();
  registry.add<DiscreteFilter>();
}

}  // namespace footfall
