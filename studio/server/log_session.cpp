#include "studio/server/log_session.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "footfall/base/error.hpp"
#include "simulate/scene_setup.hpp"
#include "simulate/terrain_setup.hpp"
#include "studio/server/log_scene.hpp"
#include "studio/server/step_diagram.hpp"

namespace footfall::studio {
namespace {

using nlohmann::json;

constexpr std::size_t kMostKept = 96;  ///< columns

std::vector<Column> columnsOf(const LogReader& log) {
  std::vector<Column> columns;
  for (std::size_t i = 0; i < log.columns().size(); ++i)
    columns.push_back({log.columns()[i], log.unit(static_cast<int>(i))});
  return columns;
}

}  // namespace

LogRecording::LogRecording(std::unique_ptr<LogReader> log, const Model& model, const Terrain& terrain, double step)
    : log_(std::move(log)), columns_(columnsOf(*log_)), step_(step), contacts_(columns_, model, terrain) {
  for (std::size_t i = 0; i < columns_.size(); ++i)
    if (columns_[i].name == "impact") impact_column_ = static_cast<int>(i);
}

Extent LogRecording::extent() const {
  const std::vector<double>& times = log_->times();
  if (times.empty()) return {1};
  return {1, 0, times.size(), times.front(), times.back()};
}

std::size_t LogRecording::rowAt(double time) const {
  const std::vector<double>& times = log_->times();
  const auto after = std::upper_bound(times.begin(), times.end(), time);
  return after == times.begin() ? 0 : static_cast<std::size_t>(after - times.begin()) - 1;
}

bool LogRecording::read(std::size_t index, Row& row) const {
  if (index >= log_->rows()) return false;
  row.index = index;
  row.values = log_->row(index);
  // Logs may skip steps: then the next row is not the end of this one's step.
  std::vector<double> next;
  if (index + 1 < log_->rows() && log_->times()[index + 1] - row.values[0] < 1.5 * step_) next = log_->row(index + 1);
  contacts_.find(row.values, next.empty() ? nullptr : &next, row.contacts);
  return true;
}

const std::vector<double>& LogRecording::keptColumn(int column) const {
  kept_order_.remove(column);
  kept_order_.push_front(column);
  if (kept_order_.size() > kMostKept) {
    kept_.erase(kept_order_.back());
    kept_order_.pop_back();
  }
  auto [found, is_new] = kept_.try_emplace(column);
  if (is_new) found->second = log_->column(column);
  return found->second;
}

void LogRecording::readColumn(int column, std::size_t first, std::size_t end, double* out) const {
  const std::vector<double>& values = column == 0 ? log_->times() : keptColumn(column);
  std::copy(values.begin() + static_cast<std::ptrdiff_t>(first), values.begin() + static_cast<std::ptrdiff_t>(end),
            out);
}

std::size_t LogRecording::nextImpact(std::size_t index) const {
  if (impact_column_ < 0) return npos;
  const std::vector<double>& impact = keptColumn(impact_column_);
  for (std::size_t i = index + 1; i < impact.size(); ++i)
    if (impact[i] > 0.0) return i;
  return npos;
}

struct LogSession::Replay {
  explicit Replay(const LogReader& log)
      : files(log), scene(files.scene()), model(buildModel(scene, warnings)), terrain(buildTerrain(scene)) {}
  LogScene files;
  Scene scene;
  std::vector<std::string> warnings;
  Model model;
  std::shared_ptr<const Terrain> terrain;
};

LogSession::LogSession(const std::string& path) {
  std::unique_ptr<LogReader> log = openLog(path);
  replay_ = std::make_unique<Replay>(*log);
  description_ = std::make_shared<const SceneDescription>(replay_->scene, replay_->model, loadRobot(replay_->scene));
  recording_ =
      std::make_unique<LogRecording>(std::move(log), replay_->model, *replay_->terrain, replay_->scene.physics.step);
}
LogSession::~LogSession() = default;

json LogSession::describe() const {
  json description = description_->data();
  addColumns(recording_->columns(), replay_->model, description);
  description["source"] = recording_->log().path();
  description["diagram"] = stepDiagram(replay_->scene, recording_->columns());
  description["notes"] = recording_->log().notes();
  if (const std::string& damage = recording_->log().damage(); !damage.empty()) description["damage"] = damage;
  return description;
}

}  // namespace footfall::studio
