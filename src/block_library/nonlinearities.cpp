#include <algorithm>
#include <cmath>
#include <limits>

#include "block_library/elementwise.hpp"
#include "block_library/groups.hpp"
#include "block_library/limits.hpp"
#include "footfall/base/error.hpp"

namespace footfall {
namespace {

constexpr const char* kCategory = "nonlinear";

/// Has a corner at each of two limits.
class Cornered : public Elementwise {
 public:
  explicit Cornered(Limits limits) : limits_(std::move(limits)) {}
  void inferTypes(TypeInference& types) const override {
    Elementwise::inferTypes(types);
    if (const auto type = numbersAt(types, 0)) types.setCrossings(2 * type->size());
  }
  void crossings(Evaluation& e, std::span<double> values) const override { limits_.crossings(e.in(0), values); }

 protected:
  Limits limits_;
};

class Saturation : public Cornered {
 public:
  explicit Saturation(const Parameters& p) : Cornered(Limits(p)) {}
  static BlockDescription description() {
    return {"Saturation",
            kCategory,
            "keeps a signal between limits, element by element",
            limitDescriptions(),
            {{"in", "numbers"}},
            {{"out", "in, but not below `lower` and not above `upper`"}},
            ""};
  }

 protected:
  double apply(double in, std::size_t i) const override { return limits_.clamp(in, i); }
  void checkShape(const SignalType& type) const override { limits_.checkShape(type); }
};

class DeadZone : public Cornered {
 public:
  explicit DeadZone(const Parameters& p) : Cornered(Limits(p.number("start"), p.number("end"))) {
    if (limits_.lower(0) > limits_.upper(0)) throw p.error("start", "is above `end`", "were they swapped?");
  }
  static BlockDescription description() {
    return {"DeadZone",
            kCategory,
            "zero inside a zone, and what exceeds it outside",
            {{"start", "lower end of the zone", "", "-", true}, {"end", "upper end of the zone", "", "-", true}},
            {{"in", "numbers"}},
            {{"out", "in − end above it, in − start below it, 0 between"}},
            ""};
  }

 protected:
  double apply(double in, std::size_t i) const override {
    return in > limits_.upper(i) ? in - limits_.upper(i) : in < limits_.lower(i) ? in - limits_.lower(i) : 0.0;
  }
};

class Quantizer : public Elementwise {
 public:
  explicit Quantizer(const Parameters& p) : interval_(p.number("interval")) {
    if (!(interval_ > 0.0)) throw p.error("interval", "must be above zero");
  }
  static BlockDescription description() {
    return {"Quantizer",
            kCategory,
            "rounds to multiples of an interval",
            {{"interval", "distance of two values", "", "-", true}},
            {{"in", "numbers"}},
            {{"out", "the nearest multiple"}},
            ""};
  }

 protected:
  double apply(double in, std::size_t) const override { return interval_ * std::round(in / interval_); }

 private:
  double interval_;
};

/// States: time and value of the last sample, whether there was one.
class RateLimiter : public Block {
 public:
  explicit RateLimiter(const Parameters& p) : rise_(p.number("rise")), fall_(p.number("fall", rise_)) {
    if (!(rise_ > 0.0)) throw p.error("rise", "must be above zero");
    if (!(fall_ > 0.0)) throw p.error("fall", "must be above zero");
  }
  static BlockDescription description() {
    return {"RateLimiter",
            kCategory,
            "follows a signal with a limited rate",
            {{"rise", "most that it rises per second", "", "1/s", true},
             {"fall", "most that it falls per second, as a positive number", "that of `rise`", "1/s", false}},
            {{"in", "numbers"}},
            {{"out", "in, but no faster; begins at the first value of in"}},
            ""};
  }
  void declare(BlockInterface& io) const override {
    io.input("in");
    io.output("out", SignalType::any());
  }
  void inferTypes(TypeInference& types) const override {
    const auto type = numbersAt(types, 0);
    if (!type) return;
    types.setOutput(0, *type);
    types.setDiscreteStates(type->size() + 2);
  }
  void outputs(Evaluation& e) const override {
    const auto in = e.in(0);
    const auto out = e.out(0);
    const auto state = e.discrete();
    const bool started = state[0] != 0.0;
    const double elapsed = e.time() - state[1];
    for (std::size_t i = 0; i < out.size(); ++i) {
      const double last = state[2 + static_cast<Eigen::Index>(i)];
      out[i] = started ? std::clamp(in[i], last - fall_ * elapsed, last + rise_ * elapsed) : in[i];
    }
  }
  void update(Evaluation& e) const override {
    auto state = e.discrete();
    state[0] = 1.0;
    state[1] = e.time();
    state.tail(state.size() - 2) = e.outVector(0);
  }

 private:
  double rise_, fall_;
};

}  // namespace

void addNonlinearities(BlockRegistry& registry) {
  registry.add<Saturation>();
  registry.add<DeadZone>();
  registry.add<Quantizer>();
  registry.add<RateLimiter>();
}

}  // namespace footfall
