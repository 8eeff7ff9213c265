#include "robot_block/stage_blocks.hpp"

#include <algorithm>

#include "footfall/base/error.hpp"
#include "footfall/block/diagram.hpp"
#include "footfall/robot_block/robot_ports.hpp"
#include "footfall/robot_block/robot_setup.hpp"
#include "footfall/robot_block/stage_session.hpp"
#include "robot_block/model_query.hpp"
#include "robot_block/robot_signals.hpp"

namespace footfall {
namespace {

// --- the warm start as a signal -----------------------------------------------------------------------

/// Candidates, their impulses, and whether these are the smallest.
int warmSize(const Model& model) { return model.maxActiveContacts() + warmStartSize(model) + 1; }

template <class Values>
void packWarmStart(const WarmStart& warm, Values&& values) {
  const Eigen::Index slots = warm.candidate.size(), impulses = warm.impulse.size();
  values.head(slots) = warm.candidate.cast<double>();
  values.segment(slots, impulses) = warm.impulse;
  values[slots + impulses] = warm.minimum_norm ? 1.0 : 0.0;
}

void unpackWarmStart(const Eigen::Map<const VectorXd>& values, WarmStart& warm) {
  const Eigen::Index slots = warm.candidate.size(), impulses = warm.impulse.size();
  warm.candidate = values.head(slots).cast<int>();
  warm.impulse = values.segment(slots, impulses);
  warm.minimum_norm = values[slots + impulses] != 0.0;
}

SignalType sessionType() { return SignalType::function("footfall::StageSession"); }
PortDescription sessionPort() { return {"session", "function port of DynamicsTerms (footfall::StageSession)"}; }

/// Entries of an impulse vector: three for each contact and joint row that there may be.
int impulseSize(const Model& model) { return 3 * ConstraintSystem(model).capacity(); }

class StageBlock : public Block {
 public:
  explicit StageBlock(const Parameters& parameters) : setup_(findRobotSetup(parameters)) {}

 protected:
  const Model& model() const { return setup_->model(); }
  SampleTime everyStep() const { return SampleTime::discrete(setup_->settings().step); }
  void stopIfFailed(StageSession& session, Evaluation& e) const {
    if (session.failed())
      e.stop(describeFailure(session.numbers().result, session.state.time, model(), setup_->settings()));
  }

