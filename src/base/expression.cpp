#include "footfall/base/expression.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <numbers>
#include <string_view>

#include "footfall/base/error.hpp"
#include "footfall/base/internal/evaluate_expression.hpp"
#include "footfall/base/suggest.hpp"

namespace footfall {
namespace {

using Operation = Expression::Operation;

constexpr int kDeepestNesting = 100;  ///< of brackets and signs; keeps the parser's own stack small

struct Function {
  const char* name;
  Operation operation;
};

constexpr Function kFunctions[] = {{"sin", Operation::sin},  {"cos", Operation::cos}, {"tan", Operation::tan},
                                   {"exp", Operation::exp},  {"log", Operation::log}, {"sqrt", Operation::sqrt},
                                   {"abs", Operation::abs},  {"min", Operation::min}, {"max", Operation::max},
                                   {"pow", Operation::power}};

/// Reads a formula from left to right, one function for each rank of operators, and writes operands first.
class Parser {
 public:
  Parser(const std::string& text, const std::vector<std::string>& variables, const std::string& where)
      : text_(text), variables_(variables), where_(where) {}

  std::vector<Expression::Instruction> parse() {
    sum();
    if (!atEnd()) fail(fmt::format("unexpected '{}'", text_[place_]), place_);
    return std::move(program_);
  }

 private:
  void sum() {
    product();
    while (true) {
      if (take('+')) {
        product();
        emit(Operation::add);
      } else if (take('-')) {
        product();
        emit(Operation::subtract);
      } else {
        return;
      }
    }
  }

  void product() {
    signedPower();
    while (true) {
      if (take('*')) {
        signedPower();
        emit(Operation::multiply);
      } else if (take('/')) {
        signedPower();
        emit(Operation::divide);
      } else {
        return;
      }
    }
  }

  /// −x^2 is −(x^2), and 2^−x is allowed.
  void signedPower() {
    if (++nesting_ > kDeepestNesting) fail("too many brackets or signs inside each other", place_);
    if (take('-')) {
      signedPower();
      emit(Operation::negate);
    } else if (take('+')) {
      signedPower();
    } else {
      operand();
      if (take('^')) {
        signedPower();
        emit(Operation::power);
      }
    }
    --nesting_;
  }

  void operand() {
    if (atEnd()) fail(fmt::format("expected {}, found the end", operandKinds()), place_);
    const unsigned char c = text_[place_];
    if (take('(')) {
      sum();
      require(')');
    } else if (std::isdigit(c) || c == '.') {
      number();
    } else if (std::isalpha(c) || c == '_') {
      named();
    } else {
      fail(fmt::format("expected {}, found '{}'", operandKinds(), text_[place_]), place_);
    }
  }

  void number() {
    double value = 0.0;
    const auto [end, problem] = std::from_chars(text_.data() + place_, text_.data() + text_.size(), value);
    if (problem != std::errc()) fail("expected a number", place_);
    place_ = end - text_.data();
    push({Operation::number, value});
  }

  void named() {
    const std::size_t begin = place_;
    const auto isNamePart = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
    while (place_ < text_.size() && isNamePart(text_[place_])) ++place_;
    const std::string name = text_.substr(begin, place_ - begin);
    const bool called = take('(');
    if (called) return call(name, begin);
    const auto variable = std::find(variables_.begin(), variables_.end(), name);
    if (variable != variables_.end())
      return push({Operation::variable, 0.0, static_cast<int>(variable - variables_.begin())});
    if (name == "pi") return push({Operation::number, std::numbers::pi});
    if (findFunction(name)) fail(fmt::format("expected '(' after the function '{}'", name), place_);
    std::vector<std::string> known = variables_;
    known.push_back("pi");
    fail(fmt::format("unknown name '{}'", name), begin, suggestOrList(name, known));
  }

  /// "a number, x, y, a function or a bracket"
  std::string operandKinds() const {
    return fmt::format("a number, {}, a function or a bracket", fmt::join(variables_, ", "));
  }

  void call(const std::string& name, std::size_t begin) {
    const Function* function = findFunction(name);
    if (!function) fail(fmt::format("unknown function '{}'", name), begin, suggestOrList(name, functionNames()));
    const int expected = operandsOf(function->operation);
    sum();
    int count = 1;
    for (; take(','); ++count) sum();
    require(')');
    if (count != expected)
      fail(fmt::format("the function '{}' takes {} argument{}, found {}", name, expected, expected == 1 ? "" : "s",
                       count),
           begin);
    emit(function->operation);
  }

  static const Function* findFunction(std::string_view name) {
    const auto found = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                    [&](const Function& function) { return name == function.name; });
    return found == std::end(kFunctions) ? nullptr : found;
  }

  static std::vector<std::string> functionNames() {
    std::vector<std::string> names;
    for (const Function& function : kFunctions) names.push_back(function.name);
    return names;
  }

  void push(Expression::Instruction instruction) {
    program_.push_back(instruction);
    if (++waiting_ > Expression::kStack) fail("the formula keeps too many numbers waiting", place_);
  }

  void emit(Operation operation) {
    program_.push_back({operation});
    waiting_ -= operandsOf(operation) - 1;
  }

  bool atEnd() {
    while (place_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[place_]))) ++place_;
    return place_ == text_.size();
  }

  bool take(char c) {
    if (atEnd() || text_[place_] != c) return false;
    ++place_;
    atEnd();
    return true;
  }

  void require(char c) {
    if (take(c)) return;
    fail(atEnd() ? fmt::format("expected '{}', found the end", c)
                 : fmt::format("expected '{}', found '{}'", c, text_[place_]),
         place_);
  }

  [[noreturn]] void fail(const std::string& problem, std::size_t place, const std::string& hint = {}) const {
    throw Error(where_, fmt::format("{} at position {} of '{}'", problem, place + 1, text_), hint);
  }

  const std::string& text_;
  const std::vector<std::string>& variables_;
  const std::string& where_;
  std::size_t place_ = 0;
  int nesting_ = 0, waiting_ = 0;
  std::vector<Expression::Instruction> program_;
};

}  // namespace

int operandsOf(Operation operation) {
  switch (operation) {
    case Operation::number:
    case Operation::variable:
      return 0;
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::divide:
    case Operation::power:
    case Operation::min:
    case Operation::max:
      return 2;
    default:
      return 1;
  }
}

Expression::Expression(const std::string& text, const std::vector<std::string>& variables, const std::string& where)
    : program_(Parser(text, variables, where).parse()) {}

double Expression::at(const double* variables) const {
  return evaluateExpression<double>(
      *this, [](double number) { return number; }, [&](int variable) { return variables[variable]; });
}

}  // namespace footfall
