#include "footfall/robot_block/stage_session.hpp"
#include "robot_block/block_tools.hpp"

namespace footfall {
namespace {

using physics::sceneFile;

/// What the default diagram has around its robot, around one made of stages.
DiagramBuilder diagramOfStages(const Scene& scene) {
  RobotDiagram d(scene);
  ParameterValue::List inputs;
  if (d.setup().posture().held) inputs.insert(inputs.end(), {"torque", "springs"});
  if (!d.setup().pushes().empty()) inputs.emplace_back("wrenches");
  d.add("robot", "RobotFromStages", {{"inputs", inputs}});
  if (d.setup().posture().held) {
    d.add("posture", "PostureHold");
    d.builder.connect("robot.q", "posture.q");
    d.builder.connect("robot.nu", "posture.nu");
    d.builder.connect("posture.springs", "robot.springs");
    d.builder.connect("posture.command", "robot.torque");
  }
  if (!d.setup().pushes().empty()) {
    d.add("pushes", "Pushes");
    d.builder.connect("pushes.wrenches", "robot.wrenches");
  }
  return std::move(d.builder);
}

class Stages : public testing::TestWithParam<const char*> {};

TEST_P(Stages, RewiredAsADiagramGiveTheSameBitsAsTheRobotBlock) {
  Scene scene = sceneFile(GetParam());
  for (ScenePush& push : scene.pushes) push.start = 0.05;
  const Diagram whole = defaultDiagram(scene).build({.step = scene.physics.step});
  const Diagram stages = diagramOfStages(scene).build({.step = scene.physics.step});
  Context a = whole.makeContext(), b = stages.makeContext();
  for (int k = 0; k < 300; ++k) {
    ASSERT_TRUE(whole.step(a)) << a.stopReason();
    ASSERT_TRUE(stages.step(b)) << b.stopReason();
    ASSERT_TRUE(sameBits(a.signal("robot.q"), b.signal("robot.state.q"))) << "step " << k;
    ASSERT_TRUE(sameBits(a.signal("robot.nu"), b.signal("robot.state.nu"))) << "step " << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, Stages,
                         testing::Values("icub.yaml", "demo.yaml", "anymal_c.yaml", "stewart_platform.yaml",
                                         "bouncing_ball.yaml", "rocking_block.yaml", "push_ups.yaml"));

TEST(Stages, CarryMoreContactsThanAShapeHasCorners) {
  const Scene scene = loadScene(sourceDir() + "/tests/data/box_on_small_stairs.yaml");
  const Diagram whole = defaultDiagram(scene).build({.step = scene.physics.step});
  const Diagram stages = diagramOfStages(scene).build({.step = scene.physics.step});
  Context a = whole.makeContext(), b = stages.makeContext();
  double most = 0.0;
  for (int k = 0; k < 500; ++k) {
    ASSERT_TRUE(whole.step(a)) << a.stopReason();
    ASSERT_TRUE(stages.step(b)) << b.stopReason();
    ASSERT_TRUE(sameBits(a.signal("robot.q"), b.signal("robot.state.q"))) << "step " << k;
    most = std::max(most, b.signal("robot.contacts.contacts")[0]);
  }
  EXPECT_GT(most, 8.0);
}

/// A contact solver that a user might write: projected Gauss-Seidel on the problem of the step.
class GaussSeidel : public Block {
 public:
  explicit GaussSeidel(int size, int nv) : size_(size), nv_(nv) {}
  void declare(BlockInterface& io) const override {
    io.input("session", SignalType::function("footfall::StageSession"));
    io.input("nu", SignalType::vector(nv_));
    io.input("nu_free", SignalType::vector(nv_));
    io.output("impulses", SignalType::vector(size_));
  }
  void outputs(Evaluation& e) const override {
    StageSession& session = e.function<StageSession>(0);
    auto p = e.outVector(0);
    p.setZero();
    if (movesFreely(session.workspace)) return;
    StageNumbers numbers = session.numbers();
    const double dt = numbers.settings.step;
    const ContactProblem& problem = numbers.system.assemble(session.workspace.dynamics(), e.vector(2), {.dt = dt});
    const auto contacts = numbers.system.contacts();
    for (int sweep = 0; sweep < 3000; ++sweep)
      for (int i = 0; i < static_cast<int>(contacts.size()); ++i)
        relax(problem, i, std::max(contacts[i].surface.gap, 0.0) / dt, p);
  }

 private:
  static double velocity(const ContactProblem& problem, int i, int c, const Eigen::Map<VectorXd>& p) {
    double v = problem.b[problem.layout.row(i, c)];
    for (int j = 0; j < problem.layout.contacts; ++j)
      for (int d = 0; d < 3; ++d) v += problem(i, c, j, d) * p[3 * j + d];
    return v;
  }
  static void relax(const ContactProblem& problem, int i, double gap_speed, Eigen::Map<VectorXd>& p) {
    double& normal = p[3 * i + 2];
    normal = std::max(0.0, normal - (velocity(problem, i, 2, p) + gap_speed) / problem(i, 2, i, 2));
    const double most = problem.mu[i] * normal;
    for (int c = 0; c < 2; ++c)
      p[3 * i + c] = std::clamp(p[3 * i + c] - velocity(problem, i, c, p) / problem(i, c, i, c), -most, most);
  }

  int size_, nv_;
};

TEST(Stages, OneOfThemCanBeReplacedByABlockOfOnesOwn) {
  // Without friction, whose law the other solver simplifies.
  // second_order corrects its problem while it solves it: a block that solves once belongs to the older scheme.
  const Scene scene =
      sceneFile("falling_box.yaml", {{"ground.friction", "0"}, {"physics.integrator", "semi_implicit_euler"}});
  const Diagram whole = defaultDiagram(scene).build({.step = scene.physics.step});
  RobotDiagram d(scene);
  for (const auto& [name, kind] : {std::pair{"state", "RobotState"}, std::pair{"dynamics", "DynamicsTerms"},
                                   std::pair{"contacts", "ContactDetection"}, std::pair{"impact", "Impact"},
                                   std::pair{"free", "FreeVelocity"}, std::pair{"integrator", "StateIntegrator"}})
    d.add(name, kind);
  const Model& model = d.setup().model();
  d.builder.add("solver", std::make_shared<GaussSeidel>(impulseSize(model), model.nv()));
  for (const auto& [from, to] :
       {std::pair{"state.q", "dynamics.q"}, std::pair{"state.nu", "dynamics.nu"},
        std::pair{"state.warm_start", "dynamics.warm_start"}, std::pair{"state.time", "dynamics.time"},
        std::pair{"dynamics.session", "contacts.session"}, std::pair{"dynamics.session", "impact.session"},
        std::pair{"dynamics.session", "free.session"}, std::pair{"dynamics.session", "solver.session"},
        std::pair{"dynamics.session", "integrator.session"}, std::pair{"contacts.contacts", "impact.contacts"},
        std::pair{"impact.nu", "free.nu"}, std::pair{"impact.nu", "solver.nu"}, std::pair{"impact.nu", "integrator.nu"},
        std::pair{"free.nu_free", "solver.nu_free"}, std::pair{"free.nu_free", "integrator.nu_free"},
        std::pair{"solver.impulses", "integrator.impulses"}, std::pair{"integrator.q", "state.q"},
        std::pair{"integrator.nu", "state.nu"}, std::pair{"integrator.warm_start", "state.warm_start"}})
    d.builder.connect(from, to);
  const Diagram own = d.build();
  Context a = whole.makeContext(), b = own.makeContext();
  double contacts = 0.0;
  for (int k = 0; k < 1000; ++k) {
    ASSERT_TRUE(whole.step(a));
    ASSERT_TRUE(own.step(b)) << b.stopReason();
    contacts = std::max(contacts, b.signal("contacts.contacts")[0]);
  }
  EXPECT_GE(contacts, 4.0);
  // Gauss and Seidel stop at about 1e-6 m/s.
  EXPECT_LT((VectorXd(a.signal("robot.q")) - VectorXd(b.signal("state.q"))).norm(), 1e-3);
}

}  // namespace
}  // namespace footfall
