#include <fmt/format.h>

#include "block_library/groups.hpp"
#include "block_library/limits.hpp"
#include "block_library/memory_type.hpp"
#include "footfall/base/error.hpp"

namespace footfall {
namespace {

constexpr const char* kCategory = "continuous";

class Integrator : public Block {
 public:
  explicit Integrator(const Parameters& p) : initial_(p), limits_(p), unit_(p.text("unit", "")) {}
  static BlockDescription description() {
    std::vector<ParameterDescription> parameters = {initialDescription(), sizeDescription(), unitDescription()};
    for (const ParameterDescription& limit : limitDescriptions()) parameters.push_back(limit);
    return {"Integrator",
            kCategory,
            "the integral of its input over time",
            parameters,
            {{"in", "numbers"}, {"reset", "boolean; may stay unconnected; holds the output at `initial` while true"}},
            {{"out", "initial + ∫ in dt, kept between the limits"}},
            "At a limit it does not wind up: it leaves as soon as the input points inwards."};
  }
  void declare(BlockInterface& io) const override {
    io.input("in");
    const int reset = io.optionalInput("reset", SignalType::boolean());
    io.output("out", SignalType::any(), {reset});
    io.sample_time = SampleTime::continuous();
  }
  void inferTypes(TypeInference& types) const override {
    const auto type = initial_.numbersLike(types, 0);
    if (!type) return;
    limits_.checkShape(*type);
    types.setOutput(0, withUnit(*type, unit_));
    types.setContinuousStates(type->size());
  }
  void initialize(Evaluation& e) const override { initial_.fill(e.continuous(), e.continuous().size()); }
  void outputs(Evaluation& e) const override {
    if (isReset(e)) {
      initial_.fill(e.outVector(0), e.outVector(0).size());
    } else {
      e.outVector(0) = e.continuous();
    }
    limits_.clampAll(e.outVector(0));
  }
  void derivatives(Evaluation& e) const override {
    const auto in = e.vector(0);
    const auto state = e.continuous();
    auto rate = e.derivative();
    const bool reset = isReset(e);
    for (Eigen::Index i = 0; i < rate.size(); ++i) {
      const bool stands = reset || limits_.blocks(state[i], in[i], static_cast<std::size_t>(i));
      rate[i] = stands ? 0.0 : in[i];
    }
  }
  /// A step may end a little behind a limit: puts the state back onto it.
  void update(Evaluation& e) const override {
    if (isReset(e)) initialize(e);
    limits_.clampAll(e.continuous());
  }

 private:
  bool isReset(const Evaluation& e) const { return e.connected(1) && e.flag(1); }
  InitialValue initial_;
  Limits limits_;
  std::string unit_;
};

class Derivative : public Block {
 public:
  explicit Derivative(const Parameters& p)
      : filter_(p.number("filter", Quantity::time)), initial_(p), unit_(p.text("unit", "")) {
    if (!(filter_ > 0.0)) throw p.error("filter", "must be above zero");
  }
  static BlockDescription description() {
    return {"Derivative",
            kCategory,
            "the rate of its input, behind a low pass",
            {{"filter", "time constant τ of the low pass", "", "s", true},
             {"initial", "value that the input is expected to have at the start; a number or a list", "0", "-", false},
             sizeDescription(),
             unitDescription()},
            {{"in", "numbers"}},
            {{"out", "rate of in"}},
            "out / in = s / (τ s + 1)"};
  }
  void declare(BlockInterface& io) const override {
    io.input("in");
    io.output("out", SignalType::any());
    io.sample_time = SampleTime::continuous();
  }
  void inferTypes(TypeInference& types) const override {
    const auto type = initial_.numbersLike(types, 0);
    if (!type) return;
    types.setOutput(0, withUnit(*type, unit_));
    types.setContinuousStates(type->size());
  }
  void initialize(Evaluation& e) const override { initial_.fill(e.continuous(), e.continuous().size()); }
  void outputs(Evaluation& e) const override { e.outVector(0) = (e.vector(0) - e.continuous()) / filter_; }
  void derivatives(Evaluation& e) const override { e.derivative() = (e.vector(0) - e.continuous()) / filter_; }

 private:
  double filter_;
  InitialValue initial_;
  std::string unit_;
};

}  // namespace

void addContinuous(BlockRegistry& registry) {
  registry.add<Integrator>();
  registry.add<Derivative>();
}

}  // namespace footfall
