#include <fmt/format.h>

#include <cmath>
#include <istream>
#include <ostream>
#include <sstream>

#include "block/diagram_parts.hpp"
#include "footfall/base/error.hpp"
#include "footfall/base/suggest.hpp"

namespace footfall {
namespace {

constexpr const char* kMagic = "footfall context 1";

void writeNumbers(std::ostream& out, const std::vector<double>& values) {
  out.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(double)));
}

void readNumbers(std::istream& in, std::vector<double>& values) {
  in.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(double)));
}

void copyWhereItFits(const Eigen::Map<VectorXd>& from, Eigen::Map<VectorXd> to) {
  if (from.size() == to.size()) to = from;
}

bool hasStatesOrIsASink(const BlockInterface& interface) {
  return interface.discrete_states > 0 || interface.continuous_states > 0 || interface.outputs.empty();
}

}  // namespace

Context::Parts::Parts(const Diagram::Parts& d)
    : diagram(d),
      signals(d.signals, 0.0),
      discrete(d.discrete, 0.0),
      continuous(d.continuous, 0.0),
      due(d.rates.size(), 0),
      open(d.gates.size(), 0),
      input_runs(d.input_offsets.size(), nullptr),
      derivative(d.continuous, 0.0),
      kept_signals(d.continuous > 0 ? d.signals : 0, 0.0),
      start(d.continuous, 0.0),
      slope(d.continuous, 0.0),
      input_pointers(d.input_offsets.size()),
      output_pointers(d.output_offsets.size()),
      slots(d.output_offsets.size(), nullptr),
      output_slots(d.output_offsets.size()),
      input_slots(d.input_offsets.size(), nullptr),
      evaluations(d.blocks.size()) {
  for (const Diagram::Parts::Loop& loop : d.loops) loops.emplace_back(loop.size);
  if (d.substep >= 0) slopes.assign(7, std::vector<double>(d.continuous, 0.0));
  std::size_t crossings = 0;
  for (const int block : d.crossings) crossings += static_cast<std::size_t>(d.blocks[block].interface.crossings);
  crossings_before.resize(crossings);
  crossings_now.resize(crossings);
  for (std::size_t b = 0; b < d.blocks.size(); ++b) {
    memories.push_back(d.blocks[b].block->makeMemory());
    scratches.push_back(d.blocks[b].block->makeScratch());
    if (memories[b] || scratches[b] || hasStatesOrIsASink(d.blocks[b].interface)) updates.push_back(d.updates[b]);
  }
}

void Context::Parts::takeOver(std::size_t block, Parts& other, std::size_t other_block) {
  copyWhereItFits(other.evaluations[other_block].discrete(), evaluations[block].discrete());
  copyWhereItFits(other.evaluations[other_block].continuous(), evaluations[block].continuous());
  const int outputs = static_cast<int>(diagram.blocks[block].interface.outputs.size());
  if (other.diagram.blocks[other_block].interface.outputs.size() == static_cast<std::size_t>(outputs))
    for (int port = 0; port < outputs; ++port)
      copyWhereItFits(other.evaluations[other_block].outVector(port), evaluations[block].outVector(port));
  if (!memories[block] || !other.memories[other_block]) return;
  std::stringstream bytes;
  other.memories[other_block]->save(bytes);
  auto memory = diagram.blocks[block].block->makeMemory();
  try {
    memory->load(bytes);
    memories[block] = std::move(memory);
  } catch (const Error&) {
    // What the other remembers is of another size: this block stays at its start.
  }
}

void Context::Parts::restart(int block) {
  Evaluation& e = evaluations[block];
  e.discrete().setZero();
  e.continuous().setZero();
  if (memories[block]) {
    memories[block] = diagram.blocks[block].block->makeMemory();
    e.memory_ = memories[block].get();
    diagram.blocks[block].block->provideFunctions(e);
  }
  diagram.blocks[block].block->initialize(e);
}

