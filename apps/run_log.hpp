#pragma once

#include <string>
#include <vector>

#include "footfall/log/csv_log.hpp"
#include "footfall/sensor/instrumented_simulation.hpp"

namespace footfall::command {

/// What a run writes down. A row belongs to the start of a step: the state there, and what acts from there until the
/// next one. The last row has a state only, because no step follows.
class RunLog {
 public:
  /// Opens the file and writes the header; throws LogError.
  RunLog(const std::string& path, const InstrumentedSimulation& robot);

  /// Before a step.
  void beforeStep(Simulation& simulation);
  /// After it.
  void afterStep(const InstrumentedSimulation& robot);
  /// Instead of a step: the run ends here.
  void finish(Simulation& simulation);
  void flush() { log_.flush(); }

 private:
  struct DofChannels {
    ChannelHandle position, velocity, torque;
  };
  struct SoleChannels {
    ChannelHandle force, moment, impulse;
  };

  struct MotorChannels {
    ChannelHandle torque, speed, limited;
  };

  void addNotes(const Simulation& simulation);
  void addChannels(const Model& model);
  void addMotors(const Model& model);
  void addSensors(const SensorSuite& sensors);
  void setState(Simulation& simulation);
  void setContacts(const StepResult& result);
  void setMotors(const Simulation& simulation);
  void setSensors(const InstrumentedSimulation& robot);

  CsvLog log_;
  long long steps_per_row_;
  long long step_ = 0;
  int base_dofs_;  ///< of the robot, in ν
  ChannelHandle time_, base_position_, base_quaternion_, base_velocity_, base_angular_velocity_;
  ChannelHandle energy_, contacts_, iterations_, residual_;
  std::vector<DofChannels> dofs_;
  std::vector<SoleChannels> soles_;
  std::vector<MotorChannels> motors_;
  std::vector<ChannelHandle> points_;   ///< force at each contact candidate
  std::vector<ChannelHandle> sensors_;  ///< of each channel of the sensors
};

}  // namespace footfall::command
