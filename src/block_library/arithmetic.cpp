#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "block_library/elementwise.hpp"
#include "block_library/groups.hpp"
#include "footfall/base/error.hpp"
#include "footfall/base/expression.hpp"

namespace footfall {
namespace {

constexpr const char* kCategory = "maths";

class Gain : public Block {
 public:
  explicit Gain(const Parameters& p) : factor_(p.matrix("factor")), unit_(p.text("unit", "")) {}
  static BlockDescription description() {
    return {"Gain",
            kCategory,
            "multiplies by a constant",
            {{"factor", "a number; a list: element by element; a list of rows: a matrix from the left", "", "-", true},
             unitDescription()},
            {{"in", "scalar, vector or matrix"}},
            {{"out", "factor · in"}},
            ""};
  }
  void declare(BlockInterface& io) const override {
    io.input("in");
    io.output("out", SignalType::any());
  }
  void inferTypes(TypeInference& types) const override {
    std::optional<SignalType> type = numbersAt(types, 0);
    if (!type) return;
    if (isMatrix()) {
      if (type->rows != factor_.cols())
        throw Error("",
                    fmt::format("the factor has {} columns, but the input is a {}", factor_.cols(), type->describe()));
      type = type->columns == 1 ? numbers(factor_.rows()) : SignalType::matrix(rows(), type->columns);
    } else if (factor_.rows() > 1) {
      if (type->size() == 1) type = numbers(factor_.rows());
      requireLength("factor", factor_.col(0), *type);
    }
    type->unit = unit_;
    types.setOutput(0, *type);
  }
  void outputs(Evaluation& e) const override {
    const auto in = e.in(0);
    const auto out = e.out(0);
    if (isMatrix()) {
      const Eigen::Index columns = static_cast<Eigen::Index>(in.size()) / factor_.cols();
      for (Eigen::Index k = 0; k < columns; ++k)
        e.outVector(0).segment(k * factor_.rows(), factor_.rows()).noalias() =
            factor_ * e.vector(0).segment(k * factor_.cols(), factor_.cols());
      return;
    }
    const std::span<const double> factor(factor_.data(), static_cast<std::size_t>(factor_.size()));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = element(factor, i) * element(in, i);
  }

 private:
  bool isMatrix() const { return factor_.cols() > 1; }
  int rows() const { return static_cast<int>(factor_.rows()); }
  MatrixXd factor_;
  std::string unit_;
};

/// A block of several inputs in1, in2 …, element by element.
class Combination : public Block {
 public:
  explicit Combination(int count) : count_(count) {}
  void declare(BlockInterface& io) const override {
    for (int k = 0; k < count_; ++k) io.input(fmt::format("in{}", k + 1));
    io.output("out", SignalType::any());
  }
  void inferTypes(TypeInference& types) const override {
    if (const std::optional<SignalType> type = joinedShape(types, 0, count_)) types.setOutput(0, *type);
  }
  void outputs(Evaluation& e) const override {
    const auto out = e.out(0);
    for (std::size_t i = 0; i < out.size(); ++i) {
      double value = first(element(e.in(0), i));
      for (int k = 1; k < count_; ++k) value = next(value, element(e.in(k), i), k);
      out[i] = value;
    }
  }

 protected:
  virtual double first(double a) const { return a; }
  virtual double next(double value, double a, int input) const = 0;
  static int countOf(const Parameters& p) { return sizeParameter(p, "inputs", 2); }

 private:
  int count_;
};

BlockDescription describeCombination(const char* name, const char* summary, const char* formula) {
  return {name,
          kCategory,
          summary,
          {{"inputs", "how many", "2", "-", false}},
          {{"in1, in2 …", "numbers of one shape and unit; single numbers go with every element"}},
          {{"out", formula}},
          ""};
}

class Sum : public Combination {
 public:
  explicit Sum(const Parameters& p) : Combination(static_cast<int>(signsOf(p).size())), signs_(signsOf(p)) {}
  static BlockDescription description() {
    return {"Sum",
            kCategory,
            "adds and subtracts",
            {{"signs", "a + or − for each input: \"+-+\" has three", "++", "", false}},
            {{"in1, in2 …", "numbers of one shape and unit; single numbers go with every element"}},
            {{"out", "± in1 ± in2 …"}},
            ""};
  }

