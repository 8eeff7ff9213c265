#include "footfall/robot_block/robot_ports.hpp"
#include "robot_block/stage_block.hpp"
#include "robot_block/stage_blocks.hpp"

namespace footfall {
namespace {

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
         {"iterations", "of the solver"},
         {"nu_free", "as corrected while solving, by integrators that do so; vector of 6 + n"}},
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
    io.output("nu_free", velocitiesType(model()));
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
    e.outVector(4) = numbers.nu_free;
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
    packWarmStart(result.next.warm, model(), e.outVector(2));
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

}  // namespace

void addEndingStages(BlockRegistry& registry) {
  registry.add<ContactSolverBlock>();
  registry.add<StateIntegrator>();
}

}  // namespace footfall
