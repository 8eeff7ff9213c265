#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "block_library/groups.hpp"
#include "block_library/shapes.hpp"
#include "footfall/base/error.hpp"
#include "footfall/base/internal/counter_noise.hpp"

namespace footfall {
namespace {

constexpr const char* kCategory = "sources";

/// A block without inputs whose value follows from the time.
class Source : public Block {
 public:
  Source(const Parameters& p, Eigen::Index size) : size_(size), unit_(p.text("unit", "")) {}
  void declare(BlockInterface& io) const override { io.output("out", footfall::numbers(size_, unit_)); }

  void outputs(Evaluation& e) const override {
    const auto out = e.out(0);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = value(e.time(), i);
  }

 protected:
  virtual double value(double time, std::size_t i) const = 0;

 private:
  Eigen::Index size_;
  std::string unit_;
};

class Constant : public Block {
 public:
  explicit Constant(const Parameters& p) : value_(p.matrix("value")), unit_(p.text("unit", "")) {
    if (value_.cols() == 1) return;
    is_matrix_ = true;
  }
  static BlockDescription description() {
    return {"Constant",
            kCategory,
            "the same value all the time",
            {{"value", "a number, a list for a vector, a list of rows for a matrix", "", "-", true}, unitDescription()},
            {},
            {{"out", "the value; scalar, vector or matrix"}},
            ""};
  }
  void declare(BlockInterface& io) const override {
    io.output("out", is_matrix_
                         ? SignalType::matrix(static_cast<int>(value_.rows()), static_cast<int>(value_.cols()), unit_)
                         : footfall::numbers(value_.rows(), unit_));
    io.sample_time = SampleTime::constant();
  }
  void outputs(Evaluation& e) const override { e.outVector(0) = value_.reshaped(); }

 private:
  MatrixXd value_;
  std::string unit_;
  bool is_matrix_ = false;
};

class Clock : public Block {
 public:
  explicit Clock(const Parameters&) {}
  static BlockDescription description() {
    return {"Clock", kCategory, "the time of the simulation", {}, {}, {{"out", "scalar [s]"}}, ""};
  }
  void declare(BlockInterface& io) const override { io.output("out", SignalType::scalar("s")); }
  void outputs(Evaluation& e) const override { e.set(0, e.time()); }
};

class Step : public Source {
 public:
  explicit Step(const Parameters& p)
      : Source(p, commonLength(p, {"before", "after"})),
        time_(p.number("time", 0.0, Quantity::time)),
        before_(p.vector("before", VectorXd::Zero(1))),
        after_(p.vector("after", VectorXd::Ones(1))) {}
  static BlockDescription description() {
    return {"Step",
            kCategory,
            "jumps from one value to another",
            {{"time", "instant of the jump: the first one with the new value", "0", "s", false},
             {"before", "value before; a number or a list", "0", "-", false},
             {"after", "value from then on; a number or a list", "1", "-", false},
             unitDescription()},
            {},
            {{"out", "scalar or vector"}},
            ""};
  }

  void declare(BlockInterface& io) const override {
    Source::declare(io);
    io.crossings = 1;
  }
  void crossings(Evaluation& e, std::span<double> values) const override {
    values[0] = e.time() >= instant() ? 1.0 : -1.0;
  }

 protected:
  double value(double time, std::size_t i) const override { return element(time >= instant() ? after_ : before_, i); }

 private:
  /// Times are multiples of the step, rounded: a jump at 0.3 s happens at the tick of 0.3 s.
  double instant() const { return time_ - 1e-9 * (1.0 + std::abs(time_)); }

  double time_;
  VectorXd before_, after_;
};

class Ramp : public Source {
 public:
  explicit Ramp(const Parameters& p)
      : Source(p, commonLength(p, {"slope", "initial"})),
        slope_(p.vector("slope", VectorXd::Ones(1))),
        initial_(p.vector("initial", VectorXd::Zero(1))),
        start_(p.number("start", 0.0, Quantity::time)) {}
  static BlockDescription description() {
    return {"Ramp",
            kCategory,
            "rises steadily from an instant on",
            {{"slope", "rise per second; a number or a list", "1", "1/s", false},
             {"start", "instant at which it begins to rise", "0", "s", false},
             {"initial", "value until then; a number or a list", "0", "-", false},
             unitDescription()},
            {},
            {{"out", "scalar or vector"}},
            "out = initial + slope · max(t − start, 0)"};
  }

 protected:
  double value(double time, std::size_t i) const override {
    return element(initial_, i) + element(slope_, i) * std::max(time - start_, 0.0);
  }

