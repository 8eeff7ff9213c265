#pragma once

#include <atomic>
#include <future>
#include <memory>

#include "footfall/log/log_reader.hpp"
#include "footfall/record/contact_reader.hpp"
#include "footfall/record/tie_reader.hpp"
#include "footfall/scene/push.hpp"
#include "studio/server/column_blocks.hpp"
#include "studio/server/session.hpp"

namespace footfall::studio {

/// The rows of a log. They stay in the file; of a long one a summary is kept, made in the background.
class LogRecording : public Recording {
 public:
  /// The model must outlive it.
  LogRecording(std::unique_ptr<LogReader> log, const Model& model, const Scene& scene);
  ~LogRecording() override { ending_ = true; }

  const LogReader& log() const { return *log_; }
  const std::vector<Column>& columns() const override { return columns_; }
  Extent extent() const override;
  std::size_t rowAt(double time) const override;
  bool read(std::size_t index, Row& row) const override;
  void readColumn(int column, std::size_t first, std::size_t end, double* out) const override;
  void readColumns(std::span<const int> columns, std::size_t first, std::size_t end, double* out) const override;
  /// Waits for them where they are being made.
  const ColumnBlocks* blocks() const override;
  std::size_t nextImpact(std::size_t index) const override;
  std::size_t previousImpact(std::size_t index) const override;

 private:
  const std::vector<double>& impacts() const;

  std::unique_ptr<LogReader> log_;
  std::vector<Column> columns_;
  std::vector<Push> pushes_;
  std::vector<std::string> tie_names_;         ///< of the scene
  double step_;                                ///< [s]
  int impact_column_ = -1, ties_column_ = -1;  ///< −1: the log has none
  // What follows is used by the server's one thread.
  ContactReader contacts_;
  TieReader ties_;
  mutable std::vector<ContactReport> reports_;  ///< of the row that was read last
  mutable std::vector<double> impacts_;         ///< the column of impacts, once it was asked for
  std::atomic<bool> ending_ = false;
  std::shared_future<std::unique_ptr<const ColumnBlocks>> blocks_;  ///< only of long logs
};

/// A log that is looked at.
class LogSession : public Session {
 public:
  explicit LogSession(const std::string& path);
  ~LogSession() override;

  nlohmann::json describe() const override;
  std::shared_ptr<const SceneDescription> scene() const override { return description_; }
  const Recording& recording() const override { return *recording_; }
  std::string logPath() const override { return recording_->log().path(); }

 private:
  struct Replay;  ///< the scene of the log, with what was built from it
  std::unique_ptr<Replay> replay_;
  std::shared_ptr<const SceneDescription> description_;
  std::unique_ptr<LogRecording> recording_;
};

}  // namespace footfall::studio
