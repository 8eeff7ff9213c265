#pragma once

#include <deque>
#include <memory>
#include <string>

#include "footfall/scene/scene.hpp"

namespace footfall::studio {

/// How a running scene differs from its file.
struct SceneChanges {
  std::vector<SceneOverride> overrides;
  double gain = 1.0;         ///< by which the springs of the posture are scaled [-]
  std::string diagram = {};  ///< that was drawn in the editor, as YAML; empty: that of the file

  /// What is put into the file: single values may be of the diagram that was drawn.
  std::vector<SceneOverride> all() const {
    std::vector<SceneOverride> all;
    if (!diagram.empty()) all.emplace_back("diagram", diagram);
    all.insert(all.end(), overrides.begin(), overrides.end());
    return all;
  }
};

/// All that a run remembered before the step of a row.
struct Checkpoint {
  std::size_t row = 0;
  std::shared_ptr<const std::string> bytes;     ///< of LiveRun::save()
  std::shared_ptr<const SceneChanges> changes;  ///< those of the run
};

/// States of a run every now and then: from the last one before an instant, the run is made again up to there.
class Checkpoints {
 public:
  static constexpr int kRows = 256;  ///< between two of them

  void add(Checkpoint checkpoint) { all_.push_back(std::move(checkpoint)); }
  /// Rows from this one on were taken back.
  void truncate(std::size_t end);
  /// Rows before this one are gone.
  void forgetBefore(std::size_t first);
  /// The last one at or before a row; null: there is none.
  const Checkpoint* before(std::size_t row) const;

 private:
  std::deque<Checkpoint> all_;  ///< by their rows
};

}  // namespace footfall::studio
