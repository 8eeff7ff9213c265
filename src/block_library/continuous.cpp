#include <fmt/format.h>

#include "block_library/groups.hpp"
#include "block_library/limits.hpp"
#include "block_library/memory_type.hpp"
#include "footfall/base/error.hpp"

namespace footfall {
namespace {

constexpr const char* kCategory = "continuous";

/// Discrete state: whether `reset` was true before; −1: there was no instant before.
class Integrator : public Block {
 public:
  explicit Integrator(const Parameters& p)
      : initial_(p),
        limits_(p),
        unit_(p.text("unit", "")),
        reset_on_(p.has("reset_on") ? p.choice("reset_on", {"level", "rise", "fall", "change"}) : "level") {}
  static BlockDescription description() {
    std::vector<ParameterDescription> parameters = {initialDescription(),
                                                    sizeDescription(),
                                                    unitDescription(),
                                                    {"reset_on",
                                                     "`level`: `reset` holds it at its initial value while true; "
                                                     "`rise`, `fall`, `change`: it jumps there and goes on",
                                                     "level", "", false}};
    for (const ParameterDescription& limit : limitDescriptions()) parameters.push_back(limit);
    return {
        "Integrator",
        kCategory,
        "the integral of its input over time",
        parameters,
        {{"in", "numbers"},
         {"reset", "boolean; may stay unconnected: back to the initial value"},
         {"initial", "where `reset` leads to, instead of the parameter; may stay unconnected"}},
        {{"out", "initial + ∫ in dt, kept between the limits"},
         {"state",
          "the same before a reset of this instant: depends on no input, so that `initial` may be computed from it"}},
        "At a limit it does not wind up: it leaves as soon as the input points inwards."};
  }
  void declare(BlockInterface& io) const override {
    io.input("in");
    const int reset = io.optionalInput("reset", SignalType::boolean());
    const int initial = io.optionalInput("initial");
    const bool held = reset_on_ == "level";
    io.output("out", SignalType::any(), held ? std::vector<int>{reset, initial} : std::vector<int>{});
    io.output("state", SignalType::any(), {});
    io.jumps = !held;
    io.discrete_states = 1;
    io.sample_time = SampleTime::continuous();
  }
  void inferTypes(TypeInference& types) const override {
    const auto type = initial_.numbersLike(types, 0);
    if (!type) return;
    limits_.checkShape(*type);
    if (types.input(kInitial).complete() && types.input(kInitial).size() != type->size())
      throw Error("", fmt::format("the input 'initial' is a {}, expected {} numbers", types.input(kInitial).describe(),
                                  type->size()));
    for (const int output : {0, 1}) types.setOutput(output, withUnit(*type, unit_));
    types.setContinuousStates(type->size());
    types.setCrossings(2 * type->size());
  }
  /// Where it reaches its limits.
  void crossings(Evaluation& e, std::span<double> values) const override {
    const auto state = e.continuous();
    limits_.crossings({state.data(), static_cast<std::size_t>(state.size())}, values);
  }
  void initialize(Evaluation& e) const override {
    initial_.fill(e.continuous(), e.continuous().size());
    e.discrete()[0] = -1.0;
  }
  void outputs(Evaluation& e) const override {
    // With edges, all outputs are one group; else `out` is the first, and `state` the second.
    const bool held = reset_on_ == "level";
    if (!held || e.group() == 0) {
      if (held && e.connected(kReset) && e.flag(kReset))
        setInitial(e, e.outVector(0));
      else
        e.outVector(0) = e.continuous();
      limits_.clampAll(e.outVector(0));
    }
    if (!held || e.group() == 1) e.outVector(1) = e.continuous();
  }
  bool jump(Evaluation& e) const override {
    if (!e.connected(kReset)) return false;
    const double before = e.discrete()[0], now = e.flag(kReset) ? 1.0 : 0.0;
    e.discrete()[0] = now;
    const bool rises = before == 0.0 && now == 1.0, falls = before == 1.0 && now == 0.0;
    if (!((rises && reset_on_ != "fall") || (falls && reset_on_ != "rise"))) return false;
    setInitial(e, e.continuous());
    return true;
  }
  void derivatives(Evaluation& e) const override {
    const auto in = e.vector(0);
    const auto state = e.continuous();
    auto rate = e.derivative();
    const bool reset = isHeld(e);
    for (Eigen::Index i = 0; i < rate.size(); ++i) {
      const bool stands = reset || limits_.blocks(state[i], in[i], static_cast<std::size_t>(i));
      rate[i] = stands ? 0.0 : in[i];
    }
  }
  /// A step may end a little behind a limit: puts the state back onto it.
  void update(Evaluation& e) const override {
    if (isHeld(e)) setInitial(e, e.continuous());
    limits_.clampAll(e.continuous());
  }

 private:
  static constexpr int kReset = 1, kInitial = 2;

  bool isHeld(const Evaluation& e) const { return reset_on_ == "level" && e.connected(kReset) && e.flag(kReset); }
  template <class Vector>
  void setInitial(Evaluation& e, Vector&& values) const {
    if (e.connected(kInitial))
      values = e.vector(kInitial);
    else
      initial_.fill(values, values.size());
  }
  InitialValue initial_;
  Limits limits_;
  std::string unit_;
  std::string reset_on_;
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
