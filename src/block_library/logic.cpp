#include <fmt/format.h>

#include <algorithm>

#include "block_library/groups.hpp"
#include "block_library/shapes.hpp"
#include "footfall/base/error.hpp"

namespace footfall {
namespace {

constexpr const char* kCategory = "logic";

class Compare : public Block {
 public:
  explicit Compare(const Parameters& p)
      : operation_(p.choice("operation", {"<", "<=", "==", "!=", ">", ">="})), value_(p.number("value", 0.0)) {}
  static BlockDescription description() {
    return {"Compare",
            kCategory,
            "compares two numbers",
            {{"operation", "<, <=, ==, !=, > or >=", "", "", true},
             {"value", "what `a` is compared with where `b` is not connected", "0", "-", false}},
            {{"a", "scalar"}, {"b", "scalar of the same unit; may stay unconnected"}},
            {{"out", "boolean"}},
            ""};
  }
  void declare(BlockInterface& io) const override {
    io.input("a", SignalType::scalar());
    io.optionalInput("b", SignalType::scalar());
    io.output("out", SignalType::boolean());
  }
  void inferTypes(TypeInference& types) const override { joinedShape(types, {0, 1}); }
  void outputs(Evaluation& e) const override {
    const double a = e.number(0), b = e.connected(1) ? e.number(1) : value_;
    e.set(0, holds(a, b) ? 1.0 : 0.0);
  }

 private:
  bool holds(double a, double b) const {
    if (operation_ == "<") return a < b;
    if (operation_ == "<=") return a <= b;
    if (operation_ == "==") return a == b;
    if (operation_ == "!=") return a != b;
    if (operation_ == ">") return a > b;
    return a >= b;
  }
  std::string operation_;
  double value_;
};

/// Many flags to one.
class Junction : public Block {
 public:
  explicit Junction(const Parameters& p) : count_(sizeParameter(p, "inputs", 2)) {}
  void declare(BlockInterface& io) const override {
    for (int k = 0; k < count_; ++k) io.input(fmt::format("in{}", k + 1), SignalType::boolean());
    io.output("out", SignalType::boolean());
  }

 protected:
  int trueInputs(Evaluation& e) const {
    int count = 0;
    for (int k = 0; k < count_; ++k) count += e.flag(k);
    return count;
  }
  static BlockDescription describe(const char* name, const char* summary) {
    return {name,
            kCategory,
            summary,
            {{"inputs", "how many", "2", "-", false}},
            {{"in1, in2 …", "boolean"}},
            {{"out", "boolean"}},
            ""};
  }
  int count_;
};

class And : public Junction {
 public:
  using Junction::Junction;
  static BlockDescription description() { return describe("And", "true when all inputs are"); }
  void outputs(Evaluation& e) const override { e.set(0, trueInputs(e) == count_); }
};

class Or : public Junction {
 public:
  using Junction::Junction;
  static BlockDescription description() { return describe("Or", "true when at least one input is"); }
  void outputs(Evaluation& e) const override { e.set(0, trueInputs(e) > 0); }
};

class Not : public Block {
 public:
  explicit Not(const Parameters&) {}
  static BlockDescription description() {
    return {"Not", kCategory, "the opposite", {}, {{"in", "boolean"}}, {{"out", "boolean"}}, ""};
  }
  void declare(BlockInterface& io) const override {
    io.input("in", SignalType::boolean());
    io.output("out", SignalType::boolean());
  }
  void outputs(Evaluation& e) const override { e.set(0, !e.flag(0)); }
};

class Switch : public Block {
 public:
  explicit Switch(const Parameters&) {}
  static BlockDescription description() {
    return {"Switch",
            kCategory,
            "one of two signals, as a flag says",
            {},
            {{"if", "boolean"}, {"then", "any type"}, {"else", "the same type"}},
            {{"out", "`then` where `if` is true, else `else`"}},
            ""};
  }
  void declare(BlockInterface& io) const override {
    io.input("if", SignalType::boolean());
    io.input("then");
    io.input("else");
    io.output("out", SignalType::any());
  }
  void inferTypes(TypeInference& types) const override {
    const SignalType &a = types.input(1), &b = types.input(2);
    const bool both = a.complete() && b.complete();
    if (const std::string problem = both ? mismatch(b, a) : ""; !problem.empty())
      throw Error("", fmt::format("'then' and 'else' have different types: {}", problem));
    if (a.complete() || b.complete()) types.setOutput(0, a.complete() ? a : b);
  }
  void outputs(Evaluation& e) const override {
    const auto chosen = e.in(e.flag(0) ? 1 : 2);
    std::copy(chosen.begin(), chosen.end(), e.out(0).begin());
  }
};

}  // namespace

void addLogic(BlockRegistry& registry) {
  registry.add<Compare>();
  registry.add<And>();
  registry.add<Or>();
  registry.add<Not>();
  registry.add<Switch>();
}

}  // namespace footfall
