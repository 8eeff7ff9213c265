#include "footfall/dynamics/batch_dynamics.hpp"

#include "dynamics/native/kernel_table.hpp"
#include "dynamics/native/lane_view.hpp"
#include "dynamics/native/mimic_dynamics.hpp"
#include "dynamics/native/storage.hpp"
#include "footfall/base/error.hpp"
#include "footfall/base/internal/require_size.hpp"

namespace footfall {
namespace {

using native::RobotPack;

constexpr const char* kBatch = "BatchDynamics";

static_assert(BatchVector::kRobots == native::Width<RobotPack>::kRobots);

RobotPack* packs(BatchVector& v) { return reinterpret_cast<RobotPack*>(v.data()); }
const RobotPack* packs(const BatchVector& v) { return reinterpret_cast<const RobotPack*>(v.data()); }

const Model& withoutMimics(const Model& model) {
  if (!native::MimicDynamics::neededBy(model)) return model;
  throw Error("robot '" + model.name + "'",
              "a batch needs one coordinate for each joint and no motors that couple branches, but the model has "
              "mimic joints or such motors",
              "lock the mimic joints, or use one engine 'native' for each robot");
}

}  // namespace

struct BatchDynamics::Engine {
  explicit Engine(const Model& robot)
      : model(withoutMimics(robot)),
        kernels(native::kernels().eight),
        tree(robot),
        storage(tree.tree()),
        contacts(tree) {}

  const native::ContactSet<RobotPack>& placedContacts() {
    if (!contacts_placed) kernels.placeContacts(storage.scratch(), contacts.set());
    contacts_placed = true;
    return contacts.set();
  }

  const Model& model;
  const native::Kernels<RobotPack>& kernels;
  native::TreeStorage tree;
  native::ScratchStorage<RobotPack> storage;
  native::ContactStorage<RobotPack> contacts;
  bool contacts_placed = true;
};

BatchDynamics::BatchDynamics(const Model& model) : engine_(std::make_unique<Engine>(model)) {}
BatchDynamics::~BatchDynamics() = default;

const Model& BatchDynamics::model() const { return engine_->model; }

void BatchDynamics::update(const BatchVector& q, const BatchVector& nu) {
  requireSize(kBatch, "q", q.size(), model().nq());
  requireSize(kBatch, "nu", nu.size(), model().nv());
  engine_->kernels.update(engine_->tree.tree(), engine_->storage.scratch(), packs(q), packs(nu));
  engine_->contacts_placed = false;
}

void BatchDynamics::updateVelocity(const BatchVector& nu) {
  requireSize(kBatch, "nu", nu.size(), model().nv());
  engine_->kernels.updateVelocity(engine_->tree.tree(), engine_->storage.scratch(), packs(nu));
}

void BatchDynamics::biasForces(BatchVector& h) const {
  engine_->kernels.biasForces(engine_->tree.tree(), engine_->storage.scratch(), packs(h));
}

void BatchDynamics::gravityForces(BatchVector& g) const {
  engine_->kernels.gravityForces(engine_->tree.tree(), engine_->storage.scratch(), packs(g));
}

void BatchDynamics::solveMass(BatchVector& x) const {
  engine_->kernels.solveMass(engine_->tree.tree(), engine_->storage.scratch(), packs(x));
}

void BatchDynamics::multiplyMass(const BatchVector& x, BatchVector& y) const {
  engine_->kernels.multiplyMass(engine_->tree.tree(), engine_->storage.scratch(), packs(x), packs(y));
}

void BatchDynamics::massMatrix(int robot, MatrixOut M) const {
  native::laneMassMatrix(engine_->tree.tree(), engine_->storage.scratch(), robot, M);
}

Pose BatchDynamics::linkPose(int robot, LinkIndex link) const {
  return native::laneLinkPose(engine_->tree, engine_->storage.scratch(), engine_->tree.number(link), robot);
}

void BatchDynamics::setContacts(std::span<const ContactFrame> contacts) {
  engine_->contacts.assign(contacts);
  engine_->contacts_placed = false;
}

void BatchDynamics::contactVelocity(const BatchVector& nu, BatchVector& v) const {
  engine_->kernels.contactVelocity(engine_->tree.tree(), engine_->storage.scratch(), engine_->placedContacts(),
                                   packs(nu), packs(v));
}

void BatchDynamics::contactBiasAcceleration(BatchVector& a) const {
  engine_->kernels.contactBias(engine_->tree.tree(), engine_->storage.scratch(), engine_->placedContacts(), packs(a));
}

void BatchDynamics::addContactImpulse(const BatchVector& p, BatchVector& tau) const {
  engine_->kernels.addContactImpulse(engine_->tree.tree(), engine_->storage.scratch(), engine_->placedContacts(),
                                     packs(p), packs(tau));
}

void BatchDynamics::delassus(BatchVector& G) const {
  engine_->placedContacts();
  engine_->kernels.delassus(engine_->tree.tree(), engine_->storage.scratch(), engine_->contacts.set(), packs(G));
}

void BatchDynamics::contactJacobian(BatchVector& J) const {
  const int rows = 3 * engine_->contacts.set().count;
  requireSize(kBatch, "J", J.size(), rows * model().nv());
  engine_->kernels.contactJacobian(engine_->tree.tree(), engine_->storage.scratch(), engine_->placedContacts(),
                                   packs(J), rows);
}

}  // namespace footfall
