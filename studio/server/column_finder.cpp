#include "studio/server/column_finder.hpp"

#include "footfall/base/error.hpp"
#include "footfall/record/internal/channel_names.hpp"

namespace footfall::studio {

ColumnFinder::ColumnFinder(const std::vector<Column>& columns) {
  for (std::size_t i = 0; i < columns.size(); ++i) numbers_[columns[i].name] = static_cast<int>(i);
}

int ColumnFinder::find(const std::string& name) const {
  const auto found = numbers_.find(name);
  return found == numbers_.end() ? -1 : found->second;
}

int ColumnFinder::require(const std::string& name) const {
  if (const int number = find(name); number >= 0) return number;
  throw Error("", "there is no column '" + name + "'", "was this log written by footfall, and with this robot?");
}

void ColumnFinder::requireAll(const std::string& channel, const std::vector<std::string>& components,
                              std::vector<int>& out) const {
  for (const std::string& component : components) out.push_back(require(channel + "." + component));
}

std::vector<int> ColumnFinder::configuration(const Model& model) const {
  std::vector<int> q;
  requireAll(record::kBasePosition, {"x", "y", "z"}, q);
  requireAll(record::kBaseQuaternion, {"x", "y", "z", "w"}, q);
  for (const Dof& dof : model.dofs) q.push_back(require(record::positionChannel(dof)));
  for (const record::BodyChannelNames& names : record::bodyChannels(model)) {
    requireAll(names.position, {"x", "y", "z"}, q);
    requireAll(names.quaternion, {"x", "y", "z", "w"}, q);
  }
  return q;
}

std::vector<int> ColumnFinder::velocity(const Model& model) const {
  std::vector<int> nu;
  requireAll(record::kBaseVelocity, {"x", "y", "z"}, nu);
  requireAll(record::kBaseAngularVelocity, {"x", "y", "z"}, nu);
  for (const Dof& dof : model.dofs) nu.push_back(require(record::velocityChannel(dof)));
  for (const record::BodyChannelNames& names : record::bodyChannels(model)) {
    requireAll(names.velocity, {"x", "y", "z"}, nu);
    requireAll(names.angular_velocity, {"x", "y", "z"}, nu);
  }
  return nu;
}

}  // namespace footfall::studio