 protected:
  double first(double a) const override { return signs_[0] == '+' ? a : -a; }
  double next(double value, double a, int k) const override {
    return signs_[static_cast<std::size_t>(k)] == '+' ? value + a : value - a;
  }

 private:
  static std::string signsOf(const Parameters& p) {
    const std::string signs = p.text("signs", "++");
    if (signs.empty() || signs.find_first_not_of("+-") != std::string::npos)
      throw p.error("signs", fmt::format("is '{}', expected + and - only, such as \"+-\"", signs));
    return signs;
  }
  std::string signs_;
};

class Min : public Combination {
 public:
  explicit Min(const Parameters& p) : Combination(countOf(p)) {}
  static BlockDescription description() {
    return describeCombination("Min", "the smallest of its inputs, element by element", "min(in1, in2 …)");
  }

 protected:
  double next(double value, double a, int) const override { return std::min(value, a); }
};

class Max : public Combination {
 public:
  explicit Max(const Parameters& p) : Combination(countOf(p)) {}
  static BlockDescription description() {
    return describeCombination("Max", "the largest of its inputs, element by element", "max(in1, in2 …)");
  }

 protected:
  double next(double value, double a, int) const override { return std::max(value, a); }
};

/// Inputs may have different units; that of the result is given or open.
class Product : public Combination {
 public:
  explicit Product(const Parameters& p) : Combination(countOf(p)), count_(countOf(p)), unit_(p.text("unit", "")) {}
  static BlockDescription description() {
    BlockDescription text = describeCombination("Product", "multiplies, element by element", "in1 · in2 …");
    text.inputs[0].help = "numbers of one shape; single numbers go with every element";
    text.parameters.push_back(unitDescription());
    return text;
  }
  void inferTypes(TypeInference& types) const override {
    const std::optional<SignalType> type = joinedShape(types, 0, count_, Units::ignored);
    if (!type) return;
    types.setOutput(0, withUnit(*type, unit_));
  }

 protected:
  double next(double value, double a, int) const override { return value * a; }

 private:
  int count_;
  std::string unit_;
};

class Divide : public Combination {
 public:
  explicit Divide(const Parameters& p) : Combination(2), unit_(p.text("unit", "")) {}
  static BlockDescription description() {
    return {"Divide",
            kCategory,
            "divides, element by element",
            {unitDescription()},
            {{"in1", "numbers"}, {"in2", "numbers; a zero gives infinity, as usual"}},
            {{"out", "in1 / in2"}},
            ""};
  }
  void inferTypes(TypeInference& types) const override {
    const std::optional<SignalType> type = joinedShape(types, 0, 2, Units::ignored);
    if (!type) return;
    types.setOutput(0, withUnit(*type, unit_));
  }

 protected:
  double next(double value, double a, int) const override { return value / a; }

 private:
  std::string unit_;
};

class Abs : public Elementwise {
 public:
  explicit Abs(const Parameters&) {}
  static BlockDescription description() {
    return {"Abs", kCategory, "absolute value, element by element", {}, {{"in", "numbers"}}, {{"out", "|in|"}}, ""};
  }

 protected:
  double apply(double in, std::size_t) const override { return std::abs(in); }
};

class Sign : public Elementwise {
 public:
  explicit Sign(const Parameters&) {}
  static BlockDescription description() {
    return {"Sign", kCategory, "sign, element by element", {}, {{"in", "numbers"}}, {{"out", "−1, 0 or 1 [-]"}}, ""};
  }

 protected:
  double apply(double in, std::size_t) const override { return in > 0.0 ? 1.0 : in < 0.0 ? -1.0 : 0.0; }
  std::string unit(const std::string&) const override { return "-"; }
};

class Sqrt : public Elementwise {
 public:
  explicit Sqrt(const Parameters& p) : unit_(p.text("unit", "")) {}
  static BlockDescription description() {
    return {"Sqrt",
            kCategory,
            "square root, element by element",
            {unitDescription()},
            {{"in", "numbers; below zero the result is not a number"}},
            {{"out", "√in"}},
            ""};
  }

 protected:
  double apply(double in, std::size_t) const override { return std::sqrt(in); }
  std::string unit(const std::string&) const override { return unit_; }