  std::shared_ptr<const RobotSetup> setup_;
};

// --- the stages -----------------------------------------------------------------------------------------

class RobotStateBlock : public StageBlock {
 public:
  static BlockDescription description() {
    return {"RobotState",
            "robot stages",
            "remembers the state of the robot from one step to the next",
            {},
            {{"q", "at the end of the step; vector of 7 + n"},
             {"nu", "at the end of the step; vector of 6 + n"},
             {"warm_start", "of the contact solver; vector"}},
            {{"q", "at the start of the step; vector of 7 + n"},
             {"nu", "at the start of the step; vector of 6 + n"},
             {"warm_start", "of the contact solver; vector"},
             {"time", "at the start of the step [s]"}},
            "Starts where the scene starts."};
  }
  using StageBlock::StageBlock;
  void declare(BlockInterface& io) const override {
    const SignalType warm = SignalType::vector(warmSize(model()), "-");
    io.sample_time = everyStep();
    io.discrete_states = model().nq() + model().nv() + warmSize(model()) + 1;
    io.input("q", positionsType(model()));
    io.input("nu", velocitiesType(model()));
    io.input("warm_start", warm);
    io.output("q", positionsType(model()), {});
    io.output("nu", velocitiesType(model()), {});
    io.output("warm_start", warm, {});
    io.output("time", SignalType::scalar("s"), {});
  }
  void initialize(Evaluation& e) const override {
    const State& start = setup_->start();
    auto x = e.discrete();
    x.head(model().nq()) = start.q;
    x.segment(model().nq(), model().nv()) = start.nu;
    packWarmStart(start.warm, x.segment(model().nq() + model().nv(), warmSize(model())));
    x.tail(1)[0] = start.time;
  }
  void outputs(Evaluation& e) const override {
    const auto x = e.discrete();
    e.outVector(0) = x.head(model().nq());
    e.outVector(1) = x.segment(model().nq(), model().nv());
    e.outVector(2) = x.segment(model().nq() + model().nv(), warmSize(model()));
    e.set(3, x.tail(1)[0]);
  }
  void update(Evaluation& e) const override {
    auto x = e.discrete();
    x.head(model().nq()) = e.vector(0);
    x.segment(model().nq(), model().nv()) = e.vector(1);
    x.segment(model().nq() + model().nv(), warmSize(model())) = e.vector(2);
    x.tail(1)[0] += setup_->settings().step;
  }
};

class DynamicsTerms : public StageBlock {
 public:
  static BlockDescription description() {
    return {"DynamicsTerms",
            "robot stages",
            "first stage of a step: mass matrix, bias forces and kinematics at its start",
            {},
            {{"q", "vector of 7 + n"},
             {"nu", "vector of 6 + n"},
             {"warm_start", "of RobotState"},
             {"time", "of RobotState [s]"},
             {"torque", "joint torques; vector of n [N m]; none: zero"},
             {"springs", "bus {stiffness, damping, target}; none: there are none"},
             {"wrenches", "at the places of the scene's pushes; vector of 6 for each; none: zero"},
             {"generalized_wrench", "external, in the order of ν; vector of 6 + n; none: zero"}},
            {{"session", "function port for the other stages (footfall::StageSession)"},
             {"M", "mass matrix, (6 + n) × (6 + n)"},
             {"h", "bias forces; vector of 6 + n"}},
            ""};
  }
  using StageBlock::StageBlock;
  void declare(BlockInterface& io) const override {
    io.sample_time = everyStep();
    io.input("q", positionsType(model()));
    io.input("nu", velocitiesType(model()));
    io.input("warm_start", SignalType::vector(warmSize(model())));
    io.input("time", SignalType::scalar("s"));
    io.optionalInput("torque", torqueType(model()));
    io.optionalInput("springs", springsBusType(model()));
    io.optionalInput("wrenches", SignalType::vector(6 * static_cast<int>(setup_->pushes().size())));
    io.optionalInput("generalized_wrench", velocitiesType(model()));
    io.output("session", sessionType());
    io.output("M", SignalType::matrix(model().nv(), model().nv()));
    io.output("h", velocitiesType(model()));
  }
  std::unique_ptr<BlockScratch> makeScratch() const override {
    return std::make_unique<Scratch>(model(), setup_->terrain(), setup_->settings());
  }
  void provideFunctions(Evaluation& e) const override { e.provide(0, e.scratch<Scratch>().session); }
  void outputs(Evaluation& e) const override {
    StageSession& session = e.scratch<Scratch>().session;
    session.state.q = e.vector(0);
    session.state.nu = e.vector(1);
    unpackWarmStart(e.vector(2), session.state.warm);
    session.state.time = e.number(3);
    gatherInput(e, session);
    beginStep(session.start(), session.workspace);
    updateDynamics(session.start(), session.workspace);
    if (e.used(1)) session.workspace.dynamics().massMatrix(outMatrix(e, 1, model().nv()));
    if (e.used(2)) session.workspace.dynamics().biasForces(e.outVector(2));
  }

 private:
  struct Scratch : BlockScratch {
    Scratch(const Model& m, const Terrain& terrain, const Settings& settings) : session(m, terrain, settings) {}
    StageSession session;
  };

