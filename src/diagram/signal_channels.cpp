#include "footfall/diagram/signal_channels.hpp"

#include <algorithm>

namespace footfall {
namespace {

bool has(const Log& log, const std::string& name) {
  return std::any_of(log.channels().begin(), log.channels().end(),
                     [&](const Channel& channel) { return channel.name == name; });
}

void appendOnce(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

Channel channelOf(const std::string& name, const SignalType& type, int size, const std::string& group) {
  Channel channel{name, type.unit.empty() ? "-" : type.unit, {}, group};
  static const std::vector<std::string> kPose = {"x", "y", "z", "qx", "qy", "qz", "qw"};
  const bool single = type.kind == SignalType::Kind::scalar || type.kind == SignalType::Kind::boolean;
  for (int k = 0; !single && k < size; ++k)
    channel.components.push_back(type.kind == SignalType::Kind::pose ? kPose[static_cast<std::size_t>(k)]
                                                                     : std::to_string(k));
  return channel;
}

}  // namespace

SignalChannels::SignalChannels(const Context& context, const std::vector<std::string>& signals, Options options)
    : context_(context), options_(std::move(options)) {
  for (const std::string& signal : signals) {
    context.signal(signal);  // throws when it is not there
    appendOnce(signals_, signal);
  }
}

void SignalChannels::addTo(Log& log) {
  entries_.clear();
  names_.clear();
  for (const std::string& signal : signals_) {
    const std::size_t before = log.channels().size();
    add(signal, context_.signalType(signal), context_.signal(signal).data(), options_.most, log);
    std::vector<std::string>& names = names_[signal];
    for (std::size_t k = before; k < log.channels().size(); ++k) names.push_back(log.channels()[k].name);
  }
}

/// `left`: numbers of the whole signal that may still be kept.
void SignalChannels::add(const std::string& name, const SignalType& type, const double* values, int left, Log& log) {
  if (type.kind == SignalType::Kind::function) return;
  if (type.kind == SignalType::Kind::bus) {
    for (const BusField& field : type.fields) {
      add(name + "." + field.name, field.type, values, left, log);
      values += field.type.size();
      left -= field.type.size();
    }
    return;
  }
  const int size = std::min(type.size(), left);
  if (size <= 0) return;
  Channel channel = channelOf(has(log, name) ? "diagram." + name : name, type, size, options_.group);
  entries_.push_back({log.add(std::move(channel)), {values, size}});
}

void SignalChannels::set(Log& log) const {
  for (const Entry& entry : entries_) log.set(entry.channel, entry.values);
}

std::map<std::string, std::vector<std::string>> scopeSignals(const Diagram& diagram) {
  std::map<std::string, std::map<int, std::string>> inputs;
  for (const Diagram::Line& line : diagram.lines()) {
    if (line.block < 0) continue;
    const Diagram::BlockInfo& block = diagram.blocks()[static_cast<std::size_t>(line.block)];
    if (block.kind == "Scope") inputs[block.path][line.port] = diagram.signalOf(line);
  }
  std::map<std::string, std::vector<std::string>> scopes;
  for (const auto& [path, signals] : inputs)
    for (const auto& [port, signal] : signals) appendOnce(scopes[path], signal);
  return scopes;
}

std::vector<std::string> askedSignals(const Diagram& diagram, const std::vector<std::string>& asked) {
  std::vector<std::string> signals = asked;
  for (const auto& [path, seen] : scopeSignals(diagram))
    for (const std::string& signal : seen) appendOnce(signals, signal);
  return signals;
}

std::vector<std::string> loggedSignals(const Diagram& diagram, const std::vector<std::string>& asked) {
  if (!asked.empty()) return askedSignals(diagram, asked);
  std::vector<std::string> signals;
  for (const Diagram::Port& port : diagram.outputs()) signals.push_back(port.name);
  if (!signals.empty()) return askedSignals(diagram, signals);
  for (const Diagram::BlockInfo& block : diagram.blocks())
    for (const BlockInterface::Output& output : block.interface.outputs)
      signals.push_back(block.path + "." + output.name);
  return signals;
}

std::vector<std::string> allSignals(const Diagram& diagram) {
  std::vector<std::string> signals;
  for (const Diagram::Port& port : diagram.inputs()) signals.push_back(port.name);
  for (const Diagram::BlockInfo& block : diagram.blocks())
    for (const BlockInterface::Output& output : block.interface.outputs)
      signals.push_back(block.path + "." + output.name);
  for (const std::string& signal : signalsOnLines(diagram)) appendOnce(signals, signal);
  return signals;
}

std::vector<std::string> signalsOnLines(const Diagram& diagram) {
  std::vector<std::string> signals;
  for (const Diagram::Line& line : diagram.lines()) appendOnce(signals, diagram.signalOf(line));
  return signals;
}

}  // namespace footfall
