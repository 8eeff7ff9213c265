// What footfall.Simulation asks for.

#include "footfall/record/runner.hpp"
#include "footfall/record/state_files.hpp"
#include "footfall/robot_block/kin_dyn.hpp"
#include "mex_call.hpp"
#include "robot_state.hpp"

namespace footfall::matlab {
namespace {

/// What a handle stands for.
struct Robot {
  explicit Robot(const Scene& scene)
      : runner(scene), feet(sim().model().soles()), kin_dyn(sim().model(), sim().settings(), feet) {}

  Simulation& sim() { return runner.simulation(); }
  InstrumentedSimulation& run() { return runner.instrumented(); }

  SceneRunner runner;
  bool has_stepped = false;
  std::vector<FrameIndex> feet;
  KinDyn kin_dyn;
};

Handles<Robot>& robots() {
  static Handles<Robot> all("footfall.Simulation");
  return all;
}

Robot& robotOf(const Call& call) { return robots().get(call.argument(0)); }

mxArray* make(const Call& call) {
  const Scene scene = loadScene(toText(call.argument(0), "scene"), toOverrides(call.argument(1)));
  return robots().add(std::make_unique<Robot>(scene));
}

mxArray* close(const Call& call) {
  robotOf(call).runner.finishLog();
  robots().close(call.argument(0));
  return nullptr;
}

void stepOnce(Robot& robot) {
  if (!robot.runner.step()) throw Error("", robot.runner.failure());
  robot.has_stepped = true;
}

/// step(handle), step(handle, torques): one step.
mxArray* step(const Call& call) {
  Robot& robot = robotOf(call);
  if (call.inputs > 1) robot.sim().input().tau = toVector(call.argument(1), robot.sim().model().jointDofs(), "torque");
  stepOnce(robot);
  return fromNumber(robot.sim().time());
}

/// run(handle, time): until this simulated time, or a slice of the clock's is over.
mxArray* run(const Call& call) {
  Robot& robot = robotOf(call);
  const double end = endOfRun(call.argument(1), robot.sim().time(), robot.sim().settings().step);
  for (const RunSlice slice; robot.sim().time() < end && !slice.over();) stepOnce(robot);
  return fromNumber(robot.sim().time());
}

/// push(handle, link, wrench): force and moment at a frame's origin in world axes, until changed.
mxArray* push(const Call& call) {
  Robot& robot = robotOf(call);
  const Model& model = robot.sim().model();
  const FrameIndex index = model.frame(toText(call.argument(1), "link"));
  const Frame& frame = model.frames[index];
  const VectorXd wrench = toVector(call.argument(2), 6, "wrench");
  auto& wrenches = robot.sim().input().wrenches;
  std::erase_if(wrenches, [&](const ExternalWrench& w) { return w.frame == index; });
  if (!wrench.isZero(0.0)) wrenches.push_back({frame.link, frame.X_LF.p, Vector6d(wrench), index});
  return nullptr;
}

/// prescribe(handle, joint, position, velocity): at the end of the next step.
mxArray* prescribe(const Call& call) {
  Robot& robot = robotOf(call);
  const std::string joint = toText(call.argument(1), "joint");
  const DofIndex dof = robot.sim().model().dof(joint);
  if (!robot.sim().model().dofs[dof].prescribed)
    throw Error("prescribe", "the joint '" + joint + "' is not prescribed",
                "`prescribed: [{joint: " + joint + "}]` in the scene makes it follow what code says");
  const double position = toNumber(call.argument(2), "position"), velocity = toNumber(call.argument(3), "velocity");
  robot.sim().input().position[dof] = position;
  robot.sim().input().velocity[dof] = velocity;
  return nullptr;
}

mxArray* tie(const Call& call) { return tieStruct(call, robotOf(call).run()); }

mxArray* release(const Call& call) {
  robotOf(call).run().release(toText(call.argument(1), "name"));
  return nullptr;
}

mxArray* kinDyn(const Call& call) {
  Robot& robot = robotOf(call);
  if (!robot.has_stepped) throw Error("kinDyn", "it belongs to a step, and none was made yet", "call step() first");
  const SignalType type = robot.kin_dyn.type();
  std::vector<double> values(static_cast<std::size_t>(type.size()));
  robot.kin_dyn.write(robot.sim().result(), values);
  return fromSignal(type, values);
}

/// Wrench of each sole in its own frame, of the last step.
mxArray* wrenches(const Call& call) {
  Robot& robot = robotOf(call);
  StructBuilder builder;
  for (const SoleReport& sole : robot.sim().result().soles)
    builder.add(robot.sim().model().frames[sole.frame].name, fromVector(sole.wrench_F));
  return builder.get();
}

mxArray* sensors(const Call& call) {
  Robot& robot = robotOf(call);
  StructBuilder builder;
  for (const SensorChannel& channel : robot.run().sensors().channels())
    builder.add(channel.name, fromVector(robot.run().read(channel).values));
  return builder.get();
}

mxArray* info(const Call& call) {
  Robot& robot = robotOf(call);
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

mxArray* state(const Call& call) { return stateStruct(robotOf(call).run()); }
mxArray* save(const Call& call) { return savedStruct(robotOf(call).run()); }

mxArray* saveFile(const Call& call) {
  saveStateFiles(robotOf(call).run(), toText(call.argument(1), "file"));
  return nullptr;
}

/// The rows of a log follow each other in time: a robot that is set elsewhere begins another log.
Robot& robotToBeSet(const Call& call) {
  Robot& robot = robotOf(call);
  if (robot.runner.hasLog()) throw Error("footfall.Simulation", "a log is being written", "call stopLog() first");
  robot.has_stepped = false;
  return robot;
}

mxArray* restore(const Call& call) {
  restoreFrom(call.argument(1), robotToBeSet(call).run());
  return nullptr;
}

mxArray* setState(const Call& call) {
  setStateFrom(call.argument(1), robotToBeSet(call).run());
  return nullptr;
}

mxArray* loadFile(const Call& call) {
  loadStateFiles(toText(call.argument(1), "file"), robotToBeSet(call).run());
  return nullptr;
}

mxArray* startLog(const Call& call) {
  Robot& robot = robotOf(call);
  const std::string path = toText(call.argument(1), "log");
  robot.runner.finishLog();  // also where the next one is the same file
  robot.runner.startLog(makeLog(path));
  return nullptr;
}

mxArray* stopLog(const Call& call) {
  robotOf(call).runner.finishLog();
  return nullptr;
}

}  // namespace

Actions robotActions() {
  return {{"new", make},          {"close", close},        {"step", step},
          {"run", run},           {"push", push},          {"state", state},
          {"setState", setState}, {"kinDyn", kinDyn},      {"wrenches", wrenches},
          {"sensors", sensors},   {"info", info},          {"save", save},
          {"restore", restore},   {"saveState", saveFile}, {"loadState", loadFile},
          {"startLog", startLog}, {"stopLog", stopLog},    {"tie", tie},
          {"release", release},   {"prescribe", prescribe}};
}

}  // namespace footfall::matlab