  void gatherInput(Evaluation& e, StageSession& session) const {
    const int n = model().jointDofs();
    if (e.connected(4)) session.input.tau = e.vector(4);
    session.has_springs = e.connected(5);
    if (session.has_springs) {
      session.springs.stiffness = e.vector(5).head(n);
      session.springs.damping = e.vector(5).segment(n, n);
      session.springs.target = e.vector(5).tail(n);
    }
    session.input.wrenches.clear();
    for (std::size_t k = 0; e.connected(6) && k < setup_->pushes().size(); ++k) {
      ExternalWrench wrench = setup_->pushes()[k].wrench;
      wrench.wrench_W = e.vector(6).segment<6>(6 * static_cast<Eigen::Index>(k));
      if (!wrench.wrench_W.isZero(0.0)) session.input.wrenches.push_back(wrench);
    }
    if (e.connected(7)) session.input.generalized = e.vector(7);
  }
};

class ContactDetection : public StageBlock {
 public:
  static BlockDescription description() {
    return {"ContactDetection",
            "robot stages",
            "finds contacts, joint limits, joint friction and loops, and how they answer to impulses",
            {},
            {sessionPort()},
            {{"contacts", "number of active contacts"},
             {"gaps", "of the active contacts, then zeros; vector [m]"},
             {"candidates", "numbers of the active contacts' candidates, then −1"}},
            ""};
  }
  using StageBlock::StageBlock;
  void declare(BlockInterface& io) const override {
    io.sample_time = everyStep();
    io.input("session", sessionType());
    io.output("contacts", SignalType::scalar("-"));
    io.output("gaps", SignalType::vector(model().maxActiveContacts(), "m"));
    io.output("candidates", SignalType::vector(model().maxActiveContacts(), "-"));
  }
  void outputs(Evaluation& e) const override {
    StageSession& session = e.function<StageSession>(0);
    findConstraints(session.start(), session.workspace);
    const auto contacts = session.numbers().system.contacts();
    e.set(0, static_cast<double>(contacts.size()));
    e.outVector(1).setZero();
    e.outVector(2).setConstant(-1.0);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      e.out(1)[k] = contacts[k].surface.gap;
      e.out(2)[k] = contacts[k].candidate;
    }
  }
};

class ImpactBlock : public StageBlock {
 public:
  static BlockDescription description() {
    return {"Impact",
            "robot stages",
            "lets velocities jump where contacts or joint limits close",
            {},
            {sessionPort(), {"contacts", "of ContactDetection"}},
            {{"nu", "after impacts; vector of 6 + n"}, {"impact", "there was one; boolean"}},
            ""};
  }
  using StageBlock::StageBlock;
  void declare(BlockInterface& io) const override {
    io.sample_time = everyStep();
    io.input("session", sessionType());
    io.input("contacts", SignalType::scalar());
    io.output("nu", velocitiesType(model()));
    io.output("impact", SignalType::boolean());
  }
  void outputs(Evaluation& e) const override {
    StageSession& session = e.function<StageSession>(0);
    resolveImpacts(session.start(), session.workspace);
    e.outVector(0) = session.numbers().nu;
    e.set(1, session.numbers().result.impact ? 1.0 : 0.0);
    stopIfFailed(session, e);
  }
};

class FreeVelocity : public StageBlock {
 public:
  static BlockDescription description() {
    return {"FreeVelocity",
            "robot stages",
            "the velocity at the end of the step if nothing touched",
            {},
            {sessionPort(), {"nu", "after impacts; vector of 6 + n"}},
            {{"nu_free", "vector of 6 + n"}},
            ""};
  }
  using StageBlock::StageBlock;
  void declare(BlockInterface& io) const override {
    io.sample_time = everyStep();
    io.input("session", sessionType());
    io.input("nu", velocitiesType(model()));
    io.output("nu_free", velocitiesType(model()));
  }
  void outputs(Evaluation& e) const override {
    StageSession& session = e.function<StageSession>(0);
    if (session.failed()) return;
    session.numbers().nu = e.vector(1);
    computeFreeVelocity(session.start(), session.workspace);
    e.outVector(0) = session.numbers().nu_free;
  }
};

class ContactSolverBlock : public StageBlock {
 public:
  static BlockDescription description() {
    return {
        "ContactSolver",
        "robot stages",
        "the impulses of contacts, joint limits and joint friction during the step",
        {},
        {sessionPort(), {"nu", "after impacts; vector of 6 + n"}, {"nu_free", "vector of 6 + n"}},
        {{"impulses", "three for each active contact (tangents, normal), then for each joint row, then zeros [N s]"},
         {"minimum_norm", "the impulses are the smallest that solve the problem; boolean"},
         {"residual", "[m/s]"},
         {"iterations", "of the solver"}},
        "To put your own in its place: session.numbers().system is the problem, see ContactModel."};
  }
  explicit ContactSolverBlock(const Parameters& parameters) : StageBlock(parameters), size_(impulseSize(model())) {}
  void declare(BlockInterface& io) const override {
    io.sample_time = everyStep();
    io.input("session", sessionType());
    io.input("nu", velocitiesType(model()));
    io.input("nu_free", velocitiesType(model()));
    io.output("impulses", SignalType::vector(size_, "N s"));
    io.output("minimum_norm", SignalType::boolean());
    io.output("residual", SignalType::scalar("m/s"));
    io.output("iterations", SignalType::scalar("-"));
  }
  void outputs(Evaluation& e) const override {
    StageSession& session = e.function<StageSession>(0);
    if (session.failed()) return;
    StageNumbers numbers = session.numbers();
    numbers.nu = e.vector(1);
    numbers.nu_free = e.vector(2);
    auto impulses = e.outVector(0);
    impulses.setZero();
    e.set(1, 0.0);
    if (!movesFreely(session.workspace)) {
      solveForces(session.start(), session.workspace);
      const ContactLayout& layout = numbers.system.problem().layout;
      for (int i = 0; i < layout.contacts; ++i)
        for (int c = 0; c < 3; ++c) impulses[3 * i + c] = numbers.forces.impulse[layout.row(i, c)];
      e.set(1, numbers.forces.minimum_norm ? 1.0 : 0.0);
    }
    e.set(2, numbers.result.residual);
    e.set(3, numbers.result.iterations);
    stopIfFailed(session, e);
  }

