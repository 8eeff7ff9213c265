#include "footfall/dynamics/batch_dynamics.hpp"

#include <algorithm>

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
  if (BatchDynamics::takes(model)) return model;
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
    if (!contacts_placed) placeContacts();
    contacts_placed = true;
    return contacts.set();
  }

  void placeContacts() {
    kernels.placeContacts(storage.scratch(), contacts.set());
    const native::ContactSet<RobotPack>& set = contacts.set();
    for (int i = 0; i < static_cast<int>(drop_W.size()); ++i)
      for (int c = 0; c < 3; ++c) set.p[c * set.stride + i] -= drop_W[i][c];
  }

  void makeOwnMasses() {
    const std::size_t links = model.links.size();
    simd::layOutIn(own_memory, [&](simd::Arena& arena) {
      own_mass = std::span(arena.take<native::OwnMass<RobotPack>>(links), links);
    });
    const std::vector<LinkMass> same = linkMassesOf(model);
    for (int robot = 0; robot < kRobots; ++robot) tree.writeMasses(same, robot, own_mass);
    storage.scratch().own_mass = own_mass.data();
  }

  const Model& model;
  const native::Kernels<RobotPack>& kernels;
  native::TreeStorage tree;
  native::ScratchStorage<RobotPack> storage;
  native::ContactStorage<RobotPack> contacts;
  AlignedVector own_memory;
  std::span<native::OwnMass<RobotPack>> own_mass;  ///< empty: all robots are as the model says
  std::vector<Vector3d> drop_W;  ///< from the lowest point of each ball to its middle [m]; empty: all are points
  bool contacts_placed = true;
};

bool BatchDynamics::takes(const Model& model) { return !native::MimicDynamics::neededBy(model); }

BatchDynamics::BatchDynamics(const Model& model) : engine_(std::make_unique<Engine>(model)) {}
BatchDynamics::~BatchDynamics() = default;

const Model& BatchDynamics::model() const { return engine_->model; }

void BatchDynamics::update(const BatchVector& q, const BatchVector& nu) {
  requireSize(kBatch, "q", q.size(), model().nq());
  requireSize(kBatch, "nu", nu.size(), model().nv());
  engine_->kernels.update(engine_->tree.tree(), engine_->storage.scratch(), packs(q), packs(nu));
  engine_->contacts_placed = false;
}

void BatchDynamics::updateKinematics(const BatchVector& q, const BatchVector& nu) {
  requireSize(kBatch, "q", q.size(), model().nq());
  requireSize(kBatch, "nu", nu.size(), model().nv());
  engine_->kernels.updateKinematics(engine_->tree.tree(), engine_->storage.scratch(), packs(q), packs(nu));
  engine_->contacts_placed = false;
}

void BatchDynamics::setLinkMasses(int robot, std::span<const LinkMass> masses) {
  requireSize(kBatch, "the list of masses", static_cast<Eigen::Index>(masses.size()),
              static_cast<Eigen::Index>(model().links.size()));
  if (engine_->own_mass.empty()) engine_->makeOwnMasses();
  engine_->tree.writeMasses(masses, robot, engine_->own_mass);
}

void BatchDynamics::setImplicitInertia(const BatchVector& diagonal) {
  requireSize(kBatch, "the implicit inertia", diagonal.size(), model().jointDofs());
  const native::Tree& tree = engine_->tree.tree();
  for (int k = 1; k < tree.links; ++k) engine_->storage.scratch().implicit[k] = packs(diagonal)[tree.dof[k]];
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
  engine_->drop_W.clear();
  engine_->contacts_placed = false;
}

void BatchDynamics::setContacts(std::span<const ContactFrame> contacts, std::span<const double> radii) {
  setContacts(contacts);
  if (std::all_of(radii.begin(), radii.end(), [](double radius) { return radius == 0.0; })) return;
  for (std::size_t i = 0; i < contacts.size(); ++i) engine_->drop_W.emplace_back(radii[i] * contacts[i].R_WC.col(2));
}

void BatchDynamics::contactPlaces(BatchVector& p_W, BatchVector& v_C) const {
  const native::ContactSet<RobotPack>& set = engine_->placedContacts();
  requireSize(kBatch, "p", p_W.size(), 3 * set.stride);
  requireSize(kBatch, "v", v_C.size(), 3 * set.stride);
  engine_->kernels.contactPlaces(engine_->storage.scratch(), set, packs(p_W), packs(v_C));
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
