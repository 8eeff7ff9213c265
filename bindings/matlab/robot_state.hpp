#pragma once

#include <mex.h>

#include <string>

#include "footfall/run/robot_run.hpp"
#include "mex_call.hpp"

namespace footfall::matlab {

// The state of a robot, whoever makes its steps.

/// {time, w_H_b, joints_position, basePose_dot, joints_velocity, motors, bodies: {name: {w_H_b, basePose_dot}}, ties}
mxArray* stateStruct(const RobotRun& robot);
/// Takes the fields that the struct has; the others stay. The contact solver starts anew.
void setStateFrom(const mxArray* fields, RobotRun& robot);

/// tie(handle, first, second, joint, name, axis, within) → {name, impulse, lost_energy}
mxArray* tieStruct(const Call& call, RobotRun& robot);

/// {state, sensors}: all that it remembers, as bytes.
mxArray* savedStruct(const RobotRun& robot);
void restoreFrom(const mxArray* saved, RobotRun& robot);

}  // namespace footfall::matlab
