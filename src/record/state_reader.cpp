#include "footfall/record/state_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "footfall/record/internal/channel_names.hpp"

namespace footfall {
namespace {

void append(std::vector<int>& columns, const LogReader& log, const std::string& channel,
            const std::vector<std::string>& components) {
  for (const std::string& component : components) columns.push_back(log.columnIndex(channel + "." + component));
}

std::vector<std::string> upTo(Eigen::Index count) {
  std::vector<std::string> names;
  for (Eigen::Index i = 0; i < count; ++i) names.push_back(std::to_string(i));
  return names;
}

/// time, q, ν, motors, warm start: in this order.
std::vector<int> stateColumns(const LogReader& log, const Model& model, const State& state, bool with_warm_start) {
  using namespace record;
  std::vector<int> columns = {log.columnIndex(kTime)};
  append(columns, log, kBasePosition, {"x", "y", "z"});
  append(columns, log, kBaseQuaternion, {"x", "y", "z", "w"});
  for (const Dof& dof : model.dofs) columns.push_back(log.columnIndex(positionChannel(dof)));
  const std::vector<BodyChannelNames> bodies = bodyChannels(model);
  for (const BodyChannelNames& names : bodies) {
    append(columns, log, names.position, {"x", "y", "z"});
    append(columns, log, names.quaternion, {"x", "y", "z", "w"});
  }
  if (model.floating_base) {
    append(columns, log, kBaseVelocity, {"x", "y", "z"});
    append(columns, log, kBaseAngularVelocity, {"x", "y", "z"});
  }
  for (const Dof& dof : model.dofs) columns.push_back(log.columnIndex(velocityChannel(dof)));
  for (const BodyChannelNames& names : bodies) {
    append(columns, log, names.velocity, {"x", "y", "z"});
    append(columns, log, names.angular_velocity, {"x", "y", "z"});
  }
  if (state.motors.size() > 0) {
    for (const Motor* motor : motorsOf(model)) {
      columns.push_back(log.columnIndex(motorTorqueChannel(*motor)));
      columns.push_back(log.columnIndex(motorTorqueRateChannel(*motor)));
    }
  }
  if (!with_warm_start) return columns;
  append(columns, log, kWarmCandidate, upTo(state.warm.candidate.size()));
  append(columns, log, kWarmImpulse, upTo(state.warm.impulse.size()));
  columns.push_back(log.columnIndex(kWarmMinimumNorm));
  return columns;
}

bool hasWarmStart(const LogReader& log) {
  return std::find(log.columns().begin(), log.columns().end(), record::kWarmMinimumNorm) != log.columns().end();
}

int candidateOf(double number, const LogReader& log, std::size_t row) {
  if (number >= -1.0 && number < std::numeric_limits<int>::max()) return static_cast<int>(number);
  throw Error(log.path(), fmt::format("row {} has a warm start with contact number {}", row, number), "is it damaged?");
}

}  // namespace

StateReader::StateReader(const LogReader& log, const Model& model)
    : log_(log),
      empty_(makeState(model)),
      columns_(stateColumns(log, model, empty_, hasWarmStart(log))),
      has_warm_start_(hasWarmStart(log)),
      ties_(log, model) {}

State StateReader::at(std::size_t row) const {
  const std::vector<double> values = log_.read(columns_, {row, 1});
  const double* next = values.data();
  const auto take = [&next](VectorXd& vector) {
    std::copy(next, next + vector.size(), vector.data());
    next += vector.size();
  };
  State state = empty_;
  state.time = *next++;
  take(state.q);
  take(state.nu);
  take(state.motors);
  state.ties = ties_.at(row);
  if (!has_warm_start_) return state;
  for (int& candidate : state.warm.candidate) candidate = candidateOf(*next++, log_, row);
  take(state.warm.impulse);
  state.warm.minimum_norm = *next != 0.0;
  return state;
}

}  // namespace footfall
