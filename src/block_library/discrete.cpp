#include <fmt/format.h>

#include <algorithm>

#include "block_library/groups.hpp"
#include "block_library/limits.hpp"
#include "block_library/memory_type.hpp"
#include "footfall/base/error.hpp"

namespace footfall {
namespace {

constexpr const char* kCategory = "discrete";

/// States: a ring of past inputs, behind the place of the oldest one.
class Delay : public Block {
 public:
  explicit Delay(const Parameters& p) : Delay(p, sizeParameter(p, "samples", 1, 0)) {}
  static BlockDescription description() {
    return {
        "Delay",
        kCategory,
        "its input some samples ago",
        {{"samples", "how many", "1", "-", false}, initialDescription(), sizeDescription()},
        {{"in", "any signal with numbers, also a bus"}},
        {{"out", "in, that many samples later; the same type"}},
        "Breaks algebraic loops: the output does not depend on the input of the same instant. A sample is a step of "
        "its sample time, which it inherits unless `sample` says another."};
  }
  void declare(BlockInterface& io) const override {
    io.input("in");
    io.output("out", SignalType::any(), {});
  }
  void inferTypes(TypeInference& types) const override {
    const auto type = initial_.typeLike(types, 0);
    if (!type) return;
    types.setOutput(0, *type);
    constexpr int kMost = 10'000'000;
    if (samples_ > 0 && type->size() > kMost / samples_)
      throw Error("", fmt::format("{} samples of a {} are more than {} numbers", samples_, type->describe(), kMost));
    types.setDiscreteStates(1 + samples_ * type->size());
  }
  void initialize(Evaluation& e) const override {
    auto past = e.discrete().tail(e.discrete().size() - 1);
    initial_.fill(past, past.size() / samples_);
  }
  void outputs(Evaluation& e) const override {
    auto out = e.outVector(0);
    out = e.discrete().segment(place(e, out.size()), out.size());
  }
  void update(Evaluation& e) const override {
    const auto in = e.vector(0);
    e.discrete().segment(place(e, in.size()), in.size()) = in;
    double& oldest = e.discrete()[0];
    oldest = oldest + 1.0 == samples_ ? 0.0 : oldest + 1.0;
  }

 protected:
  Delay(const Parameters& p, int samples) : samples_(samples), initial_(p) {
    if (samples_ < 1) throw p.error("samples", "is 0, expected 1 or more");
  }

 private:
  static Eigen::Index place(Evaluation& e, Eigen::Index size) {
    return 1 + static_cast<Eigen::Index>(e.discrete()[0]) * size;
  }
  int samples_;
  InitialValue initial_;
};

class UnitDelay : public Delay {
 public:
  explicit UnitDelay(const Parameters& p) : Delay(p, 1) {}
  static BlockDescription description() {
    return {"UnitDelay",
            kCategory,
            "its input one sample ago",
            {initialDescription(), sizeDescription()},
            {{"in", "any signal with numbers, also a bus"}},
            {{"out", "in, one sample later; the same type"}},
            "Delay with one sample."};
  }
};

class ZeroOrderHold : public Block {
 public:
  explicit ZeroOrderHold(const Parameters& p) : sample_time_(requiredSampleTime(p)) {}
  static BlockDescription description() {
    return {"ZeroOrderHold",
            kCategory,
            "samples a signal, and holds it until the next sample",
            {sampleDescription()},
            {{"in", "any signal"}},
            {{"out", "in at the last sample; the same type"}},
            ""};
  }
  void declare(BlockInterface& io) const override {
    io.outputLike("out", io.input("in"));
    io.sample_time = sample_time_;
  }
  void outputs(Evaluation& e) const override { e.outVector(0) = e.vector(0); }

 private:
  SampleTime sample_time_;
};

/// States: with a delay, the input at the last sample.
class RateTransition : public Block {
 public:
  explicit RateTransition(const Parameters& p) : sample_time_(requiredSampleTime(p)), initial_(p) {}
  static BlockDescription description() {
    return {"RateTransition",
            kCategory,
            "hands a signal from one rate to another, one sample later",
            {sampleDescription(), initialDescription(), sizeDescription()},
            {{"in", "any signal with numbers"}},
            {{"out", "in at the sample before; the same type"}},
            "Between blocks that run on different computers or threads: the reader sees what was complete one sample "
            "of `sample` before, as a real bus would deliver it. A line without it is read at once and held."};
  }
  void declare(BlockInterface& io) const override {
    io.input("in");
    io.output("out", SignalType::any(), {});
    io.sample_time = sample_time_;
  }
  void inferTypes(TypeInference& types) const override {
    const auto type = initial_.typeLike(types, 0);
    if (!type) return;
    types.setOutput(0, *type);
    types.setDiscreteStates(type->size());
  }
  void initialize(Evaluation& e) const override { initial_.fill(e.discrete(), e.discrete().size()); }
  void outputs(Evaluation& e) const override { e.outVector(0) = e.discrete(); }
  void update(Evaluation& e) const override { e.discrete() = e.vector(0); }

