#include "studio/server/log_session.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "footfall/base/error.hpp"
#include "footfall/scene/internal/scene_setup.hpp"
#include "studio/server/diagram_description.hpp"
#include "studio/server/log_scene.hpp"
#include "studio/server/samples.hpp"
#include "studio/server/step_diagram.hpp"

namespace footfall::studio {
namespace {

using nlohmann::json;

constexpr std::size_t kLong = 100'000;  ///< rows: more are worth a summary

/// Null when the log is damaged: who asks for its rows is told so.
std::unique_ptr<const ColumnBlocks> makeBlocks(const std::string& path, const std::atomic<bool>& stop) {
  try {
    return std::make_unique<const ColumnBlocks>(*openLog(path), stop);
  } catch (const Error&) {
    return nullptr;
  }
}

}  // namespace

LogRecording::LogRecording(std::unique_ptr<LogReader> log, const Model& model, const Scene& scene)
    : log_(std::move(log)),
      columns_(columnsOf(log_->channels())),
      pushes_(resolvePushes(scene, model)),
      tie_names_(record::tieNames(scene)),
      step_(scene.physics.step),
      contacts_(*log_, model),
      ties_(*log_, model) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].name == "impact") impact_column_ = static_cast<int>(i);
    if (columns_[i].name == "ties.count") ties_column_ = static_cast<int>(i);
  }
  // A reader belongs to one thread: the summary has its own.
  if (log_->rows() > kLong)
    blocks_ = std::async(std::launch::async, [this, path = log_->path()] { return makeBlocks(path, ending_); }).share();
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
  contacts_.read(index, reports_);
  row.contacts.clear();
  for (const ContactReport& contact : reports_) row.contacts.push_back(sampleOf(contact));
  row.pushes.clear();
  for (const Push& push : pushes_)
    if (push.acts(row.values[0], step_)) row.pushes.push_back(sampleOf(push.wrench, false));
  row.ties.clear();
  // Where a list begins is found by a look at all rows: not for those that have none.
  if (ties_column_ < 0 || !(row.values[static_cast<std::size_t>(ties_column_)] > 0.0)) return true;
  for (const LoggedTie& logged : ties_.read(index))
    row.ties.push_back(sampleOf(logged.tie, logged.wrench_F, tie_names_));
  return true;
}

void LogRecording::readColumn(int column, std::size_t first, std::size_t end, double* out) const {
  if (column != 0) return readColumns(std::span(&column, 1), first, end, out);
  const std::vector<double>& times = log_->times();
  std::copy(times.begin() + static_cast<std::ptrdiff_t>(first), times.begin() + static_cast<std::ptrdiff_t>(end), out);
}

void LogRecording::readColumns(std::span<const int> columns, std::size_t first, std::size_t end, double* out) const {
  const std::vector<double> values = log_->read(columns, {first, end - first});
  std::copy(values.begin(), values.end(), out);
}

const ColumnBlocks* LogRecording::blocks() const { return blocks_.valid() ? blocks_.get().get() : nullptr; }

/// Empty when the log does not say.
const std::vector<double>& LogRecording::impacts() const {
  if (impacts_.empty() && impact_column_ >= 0) impacts_ = log_->column(impact_column_);
  return impacts_;
}

std::size_t LogRecording::nextImpact(std::size_t index) const {
  const std::vector<double>& impact = impacts();
  for (std::size_t i = index + 1; i < impact.size(); ++i)
    if (impact[i] > 0.0) return i;
  return npos;
}

std::size_t LogRecording::previousImpact(std::size_t index) const {
  const std::vector<double>& impact = impacts();
  for (std::size_t i = std::min(index, impact.size()); i > 0; --i)
    if (impact[i - 1] > 0.0) return i - 1;
  return npos;
}

struct LogSession::Replay {
  explicit Replay(const LogReader& log) : files(log), scene(files.scene()), model(buildModel(scene, warnings)) {}
  LogScene files;
  Scene scene;
  std::vector<std::string> warnings;
  Model model;
};

LogSession::LogSession(const std::string& path) {
  std::unique_ptr<LogReader> log = openLog(path);
  replay_ = std::make_unique<Replay>(*log);
  description_ = std::make_shared<const SceneDescription>(replay_->scene, replay_->model, loadRobot(replay_->scene));
  recording_ = std::make_unique<LogRecording>(std::move(log), replay_->model, replay_->scene);
}
LogSession::~LogSession() = default;

json LogSession::describe() const {
  json description = description_->data();
  addColumns(recording_->columns(), replay_->model, description);
  description["source"] = recording_->log().path();
  description["diagram"] = describeDiagram(recording_->log(), replay_->scene, replay_->model, recording_->columns());
  description["diagram"]["step"] = stepDiagram(replay_->scene, recording_->columns());
  description["notes"] = recording_->log().notes();
  if (const std::string& damage = recording_->log().damage(); !damage.empty()) description["damage"] = damage;
  return description;
}

}  // namespace footfall::studio