void Context::Parts::bind() {
  for (std::size_t i = 0; i < input_pointers.size(); ++i) {
    input_pointers[i] = diagram.input_offsets[i] < 0 ? nullptr : signals.data() + diagram.input_offsets[i];
    input_slots[i] = diagram.input_slots[i] < 0 ? nullptr : &slots[diagram.input_slots[i]];
    input_runs[i] = diagram.input_gates[i] < 0 ? nullptr : &open[diagram.input_gates[i]];
  }
  for (std::size_t i = 0; i < output_pointers.size(); ++i) {
    output_pointers[i] = signals.data() + diagram.output_offsets[i];
    output_slots[i] = &slots[i];
  }
  for (std::size_t b = 0; b < evaluations.size(); ++b) {
    const Diagram::Parts::Layout& layout = diagram.layouts[b];
    const BlockInterface& interface = diagram.blocks[b].interface;
    Evaluation& e = evaluations[b];
    e.inputs_ = input_pointers.data() + layout.input;
    e.input_types_ = diagram.input_types.data() + layout.input;
    e.input_sizes_ = diagram.input_sizes.data() + layout.input;
    e.outputs_ = output_pointers.data() + layout.output;
    e.output_sizes_ = diagram.output_sizes.data() + layout.output;
    e.used_ = diagram.used.data() + layout.output;
    e.input_runs_ = input_runs.data() + layout.input;
    e.functions_ = input_slots.data() + layout.input;
    e.provided_ = output_slots.data() + layout.output;
    e.discrete_ = discrete.data() + layout.discrete;
    e.continuous_ = continuous.data() + layout.continuous;
    e.derivative_ = derivative.data() + layout.continuous;
    e.discrete_size_ = interface.discrete_states;
    e.continuous_size_ = interface.continuous_states;
    e.memory_ = memories[b].get();
    e.scratch_ = scratches[b].get();
    e.stop_reason_ = &stop_reason;
  }
  for (std::size_t b = 0; b < evaluations.size(); ++b) diagram.blocks[b].block->provideFunctions(evaluations[b]);
}

Context::Context(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Context::Context(Context&&) noexcept = default;
Context& Context::operator=(Context&&) noexcept = default;
Context::~Context() = default;

Context::Context(const Context& other) : parts_(std::make_unique<Parts>(other.parts_->diagram)) {
  const Parts& from = *other.parts_;
  parts_->tick = from.tick;
  parts_->signal_tick = from.signal_tick;
  parts_->stop_reason = from.stop_reason;
  parts_->signals = from.signals;
  parts_->discrete = from.discrete;
  parts_->continuous = from.continuous;
  for (std::size_t b = 0; b < from.memories.size(); ++b)
    if (from.memories[b]) parts_->memories[b] = from.memories[b]->clone();
  parts_->bind();
}

Context& Context::operator=(const Context& other) {
  if (this != &other) *this = Context(other);
  return *this;
}

double Context::time() const { return parts_->timeOf(parts_->tick); }
double Context::signalTime() const { return parts_->timeOf(parts_->signal_tick); }
std::int64_t Context::ticks() const { return parts_->tick; }
const std::string& Context::stopReason() const { return parts_->stop_reason; }

Eigen::Map<const VectorXd> Context::signal(const std::string& path) const {
  const SignalPart part = parts_->diagram.find(path);
  return {parts_->signals.data() + part.offset, part.type.size()};
}

SignalType Context::signalType(const std::string& path) const { return parts_->diagram.find(path).type; }

void Context::setInput(const std::string& name, const Eigen::Ref<const VectorXd>& values) {
  const auto& inputs = parts_->diagram.inputs;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    names.push_back(inputs[i].name);
    if (inputs[i].name != name) continue;
    if (values.size() != inputs[i].type.size())
      throw Error(
          "", fmt::format("input '{}' got {} numbers, expected {}", name, values.size(), inputs[i].type.describe()));
    std::copy(values.begin(), values.end(), parts_->signals.begin() + parts_->diagram.diagram_input_offsets[i]);
    parts_->outputs_valid = false;
    return;
  }
  throw Error("", fmt::format("the diagram has no input '{}'", name),
              names.empty() ? "it has no inputs" : suggestOrList(name, names));
}

