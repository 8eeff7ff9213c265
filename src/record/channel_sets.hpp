#pragma once

#include <vector>

#include "footfall/log/log.hpp"
#include "footfall/run/robot_run.hpp"

namespace footfall::record {

// What a run writes down, one bus for each type: the constructor adds its channels, set() fills them in a row.

/// Bus `state`: the whole State.
class StateChannels {
 public:
  StateChannels(Log& log, const RobotRun& robot, bool with_warm_start);
  void set(Log& log, const State& state) const;

 private:
  void setWarmStart(Log& log, const WarmStart& warm) const;

  struct DofChannels {
    ChannelHandle position, velocity;
  };
  struct MotorChannels {
    ChannelHandle torque, rate;
  };
  int base_dofs_;  ///< of the robot, in ν
  ChannelHandle time_, position_, quaternion_, velocity_, angular_velocity_;
  std::vector<DofChannels> dofs_;
  struct BodyChannels {
    ChannelHandle position, quaternion, velocity, angular_velocity;
  };
  struct {
    int position, velocity;  ///< in q, in ν
  } first_body_{};
  std::vector<BodyChannels> bodies_;   ///< further ones that float
  std::vector<MotorChannels> motors_;  ///< those of State::motors
  ChannelHandle warm_candidate_, warm_impulse_, warm_minimum_norm_;
};

/// Bus `torques`: what acted at the joints, each part of it where there can be one.
class TorqueChannels {
 public:
  TorqueChannels(Log& log, const Model& model);
  void set(Log& log, const StepResult& result) const;

 private:
  using Part = VectorXd StepResult::*;
  struct OnePart {
    ChannelHandle channel;
    int dof;
    Part part;
  };
  std::vector<OnePart> parts_;
};

/// Bus `loops`: the wrench of each, and how well they are closed.
class LoopChannels {
 public:
  LoopChannels(Log& log, const Model& model);
  void set(Log& log, const StepResult& result) const;

 private:
  struct OneLoop {
    ChannelHandle force, moment;
  };
  std::vector<OneLoop> loops_;
  ChannelHandle gap_;
};

/// Bus `contacts`: soles as wrenches, points as forces.
class ContactChannels {
 public:
  ContactChannels(Log& log, const Model& model);
  void set(Log& log, const StepResult& result);

 private:
  struct SoleChannels {
    ChannelHandle force, moment, impulse, ground_force;
  };
  void setGroundForces(Log& log, const StepResult& result);

  std::vector<SoleChannels> soles_;
  std::vector<std::size_t> sole_of_;           ///< number of the sole of each contact candidate
  std::vector<Eigen::Vector4d> ground_force_;  ///< of each sole: in the world, and along the ground's normals [N]
  std::vector<ChannelHandle> points_;          ///< force at each contact candidate
  ChannelHandle count_, impact_;
};

/// List `contact_points`: every contact of a step, whatever shape it belongs to, as the step reports it.
class ContactList {
 public:
  ContactList(Log& log, const Model& model);
  void set(Log& log, const StepResult& result) const;

 private:
  ListHandle list_;
};

/// List `ties`: the joints that are made and released while it runs, as they are at the row, with what they carry.
class TieList {
 public:
  TieList(Log& log, const RobotRun& robot);
  void set(Log& log, const StepResult& result) const;
  /// Of the last row, which no step follows.
  void set(Log& log, const State& state) const;

 private:
  void add(Log& log, const Loop& tie, const Vector6d& wrench) const;

  const Model& model_;
  ListHandle list_;
  std::vector<std::string> names_;  ///< of those that the scene names
};

/// Bus `balance`: energy, momentum and centre of mass.
class BalanceChannels {
 public:
  explicit BalanceChannels(Log& log);
  /// The engine is at the state of the row.
  void set(Log& log, const State& state, const RobotDynamics& dynamics) const;

 private:
  ChannelHandle energy_, com_, linear_momentum_, angular_momentum_;
};

/// Bus `solver`: how hard the step was, and how accurate.
class SolverChannels {
 public:
  explicit SolverChannels(Log& log);
  void set(Log& log, const StepResult& result) const;

 private:
  ChannelHandle iterations_, residual_, inaccurate_, order_, solves_, steps_;
};

/// Bus `motors`: what each of them did.
class MotorChannels {
 public:
  MotorChannels(Log& log, const Model& model);
  void set(Log& log, const std::vector<MotorReport>& motors) const;

 private:
  struct OneMotor {
    ChannelHandle torque, speed, limited;
  };
  std::vector<OneMotor> motors_;
};

/// Bus `sensors`: the newest sample that has arrived.
class SensorChannels {
 public:
  SensorChannels(Log& log, const SensorSuite& sensors);
  void set(Log& log, const RobotRun& robot) const;

 private:
  std::vector<ChannelHandle> channels_;
};

}  // namespace footfall::record