 private:
  SampleTime sample_time_;
  InitialValue initial_;
};

class DiscreteIntegrator : public Block {
 public:
  explicit DiscreteIntegrator(const Parameters& p)
      : sample_time_(requiredSampleTime(p)), initial_(p), limits_(p), unit_(p.text("unit", "")) {
    const std::string method =
        p.has("method") ? p.choice("method", {"forward", "backward", "trapezoidal"}) : std::string("forward");
    now_ = method == "forward" ? 0.0 : method == "backward" ? 1.0 : 0.5;
  }
  static BlockDescription description() {
    std::vector<ParameterDescription> parameters = {
        sampleDescription(),
        {"method", "`forward` (no direct feed-through), `backward` or `trapezoidal`", "forward", "", false},
        initialDescription(),
        sizeDescription(),
        unitDescription()};
    for (const ParameterDescription& limit : limitDescriptions()) parameters.push_back(limit);
    return {"DiscreteIntegrator",
            kCategory,
            "sums its input up over time",
            parameters,
            {{"in", "numbers"}, {"reset", "boolean; may stay unconnected; holds the output at `initial` while true"}},
            {{"out", "initial + ∫ in dt, kept between the limits"}},
            "With the period T: x is the sum; forward: out = x, x += T in; backward: out = x + T in, x = out; "
            "trapezoidal: out = x + T/2 in, x = out + T/2 in."};
  }
  void declare(BlockInterface& io) const override {
    io.input("in");
    const int reset = io.optionalInput("reset", SignalType::boolean());
    io.output("out", SignalType::any(), now_ == 0.0 ? std::vector<int>{reset} : std::vector<int>{0, reset});
    io.sample_time = sample_time_;
  }
  void inferTypes(TypeInference& types) const override {
    const auto type = initial_.numbersLike(types, 0);
    if (!type) return;
    limits_.checkShape(*type);
    types.setOutput(0, withUnit(*type, unit_));
    types.setDiscreteStates(type->size());
  }
  void initialize(Evaluation& e) const override { initial_.fill(e.discrete(), e.discrete().size()); }
  void outputs(Evaluation& e) const override {
    if (isReset(e)) {
      initial_.fill(e.outVector(0), e.outVector(0).size());
    } else {
      e.outVector(0) = e.discrete();
      if (now_ > 0.0) e.outVector(0) += now_ * sample_time_.period * e.vector(0);
    }
    limits_.clampAll(e.outVector(0));
  }
  void update(Evaluation& e) const override {
    e.discrete() = e.outVector(0);
    if (!isReset(e)) e.discrete() += (1.0 - now_) * sample_time_.period * e.vector(0);
    limits_.clampAll(e.discrete());
  }

 private:
  bool isReset(const Evaluation& e) const { return e.connected(1) && e.flag(1); }
  SampleTime sample_time_;
  InitialValue initial_;
  Limits limits_;
  std::string unit_;
  double now_;  ///< share of the present input that counts at once
};

class Counter : public Block {
 public:
  explicit Counter(const Parameters& p) : limit_(p.count("limit", 0)) {}
  static BlockDescription description() {
    return {"Counter",
            kCategory,
            "counts samples",
            {{"limit", "begins again at 0 when this is reached; 0: never", "0", "-", false}},
            {{"enable", "boolean; may stay unconnected; counts only while true"},
             {"reset", "boolean; may stay unconnected; the next count is 0"}},
            {{"out", "samples so far, scalar [-]"}},
            ""};
  }
  void declare(BlockInterface& io) const override {
    io.optionalInput("enable", SignalType::boolean());
    io.optionalInput("reset", SignalType::boolean());
    io.output("out", SignalType::scalar("-"), {});
    io.discrete_states = 1;
  }
  void outputs(Evaluation& e) const override { e.set(0, e.discrete()[0]); }
  void update(Evaluation& e) const override {
    double& count = e.discrete()[0];
    if (!e.connected(0) || e.flag(0)) ++count;
    const bool reset = e.connected(1) && e.flag(1);
    if (reset || (limit_ > 0 && count >= limit_)) count = 0.0;
  }

 private:
  int limit_;
};

}  // namespace

void addDiscrete(BlockRegistry& registry) {
  registry.add<Delay>();
  registry.add<UnitDelay>();
  registry.add<ZeroOrderHold>();
  registry.add<RateTransition>();
  registry.add<DiscreteIntegrator>();
  registry.add<Counter>();
}

}  // namespace footfall
