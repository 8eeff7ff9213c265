#include "robot_block/model_queries.hpp"

#include "footfall/base/error.hpp"
#include "footfall/robot_block/model_functions.hpp"
#include "robot_block/model_query.hpp"

namespace footfall {
namespace {

/// A query of one frame.
class FrameQuery : public ModelQuery {
 public:
  explicit FrameQuery(const Parameters& parameters) : ModelQuery(parameters), frame_(findFrame(parameters, model())) {}

  static ParameterDescription frameParameter() { return {"frame", "a link or a frame of the model", "", "", true}; }

 protected:
  FrameIndex frame_;

 private:
  static FrameIndex findFrame(const Parameters& parameters, const Model& model) {
    const std::string name = parameters.text("frame");
    try {
      return model.frame(name);
    } catch (const Error& e) {
      throw parameters.error("frame", "is '" + name + "': " + e.problem(), e.hint());
    }
  }
};

BlockDescription describeQuery(std::string name, std::string summary, std::vector<PortDescription> outputs) {
  return {std::move(name),
          "robot queries",
          std::move(summary),
          {ModelQuery::engineParameter()},
          {ModelQuery::qPort(), ModelQuery::nuPort()},
          std::move(outputs),
          ""};
}

BlockDescription describeFrameQuery(std::string name, std::string summary, std::vector<PortDescription> outputs) {
  BlockDescription description = describeQuery(std::move(name), std::move(summary), std::move(outputs));
  description.parameters.insert(description.parameters.begin(), FrameQuery::frameParameter());
  return description;
}

class ForwardKinematics : public FrameQuery {
 public:
  using FrameQuery::FrameQuery;
  static BlockDescription description() {
    return describeFrameQuery("ForwardKinematics", "pose and velocity of a frame in the world",
                              {{"pose", "position [m] and quaternion (x, y, z, w); 7 numbers"},
                               {"matrix", "the same as a homogeneous matrix 4 × 4"},
                               {"velocity", "of its origin and its rotation, world axes; vector of 6 [m/s, rad/s]"}});
  }
  void declare(BlockInterface& io) const override {
    declareState(io);
    io.output("pose", SignalType::pose());
    io.output("matrix", SignalType::matrix(4, 4));
    io.output("velocity", SignalType::vector(6));
  }
  void answer(RobotDynamics& dynamics, VectorXd&, Evaluation& e) const override {
    const Pose X_WF = dynamics.framePose(frame_);
    BusWriter pose(e.out(0));
    pose.put(X_WF.p);
    pose.put(Eigen::Quaterniond(X_WF.R).coeffs());
    outMatrix(e, 1, 4) = homogeneous(X_WF);
    const Frame& frame = model().frames[frame_];
    const Vector6d link = dynamics.linkVelocity(frame.link);
    const Vector3d omega = link.tail<3>();
    const Vector3d lever = X_WF.p - dynamics.linkPose(frame.link).p;
    e.outVector(2) << link.head<3>() + omega.cross(lever), omega;
  }
};

class JacobianQuery : public FrameQuery {
 public:
  using FrameQuery::FrameQuery;
  static BlockDescription description() {
    return describeFrameQuery("Jacobian", "of a frame: its velocity in world axes is J ν",
                              {{"J", "matrix 6 × (6 + n), linear rows first"}});
  }
  void declare(BlockInterface& io) const override {
    declareState(io);
    io.output("J", SignalType::matrix(6, model().nv()));
  }
  void answer(RobotDynamics& dynamics, VectorXd&, Evaluation& e) const override {
    dynamics.frameJacobian(frame_, outMatrix(e, 0, 6));
  }
};

class JacobianDotNu : public FrameQuery {
 public:
  using FrameQuery::FrameQuery;
  static BlockDescription description() {
    return describeFrameQuery("JacobianDotNu", "acceleration of a frame while ν is constant: J̇ ν",
                              {{"JDot_nu", "vector of 6 [m/s², rad/s²]"}});
  }
  void declare(BlockInterface& io) const override {
    declareState(io);
    io.output("JDot_nu", SignalType::vector(6));
  }
  void answer(RobotDynamics& dynamics, VectorXd&, Evaluation& e) const override {
    e.outVector(0) = dynamics.frameBiasAcceleration(frame_);
  }
};

class CentroidalMomentum : public ModelQuery {
 public:
  using ModelQuery::ModelQuery;
  static BlockDescription description() {
    return describeQuery("CentroidalMomentum", "linear and angular momentum about the centre of mass, world axes",
                         {{"momentum", "vector of 6 [N s, N m s]"}});
  }
  void declare(BlockInterface& io) const override {
    declareState(io);
    io.output("momentum", SignalType::vector(6));
  }
  void answer(RobotDynamics& dynamics, VectorXd&, Evaluation& e) const override {
    e.outVector(0) = dynamics.momentum();
  }
};

class CenterOfMass : public ModelQuery {
 public:
  using ModelQuery::ModelQuery;
  static BlockDescription description() {
    return describeQuery("CenterOfMass", "of the robot in the world",
                         {{"position", "vector of 3 [m]"}, {"velocity", "vector of 3 [m/s]"}});
  }
  void declare(BlockInterface& io) const override {
    declareState(io);
    io.output("position", SignalType::vector(3, "m"));
    io.output("velocity", SignalType::vector(3, "m/s"));
  }
  void answer(RobotDynamics& dynamics, VectorXd&, Evaluation& e) const override {
    e.outVector(0) = dynamics.centerOfMass();
    e.outVector(1) = dynamics.momentum().head<3>() / model().totalMass();
  }
};

class MassMatrix : public ModelQuery {
 public:
  using ModelQuery::ModelQuery;
  static BlockDescription description() {
    return describeQuery("MassMatrix", "with the reflected inertia of the motors", {{"M", "matrix (6 + n) × (6 + n)"}});
  }
  void declare(BlockInterface& io) const override {
    declareState(io);
    io.output("M", SignalType::matrix(model().nv(), model().nv()));
  }
  void answer(RobotDynamics& dynamics, VectorXd&, Evaluation& e) const override {
    dynamics.massMatrix(outMatrix(e, 0, model().nv()));
  }
};

class BiasForces : public ModelQuery {
 public:
  using ModelQuery::ModelQuery;
  static BlockDescription description() {
    return describeQuery("BiasForces", "Coriolis, centrifugal and gravity forces",
                         {{"h", "vector of 6 + n [N, N m]"}, {"gravity", "its part without velocities"}});
  }
  void declare(BlockInterface& io) const override {
    declareState(io);
    io.output("h", velocitiesType(model()));
    io.output("gravity", velocitiesType(model()));
  }
  void answer(RobotDynamics& dynamics, VectorXd&, Evaluation& e) const override {
    dynamics.biasForces(e.outVector(0));
    dynamics.gravityForces(e.outVector(1));
  }
};

class InverseDynamics : public ModelQuery {
 public:
  using ModelQuery::ModelQuery;
  static BlockDescription description() {
    BlockDescription description = describeQuery("InverseDynamics", "forces that make the robot accelerate so: M ν̇ + h",
                                                 {{"forces", "vector of 6 + n [N, N m]"}});
    description.inputs.push_back({"nu_dot", "vector of 6 + n [m/s², rad/s²]"});
    return description;
  }
  void declare(BlockInterface& io) const override {
    declareState(io);
    io.input("nu_dot", velocitiesType(model()));
    io.output("forces", velocitiesType(model()));
  }
  void answer(RobotDynamics& dynamics, VectorXd& h, Evaluation& e) const override {
    dynamics.biasForces(h);
    dynamics.multiplyMass(e.vector(2), e.outVector(0));
    e.outVector(0) += h;
  }
};

/// Gives functions of the model to other blocks.
class ModelFunctionsBlock : public Block {
 public:
  static BlockDescription description() {
    return {"ModelFunctions",
            "robot queries",
            "functions of the model that other blocks may call at states of their own: mass matrix, Jacobian …",
            {ModelQuery::engineParameter()},
            {},
            {{"functions", "function port (footfall::ModelFunctions)"}},
            "See include/footfall/robot_block/model_functions.hpp. Each context has its own."};
  }
  explicit ModelFunctionsBlock(const Parameters& parameters)
      : setup_(findRobotSetup(parameters)), engine_(engineNamed(parameters, setup_->settings().engine)) {}
  void declare(BlockInterface& io) const override {
    io.sample_time = SampleTime::constant();
    io.output("functions", SignalType::function("footfall::ModelFunctions"), {});
  }
  std::unique_ptr<BlockScratch> makeScratch() const override {
    return std::make_unique<Scratch>(setup_->model(), engine_);
  }
  void provideFunctions(Evaluation& e) const override { e.provide(0, e.scratch<Scratch>().functions); }
  void outputs(Evaluation&) const override {}

 private:
  struct Scratch : BlockScratch {
    Scratch(const Model& model, const std::string& engine) : functions(model, engine) {}
    ModelFunctions functions;
  };
  std::shared_ptr<const RobotSetup> setup_;
  std::string engine_;
};

}  // namespace

void addModelQueries(BlockRegistry& registry) {
  registry.add<ForwardKinematics>();
  registry.add<JacobianQuery>();
  registry.add<JacobianDotNu>();
  registry.add<CentroidalMomentum>();
  registry.add<CenterOfMass>();
  registry.add<MassMatrix>();
  registry.add<BiasForces>();
  registry.add<InverseDynamics>();
  registry.add<ModelFunctionsBlock>();
}

}  // namespace footfall