 private:
  std::string unit_;
};

class Trigonometry : public Elementwise {
 public:
  explicit Trigonometry(const Parameters& p) {
    std::vector<std::string> names;
    for (const auto& [name, function] : functions()) names.push_back(name);
    const std::string chosen = p.choice("function", names);
    for (const auto& [name, function] : functions())
      if (name == chosen) function_ = function;
    gives_angle_ = chosen[0] == 'a';
  }
  static BlockDescription description() {
    return {"Trigonometry",
            kCategory,
            "a trigonometric or hyperbolic function, element by element",
            {{"function", "sin, cos, tan, asin, acos, atan, sinh, cosh or tanh", "", "", true}},
            {{"in", "numbers [rad], [-] for those that begin with a"}},
            {{"out", "function(in) [-], [rad] for those that begin with a"}},
            ""};
  }
  void declare(BlockInterface& io) const override {
    io.input("in", SignalType::any(gives_angle_ ? "-" : "rad"));
    io.output("out", SignalType::any());
  }

 protected:
  double apply(double in, std::size_t) const override { return function_(in); }
  std::string unit(const std::string&) const override { return gives_angle_ ? "rad" : "-"; }

 private:
  using Function = double (*)(double);
  static std::vector<std::pair<std::string, Function>> functions() {
    return {{"sin", std::sin},   {"cos", std::cos},   {"tan", std::tan},   {"asin", std::asin}, {"acos", std::acos},
            {"atan", std::atan}, {"sinh", std::sinh}, {"cosh", std::cosh}, {"tanh", std::tanh}};
  }
  Function function_ = nullptr;
  bool gives_angle_;
};

class FunctionBlock : public Block {
 public:
  explicit FunctionBlock(const Parameters& p)
      : names_(p.has("inputs") ? p.texts("inputs") : std::vector<std::string>{"u"}),
        variables_(withTime(names_)),
        expression_(p.text("formula"), variables_, p.where.empty() ? "block " + p.block : p.where),
        unit_(p.text("unit", "")) {
    if (names_.size() >= kMostInputs) throw p.error("inputs", fmt::format("are more than {}", kMostInputs - 1));
  }
  static BlockDescription description() {
    return {"Function",
            kCategory,
            "a formula of its inputs, element by element",
            {{"formula", "such as \"2*sin(u) + a^2\"; `t` is the time", "", "", true},
             {"inputs", "names of the inputs", "u", "", false},
             unitDescription()},
            {{"one per name", "numbers of one shape; single numbers go with every element"}},
            {{"out", "value of the formula"}},
            "+ - * / ^, brackets, pi, sin, cos, tan, exp, log, sqrt, abs, min, max, pow."};
  }
  void declare(BlockInterface& io) const override {
    for (const std::string& name : names_) io.input(name);
    io.output("out", names_.empty() ? SignalType::scalar(unit_) : SignalType::any());
  }
  void inferTypes(TypeInference& types) const override {
    const std::optional<SignalType> type = joinedShape(types, 0, static_cast<int>(names_.size()), Units::ignored);
    if (type) types.setOutput(0, withUnit(*type, unit_));
  }
  void outputs(Evaluation& e) const override {
    std::array<double, kMostInputs> values;
    values[names_.size()] = e.time();
    const auto out = e.out(0);
    for (std::size_t i = 0; i < out.size(); ++i) {
      for (std::size_t k = 0; k < names_.size(); ++k) values[k] = element(e.in(static_cast<int>(k)), i);
      out[i] = expression_.at(values.data());
    }
  }

 private:
  static constexpr std::size_t kMostInputs = 32;
  static std::vector<std::string> withTime(std::vector<std::string> names) {
    names.push_back("t");
    return names;
  }
  std::vector<std::string> names_, variables_;
  Expression expression_;
  std::string unit_;
};

}  // namespace

void addArithmetic(BlockRegistry& registry) {
  registry.add<Gain>();
  registry.add<Sum>();
  registry.add<Product>();
  registry.add<Divide>();
  registry.add<Min>();
  registry.add<Max>();
  registry.add<Abs>();
  registry.add<Sign>();
  registry.add<Sqrt>();
  registry.add<Trigonometry>();
  registry.add<FunctionBlock>();
}

}  // namespace footfall
