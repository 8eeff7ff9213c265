#pragma once

#include "block_library/shapes.hpp"

namespace footfall {

/// A block that does the same to every element of its input.
class Elementwise : public Block {
 public:
  void declare(BlockInterface& io) const override {
    io.input("in");
    io.output("out", SignalType::any());
  }
  void inferTypes(TypeInference& types) const override {
    std::optional<SignalType> type = numbersAt(types, 0);
    if (!type) return;
    checkShape(*type);
    type->unit = unit(type->unit);
    types.setOutput(0, *type);
  }
  void outputs(Evaluation& e) const override {
    const auto in = e.in(0);
    const auto out = e.out(0);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = apply(in[i], i);
  }

 protected:
  virtual double apply(double in, std::size_t i) const = 0;
  /// Of the output; by default that of the input.
  virtual std::string unit(const std::string& in) const { return in; }
  /// Throws Error where parameters do not fit.
  virtual void checkShape(const SignalType&) const {}
};

}  // namespace footfall
