// One MEX function for MATLAB and Octave: footfall_mex(command, handle, arguments…). People use +footfall/Simulation.m.

#include <mex.h>

#include <exception>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "footfall/base/error.hpp"
#include "footfall/base/version.hpp"
#include "footfall/sensor/instrumented_simulation.hpp"
#include "mex_values.hpp"
#include "robot_block/kin_dyn.hpp"
#include "robot_block/robot_signals.hpp"

namespace footfall::matlab {
namespace {

/// What a handle stands for.
struct Robot {
  explicit Robot(const Scene& scene)
      : simulation(scene),
        feet(simulation.simulation().model().soles()),
        kin_dyn(simulation.simulation().model(), simulation.simulation().settings(), feet) {}

  Simulation& sim() { return simulation.simulation(); }

  InstrumentedSimulation simulation;
  bool has_stepped = false;
  std::vector<FrameIndex> feet;
  KinDyn kin_dyn;
};

/// Numbers stay unique for the life of the process: a handle that was closed is never mistaken for a new one.
struct Handles {
  std::map<double, std::unique_ptr<Robot>> robots;
  double last = 0.0;

  Robot& get(const mxArray* handle) {
    const auto found = robots.find(toNumber(handle, "handle"));
    if (found == robots.end()) throw Error("footfall.Simulation", "this simulation was closed", "make a new one");
    return *found->second;
  }
};

Handles& handles() {
  static Handles all;
  return all;
}

struct Call {
  int outputs;
  mxArray** output;
  int inputs;  ///< behind the name of the command
  const mxArray** input;