 private:
  VectorXd slope_, initial_;
  double start_;
};

class Sine : public Source {
 public:
  explicit Sine(const Parameters& p)
      : Source(p, commonLength(p, {"amplitude", "frequency", "phase", "bias"})),
        amplitude_(p.vector("amplitude", VectorXd::Ones(1))),
        frequency_(p.vector("frequency", VectorXd::Ones(1), Quantity::frequency)),
        phase_(p.vector("phase", VectorXd::Zero(1), Quantity::angle)),
        bias_(p.vector("bias", VectorXd::Zero(1))) {}
  static BlockDescription description() {
    return {"Sine",
            kCategory,
            "a sine wave",
            {{"amplitude", "a number or a list", "1", "-", false},
             {"frequency", "a number or a list", "1", "Hz", false},
             {"phase", "at t = 0; a number or a list", "0", "rad", false},
             {"bias", "value about which it swings; a number or a list", "0", "-", false},
             unitDescription()},
            {},
            {{"out", "scalar or vector"}},
            "out = bias + amplitude · sin(2π frequency t + phase)"};
  }

 protected:
  double value(double time, std::size_t i) const override {
    const double angle = 2.0 * std::numbers::pi * element(frequency_, i) * time + element(phase_, i);
    return element(bias_, i) + element(amplitude_, i) * std::sin(angle);
  }

 private:
  VectorXd amplitude_, frequency_, phase_, bias_;
};

class Chirp : public Source {
 public:
  explicit Chirp(const Parameters& p)
      : Source(p, commonLength(p, {"amplitude"})),
        amplitude_(p.vector("amplitude", VectorXd::Ones(1))),
        from_(p.number("from", 0.1, Quantity::frequency)),
        to_(p.number("to", 10.0, Quantity::frequency)),
        duration_(p.number("duration", 10.0, Quantity::time)) {
    if (!(duration_ > 0.0)) throw p.error("duration", "must be above zero");
  }
  static BlockDescription description() {
    return {"Chirp",
            kCategory,
            "a sine wave whose frequency rises steadily",
            {{"amplitude", "a number or a list", "1", "-", false},
             {"from", "frequency at t = 0", "0.1", "Hz", false},
             {"to", "frequency at t = duration and after", "10", "Hz", false},
             {"duration", "of the rise", "10", "s", false},
             unitDescription()},
            {},
            {{"out", "scalar or vector"}},
            "out = amplitude · sin(2π ∫ f dt), f from `from` to `to` along a straight line"};
  }

 protected:
  double value(double time, std::size_t i) const override {
    const double rising = std::min(time, duration_);
    const double turns = from_ * rising + 0.5 * (to_ - from_) / duration_ * rising * rising + to_ * (time - rising);
    return element(amplitude_, i) * std::sin(2.0 * std::numbers::pi * turns);
  }

 private:
  VectorXd amplitude_;
  double from_, to_, duration_;
};

class Noise : public Source {
 public:
  explicit Noise(const Parameters& p)
      : Source(p, commonLength(p, {"mean", "deviation"})),
        mean_(p.vector("mean", VectorXd::Zero(1))),
        deviation_(p.vector("deviation", VectorXd::Ones(1))),
        key_(noiseKey(static_cast<std::uint64_t>(p.count("seed", 0)), 0, "Noise")),
        sample_time_(requiredSampleTime(p)) {
    if (deviation_.size() > 0 && !(deviation_.minCoeff() >= 0.0))
      throw p.error("deviation", fmt::format("is {}, expected 0 or more", deviation_.minCoeff()));
  }
  static BlockDescription description() {
    return {"Noise",
            kCategory,
            "random numbers of a normal distribution, a new one each sample",
            {{"mean", "a number or a list", "0", "-", false},
             {"deviation", "standard deviation; a number or a list", "1", "-", false},
             {"seed", "another seed, other numbers; blocks that should differ need different ones", "0", "-", false},
             sampleDescription(),
             unitDescription()},
            {},
            {{"out", "scalar or vector"}},
            "The number is a function of seed, element and time: a run that is restored sees the same noise."};
  }
  void declare(BlockInterface& io) const override {
    Source::declare(io);
    io.sample_time = sample_time_;
  }

 protected:
  double value(double time, std::size_t i) const override {
    const auto sample = static_cast<std::uint64_t>(std::llround((time - sample_time_.offset) / sample_time_.period));
    return element(mean_, i) +
           element(deviation_, i) * gaussian(key_, static_cast<std::uint32_t>(i), sample, NoiseUse::sample);
  }

 private:
  VectorXd mean_, deviation_;
  std::uint64_t key_;
  SampleTime sample_time_;
};

}  // namespace

void addSources(BlockRegistry& registry) {
  registry.add<Constant>();
  registry.add<Clock>();
  registry.add<Step>();
  registry.add<Ramp>();
  registry.add<Sine>();
  registry.add<Chirp>();
  registry.add<Noise>();
}

}  // namespace footfall
