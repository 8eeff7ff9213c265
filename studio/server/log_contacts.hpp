#pragma once

#include <map>
#include <memory>

#include "footfall/dynamics/dynamics.hpp"
#include "footfall/terrain/terrain.hpp"
#include "studio/server/recording.hpp"

namespace footfall::studio {

/// Makes contacts again of what a log knows: forces of points in contact axes, wrenches and impulses of soles in the
/// axes of their frames. Places, normals and velocities follow from the state, the robot and the ground.
class LogContacts {
 public:
  /// Model and terrain must outlive it.
  LogContacts(const std::vector<Column>& columns, const Model& model, const Terrain& terrain);

  /// @param values of the row
  /// @param next   those of the row at the end of its step, whose velocity tells whether contacts slide; may be null
  void find(const std::vector<double>& values, const std::vector<double>* next, std::vector<ContactSample>& contacts);

 private:
  struct PointColumns {
    int candidate;
    int force;  ///< first of three columns
  };
  struct SoleColumns {
    FrameIndex frame;
    int force, moment, impulse;  ///< first of three columns each
    bool has_points;             ///< its forces are known point by point
  };

  void readState(const std::vector<double>& values, Dynamics& dynamics);
  void addPoint(const PointColumns& point, const std::vector<double>& values, std::vector<ContactSample>& contacts);
  void addSole(const SoleColumns& sole, const std::vector<double>& values, std::vector<ContactSample>& contacts);

  const Model& model_;
  const Terrain& terrain_;
  std::unique_ptr<Dynamics> dynamics_, dynamics_at_end_;  ///< at the start and at the end of the step of a row
  std::vector<int> q_, nu_;                               ///< columns
  std::vector<PointColumns> points_;
  std::vector<SoleColumns> soles_;
  VectorXd q_now_, nu_now_;
};

}  // namespace footfall::studio
