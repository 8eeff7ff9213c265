#pragma once

#include <memory>
#include <string>
#include <vector>

#include "footfall/diagram/diagram_runner.hpp"
#include "footfall/scene/loaded_robots.hpp"

namespace footfall::python {

/// What a run leaves: one row for each that its log would have.
struct CaseTable {
  std::vector<double> values;  ///< row by row; not-a-number where nothing was set
  std::size_t rows = 0;
  std::string failure;  ///< why the run ended early; empty: it did not
};

/// A scene or a diagram that is run again and again with other values of its keys, as `footfall run --set` would. The
/// robot's file is read once. One thread at a time.
class CaseRunner {
 public:
  explicit CaseRunner(std::string path);

  /// Throws Error where the file with these changes is wrong, as far as that can be seen without its robot.
  void check(const std::vector<SceneOverride>& changes) const;
  /// All columns that a log of the run would have.
  std::vector<Column> columns(const std::vector<SceneOverride>& changes);
  /// Runs to the end that the file names, and keeps the named columns.
  CaseTable run(const std::vector<SceneOverride>& changes, const std::vector<std::string>& columns);

 private:
  std::unique_ptr<Runner> makeCase(const std::vector<SceneOverride>& changes);

  std::string path_;
  bool is_scene_;  ///< else a diagram without robot
  LoadedRobots robots_;
};

}  // namespace footfall::python
