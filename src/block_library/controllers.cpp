#include <fmt/format.h>

#include "block_library/groups.hpp"
#include "block_library/limits.hpp"
#include "footfall/base/error.hpp"

namespace footfall {
namespace {

constexpr const char* kCategory = "control";

/// Gains and limits, each a number or a list.
struct Gains {
  VectorXd kp, ki, kd;
  Limits limits;
  double filter;  ///< time constant of the derivative's low pass [s]

  explicit Gains(const Parameters& p)
      : kp(p.vector("kp")),
        ki(p.vector("ki", VectorXd::Zero(1))),
        kd(p.vector("kd", VectorXd::Zero(1))),
        limits(p),
        filter(p.number("filter", 0.01, Quantity::time)) {
    commonLength(p, {"kp", "ki", "kd", "lower", "upper"});
    if (!(filter > 0.0)) throw p.error("filter", "must be above zero");
  }

  void checkShape(const SignalType& type) const {
    requireLength("kp", kp, type);
    requireLength("ki", ki, type);
    requireLength("kd", kd, type);
    limits.checkShape(type);
  }
};

std::vector<ParameterDescription> gainDescriptions() {
  std::vector<ParameterDescription> all = {
      {"kp", "gain of the error; a number or a list", "", "-", true},
      {"ki", "gain of its integral; a number or a list", "0", "1/s", false},
      {"kd", "gain of its rate; a number or a list", "0", "s", false},
      {"filter", "time constant of the low pass in front of the rate", "0.01", "s", false},
      unitDescription()};
  for (const ParameterDescription& limit : limitDescriptions()) all.push_back(limit);
  return all;
}

/// A controller of an error, element by element, with some states for each element.
class ErrorController : public Block {
 public:
  explicit ErrorController(const Parameters& p) : gains_(p), unit_(p.text("unit", "")) {}
  void declare(BlockInterface& io) const override {
    io.input("error");
    io.output("out", SignalType::any());
  }
  void inferTypes(TypeInference& types) const override {
    const auto type = numbersAt(types, 0);
    if (!type) return;
    gains_.checkShape(*type);
    types.setOutput(0, withUnit(*type, unit_));
    setStates(types, type->size());
  }

 protected:
  virtual void setStates(TypeInference& types, int size) const = 0;
  Gains gains_;

 private:
  std::string unit_;
};

/// States: integrals, then filtered errors.
class Pid : public ErrorController {
 public:
  using ErrorController::ErrorController;
  static BlockDescription description() {
    return {"PID",
            kCategory,
            "controller of an error, its integral and its rate; continuous",
            gainDescriptions(),
            {{"error", "numbers"}},
            {{"out", "kp e + ki ∫ e dt + kd de/dt, kept between the limits"}},
            "The rate is s / (filter s + 1) of the error. While the output is at a limit the integral does not grow "
            "further into it."};
  }
  void declare(BlockInterface& io) const override {
    ErrorController::declare(io);
    io.sample_time = SampleTime::continuous();
  }
  void outputs(Evaluation& e) const override {
    const auto out = e.out(0);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = gains_.limits.clamp(unlimited(e, i), i);
  }
  void derivatives(Evaluation& e) const override {
    const auto error = e.in(0);
    const auto n = static_cast<Eigen::Index>(error.size());
    auto rate = e.derivative();
    for (Eigen::Index k = 0; k < n; ++k) {
      const auto i = static_cast<std::size_t>(k);
      const double integral_rate = element(gains_.ki, i) * error[i];
      rate[k] = gains_.limits.blocks(unlimited(e, i), integral_rate, i) ? 0.0 : integral_rate;
      rate[n + k] = (error[i] - e.continuous()[n + k]) / gains_.filter;
    }
  }

 protected:
  void setStates(TypeInference& types, int size) const override { types.setContinuousStates(2 * size); }

