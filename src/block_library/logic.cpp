#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "block_library/groups.hpp"
#include "block_library/memory_type.hpp"
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
    io.crossings = 1;
  }
  void inferTypes(TypeInference& types) const override { joinedShape(types, {0, 1}); }
  void outputs(Evaluation& e) const override { e.set(0, holds(e.number(0), other(e)) ? 1.0 : 0.0); }
  /// Equal numbers are on the side on which the comparison gives the same.
  void crossings(Evaluation& e, std::span<double> values) const override {
    values[0] = e.number(0) - other(e);
    const bool above = operation_ == "<" || operation_ == ">=";
    if (values[0] == 0.0 && above) values[0] = std::numeric_limits<double>::min();
  }

 private:
  double other(const Evaluation& e) const { return e.connected(1) ? e.number(1) : value_; }
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

/// State: the last value.
class Merge : public Block {
 public:
  explicit Merge(const Parameters& p) : count_(sizeParameter(p, "inputs", 2)), initial_(p) {}
  static BlockDescription description() {
    return {
        "Merge",
        kCategory,
        "the signal of the branch that runs",
        {{"inputs", "how many", "2", "-", false}, initialDescription(), sizeDescription()},
        {{"in1, in2 …", "signals of one type, each of a block or sub-diagram with `when`"}},
        {{"out",
          "the input whose block runs at this instant (of several, the last); while none runs, what it was before"}},
        "With `when: x.out` and `when: not x.out` two sub-diagrams are an if and an else, and this block joins them."};
  }
  void declare(BlockInterface& io) const override {
    for (int k = 0; k < count_; ++k) io.input(fmt::format("in{}", k + 1));
    io.output("out", SignalType::any());
  }
  void inferTypes(TypeInference& types) const override {
    std::optional<SignalType> joined;
    for (int k = 0; k < count_; ++k) {
      const SignalType& type = types.input(k);
      if (!type.complete()) continue;
      if (const std::string problem = joined ? mismatch(type, *joined) : ""; !problem.empty())
        throw Error("", fmt::format("its inputs have different types: {}", problem));
      if (!joined) joined = initial_.typeLike(types, k);
    }
    if (!joined && types.stuck()) joined = initial_.typeLike(types, 0);
    if (!joined) return;
    types.setOutput(0, *joined);
    types.setDiscreteStates(joined->size());
  }
  void initialize(Evaluation& e) const override { initial_.fill(e.discrete(), e.discrete().size()); }
  void outputs(Evaluation& e) const override {
    e.outVector(0) = e.discrete();
    for (int k = 0; k < count_; ++k)
      if (e.sourceRuns(k)) e.outVector(0) = e.vector(k);
  }
  void update(Evaluation& e) const override { e.discrete() = e.outVector(0); }

 private:
  int count_;
  InitialValue initial_;
};

}  // namespace

void addLogic(BlockRegistry& registry) {
  registry.add<Compare>();
  registry.add<And>();
  registry.add<Or>();
  registry.add<Not>();
  registry.add<Switch>();
  registry.add<Merge>();
}

}  // namespace footfall
