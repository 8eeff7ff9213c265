#include "footfall/base/condition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "footfall/base/error.hpp"

namespace footfall {

/// Splits the text at what binds least: `or`, then `and`, then `not`, then comparisons.
struct Condition::Parser {
  Condition& condition;
  const std::vector<std::string>& variables;
  const std::string& where;
  const std::string& whole;
  static constexpr int kDeepest = 100;  ///< of brackets and words; keeps this parser's own stack small

  int parse(std::string_view text, int depth) {
    if (depth > kDeepest) fail("too many brackets or words inside each other");
    text = trimmed(text);
    if (text.empty()) fail("expected a condition, found nothing");
    if (const std::size_t at = word(text, "or"); at != text.npos) return join(Kind::either, text, at, 2, depth);
    if (const std::size_t at = word(text, "and"); at != text.npos) return join(Kind::both, text, at, 3, depth);
    if (startsWithNot(text)) {
      const int inside = parse(text.substr(3), depth + 1);
      return add({Kind::opposite, inside, -1});
    }
    if (isComparison(text)) return comparison(text);
    if (text.front() == '(' && closing(text) == text.size() - 1)
      return parse(text.substr(1, text.size() - 2), depth + 1);
    return add({Kind::formula, formula(text), -1});
  }

 private:
  static std::string_view trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
    return text;
  }

  static bool isNamePart(std::string_view text, std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
  }

  static bool startsWithNot(std::string_view text) { return text.starts_with("not") && !isNamePart(text, 3); }

  /// Place of a word outside of all brackets, the last one: a and b and c is (a and b) and c.
  std::size_t word(std::string_view text, std::string_view wanted) const {
    int depth = 0;
    for (std::size_t i = text.size(); i-- > 0;) {
      depth += (text[i] == ')') - (text[i] == '(');
      if (depth == 0 && text.substr(i, wanted.size()) == wanted && !isNamePart(text, i + wanted.size()) &&
          (i == 0 || !isNamePart(text, i - 1)))
        return i;
    }
    return text.npos;
  }

  /// Of the bracket that the text begins with.
  static std::size_t closing(std::string_view text) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      depth += (text[i] == '(') - (text[i] == ')');
      if (depth == 0) return i;
    }
    return text.npos;
  }

  static std::size_t operatorAt(std::string_view text) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      depth += (text[i] == '(') - (text[i] == ')');
      if (depth == 0 && std::string_view("<>=!").find(text[i]) != std::string_view::npos) return i;
    }
    return text.npos;
  }

  static bool isComparison(std::string_view text) { return operatorAt(text) != text.npos; }

  int comparison(std::string_view text) {
    static constexpr std::pair<std::string_view, Kind> kOperators[] = {
        {"<=", Kind::less_equal}, {">=", Kind::greater_equal}, {"==", Kind::equal},
        {"!=", Kind::not_equal},  {"<", Kind::less},           {">", Kind::greater}};
    const std::size_t at = operatorAt(text);
    for (const auto& [symbol, kind] : kOperators) {
      if (text.substr(at, symbol.size()) != symbol) continue;
      const std::string_view right = text.substr(at + symbol.size());
      if (isComparison(right)) fail("two comparisons in one: join them by `and`");
      const int left = formula(text.substr(0, at));
      return add({kind, left, formula(right)});
    }
    fail(fmt::format("unexpected '{}', expected <, <=, ==, !=, > or >=", text[at]));
  }

  int join(Kind kind, std::string_view text, std::size_t at, std::size_t length, int depth) {
    const int left = parse(text.substr(0, at), depth + 1);
    const int right = parse(text.substr(at + length), depth + 1);
    return add({kind, left, right});
  }

  int formula(std::string_view text) {
    condition.formulas_.emplace_back(std::string(trimmed(text)), variables, where);
    return static_cast<int>(condition.formulas_.size()) - 1;
  }

  int add(Node node) {
    condition.nodes_.push_back(node);
    return static_cast<int>(condition.nodes_.size()) - 1;
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw Error(where, fmt::format("{} in '{}'", problem, whole));
  }
};

Condition::Condition(const std::string& text, const std::vector<std::string>& variables, const std::string& where)
    : root_(Parser{*this, variables, where, text}.parse(text, 0)) {}

bool Condition::holds(const double* variables) const { return holds(root_, variables); }

bool Condition::holds(int number, const double* variables) const {
  const Node& node = nodes_[number];
  if (node.kind == Kind::both) return holds(node.left, variables) && holds(node.right, variables);
  if (node.kind == Kind::either) return holds(node.left, variables) || holds(node.right, variables);
  if (node.kind == Kind::opposite) return !holds(node.left, variables);
  const double left = formulas_[node.left].at(variables);
  if (node.kind == Kind::formula) return left != 0.0;
  const double right = formulas_[node.right].at(variables);
  switch (node.kind) {
    case Kind::less:
      return left < right;
    case Kind::less_equal:
      return left <= right;
    case Kind::equal:
      return left == right;
    case Kind::not_equal:
      return left != right;
    case Kind::greater:
      return left > right;
    default:
      return left >= right;
  }
}

}  // namespace footfall
