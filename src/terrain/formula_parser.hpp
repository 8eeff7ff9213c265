#pragma once

#include <string>
#include <vector>

#include "footfall/terrain/formula.hpp"

namespace footfall {

/// Operands that a program may have waiting at the same time.
constexpr int kFormulaStack = 32;

/// Throws Error that names the place in the text.
std::vector<Formula::Instruction> parseFormula(const std::string& text, const Formula::Names& names);

/// How many operands an operation takes from the stack; it leaves one.
int operandsOf(Formula::Operation operation);

}  // namespace footfall