 private:
  int size_;
};

class StateIntegrator : public StageBlock {
 public:
  static BlockDescription description() {
    return {"StateIntegrator",
            "robot stages",
            "last stage of a step: the state at its end",
            {},
            {sessionPort(),
             {"nu", "after impacts; vector of 6 + n"},
             {"nu_free", "vector of 6 + n"},
             {"impulses", "three for each active contact and joint row [N s]"},
             {"minimum_norm", "of ContactSolver; boolean; none: false"}},
            {{"q", "vector of 7 + n"},
             {"nu", "vector of 6 + n"},
             {"warm_start", "for RobotState"},
             {"wrenches", "of the ground on each frame with contacts, in its axes; vector of 6 for each"},
             {"step", "function port for sensors (footfall::RobotStep)"}},
            ""};
  }
  explicit StateIntegrator(const Parameters& parameters) : StageBlock(parameters), size_(impulseSize(model())) {}
  void declare(BlockInterface& io) const override {
    io.sample_time = everyStep();
    io.input("session", sessionType());
    io.input("nu", velocitiesType(model()));
    io.input("nu_free", velocitiesType(model()));
    io.input("impulses", SignalType::vector(size_));
    io.optionalInput("minimum_norm", SignalType::boolean());
    io.output("q", positionsType(model()));
    io.output("nu", velocitiesType(model()));
    io.output("warm_start", SignalType::vector(warmSize(model()), "-"));
    io.output("wrenches", SignalType::vector(6 * static_cast<int>(setup_->contactFrames().size())));
    io.output("step", SignalType::function("footfall::RobotStep"));
  }
  std::unique_ptr<BlockScratch> makeScratch() const override { return std::make_unique<Scratch>(); }
  void provideFunctions(Evaluation& e) const override { e.provide(4, e.scratch<Scratch>().step); }
  void outputs(Evaluation& e) const override {
    StageSession& session = e.function<StageSession>(0);
    if (session.failed()) return;
    StageNumbers numbers = session.numbers();
    numbers.nu = e.vector(1);
    numbers.nu_free = e.vector(2);
    if (!movesFreely(session.workspace)) takeImpulses(e, numbers);
    integrateMotion(session.start(), session.workspace);
    stopIfFailed(session, e);
    if (session.failed()) return;
    finishStep(session.start(), session.workspace);
    const StepResult& result = numbers.result;
    e.outVector(0) = result.next.q;
    e.outVector(1) = result.next.nu;
    packWarmStart(result.next.warm, e.outVector(2));
    for (std::size_t k = 0; k < result.soles.size(); ++k)
      e.outVector(3).segment<6>(6 * static_cast<Eigen::Index>(k)) = result.soles[k].wrench_F;
    if (!e.used(4)) return;
    RobotStep& step = e.scratch<Scratch>().step;
    step = {session.state, session.input, &result};
  }

