#include "footfall/block/diagram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
      if (source->block >= 0) parts.input_slots[place] = parts.layouts[source->block].output + source->port;
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

void laySchedule(const FlatDiagram& flat, Parts& parts) {
  for (const ScheduleEntry& entry : orderOfEvaluation(flat)) {
    const SampleTime& sample_time = parts.blocks[entry.block].sample_time;
    const int rate = rateIndex(rateOf(sample_time, parts.settings.step), parts);
    parts.entries.push_back({entry.block, entry.group, rate});
    const bool has_outputs = !parts.blocks[entry.block].interface.outputs.empty();
    if (sample_time.kind == SampleTime::Kind::continuous && has_outputs)
      parts.minor_entries.push_back(parts.entries.back());
  }
  for (std::size_t b = 0; b < parts.blocks.size(); ++b) {
    const int rate = rateIndex(rateOf(parts.blocks[b].sample_time, parts.settings.step), parts);
    parts.updates.push_back({static_cast<int>(b), 0, rate});
    if (parts.blocks[b].interface.continuous_states > 0) parts.derivatives.push_back(static_cast<int>(b));
  }
}

void checkSettings(const DiagramSettings& settings) {
  if (!(settings.step > 0.0) || !std::isfinite(settings.step))
    throw Error("diagram.step", fmt::format("the step is {} s, expected a number above zero", settings.step));
  if (settings.solver != "rk4" && settings.solver != "euler")
    throw Error("diagram.solver", fmt::format("there is no solver '{}' for continuous states", settings.solver),
                suggestOrList(settings.solver, {"rk4", "euler"}));
}

/// States that only move in discrete instants cannot be asked for rates.
void checkContinuousStates(const Diagram::BlockInfo& block) {
  if (block.interface.continuous_states > 0 && block.sample_time.kind != SampleTime::Kind::continuous)
    throw Error(block.where, fmt::format("block '{}' has continuous states and cannot run at a fixed rate", block.path),
                "leave out its sample time, or use the discrete block of the same purpose");
}

}  // namespace

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
  orderOfEvaluation(flat);  // a cycle is named as one, also where types cannot be found because of it
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
  for (const Parts::Entry& entry : parts_->entries) blocks.push_back(entry.block);
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
  return Context(std::move(parts));
}

void Diagram::evaluate(Context& context, DiagramObserver* observer) const {
  DiagramRun(*parts_, *context.parts_, observer).evaluate();
}

bool Diagram::step(Context& context, DiagramObserver* observer) const {
  return DiagramRun(*parts_, *context.parts_, observer).step();
}

}  // namespace footfall
