#include "robot_state.hpp"

#include <algorithm>
#include <sstream>

#include "footfall/base/error.hpp"
#include "footfall/model/loops.hpp"
#include "mex_values.hpp"

namespace footfall::matlab {
namespace {

Eigen::Matrix4d homogeneous(const Pose& X) {
  Eigen::Matrix4d H = Eigen::Matrix4d::Identity();
  H.topLeftCorner<3, 3>() = X.R;
  H.topRightCorner<3, 1>() = X.p;
  return H;
}

Pose toPose(const mxArray* array, const char* what = "w_H_b") {
  const VectorXd values = toMatrix(array, 4, 4, what);
  const Eigen::Map<const Eigen::Matrix4d> H(values.data());
  const Matrix3d R = H.topLeftCorner<3, 3>();
  constexpr double kRounding = 1e-9;  // of a matrix that was computed, or printed with enough digits
  if (!(R.transpose() * R).isIdentity(kRounding) || R.determinant() < 0.0 ||
      H.row(3) != Eigen::RowVector4d(0.0, 0.0, 0.0, 1.0))
    throw Error(what, "expected a rotation and a position: [R, p; 0 0 0 1]");
  return {R, H.topRightCorner<3, 1>()};
}

const mxArray* field(const mxArray* fields, const char* name) { return mxGetField(fields, 0, name); }

void requireKnownFields(const mxArray* fields) {
  for (int i = 0; i < mxGetNumberOfFields(fields); ++i) {
    const std::string name = mxGetFieldNameByNumber(fields, i);
    if (name != "time" && name != "w_H_b" && name != "joints_position" && name != "basePose_dot" &&
        name != "joints_velocity" && name != "motors" && name != "bodies" && name != "ties")
      throw Error("state", "there is no field '" + name + "'",
                  "fields: time, w_H_b, joints_position, basePose_dot, joints_velocity, motors, bodies, ties");
  }
}

/// Of a further body that floats, at its places in q and nu.
Pose bodyPose(const State& state, int position) {
  const auto q = state.q.segment<7>(position);
  return {Eigen::Quaterniond(q[6], q[3], q[4], q[5]).toRotationMatrix(), q.head<3>()};
}

void setBodyPose(const Pose& X, int position, State& state) {
  const Eigen::Quaterniond Q = Eigen::Quaterniond(X.R).normalized();
  state.q.segment<7>(position) << X.p, Q.x(), Q.y(), Q.z(), Q.w();
}

/// {w_H_b, basePose_dot} of each body beside the robot that floats, by its name.
mxArray* bodiesStruct(const Model& model, const State& state) {
  StructBuilder bodies;
  for (const Joint& joint : model.joints)
    if (joint.kind == JointKind::free)
      bodies.add(joint.name, StructBuilder()
                                 .add("w_H_b", fromMatrix(homogeneous(bodyPose(state, model.freePosition(joint.body)))))
                                 .add("basePose_dot", fromVector(state.nu.segment<6>(model.freeVelocity(joint.body))))
                                 .get());
  return bodies.get();
}

void takeBody(const mxArray* given, const Model& model, const Joint& joint, State& state) {
  if (!mxIsStruct(given)) throw Error("bodies." + joint.name, "expected a struct with w_H_b and basePose_dot");
  if (const mxArray* pose = field(given, "w_H_b")) {
    // What comes back as it was given out keeps its bits: a matrix is not a quaternion.
    const Pose X = toPose(pose);
    const Pose before = bodyPose(state, model.freePosition(joint.body));
    if (X.R != before.R || X.p != before.p) setBodyPose(X, model.freePosition(joint.body), state);
  }
  if (const mxArray* velocity = field(given, "basePose_dot"))
    state.nu.segment<6>(model.freeVelocity(joint.body)) = toVector(velocity, 6, "basePose_dot");
}

void takeBodies(const mxArray* bodies, const Model& model, State& state) {
  if (!mxIsStruct(bodies)) throw Error("bodies", "expected a struct with a field for each body");
  std::vector<const Joint*> floating;
  std::vector<std::string> names;
  for (const Joint& joint : model.joints) {
    if (joint.kind != JointKind::free) continue;
    floating.push_back(&joint);
    names.push_back(joint.name);
  }
  const std::vector<std::string> fields = fieldNames(names);  // as bodiesStruct() calls them
  for (int i = 0; i < mxGetNumberOfFields(bodies); ++i) {
    const std::string name = mxGetFieldNameByNumber(bodies, i);
    const auto found = std::find(fields.begin(), fields.end(), name);
    if (found == fields.end()) throw Error("bodies", "there is no body '" + name + "' that floats");
    takeBody(mxGetFieldByNumber(bodies, 0, i), model, *floating[static_cast<std::size_t>(found - fields.begin())],
             state);
  }
}

void requireSameTies(const mxArray* given, const State& state) {
  bool same = mxIsCell(given) && mxGetNumberOfElements(given) == state.ties.size();
  for (std::size_t k = 0; same && k < state.ties.size(); ++k)
    same = toText(mxGetCell(given, k), "ties") == state.ties[k].name;
  if (!same) throw Error("ties", "they cannot be set: their places are not in the struct", "use tie() and release()");
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
      .add("bodies", bodiesStruct(robot.model(), s))
      .add("ties", fromTexts(namesOf(s.ties)))
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
  if (const mxArray* given = field(fields, "bodies")) takeBodies(given, model, state);
  if (const mxArray* given = field(fields, "ties")) requireSameTies(given, state);
  robot.setState(state);
}

mxArray* tieStruct(const Call& call, RobotRun& robot) {
  TieRequest request{{toText(call.argument(1), "first"), toText(call.argument(2), "second")}};
  if (call.inputs > 3) request.joint = loopKindNamed(toText(call.argument(3), "joint"));
  if (call.inputs > 4) request.name = toText(call.argument(4), "name");
  if (call.inputs > 5) request.axis = toVector(call.argument(5), 3, "axis");
  if (call.inputs > 6) request.within = toNumber(call.argument(6), "within");
  const TieImpact impact = robot.tie(request);
  return StructBuilder()
      .add("name", fromText(impact.name))
      .add("impulse", fromVector(impact.impulse))
      .add("lost_energy", fromNumber(impact.lost_energy))
      .get();
}

mxArray* savedStruct(const RobotRun& robot) {
  std::ostringstream state, sensors;
  saveState(robot.state(), robot.model(), state);
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
