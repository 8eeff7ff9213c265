#include "signal_log.hpp"

#include <algorithm>

namespace footfall::command {

SignalChannels::SignalChannels(const std::vector<std::string>& signals, const Context& context, Log& log) {
  for (const std::string& signal : signals) add(signal, context.signalType(signal), context.signal(signal).data(), log);
}

void SignalChannels::add(const std::string& name, const SignalType& type, const double* values, Log& log) {
  if (type.kind == SignalType::Kind::function) return;
  if (type.kind == SignalType::Kind::bus) {
    for (const BusField& field : type.fields) {
      add(name + "." + field.name, field.type, values, log);
      values += field.type.size();
    }
    return;
  }
  Channel channel{name, type.unit.empty() ? "-" : type.unit, {}};
  if (type.kind == SignalType::Kind::pose) channel.components = {"x", "y", "z", "qx", "qy", "qz", "qw"};
  if (type.kind == SignalType::Kind::vector || type.kind == SignalType::Kind::matrix)
    for (int k = 0; k < type.size(); ++k) channel.components.push_back(std::to_string(k));
  if (type.size() > 0) entries_.push_back({log.add(std::move(channel)), {values, type.size()}});
}

void SignalChannels::set(Log& log) const {
  for (const Entry& entry : entries_) log.set(entry.channel, entry.values);
}

std::string robotOf(const Diagram& diagram) {
  for (const Diagram::BlockInfo& block : diagram.blocks())
    if (block.kind == "Robot") return block.path;
  return "";
}

namespace {

bool isNumbers(const SignalType& type) {
  return type.kind != SignalType::Kind::function && type.kind != SignalType::Kind::bus;
}

std::vector<std::string> outputsOf(const Diagram::BlockInfo& block, bool buses) {
  std::vector<std::string> signals;
  for (const BlockInterface::Output& output : block.interface.outputs)
    if (buses || isNumbers(output.type)) signals.push_back(block.path + "." + output.name);
  return signals;
}

std::vector<std::string> allSignals(const Diagram& diagram) {
  std::vector<std::string> signals;
  for (const Diagram::Port& port : diagram.outputs()) signals.push_back(port.name);
  if (!signals.empty()) return signals;
  for (const Diagram::BlockInfo& block : diagram.blocks())
    for (std::string& signal : outputsOf(block, true)) signals.push_back(std::move(signal));
  return signals;
}

}  // namespace

std::vector<std::string> loggedSignals(const Diagram& diagram, const std::vector<std::string>& asked) {
  const std::string robot = robotOf(diagram);
  if (robot.empty()) return asked.empty() ? allSignals(diagram) : asked;
  std::vector<std::string> signals = outputsOf(diagram.blocks()[diagram.block(robot)], false);
  for (const std::string& signal : asked)
    if (std::find(signals.begin(), signals.end(), signal) == signals.end()) signals.push_back(signal);
  return signals;
}

}  // namespace footfall::command
