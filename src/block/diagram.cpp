#include "footfall/block/diagram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "block/diagram_parts.hpp"
#include "block/diagram_run.hpp"
#include "block/flat_diagram.hpp"
#include "footfall/base/error.hpp"
#include "footfall/base/suggest.hpp"

namespace footfall {
namespace {

using Parts = Diagram::Parts;

// --- laying a diagram out ------------------------------------------------------------------------------------------

void layPorts(const FlatDiagram& flat, Parts& parts) {
  for (const Diagram::Port& input : flat.inputs) {
    parts.diagram_input_offsets.push_back(parts.signals);
    parts.signals += input.type.size();
  }
  for (const FlatBlock& block : flat.blocks) {
    const BlockInterface& interface = block.info.interface;
    parts.layouts.push_back({static_cast<int>(parts.input_sizes.size()), static_cast<int>(parts.output_sizes.size()),
                             parts.discrete, parts.continuous});
    parts.discrete += interface.discrete_states;
    parts.continuous += interface.continuous_states;
    parts.input_sizes.resize(parts.input_sizes.size() + interface.inputs.size(), 0);
    for (const BlockInterface::Output& output : interface.outputs) {
      parts.output_offsets.push_back(parts.signals);
      parts.output_sizes.push_back(output.type.size());
      parts.signals += output.type.size();
    }
  }
  parts.used.resize(parts.output_sizes.size(), 0);
}

int offsetOf(const FlatDiagram& flat, const Parts& parts, const FlatSource& source) {
  const int whole = source.block < 0 ? parts.diagram_input_offsets[source.port]
                                     : parts.output_offsets[parts.layouts[source.block].output + source.port];
  return whole + flat.partOf(source).offset;
}

void use(const FlatSource& source, Parts& parts) {
  if (source.block >= 0) parts.used[parts.layouts[source.block].output + source.port] = 1;
}

void layLines(const FlatDiagram& flat, Parts& parts) {
  parts.input_offsets.assign(parts.input_sizes.size(), -1);
  parts.input_gates.assign(parts.input_sizes.size(), -1);
  parts.input_slots.assign(parts.input_sizes.size(), -1);
  parts.input_types.resize(parts.input_sizes.size());
  for (std::size_t b = 0; b < flat.blocks.size(); ++b) {
    for (std::size_t port = 0; port < flat.blocks[b].inputs.size(); ++port) {
      const auto& source = flat.blocks[b].inputs[port].source;
      if (!source) continue;
      const int place = parts.layouts[b].input + static_cast<int>(port);
      parts.input_offsets[place] = offsetOf(flat, parts, *source);
      parts.input_types[place] = flat.partOf(*source).type;
      parts.input_sizes[place] = parts.input_types[place].size();
      if (source->block >= 0) {
        parts.input_slots[place] = parts.layouts[source->block].output + source->port;
        parts.input_gates[place] = flat.blocks[source->block].gate;
      }
      use(*source, parts);
      parts.lines.push_back({source->block, source->port, source->field, static_cast<int>(b), static_cast<int>(port)});
    }
  }
  for (const FlatOutput& output : flat.outputs) {
    use(output.source, parts);
    const int number = static_cast<int>(parts.output_ports.size());
    parts.lines.push_back({output.source.block, output.source.port, output.source.field, -1, number});
    parts.output_ports.push_back({output.name, flat.partOf(output.source).type});
    parts.diagram_output_offsets.push_back(offsetOf(flat, parts, output.source));
  }
  for (const FlatOutput& output : flat.inner_outputs)
    parts.other_names.emplace_back(output.name, flat.nameOf(output.source));
}

Parts::Rate rateOf(const SampleTime& sample_time, double step) {
  const auto ticks = [&](double time) { return static_cast<std::int64_t>(std::round(time / step)); };
  switch (sample_time.kind) {
    case SampleTime::Kind::constant:
      return {0, 0};
    case SampleTime::Kind::discrete:
      return {ticks(sample_time.period), ticks(sample_time.offset)};
    default:
      return {1, 0};
  }
}

int rateIndex(const Parts::Rate& rate, Parts& parts) {
  for (std::size_t i = 0; i < parts.rates.size(); ++i)
    if (parts.rates[i].period == rate.period && parts.rates[i].offset == rate.offset) return static_cast<int>(i);
  parts.rates.push_back(rate);
  return static_cast<int>(parts.rates.size()) - 1;
}

void layGates(const FlatDiagram& flat, Parts& parts) {
  for (const FlatGate& gate : flat.gates) {
    parts.gates.push_back({gate.path,
                           gate.condition.kind,
                           gate.condition.restart,
                           gate.condition.clear,
                           gate.parent,
                           offsetOf(flat, parts, gate.source),
                           {}});
    use(gate.source, parts);
  }
  for (std::size_t b = 0; b < flat.blocks.size(); ++b) {
    parts.block_gates.push_back(flat.blocks[b].gate);
    for (int gate = flat.blocks[b].gate; gate >= 0; gate = flat.gates[gate].parent)
      parts.gates[gate].members.push_back(static_cast<int>(b));
  }
  parts.gate_states = parts.discrete;
  parts.discrete += GateState::kSize * static_cast<int>(flat.gates.size());
}

/// Constants are computed at the start, whatever their condition says: nothing else could do it later.
int gateOf(const Parts& parts, int block) {
  return parts.blocks[block].sample_time.kind == SampleTime::Kind::constant ? -1 : parts.block_gates[block];
}

void layLoops(const FlatDiagram& flat, const std::vector<FlatLoop>& loops, Parts& parts) {
  for (const FlatLoop& loop : loops) {
    Parts::Loop laid{loop.name, loop.where, {}, 0};
    for (const FlatSource& source : loop.unknowns) {
      laid.unknowns.push_back({offsetOf(flat, parts, source), flat.partOf(source).type.size()});
      laid.size += laid.unknowns.back().size;
    }
    parts.loops.push_back(std::move(laid));
  }
}

/// All blocks of an algebraic loop are evaluated at the same instants.
void checkRate(const Parts& parts, const Parts::Loop& loop, const Parts::Entry& other, int block) {
  const SampleTime &a = parts.blocks[other.block].sample_time, &b = parts.blocks[block].sample_time;
  if (a.kind != b.kind || a.period != b.period || a.offset != b.offset)
    throw Error(loop.where,
                fmt::format("the algebraic loop through {} has blocks of different sample times: '{}' and '{}'",
                            loop.name, parts.blocks[other.block].path, parts.blocks[block].path),
                "give them one sample time, or put a Delay into the loop");
}

void layEntry(const ScheduleEntry& entry, Parts& parts) {
  if (entry.block < 0) {
    parts.entries.push_back({-1, entry.group, rateIndex({1, 0}, parts), -1, -1});
    return;
  }
  const SampleTime& sample_time = parts.blocks[entry.block].sample_time;
  const int rate = rateIndex(rateOf(sample_time, parts.settings.step), parts);
  const bool has_outputs = !parts.blocks[entry.block].interface.outputs.empty();
  const bool minor = sample_time.kind == SampleTime::Kind::continuous && has_outputs;
  if (entry.loop >= 0 && !parts.entries.empty() && parts.entries.back().loop == entry.loop)
    checkRate(parts, parts.loops[entry.loop], parts.entries.back(), entry.block);
  parts.entries.push_back({entry.block, entry.group, rate, gateOf(parts, entry.block), entry.loop});
  if (minor) parts.minor_entries.push_back(parts.entries.back());
}

void laySchedule(const FlatDiagram& flat, Parts& parts) {
  const Schedule schedule = orderOfEvaluation(flat, parts.settings.solve_loops);
  layLoops(flat, schedule.loops, parts);
  for (const ScheduleEntry& entry : schedule.entries) layEntry(entry, parts);
  for (int b = 0; b < static_cast<int>(parts.blocks.size()); ++b) {
    const BlockInterface& interface = parts.blocks[b].interface;
    const int rate = rateIndex(rateOf(parts.blocks[b].sample_time, parts.settings.step), parts);
    parts.updates.push_back({b, 0, rate, gateOf(parts, b), -1});
    if (interface.continuous_states > 0) parts.derivatives.push_back(b);
    if (interface.jumps) parts.jumps.push_back(b);
    if (interface.crossings > 0) parts.crossings.push_back(b);
  }
  if (parts.settings.solver == "rk45") parts.substep = parts.discrete++;
}

void checkSettings(const DiagramSettings& settings) {
  if (!(settings.step > 0.0) || !std::isfinite(settings.step))
    throw Error("diagram.step", fmt::format("the step is {} s, expected a number above zero", settings.step));
  if (settings.solver != "rk4" && settings.solver != "euler" && settings.solver != "rk45")
    throw Error("diagram.solver", fmt::format("there is no solver '{}' for continuous states", settings.solver),
                suggestOrList(settings.solver, {"rk4", "euler", "rk45"}));
  if (!(settings.tolerance > 0.0) || !(settings.tolerance < 1.0))
    throw Error("diagram.tolerance",
                fmt::format("the tolerance is {}, expected a number between 0 and 1", settings.tolerance));
}

/// States that only move in discrete instants cannot be asked for rates.
void checkContinuousStates(const Diagram::BlockInfo& block) {
  if (block.interface.continuous_states > 0 && block.sample_time.kind != SampleTime::Kind::continuous)
    throw Error(block.where, fmt::format("block '{}' has continuous states and cannot run at a fixed rate", block.path),
                "leave out its sample time, or use the discrete block of the same purpose");
}

}  // namespace

std::string Diagram::Parts::onlyOutput(const std::string& path) const {
  std::vector<std::string> outputs;
  for (const BlockInfo& block : blocks)
    if (block.path == path)
      for (const BlockInterface::Output& output : block.interface.outputs) outputs.push_back(output.name);
  for (const auto& [name, signal] : other_names)
    if (name.starts_with(path + ".") && name.find('.', path.size() + 1) == std::string::npos)
      outputs.push_back(name.substr(path.size() + 1));
  if (outputs.size() == 1) return outputs[0];
  return std::find(outputs.begin(), outputs.end(), "out") == outputs.end() ? "" : "out";
}

SignalPart Diagram::Parts::find(const std::string& path) const {
  const auto behind = [&](const std::string& name) {
    return path.size() > name.size() ? path.substr(name.size() + 1) : "";
  };
  const auto begins = [&](const std::string& name) {
    return path.starts_with(name) && (path.size() == name.size() || path[name.size()] == '.');
  };
  const auto part = [&](const SignalType& type, const std::string& field, int offset) {
    SignalPart found = findField(type, field);
    found.offset += offset;
    return found;
  };
  std::vector<std::string> known;
  for (std::size_t i = 0; i < output_ports.size(); ++i) {
    if (begins(output_ports[i].name))
      return part(output_ports[i].type, behind(output_ports[i].name), diagram_output_offsets[i]);
    known.push_back(output_ports[i].name);
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (begins(inputs[i].name)) return part(inputs[i].type, behind(inputs[i].name), diagram_input_offsets[i]);
    known.push_back(inputs[i].name);
  }
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (std::size_t port = 0; port < blocks[b].interface.outputs.size(); ++port) {
      const std::string name = blocks[b].path + "." + blocks[b].interface.outputs[port].name;
      if (begins(name)) {
        return part(blocks[b].interface.outputs[port].type, behind(name),
                    output_offsets[layouts[b].output + static_cast<int>(port)]);
      }
      known.push_back(name);
    }
  }
  for (const auto& [name, signal] : other_names) {
    if (begins(name)) return find(behind(name).empty() ? signal : signal + "." + behind(name));
    known.push_back(name);
  }
  if (const std::string port = onlyOutput(path); !port.empty()) return find(path + "." + port);
  throw Error("", fmt::format("the diagram has no signal '{}'", path), suggestOrList(path, known));
}

