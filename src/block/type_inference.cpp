#include <fmt/format.h>

#include "block/attempt.hpp"
#include "block/flat_diagram.hpp"
#include "footfall/base/error.hpp"

namespace footfall {
namespace {

bool same(const SignalType& a, const SignalType& b) {
  if (a.kind != b.kind || a.rows != b.rows || a.columns != b.columns || a.unit != b.unit ||
      a.fields.size() != b.fields.size())
    return false;
  for (std::size_t i = 0; i < a.fields.size(); ++i)
    if (a.fields[i].name != b.fields[i].name || !same(a.fields[i].type, b.fields[i].type)) return false;
  return true;
}

/// One block while types spread.
class BlockInference : public TypeInference {
 public:
  BlockInference(FlatDiagram& diagram, int block, bool stuck)
      : diagram_(diagram), block_(diagram.blocks[block]), stuck_(stuck) {
    for (const FlatInput& input : block_.inputs) input_types_.push_back(typeOf(input));
  }

  const SignalType& input(int port) const override { return input_types_[port]; }
  bool stuck() const override { return stuck_; }
  bool connected(int port) const override { return block_.inputs[port].source.has_value(); }
  void setDiscreteStates(int count) override { block_.info.interface.discrete_states = count; }
  void setContinuousStates(int count) override { block_.info.interface.continuous_states = count; }
  void setCrossings(int count) override { block_.info.interface.crossings = count; }

  void setOutput(int port, SignalType type) override {
    SignalType& known = block_.info.interface.outputs[port].type;
    if (same(known, type)) return;
    known = std::move(type);
    changed_ = true;
  }

  /// True when an output has become better known.
  bool run() {
    auto& outputs = block_.info.interface.outputs;
    for (std::size_t port = 0; port < outputs.size(); ++port)
      if (outputs[port].like_input >= 0 && input(outputs[port].like_input).complete())
        setOutput(static_cast<int>(port), input(outputs[port].like_input));
    try {
      block_.info.block->inferTypes(*this);
    } catch (const Error& error) {
      throw Error(block_.info.where,
                  fmt::format("block '{}' ({}): {}", block_.info.path, block_.info.kind, error.problem()),
                  error.hint().empty() ? sources() : error.hint() + "; " + sources());
    }
    return changed_;
  }

 private:
  /// "in1 comes from 'sine.out', in2 from 'step.out'"
  std::string sources() const {
    std::string text;
    for (std::size_t port = 0; port < block_.inputs.size(); ++port)
      if (block_.inputs[port].source)
        text += fmt::format("{}{}{} from '{}'", text.empty() ? "" : ", ", block_.info.interface.inputs[port].name,
                            text.empty() ? " comes" : "", diagram_.nameOf(*block_.inputs[port].source));
    return text;
  }

  SignalType typeOf(const FlatInput& input) const {
    if (!input.source) return SignalType::any();
    const SignalType& whole = diagram_.typeOf(input.source->block, input.source->port);
    if (input.source->field.empty()) return whole;
    if (!whole.complete()) return SignalType::any();
    try {
      return findField(whole, input.source->field).type;
    } catch (const Error& error) {
      throw Error(input.where, fmt::format("line from '{}': {}", diagram_.nameOf(*input.source), error.problem()),
                  error.hint());
    }
  }

  FlatDiagram& diagram_;
  FlatBlock& block_;
  std::vector<SignalType> input_types_;
  bool stuck_;
  bool changed_ = false;
};

/// Lets types spread until nothing changes any more.
void spread(FlatDiagram& diagram, bool stuck, std::vector<Error>* problems = nullptr) {
  // Every pass fixes at least one more output, or is the last.
  const int blocks = static_cast<int>(diagram.blocks.size());
  bool changed = true;
  for (int pass = 0; changed && pass <= blocks + 1; ++pass) {
    changed = false;
    if (problems != nullptr) problems->clear();  // of the pass before: only what is still wrong at the end counts
    for (int block = 0; block < blocks; ++block)
      attempt(problems, [&] { changed = BlockInference(diagram, block, stuck).run() || changed; });
  }
}

bool isComplete(const FlatDiagram& diagram) {
  for (const FlatBlock& block : diagram.blocks)
    for (const BlockInterface::Output& output : block.info.interface.outputs)
      if (!output.type.complete()) return false;
  return true;
}

void checkComplete(const FlatDiagram& diagram) {
  for (const FlatBlock& block : diagram.blocks)
    for (const BlockInterface::Output& output : block.info.interface.outputs)
      if (!output.type.complete())
        throw Error(block.info.where,
                    fmt::format("the size of output '{}' of block '{}' cannot be found ({})", output.name,
                                block.info.path, output.type.describe()),
                    "it depends on itself around a loop: give a block of that loop its size or an initial value");
}

void checkFit(const FlatDiagram& diagram, const FlatSource& source, const SignalType& wanted, const std::string& input,
              const std::string& where) {
  // Of a diagram that is not finished: a condition whose signal was not found, a type that is not known yet.
  if (source.port < 0 || !diagram.typeOf(source.block, source.port).complete()) return;
  const std::string problem = mismatch(diagram.partOf(source).type, wanted);
  if (!problem.empty())
    throw Error(where, fmt::format("'{}' cannot go into '{}': {}", diagram.nameOf(source), input, problem));
}

void checkInputs(const FlatDiagram& diagram, int number, std::vector<Error>* problems) {
  const FlatBlock& block = diagram.blocks[number];
  for (std::size_t port = 0; port < block.inputs.size(); ++port) {
    const FlatInput& input = block.inputs[port];
    if (!input.source) continue;
    attempt(problems, [&] {
      checkFit(diagram, *input.source, block.info.interface.inputs[port].type,
               diagram.inputName(number, static_cast<int>(port)), input.where.empty() ? block.info.where : input.where);
    });
  }
}

void checkLines(const FlatDiagram& diagram, std::vector<Error>* problems) {
  for (const FlatGate& gate : diagram.gates)
    attempt(problems, [&] {
      checkFit(diagram, gate.source, SignalType::scalar(), "condition of " + gate.path, gate.condition.where);
    });
  for (const FlatCrossing& line : diagram.crossings)
    attempt(problems, [&] { checkFit(diagram, line.source, line.wanted, line.input, line.where); });
  const int blocks = static_cast<int>(diagram.blocks.size());
  for (int block = 0; block < blocks; ++block) checkInputs(diagram, block, problems);
}

}  // namespace

void checkComplete(const Diagram::Port& input, const std::string& where) {
  if (!input.type.complete())
    throw Error(where, fmt::format("input '{}' of the diagram is {}, expected a type with a size", input.name,
                                   input.type.describe()));
}

void inferTypes(FlatDiagram& diagram) {
  for (const Diagram::Port& input : diagram.inputs) checkComplete(input, "");
  spread(diagram, false);
  if (!isComplete(diagram)) spread(diagram, true);
  checkComplete(diagram);
  checkLines(diagram, nullptr);
}

void inferTypes(FlatDiagram& diagram, std::vector<Error>& problems) {
  std::vector<Error> found;
  spread(diagram, false, &found);
  problems.insert(problems.end(), found.begin(), found.end());
  // Around a loop a block may assume a type; but what is not connected yet is no loop.
  if (problems.empty() && !isComplete(diagram)) spread(diagram, true, &problems);
  checkLines(diagram, &problems);
}

}  // namespace footfall
