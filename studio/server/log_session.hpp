#pragma once

#include <list>
#include <map>
#include <memory>

#include "footfall/log/log_reader.hpp"
#include "studio/server/log_contacts.hpp"
#include "studio/server/session.hpp"

namespace footfall::studio {

/// The rows of a log. Columns that were asked for are kept; everything else stays in the file.
class LogRecording : public Recording {
 public:
  /// Model and terrain must outlive it. @param step of the simulation [s]
  LogRecording(std::unique_ptr<LogReader> log, const Model& model, const Terrain& terrain, double step);

  const LogReader& log() const { return *log_; }
  const std::vector<Column>& columns() const override { return columns_; }
  Extent extent() const override;
  std::size_t rowAt(double time) const override;
  bool read(std::size_t index, Row& row) const override;
  void readColumn(int column, std::size_t first, std::size_t end, double* out) const override;
  std::size_t nextImpact(std::size_t index) const override;

 private:
  const std::vector<double>& keptColumn(int column) const;

  std::unique_ptr<LogReader> log_;
  std::vector<Column> columns_;
  double step_;
  int impact_column_ = -1;
  // Called by the server's one thread.
  mutable LogContacts contacts_;
  mutable std::map<int, std::vector<double>> kept_;
  mutable std::list<int> kept_order_;  ///< the one that was asked for last comes first
};

/// A log that is looked at.
class LogSession : public Session {
 public:
  explicit LogSession(const std::string& path);
  ~LogSession() override;

  nlohmann::json describe() const override;
  std::shared_ptr<const SceneDescription> scene() const override { return description_; }
  const Recording& recording() const override { return *recording_; }

 private:
  struct Replay;  ///< the scene of the log, with what was built from it
  std::unique_ptr<Replay> replay_;
  std::shared_ptr<const SceneDescription> description_;
  std::unique_ptr<LogRecording> recording_;
};

}  // namespace footfall::studio