void Context::setInput(const std::string& name, double value) { setInput(name, VectorXd::Constant(1, value)); }

BlockMemory* Context::memory(int block) {
  parts_->outputs_valid = false;
  return parts_->memories[block].get();
}

BlockScratch* Context::scratch(int block) { return parts_->scratches[block].get(); }

Eigen::Map<VectorXd> Context::discreteState(int block) {
  parts_->outputs_valid = false;
  return parts_->evaluations[block].discrete();
}

Eigen::Map<VectorXd> Context::continuousState(int block) {
  parts_->outputs_valid = false;
  return parts_->evaluations[block].continuous();
}

void Context::setTime(double time) {
  parts_->tick = parts_->signal_tick = std::llround(time / parts_->diagram.settings.step);
  parts_->outputs_valid = false;
}

void Context::takeOver(const Context& other) {
  const auto& from = other.parts_->diagram.blocks;
  for (std::size_t b = 0; b < parts_->diagram.blocks.size(); ++b) {
    const Diagram::BlockInfo& block = parts_->diagram.blocks[b];
    for (std::size_t a = 0; a < from.size(); ++a)
      if (from[a].path == block.path && from[a].kind == block.kind) parts_->takeOver(b, *other.parts_, a);
  }
  for (int gate = 0; gate < static_cast<int>(parts_->diagram.gates.size()); ++gate)
    for (int a = 0; a < static_cast<int>(other.parts_->diagram.gates.size()); ++a)
      if (other.parts_->diagram.gates[a].path == parts_->diagram.gates[gate].path) {
        const GateState from_state = other.parts_->gateState(a);
        parts_->gateState(gate).ran = from_state.ran;
        parts_->gateState(gate).previous = from_state.previous;
      }
  setTime(other.time());
  parts_->stop_reason.clear();
  parts_->bind();
}

void Context::save(std::ostream& out) const {
  out << kMagic << '\n' << parts_->diagram.fingerprint() << '\n' << parts_->tick << ' ' << parts_->signal_tick << '\n';
  for (const auto* values : {&parts_->signals, &parts_->discrete, &parts_->continuous}) writeNumbers(out, *values);
  for (const auto& memory : parts_->memories)
    if (memory) memory->save(out);
}

namespace {

/// What a block says of bytes that are wrong, at the place where they came from.
void loadMemory(BlockMemory* memory, std::istream& in, const std::string& where) {
  if (memory == nullptr) return;
  try {
    memory->load(in);
  } catch (const Error& error) {
    throw Error(where, error.problem(), error.hint());
  }
}

}  // namespace

void Context::load(std::istream& in, const std::string& source_name) {
  std::string magic, fingerprint;
  std::getline(in, magic);
  std::getline(in, fingerprint);
  if (magic != kMagic)
    throw Error(source_name, fmt::format("this is no saved context: it does not begin with '{}'", kMagic),
                "states of a robot alone, and of logs, are of another kind");
  if (fingerprint != parts_->diagram.fingerprint())
    throw Error(source_name, "the context was saved by another diagram", "blocks, names and sizes must be the same");
  Parts loaded(parts_->diagram);
  in >> loaded.tick >> loaded.signal_tick;
  in.get();
  for (auto* values : {&loaded.signals, &loaded.discrete, &loaded.continuous}) readNumbers(in, *values);
  for (std::size_t block = 0; block < loaded.memories.size(); ++block)
    loadMemory(loaded.memories[block].get(), in,
               fmt::format("{}, block {}", source_name, parts_->diagram.blocks[block].path));
  if (!in) throw Error(source_name, "the saved context ends too early");
  // Only now, when all of it could be read, does this context change.
  parts_->tick = loaded.tick;
  parts_->signal_tick = loaded.signal_tick;
  parts_->signals = loaded.signals;
  parts_->discrete = loaded.discrete;
  parts_->continuous = loaded.continuous;
  parts_->memories = std::move(loaded.memories);
  parts_->outputs_valid = false;
  parts_->stop_reason.clear();
  parts_->bind();
}

}  // namespace footfall
