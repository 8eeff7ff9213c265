#include "robot_block/stage_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "footfall/base/error.hpp"
#include "footfall/contact/joint_rows.hpp"
#include "robot_block/model_query.hpp"
#include "robot_block/robot_input.hpp"
#include "robot_block/stage_block.hpp"

namespace footfall {
namespace {

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
    io.discrete_states = model().nq() + model().nv() + warmSize(model()) + kClock;
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
    packWarmStart(start.warm, model(), x.segment(model().nq() + model().nv(), warmSize(model())));
    x.tail<kClock>() << start.time, start.count.start, static_cast<double>(start.count.steps);
  }
  void outputs(Evaluation& e) const override {
    const auto x = e.discrete();
    e.outVector(0) = x.head(model().nq());
    e.outVector(1) = x.segment(model().nq(), model().nv());
    e.outVector(2) = x.segment(model().nq() + model().nv(), warmSize(model()));
    e.set(3, x.tail<kClock>()[0]);
  }
  void update(Evaluation& e) const override {
    auto x = e.discrete();
    x.head(model().nq()) = e.vector(0);
    x.segment(model().nq(), model().nv()) = e.vector(1);
    x.segment(model().nq() + model().nv(), warmSize(model())) = e.vector(2);
    auto clock = x.tail<kClock>();
    StepCount count{clock[1], static_cast<std::int64_t>(clock[2])};
    const double time = count.next(clock[0], setup_->settings().step);
    clock << time, count.start, static_cast<double>(count.steps);
  }

 private:
  static constexpr int kClock = 3;  ///< time, and the two numbers of its StepCount
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
  explicit DynamicsTerms(const Parameters& parameters) : StageBlock(parameters), push_places_(setup_->pushPlaces()) {}
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
    auto scratch = std::make_unique<Scratch>(model(), setup_->terrain(), setup_->settings());
    scratch->session.input = setup_->makeInput(push_places_.size());
    return scratch;
  }
  void provideFunctions(Evaluation& e) const override { e.provide(0, e.scratch<Scratch>().session); }
  void outputs(Evaluation& e) const override {
    StageSession& session = e.scratch<Scratch>().session;
    session.state.q = e.vector(0);
    session.state.nu = e.vector(1);
    unpackWarmStart(e.vector(2), model(), session.state.warm);
    session.state.time = e.number(3);
    gatherInput(e, session);
    beginStep(session.start(), session.workspace);
    updateDynamics(session.start(), session.workspace);
    if (!e.used(1) && !e.used(2)) return;
    // The session's engine stands where the integrator wants it.
    Dynamics& at_start = e.scratch<Scratch>().atStart(setup_->settings().engine);
    at_start.update(session.state.q, session.state.nu);
    if (e.used(1)) at_start.massMatrix(outMatrix(e, 1, model().nv()));
    if (e.used(2)) at_start.biasForces(e.outVector(2));
  }

 private:
  struct Scratch : BlockScratch {
    Scratch(const Model& m, const Terrain& terrain, const Settings& settings) : session(m, terrain, settings) {}
    StageSession session;

    Dynamics& atStart(const std::string& engine) {
      if (!at_start_) at_start_ = makeDynamics(engine, session.workspace.dynamics().model());
      return *at_start_;
    }

   private:
    std::unique_ptr<Dynamics> at_start_;
  };

  void gatherInput(Evaluation& e, StageSession& session) const {
    if (e.connected(4)) session.input.tau = e.vector(4);
    session.has_springs = e.connected(5);
    if (session.has_springs) readSprings(e.vector(5), session.springs);
    session.input.wrenches.clear();
    if (e.connected(6)) addWrenches(e.vector(6), push_places_, session.input.wrenches);
    if (e.connected(7)) session.input.generalized = e.vector(7);
    setup_->movePrescribedJoints(session.state.timeAfter(setup_->settings().step), session.input);
  }

  std::vector<ExternalWrench> push_places_;
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
    io.output("gaps", SignalType::vector(stageContacts(model()), "m"));
    io.output("candidates", SignalType::vector(stageContacts(model()), "-"));
  }
  void outputs(Evaluation& e) const override {
    StageSession& session = e.function<StageSession>(0);
    findConstraints(session.start(), session.workspace);
    const auto contacts = session.numbers().system.contacts();
    e.set(0, static_cast<double>(contacts.size()));
    e.outVector(1).setZero();
    e.outVector(2).setConstant(-1.0);
    if (static_cast<int>(contacts.size()) > stageContacts(model())) {
      session.numbers().result.status = SolveStatus::failed;  // the stages behind have nothing to do
      e.stop(
          fmt::format("the robot touches the ground in {} places, and lines between stages have room for {}; the "
                      "block Robot takes any number",
                      contacts.size(), stageContacts(model())));
      return;
    }
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      e.out(1)[k] = contacts[k].surface.gap;
      e.out(2)[k] = contacts[k].candidate;
    }
    stopIfFailed(session, e);
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
    if (session.failed()) return;
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

}  // namespace

int stageContacts(const Model& model) {
  constexpr int kSurfaces = 2, kOfEdges = 64;
  if (model.further_bodies > 0 || model.collides())
    throw Error("diagram", "the stages of a step as blocks are for one robot on the ground, without bodies beside it",
                "use the block Robot");
  const int of_points = kSurfaces * static_cast<int>(model.candidates.size());  // floor and wall of an inner corner
  // At least as many as a warm start has that has grown: others do not fit the model.
  return std::max(2 * model.usualContacts(), model.shapes.empty() ? of_points : of_points + kOfEdges);
}

int impulseSize(const Model& model) { return 3 * (stageContacts(model) + maxJointRows(model)); }

void addStageBlocks(BlockRegistry& registry) {
  registry.add<RobotStateBlock>();
  registry.add<DynamicsTerms>();
  registry.add<ContactDetection>();
  registry.add<ImpactBlock>();
  registry.add<FreeVelocity>();
  addEndingStages(registry);
}

}  // namespace footfall
