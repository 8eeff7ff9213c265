#include "robot_state.hpp"

#include <sstream>

#include "footfall/base/error.hpp"
#include "mex_values.hpp"

namespace footfall::matlab {
namespace {

Eigen::Matrix4d homogeneous(const Pose& X) {
  Eigen::Matrix4d H = Eigen::Matrix4d::Identity();
  H.topLeftCorner<3, 3>() = X.R;
  H.topRightCorner<3, 1>() = X.p;
  return H;
}

Pose toPose(const mxArray* array) {
  const VectorXd values = toVector(array, 16, "w_H_b");
  const Eigen::Map<const Eigen::Matrix4d> H(values.data());
  const Matrix3d R = H.topLeftCorner<3, 3>();
  constexpr double kRounding = 1e-9;  // of a matrix that was computed, or printed with enough digits
  if (!(R.transpose() * R).isIdentity(kRounding) || R.determinant() < 0.0 ||
      H.row(3) != Eigen::RowVector4d(0.0, 0.0, 0.0, 1.0))
    throw Error("w_H_b", "expected a rotation and a position: [R, p; 0 0 0 1]");
  return {R, H.topRightCorner<3, 1>()};
}

const mxArray* field(const mxArray* fields, const char* name) { return mxGetField(fields, 0, name); }

void requireKnownFields(const mxArray* fields) {
  for (int i = 0; i < mxGetNumberOfFields(fields); ++i) {
    const std::string name = mxGetFieldNameByNumber(fields, i);
    if (name != "time" && name != "w_H_b" && name != "joints_position" && name != "basePose_dot" &&
        name != "joints_velocity" && name != "motors")
      throw Error("state", "there is no field '" + name + "'",
                  "fields: time, w_H_b, joints_position, basePose_dot, joints_velocity, motors");
  }
}

void takeVelocities(const mxArray* fields, const Model& model, State& state) {
  const int n = model.jointDofs();
  if (const mxArray* given = field(fields, "joints_velocity"))
    model.jointVelocities(state.nu) = toVector(given, n, "joints_velocity");
  const mxArray* given = field(fields, "basePose_dot");
  if (given == nullptr) return;
  const VectorXd velocity = toVector(given, 6, "basePose_dot");
  if (model.floating_base)
    state.nu.head<6>() = velocity;
  else if (!velocity.isZero(0.0))
    throw Error("basePose_dot", "the base of this robot is fixed, and cannot have a velocity");
}

}  // namespace

mxArray* stateStruct(const RobotRun& robot) {
  const State& s = robot.state();
  Vector6d base_velocity = Vector6d::Zero();
  if (robot.model().floating_base) base_velocity = s.nu.head<6>();
  return StructBuilder()
      .add("time", fromNumber(s.time))
      .add("w_H_b", fromMatrix(homogeneous(s.basePose())))
      .add("joints_position", fromVector(s.joints()))
      .add("basePose_dot", fromVector(base_velocity))
      .add("joints_velocity", fromVector(robot.model().jointVelocities(s.nu)))
      .add("motors", fromVector(s.motors))
      .get();
}

void setStateFrom(const mxArray* fields, RobotRun& robot) {
  if (fields == nullptr || !mxIsStruct(fields) || mxGetNumberOfElements(fields) != 1)
    throw Error("setState", "expected a struct as state() gives it");
  requireKnownFields(fields);
  const Model& model = robot.model();
  State state = robot.state();
  state.warm = makeState(model).warm;  // of other contacts than those that the new state has
  if (const mxArray* given = field(fields, "time")) state.time = toNumber(given, "time");
  if (const mxArray* given = field(fields, "w_H_b")) state.setBasePose(toPose(given));
  if (const mxArray* given = field(fields, "joints_position"))
    state.joints() = toVector(given, model.jointDofs(), "joints_position");
  takeVelocities(fields, model, state);
  if (const mxArray* given = field(fields, "motors"))
    state.motors = toVector(given, static_cast<int>(state.motors.size()), "motors");
  robot.setState(state);
}

mxArray* savedStruct(const RobotRun& robot) {
  std::ostringstream state, sensors;
  saveState(robot.state(), state);
  saveSensorState(robot.sensorState(), sensors);
  return StructBuilder().add("state", fromBytes(state.str())).add("sensors", fromBytes(sensors.str())).get();
}

void restoreFrom(const mxArray* saved, RobotRun& robot) {
  if (saved == nullptr || !mxIsStruct(saved) || field(saved, "state") == nullptr || field(saved, "sensors") == nullptr)
    throw Error("restore", "expected what save() gave: a struct with the fields state and sensors");
  std::istringstream state_in(toBytes(field(saved, "state"), "saved state")),
      sensors_in(toBytes(field(saved, "sensors"), "saved sensors"));
  const State state = loadState(robot.model(), state_in, "saved state");
  const SensorState sensors = loadSensorState(robot.sensors(), sensors_in, "saved sensors");
  robot.setState(state);
  robot.setSensorState(sensors);
}

}  // namespace footfall::matlab
