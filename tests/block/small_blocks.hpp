#pragma once

// Blocks that are small enough to see what the engine does with them.

#include <functional>

#include "footfall/block.hpp"

namespace footfall::test {

/// A vector of constants.
class Value : public Block {
 public:
  explicit Value(VectorXd value, std::string unit = "", SampleTime sample_time = SampleTime::continuous())
      : value_(std::move(value)), unit_(std::move(unit)), sample_time_(sample_time) {}
  explicit Value(double value, std::string unit = "") : Value(VectorXd::Constant(1, value), std::move(unit)) {}
  void declare(BlockInterface& io) const override {
    io.output("out", SignalType::vector(static_cast<int>(value_.size()), unit_));
    io.sample_time = sample_time_;
  }
  void outputs(Evaluation& e) const override { e.outVector(0) = value_; }

 private:
  VectorXd value_;
  std::string unit_;
  SampleTime sample_time_;
};

/// The time.
class Now : public Block {
 public:
  void declare(BlockInterface& io) const override { io.output("out", SignalType::scalar("s")); }
  void outputs(Evaluation& e) const override { e.set(0, e.time()); }
};

class Gain : public Block {
 public:
  explicit Gain(double factor) : factor_(factor) {}
  explicit Gain(const Parameters& parameters) : factor_(parameters.number("factor")) {}
  static BlockDescription description() {
    return {"Gain",        "maths", "out = factor · in", {{"factor", "of the input", "", "-", true}}, {{"in", ""}},
            {{"out", ""}}, ""};
  }
  void declare(BlockInterface& io) const override { io.outputLike("out", io.input("in")); }
  void outputs(Evaluation& e) const override { e.outVector(0) = factor_ * e.vector(0); }

 private:
  double factor_;
};

/// a + b; b may stay open.
class Add : public Block {
 public:
  void declare(BlockInterface& io) const override {
    const int a = io.input("a");
    io.optionalInput("b");
    io.outputLike("out", a);
  }
  void outputs(Evaluation& e) const override {
    e.outVector(0) = e.vector(0);
    if (e.connected(1)) e.outVector(0) += e.vector(1);
  }
};

/// The input of the last instant.
class Remember : public Block {
 public:
  explicit Remember(double initial) : initial_(initial) {}
  void declare(BlockInterface& io) const override {
    io.input("in");
    io.output("out", SignalType::scalar(), {});
    io.discrete_states = 1;
  }
  void initialize(Evaluation& e) const override { e.discrete()[0] = initial_; }
  void outputs(Evaluation& e) const override { e.set(0, e.discrete()[0]); }
  void update(Evaluation& e) const override { e.discrete()[0] = e.number(0); }

 private:
  double initial_;
};

/// ẋ = in
class Integrate : public Block {
 public:
  explicit Integrate(double initial) : initial_(initial) {}
  void declare(BlockInterface& io) const override {
    io.input("in");
    io.output("out", SignalType::scalar(), {});
    io.continuous_states = 1;
    io.sample_time = SampleTime::continuous();
  }
  void initialize(Evaluation& e) const override { e.continuous()[0] = initial_; }
  void outputs(Evaluation& e) const override { e.set(0, e.continuous()[0]); }
  void derivatives(Evaluation& e) const override { e.derivative()[0] = e.number(0); }

 private:
  double initial_;
};

/// A bus of a force and a flag.
class Report : public Block {
 public:
  void declare(BlockInterface& io) const override {
    io.output("bus", SignalType::bus({{"force", SignalType::vector(3, "N")},
                                      {"inner", SignalType::bus({{"touching", SignalType::boolean()}})}}));
  }
  void outputs(Evaluation& e) const override { e.outVector(0) << 1.0, 2.0, 3.0, 1.0; }
};

/// Takes a signal of a given type, and does nothing.
class Taker : public Block {
 public:
  explicit Taker(SignalType type) : type_(std::move(type)) {}
  void declare(BlockInterface& io) const override { io.input("in", type_); }
  void outputs(Evaluation&) const override {}

 private:
  SignalType type_;
};

/// Calls what it is given whenever it is evaluated.
class Call : public Block {
 public:
  explicit Call(std::function<void(Evaluation&)> call) : call_(std::move(call)) {}
  void declare(BlockInterface& io) const override { io.input("in"); }
  void outputs(Evaluation& e) const override { call_(e); }

 private:
  std::function<void(Evaluation&)> call_;
};

template <class B, class... A>
std::shared_ptr<const Block> block(A&&... arguments) {
  return std::make_shared<const B>(std::forward<A>(arguments)...);
}

}  // namespace footfall::test
