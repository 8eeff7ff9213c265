// An engine that hands everything on to another one: the place to begin when only a part shall be different.
#include <footfall/plugin.hpp>

using namespace footfall;

class RelayEngine : public Dynamics {
 public:
  explicit RelayEngine(const Model& model) : engine_(makeDynamics("native", model)) {}

  std::string_view name() const override { return "relay"; }
  const Model& model() const override { return engine_->model(); }
  void update(VectorIn q, VectorIn nu) override { engine_->update(q, nu); }
  void updateVelocity(VectorIn nu) override { engine_->updateVelocity(nu); }
  void setImplicitInertia(VectorIn diagonal) override { engine_->setImplicitInertia(diagonal); }

  void massMatrix(MatrixOut M) const override { engine_->massMatrix(M); }
  void biasForces(VectorOut h) const override { engine_->biasForces(h); }
  void gravityForces(VectorOut g) const override { engine_->gravityForces(g); }
  void solveMass(VectorOut x) const override { engine_->solveMass(x); }
  void multiplyMass(VectorIn x, VectorOut y) const override { engine_->multiplyMass(x, y); }
  Vector6d momentum() const override { return engine_->momentum(); }
  Vector3d centerOfMass() const override { return engine_->centerOfMass(); }
  Energy energy() const override { return engine_->energy(); }

  Pose linkPose(LinkIndex link) const override { return engine_->linkPose(link); }
  Vector6d linkVelocity(LinkIndex link) const override { return engine_->linkVelocity(link); }
  Vector6d linkBiasAcceleration(LinkIndex link) const override { return engine_->linkBiasAcceleration(link); }
  void frameJacobian(FrameIndex frame, MatrixOut J) const override { engine_->frameJacobian(frame, J); }
  Vector6d frameBiasAcceleration(FrameIndex frame) const override { return engine_->frameBiasAcceleration(frame); }
  void addWrench(LinkIndex link, const Vector3d& p_LP, const Vector6d& wrench_W, VectorOut tau) const override {
    engine_->addWrench(link, p_LP, wrench_W, tau);
  }

  void setContacts(std::span<const ContactFrame> contacts) override { engine_->setContacts(contacts); }
  void contactVelocity(VectorIn nu, double* v) const override { engine_->contactVelocity(nu, v); }
  void contactBiasAcceleration(double* a) const override { engine_->contactBiasAcceleration(a); }
  void addContactImpulse(const double* p, VectorOut tau) const override { engine_->addContactImpulse(p, tau); }
  void delassus(double* G) const override { engine_->delassus(G); }
  void contactJacobian(MatrixOut J) const override { engine_->contactJacobian(J); }
  void reserveContacts(int max_contacts) override { engine_->reserveContacts(max_contacts); }

  void prepareLoops() override { engine_->prepareLoops(); }
  void loopJacobian(MatrixOut J) const override { engine_->loopJacobian(J); }
  void loopBiasAcceleration(VectorOut a) const override { engine_->loopBiasAcceleration(a); }
  void loopGaps(VectorOut gap) const override { engine_->loopGaps(gap); }
  void loopGapsAt(VectorIn q, VectorOut gap) const override { engine_->loopGapsAt(q, gap); }
  void closeLoops(VectorIn offset, VectorOut x, VectorOut lambda) const override {
    engine_->closeLoops(offset, x, lambda);
  }

 private:
  std::unique_ptr<Dynamics> engine_;
};

FOOTFALL_ENGINE(RelayEngine)