  const mxArray* argument(int i) const { return i < inputs ? input[i] : nullptr; }
  Robot& robot() const { return handles().get(argument(0)); }
};

std::vector<SceneOverride> toOverrides(const mxArray* cell) {
  std::vector<SceneOverride> overrides;
  if (cell == nullptr || mxGetNumberOfElements(cell) == 0) return overrides;
  if (!mxIsCell(cell) || mxGetNumberOfElements(cell) % 2 != 0)
    throw Error("footfall.Simulation", "changes of the scene come in pairs: 'physics.step', '0.5 ms'");
  const auto count = static_cast<mwIndex>(mxGetNumberOfElements(cell));
  for (mwIndex i = 0; i < count; i += 2) {
    const mxArray* value = mxGetCell(cell, i + 1);
    const std::string text = value != nullptr && mxIsDouble(value)
                                 ? std::to_string(toNumber(value, "value of a change"))
                                 : toText(value, "value of a change");
    overrides.emplace_back(toText(mxGetCell(cell, i), "name of a change"), text);
  }
  return overrides;
}

mxArray* make(const Call& call) {
  const Scene scene = loadScene(toText(call.argument(0), "scene"), toOverrides(call.argument(1)));
  auto robot = std::make_unique<Robot>(scene);
  const double handle = ++handles().last;
  handles().robots[handle] = std::move(robot);
  return fromNumber(handle);
}

mxArray* close(const Call& call) {
  handles().robots.erase(toNumber(call.argument(0), "handle"));
  return nullptr;
}

void stepOnce(Robot& robot) {
  if (robot.simulation.step().status == SolveStatus::failed) throw Error("", robot.sim().describeFailure());
  robot.has_stepped = true;
}

/// step(handle), step(handle, torques): one step.
mxArray* step(const Call& call) {
  Robot& robot = call.robot();
  if (call.inputs > 1) robot.sim().input().tau = toVector(call.argument(1), robot.sim().model().jointDofs(), "torque");
  stepOnce(robot);
  return fromNumber(robot.sim().time());
}

/// run(handle, time): until this simulated time.
mxArray* run(const Call& call) {
  Robot& robot = call.robot();
  const double end = toNumber(call.argument(1), "time") - 0.5 * robot.sim().settings().step;
  while (robot.sim().time() < end) stepOnce(robot);
  return fromNumber(robot.sim().time());
}

/// push(handle, link, wrench): force and moment at a frame's origin in world axes, until changed.
mxArray* push(const Call& call) {
  Robot& robot = call.robot();
  const Model& model = robot.sim().model();
  const FrameIndex index = model.frame(toText(call.argument(1), "link"));
  const Frame& frame = model.frames[index];
  const VectorXd wrench = toVector(call.argument(2), 6, "wrench");
  auto& wrenches = robot.sim().input().wrenches;
  std::erase_if(wrenches, [&](const ExternalWrench& w) { return w.frame == index; });
  if (!wrench.isZero(0.0)) wrenches.push_back({frame.link, frame.X_LF.p, Vector6d(wrench), index});
  return nullptr;
}

mxArray* state(const Call& call) {
  Robot& robot = call.robot();
  const State& s = robot.sim().state();
  const Model& model = robot.sim().model();
  const int n = model.jointDofs();
  Vector6d base_velocity = Vector6d::Zero();
  if (model.nv() > n) base_velocity = s.nu.head<6>();
  return StructBuilder()
      .add("time", fromNumber(s.time))
      .add("w_H_b", fromMatrix(homogeneous(s.basePose())))
      .add("joints_position", fromVector(s.joints()))
      .add("basePose_dot", fromVector(base_velocity))
      .add("joints_velocity", fromVector(s.nu.tail(n)))
      .get();
}

mxArray* kinDyn(const Call& call) {
  Robot& robot = call.robot();
  if (!robot.has_stepped) throw Error("kinDyn", "it belongs to a step, and none was made yet", "call step() first");
  const SignalType type = kinDynBusType(robot.sim().model(), static_cast<int>(robot.feet.size()));
  std::vector<double> values(static_cast<std::size_t>(type.size()));
  robot.kin_dyn.write(robot.sim().result(), values);
  return fromSignal(type, values);
}

/// Wrench of each sole in its own frame, of the last step.
mxArray* wrenches(const Call& call) {
  Robot& robot = call.robot();
  StructBuilder builder;
  for (const SoleReport& sole : robot.sim().result().soles)
    builder.add(robot.sim().model().frames[sole.frame].name, fromVector(sole.wrench_F));
  return builder.get();
}

mxArray* sensors(const Call& call) {
  Robot& robot = call.robot();
  StructBuilder builder;
  for (const SensorChannel& channel : robot.simulation.sensors().channels())
    builder.add(channel.name, fromVector(robot.simulation.read(channel).values));
  return builder.get();
}

mxArray* info(const Call& call) {
  Robot& robot = call.robot();
  const Model& model = robot.sim().model();
  std::vector<std::string> joints, frames;
  for (const Dof& dof : model.dofs) joints.push_back(dof.name);
  for (const FrameIndex foot : robot.feet) frames.push_back(model.frames[foot].name);
  return StructBuilder()
      .add("name", fromText(model.name))
      .add("joints", fromTexts(joints))
      .add("contact_frames", fromTexts(frames))
      .add("step", fromNumber(robot.sim().settings().step))
      .add("scene", fromText(robot.sim().scene().source))
      .get();
}

/// {state, sensors}: the whole memory of the simulation as bytes.
mxArray* save(const Call& call) {
  Robot& robot = call.robot();
  std::ostringstream state_bytes, sensor_bytes;
  saveState(robot.sim().state(), state_bytes);
  saveSensorState(robot.simulation.sensorState(), sensor_bytes);
  return StructBuilder().add("state", fromBytes(state_bytes.str())).add("sensors", fromBytes(sensor_bytes.str())).get();
}

mxArray* restore(const Call& call) {
  Robot& robot = call.robot();
  const mxArray* saved = call.argument(1);
  if (saved == nullptr || !mxIsStruct(saved) || mxGetField(saved, 0, "state") == nullptr ||
      mxGetField(saved, 0, "sensors") == nullptr)
    throw Error("restore", "expected what save() gave: a struct with the fields state and sensors");
  std::istringstream state_bytes(toBytes(mxGetField(saved, 0, "state"), "saved state")),
      sensor_bytes(toBytes(mxGetField(saved, 0, "sensors"), "saved sensors"));
  const State s = loadState(robot.sim().model(), state_bytes, "saved state");
  const SensorState sensor_state = loadSensorState(robot.simulation.sensors(), sensor_bytes, "saved sensors");
  robot.sim().setState(s);
  robot.simulation.setSensorState(sensor_state);
  robot.has_stepped = false;
  return nullptr;
}

mxArray* versionText(const Call&) { return fromText(version()); }

void dispatch(const std::string& command, const Call& call) {
  using Action = mxArray* (*)(const Call&);
  static const std::map<std::string, Action> actions{
      {"new", make},        {"close", close},     {"step", step},          {"run", run},   {"push", push},
      {"state", state},     {"kinDyn", kinDyn},   {"wrenches", wrenches},  {"info", info}, {"save", save},
      {"restore", restore}, {"sensors", sensors}, {"version", versionText}};
  const auto action = actions.find(command);
  if (action == actions.end()) throw Error("footfall_mex", "there is no command '" + command + "'");
  mxArray* result = action->second(call);
  if (call.outputs > 0 || result != nullptr)
    call.output[0] = result != nullptr ? result : mxCreateDoubleMatrix(0, 0, mxREAL);
}

}  // namespace
}  // namespace footfall::matlab

extern "C" __attribute__((visibility("default"))) void mexFunction(int outputs, mxArray* output[], int inputs,
                                                                   const mxArray* input[]) {
  // The error call of MATLAB does not come back: no object with a destructor may be alive when it is made.
  static char message[4096];
  bool good = false;
  {
    std::string problem;
    try {
      using namespace footfall::matlab;
      const std::string command = toText(inputs > 0 ? input[0] : nullptr, "command");
      dispatch(command, {outputs, output, inputs - 1, input + 1});
      good = true;
    } catch (const std::exception& error) {
      problem = error.what();
    } catch (...) {
      problem = "something that is no std::exception was thrown";
    }
    problem.copy(message, sizeof message - 1);
    message[std::min(problem.size(), sizeof message - 1)] = '\0';
  }
  if (!good) mexErrMsgIdAndTxt("footfall:error", "%s", message);
}