 private:
  struct Scratch : BlockScratch {
    RobotStep step;
  };

  void takeImpulses(Evaluation& e, StageNumbers& numbers) const {
    const auto impulses = e.vector(3);
    const ContactLayout& layout = numbers.system.problem().layout;
    numbers.forces.impulse.assign(layout.rows(), 0.0);
    for (int i = 0; i < layout.contacts; ++i)
      for (int c = 0; c < 3; ++c) numbers.forces.impulse[layout.row(i, c)] = impulses[3 * i + c];
    numbers.forces.minimum_norm = e.connected(4) && e.flag(4);
  }

  int size_;
};

// --- all of them as one ---------------------------------------------------------------------------------

BlockDescription describeRobotFromStages() {
  return {"RobotFromStages",
          "robot stages",
          "the robot as a sub-diagram of its stages: look inside, and rewire it",
          {{"inputs", "which of torque, springs, wrenches and generalized_wrench are ports", "[torque]", "", false}},
          {{"<input>", "as those of Robot, where `inputs` names them"}},
          {{"q", "at the start of the step; vector of 7 + n"},
           {"nu", "at the start of the step; vector of 6 + n"},
           {"wrenches", "of the ground on each frame with contacts, in its axes"},
           {"step", "function port for sensors (footfall::RobotStep)"}},
          "Gives the same bits as Robot."};
}

void fillRobotFromStages(const BlockRegistry& registry, const Parameters& parameters, DiagramBuilder& inside) {
  Parameters same;
  same.environment = parameters.environment;
  for (const auto& [name, kind] :
       {std::pair{"state", "RobotState"}, std::pair{"dynamics", "DynamicsTerms"},
        std::pair{"contacts", "ContactDetection"}, std::pair{"impact", "Impact"}, std::pair{"free", "FreeVelocity"},
        std::pair{"solver", "ContactSolver"}, std::pair{"integrator", "StateIntegrator"}})
    inside.add(name, registry, kind, same);
  for (const char* signal : {"q", "nu", "warm_start", "time"})
    inside.connect(std::string("state.") + signal, std::string("dynamics.") + signal);
  for (const char* stage : {"contacts", "impact", "free", "solver", "integrator"})
    inside.connect("dynamics.session", std::string(stage) + ".session");
  inside.connect("contacts.contacts", "impact.contacts");
  for (const char* stage : {"free", "solver", "integrator"}) inside.connect("impact.nu", std::string(stage) + ".nu");
  for (const char* stage : {"solver", "integrator"}) inside.connect("free.nu_free", std::string(stage) + ".nu_free");
  inside.connect("solver.impulses", "integrator.impulses");
  inside.connect("solver.minimum_norm", "integrator.minimum_norm");
  for (const char* signal : {"q", "nu", "warm_start"})
    inside.connect(std::string("integrator.") + signal, std::string("state.") + signal);
  const std::vector<std::string> inputs =
      parameters.has("inputs") ? parameters.texts("inputs") : std::vector<std::string>{"torque"};
  for (const std::string& input : inputs) {
    inside.input(input, SignalType::any());
    inside.connect(input, "dynamics." + input);
  }
  inside.output("q", "state.q");
  inside.output("nu", "state.nu");
  inside.output("wrenches", "integrator.wrenches");
  inside.output("step", "integrator.step");
}

}  // namespace

void addStageBlocks(BlockRegistry& registry) {
  registry.add<RobotStateBlock>();
  registry.add<DynamicsTerms>();
  registry.add<ContactDetection>();
  registry.add<ImpactBlock>();
  registry.add<FreeVelocity>();
  registry.add<ContactSolverBlock>();
  registry.add<StateIntegrator>();
  registry.addSubdiagram(describeRobotFromStages(), [](const Parameters& parameters, DiagramBuilder& inside) {
    BlockRegistry stages;
    addStageBlocks(stages);
    fillRobotFromStages(stages, parameters, inside);
  });
}

}  // namespace footfall