std::string Diagram::Parts::fingerprint() const {
  std::string text = fmt::format("{} {} {} {} {}", settings.step, settings.solver, signals, discrete, continuous);
  for (const BlockInfo& block : blocks) text += " " + block.path + ":" + block.kind;
  return text;
}

Diagram DiagramBuilder::build(const DiagramSettings& settings) const {
  checkSettings(settings);
  FlatDiagram flat = flatten(*parts_);
  orderOfEvaluation(flat,
                    settings.solve_loops);  // a cycle is named as one, also where types cannot be found because of it
  for (const DiagramBuilder::Parts::Input& input : parts_->inputs) checkComplete(input.port, input.where);
  inferTypes(flat);
  resolveSampleTimes(flat, settings.step);
  auto parts = std::make_unique<Diagram::Parts>();
  parts->settings = settings;
  parts->subdiagrams = flat.subdiagrams;
  parts->inputs = flat.inputs;
  for (const FlatBlock& block : flat.blocks) {
    checkContinuousStates(block.info);
    parts->blocks.push_back(block.info);
  }
  layPorts(flat, *parts);
  layLines(flat, *parts);
  layGates(flat, *parts);
  laySchedule(flat, *parts);
  return Diagram(std::move(parts));
}

Diagram::Diagram(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Diagram::Diagram(Diagram&&) noexcept = default;
Diagram& Diagram::operator=(Diagram&&) noexcept = default;
Diagram::~Diagram() = default;

const DiagramSettings& Diagram::settings() const { return parts_->settings; }
const std::vector<Diagram::BlockInfo>& Diagram::blocks() const { return parts_->blocks; }
const std::vector<Diagram::Line>& Diagram::lines() const { return parts_->lines; }
const std::vector<Diagram::SubdiagramInfo>& Diagram::subdiagrams() const { return parts_->subdiagrams; }
const std::vector<Diagram::Port>& Diagram::inputs() const { return parts_->inputs; }
const std::vector<Diagram::Port>& Diagram::outputs() const { return parts_->output_ports; }

std::vector<int> Diagram::order() const {
  std::vector<int> blocks;
  for (const Parts::Entry& entry : parts_->entries)
    if (entry.block >= 0) blocks.push_back(entry.block);
  return blocks;
}

int Diagram::block(const std::string& path) const {
  std::vector<std::string> known;
  for (std::size_t b = 0; b < parts_->blocks.size(); ++b) {
    if (parts_->blocks[b].path == path) return static_cast<int>(b);
    known.push_back(parts_->blocks[b].path);
  }
  throw Error("", fmt::format("the diagram has no block '{}'", path), suggestOrList(path, known));
}

std::string Diagram::signalOf(const Line& line) const {
  const BlockInfo* source = line.source_block < 0 ? nullptr : &parts_->blocks[line.source_block];
  const std::string name = source == nullptr ? parts_->inputs[line.source_port].name
                                             : source->path + "." + source->interface.outputs[line.source_port].name;
  return line.field.empty() ? name : name + "." + line.field;
}

Context Diagram::makeContext() const {
  auto parts = std::make_unique<Context::Parts>(*parts_);
  parts->bind();
  for (std::size_t b = 0; b < parts_->blocks.size(); ++b) parts_->blocks[b].block->initialize(parts->evaluations[b]);
  for (int gate = 0; gate < static_cast<int>(parts_->gates.size()); ++gate)
    parts->gateState(gate).previous = std::numeric_limits<double>::quiet_NaN();
  return Context(std::move(parts));
}

void Diagram::evaluate(Context& context, DiagramObserver* observer) const {
  DiagramRun(*parts_, *context.parts_, observer).evaluate();
}

VectorXd Diagram::rates(Context& context) const { return DiagramRun(*parts_, *context.parts_, nullptr).rates(); }

bool Diagram::step(Context& context, DiagramObserver* observer) const {
  return DiagramRun(*parts_, *context.parts_, observer).step();
}

}  // namespace footfall