 private:
  double unlimited(Evaluation& e, std::size_t i) const {
    const auto error = e.in(0);
    const auto state = e.continuous();
    const double error_rate = (error[i] - state[static_cast<Eigen::Index>(error.size() + i)]) / gains_.filter;
    return element(gains_.kp, i) * error[i] + state[static_cast<Eigen::Index>(i)] + element(gains_.kd, i) * error_rate;
  }
};

/// States of each element: integral, filtered rate, last error; in front of all, whether there was one.
class DiscretePid : public ErrorController {
 public:
  explicit DiscretePid(const Parameters& p) : ErrorController(p), sample_time_(requiredSampleTime(p)) {}
  static BlockDescription description() {
    std::vector<ParameterDescription> parameters = gainDescriptions();
    parameters.push_back(sampleDescription());
    return {"DiscretePID",
            kCategory,
            "controller of an error, its integral and its rate; at a fixed rate",
            parameters,
            {{"error", "numbers"}},
            {{"out", "kp e + I + kd r, kept between the limits"}},
            "With the period T: r = (filter r⁻ + e − e⁻) / (filter + T), zero at the first sample; afterwards "
            "I += T ki e, unless the output is at a limit and that would lead further into it."};
  }
  void declare(BlockInterface& io) const override {
    ErrorController::declare(io);
    io.sample_time = sample_time_;
  }
  void outputs(Evaluation& e) const override {
    const auto out = e.out(0);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = gains_.limits.clamp(unlimited(e, i), i);
  }
  void update(Evaluation& e) const override {
    const auto error = e.in(0);
    for (std::size_t i = 0; i < error.size(); ++i) {
      const double growth = sample_time_.period * element(gains_.ki, i) * error[i];
      const bool blocked = gains_.limits.blocks(unlimited(e, i), growth, i);
      auto own = state(e, i);
      const double rate = errorRate(e, i);
      own[0] += blocked ? 0.0 : growth;
      own[1] = rate;
      own[2] = error[i];
    }
    e.discrete()[0] = 1.0;
  }

 protected:
  void setStates(TypeInference& types, int size) const override { types.setDiscreteStates(1 + 3 * size); }

 private:
  static Eigen::Map<Vector3d> state(Evaluation& e, std::size_t i) {
    return Eigen::Map<Vector3d>(e.discrete().data() + 1 + 3 * i);
  }
  double errorRate(Evaluation& e, std::size_t i) const {
    if (e.discrete()[0] == 0.0) return 0.0;
    const auto own = state(e, i);
    return (gains_.filter * own[1] + e.in(0)[i] - own[2]) / (gains_.filter + sample_time_.period);
  }
  double unlimited(Evaluation& e, std::size_t i) const {
    return element(gains_.kp, i) * e.in(0)[i] + state(e, i)[0] + element(gains_.kd, i) * errorRate(e, i);
  }
  SampleTime sample_time_;
};

class Pd : public Block {
 public:
  explicit Pd(const Parameters& p)
      : kp_(p.vector("kp")), kd_(p.vector("kd", VectorXd::Zero(1))), limits_(p), unit_(p.text("unit", "")) {
    commonLength(p, {"kp", "kd", "lower", "upper"});
  }
  static BlockDescription description() {
    std::vector<ParameterDescription> parameters = {{"kp", "stiffness; a number or a list", "", "-", true},
                                                    {"kd", "damping; a number or a list", "0", "-", false},
                                                    unitDescription()};
    for (const ParameterDescription& limit : limitDescriptions()) parameters.push_back(limit);
    return {"PD",
            kCategory,
            "spring and damper towards a desired motion",
            parameters,
            {{"position", "numbers"},
             {"velocity", "rates of these"},
             {"desired_position", "of the same shape"},
             {"desired_velocity", "may stay unconnected: 0"},
             {"feedforward", "added to the output; may stay unconnected: 0"}},
            {{"out", "feedforward + kp (desired_position − position) + kd (desired_velocity − velocity), limited"}},
            ""};
  }
  void declare(BlockInterface& io) const override {
    io.input("position");
    io.input("velocity");
    io.input("desired_position");
    io.optionalInput("desired_velocity");
    io.optionalInput("feedforward");
    io.output("out", SignalType::any());
  }
  void inferTypes(TypeInference& types) const override {
    joinedShape(types, {0, 2});
    joinedShape(types, {1, 3});
    const auto type = joinedShape(types, 0, 5, Units::ignored);
    if (!type) return;
    requireLength("kp", kp_, *type);
    requireLength("kd", kd_, *type);
    limits_.checkShape(*type);
    types.setOutput(0, withUnit(*type, unit_));
  }
  void outputs(Evaluation& e) const override {
    const auto or_zero = [&](int input, std::size_t i) { return e.connected(input) ? element(e.in(input), i) : 0.0; };
    const auto out = e.out(0);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const double position_error = element(e.in(2), i) - element(e.in(0), i);
      const double velocity_error = or_zero(3, i) - element(e.in(1), i);
      const double force = or_zero(4, i) + element(kp_, i) * position_error + element(kd_, i) * velocity_error;
      out[i] = limits_.clamp(force, i);
    }
  }

 private:
  VectorXd kp_, kd_;
  Limits limits_;
  std::string unit_;
};

}  // namespace

void addControllers(BlockRegistry& registry) {
  registry.add<Pid>();
  registry.add<DiscretePid>();
  registry.add<Pd>();
}

}  // namespace footfall
