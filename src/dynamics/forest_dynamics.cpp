#include "dynamics/forest_dynamics.hpp"

#include <algorithm>

namespace footfall {

ForestDynamics::ForestDynamics(const Model& model, const EngineMaker& makeEngine)
    : model_(model),
      tree_of_link_(model.links.size(), 0),
      own_frame_(model.frames.size()),
      implicit_(VectorXd::Zero(model.jointDofs())),
      loops_(model) {
  const std::vector<Tree> trees = treesOf(model);
  trees_.resize(trees.size());
  for (std::size_t k = 0; k < trees.size(); ++k) {
    Part& part = trees_[k];
    part.tree = trees[k];
    part.model = modelOf(model, part.tree);
    part.engine = makeEngine(part.model);
    part.body = dynamic_cast<const BodyDynamics*>(part.engine.get());
    part.mass = part.model.totalMass();
    part.q = VectorXd::Zero(part.model.nq());
    part.q[6] = 1.0;
    for (VectorXd* v : {&part.nu, &part.force, &part.moved}) v->setZero(part.model.nv());
    const auto joint_rows = static_cast<std::size_t>(2 * part.tree.dofs());  // a limit and friction of each
    part.joints.reserve(joint_rows);
    part.joint_numbers.reserve(joint_rows);
    part.mobilities.reserve(joint_rows);
    for (int link = part.tree.base; link < part.tree.links_end; ++link) tree_of_link_[link] = static_cast<int>(k);
  }
  findGroups();
  std::vector<int> frames(trees.size(), 0);
  for (std::size_t f = 0; f < model.frames.size(); ++f)
    own_frame_[f] = FrameIndex(frames[tree_of_link_[model.frames[f].link]]++);
}

// --- vectors of one tree and of all ------------------------------------------------------------------

// Numbers of a body that floats follow each other: they are not copied.

ForestDynamics::Numbers ForestDynamics::positionsOf(Part& part, VectorIn q) const {
  if (part.body) return q.segment(part.tree.position, 7);
  takePositions(part.tree, q, part.q);
  return part.q;
}

/// @param room for those of other trees
ForestDynamics::Numbers ForestDynamics::velocitiesOf(const Part& part, VectorIn nu, VectorXd& room) const {
  if (part.body) return nu.segment(part.tree.velocity, 6);
  takeVelocities(model_, part.tree, nu, room);
  return room;
}

/// `write` sets all numbers of a vector of the tree.
template <class Write>
void ForestDynamics::writeOwn(const Part& part, VectorOut all, Write write) const {
  if (part.body) return write(all.segment(part.tree.velocity, 6));
  write(part.force);
  putVelocities(model_, part.tree, part.force, all);
}

void ForestDynamics::addTo(const VectorXd& own, const Part& part, VectorOut nu) const {
  const Tree& tree = part.tree;
  if (tree.floats) nu.segment<6>(tree.velocity) += own.head<6>();
  nu.segment(model_.baseDofs() + tree.dofs_begin, tree.dofs()) += own.tail(tree.dofs());
}

template <class Write>
void ForestDynamics::forColumns(const Part& part, Write write) const {
  const Tree& tree = part.tree;
  const int base = tree.floats ? 6 : 0;
  for (int c = 0; c < base; ++c) write(tree.velocity + c, c);
  for (int c = 0; c < tree.dofs(); ++c) write(model_.baseDofs() + tree.dofs_begin + c, base + c);
}

// --- update ------------------------------------------------------------------------------------------

void ForestDynamics::update(VectorIn q, VectorIn nu) {
  for (Part& part : trees_) {
    part.engine->update(positionsOf(part, q), velocitiesOf(part, nu, part.nu));
    part.stiffened = false;
  }
  loops_.clear();
}

void ForestDynamics::updateKinematics(VectorIn q, VectorIn nu) {
  for (Part& part : trees_) part.engine->updateKinematics(positionsOf(part, q), velocitiesOf(part, nu, part.nu));
}

void ForestDynamics::updateVelocity(VectorIn nu) {
  for (Part& part : trees_) part.engine->updateVelocity(velocitiesOf(part, nu, part.nu));
}

void ForestDynamics::setImplicitInertia(VectorIn diagonal) {
  implicit_ = diagonal;
  for (Part& part : trees_) part.engine->setImplicitInertia(diagonal.segment(part.tree.dofs_begin, part.tree.dofs()));
}

bool ForestDynamics::setLinkMasses(std::span<const LinkMass> masses) {
  bool all = true;
  for (Part& part : trees_) {
    const auto own = masses.subspan(part.tree.base, part.tree.links_end - part.tree.base);
    all = part.engine->setLinkMasses(own) && all;
    part.mass = 0.0;
    for (const LinkMass& link : own) part.mass += link.mass;
  }
  return all;
}

bool ForestDynamics::addTurningInertia(std::span<const Matrix3d> inertia) {
  bool all = true;
  for (Part& part : trees_) {
    const auto own = inertia.subspan(part.tree.base, part.tree.links_end - part.tree.base);
    if (std::all_of(own.begin(), own.end(), [](const Matrix3d& P) { return P.isZero(0.0); })) continue;
    part.stiffened = part.engine->addTurningInertia(own);
    all = all && part.stiffened;
  }
  return all;
}

void ForestDynamics::multiplyTurningInertia(VectorIn x, VectorOut y) const {
  y.setZero();
  for (Part& part : trees_) {
    if (!part.stiffened) continue;
    part.engine->multiplyTurningInertia(velocitiesOf(part, x, part.moved), part.force);
    putVelocities(model_, part.tree, part.force, y);
  }
}

// --- generalized quantities --------------------------------------------------------------------------

void ForestDynamics::massMatrix(MatrixOut M) const {
  M.setZero();
  for (const Part& part : trees_) {
    MatrixXd own(part.model.nv(), part.model.nv());
    part.engine->massMatrix(own);
    forColumns(part, [&](int to_row, int row) {
      forColumns(part, [&](int to_column, int column) { M(to_row, to_column) = own(row, column); });
    });
  }
}

void ForestDynamics::biasForces(VectorOut h) const {
  for (Part& part : trees_) writeOwn(part, h, [&](VectorOut own) { part.engine->biasForces(own); });
}

void ForestDynamics::gravityForces(VectorOut g) const {
  for (Part& part : trees_) writeOwn(part, g, [&](VectorOut own) { part.engine->gravityForces(own); });
}

void ForestDynamics::solveMass(VectorOut x) const {
  for (Part& part : trees_) {
    if (!part.body) takeVelocities(model_, part.tree, x, part.force);
    writeOwn(part, x, [&](VectorOut own) {
      if (!own.isZero(0.0)) part.engine->solveMass(own);
    });
  }
}

void ForestDynamics::multiplyMass(VectorIn x, VectorOut y) const {
  for (Part& part : trees_) {
    const Numbers of_x = velocitiesOf(part, x, part.moved);
    writeOwn(part, y, [&](VectorOut own) { part.engine->multiplyMass(of_x, own); });
  }
}

Vector3d ForestDynamics::centerOfMass() const {
  if (trees_.size() == 1) return trees_[0].engine->centerOfMass();
  Vector3d moment = Vector3d::Zero();
  double mass = 0.0;
  for (const Part& part : trees_) {
    if (part.mass == 0.0) continue;  // the world beside which there are only bodies
    moment += part.mass * part.engine->centerOfMass();
    mass += part.mass;
  }
  return moment / mass;
}

Vector6d ForestDynamics::momentum() const {
  const Vector3d about = centerOfMass();
  Vector6d total = Vector6d::Zero();
  for (const Part& part : trees_) {
    if (part.mass == 0.0) continue;
    const Vector6d own = part.engine->momentum();
    const Vector3d linear = own.head<3>();
    total += own;
    total.tail<3>() += (part.engine->centerOfMass() - about).cross(linear);
  }
  return total;
}

Energy ForestDynamics::energy() const {
  Energy total;
  for (const Part& part : trees_) {
    if (part.mass == 0.0) continue;
    const Energy own = part.engine->energy();
    total.kinetic += own.kinetic;
    total.potential += own.potential;
  }
  return total;
}

// --- frames ------------------------------------------------------------------------------------------

Pose ForestDynamics::linkPose(LinkIndex link) const { return partOf(link).engine->linkPose(own(link)); }

Vector6d ForestDynamics::linkVelocity(LinkIndex link) const { return partOf(link).engine->linkVelocity(own(link)); }

Vector6d ForestDynamics::linkBiasAcceleration(LinkIndex link) const {
  return partOf(link).engine->linkBiasAcceleration(own(link));
}

void ForestDynamics::frameJacobian(FrameIndex frame, MatrixOut J) const {
  const Part& part = partOf(model_.frames[frame].link);
  MatrixXd of_tree(6, part.model.nv());
  part.engine->frameJacobian(own_frame_[frame], of_tree);
  J.setZero();
  forColumns(part, [&](int to, int from) { J.col(to) = of_tree.col(from); });
}

Vector6d ForestDynamics::frameBiasAcceleration(FrameIndex frame) const {
  return partOf(model_.frames[frame].link).engine->frameBiasAcceleration(own_frame_[frame]);
}

void ForestDynamics::addWrench(LinkIndex link, const Vector3d& p_LP, const Vector6d& wrench_W, VectorOut tau) const {
  Part& part = trees_[tree_of_link_[link]];
  part.force.setZero();
  part.engine->addWrench(own(link), p_LP, wrench_W, part.force);
  addTo(part.force, part, tau);
}

// --- contacts ----------------------------------------------------------------------------------------

void ForestDynamics::reserveContacts(int max_contacts) {
  // A tree may have them all; what it needs beyond this it takes when it has them.
  const int usual = std::min(max_contacts, 64);
  for (Part& part : trees_) {
    part.frames.reserve(2 * usual);
    part.sides.reserve(2 * usual);
    part.engine->reserveContacts(2 * usual);
  }
}

void ForestDynamics::addSide(LinkIndex link, const Vector3d& p_LC, const Matrix3d& R_WC, Side side) {
  Part& part = trees_[tree_of_link_[link]];
  const int which = side.sign > 0.0 ? 0 : 1;
  tree_of_[side.contact][which] = tree_of_link_[link];
  group_of_[side.contact][which] = moves(groups_[part.group]) ? part.group : -1;
  side_of_[side.contact][which] = static_cast<int>(part.frames.size());
  part.frames.push_back({own(link), p_LC, R_WC});
  part.sides.push_back(side);
}

void ForestDynamics::setContacts(std::span<const ContactFrame> contacts) {
  layout_ = ContactLayout::of(static_cast<int>(contacts.size()));
  for (Part& part : trees_) {
    part.frames.clear();
    part.sides.clear();
  }
  tree_of_.assign(layout_.contacts, {-1, -1});
  side_of_.assign(layout_.contacts, {-1, -1});
  group_of_.assign(layout_.contacts, {-1, -1});
  for (int i = 0; i < layout_.contacts; ++i) {
    const ContactFrame& contact = contacts[i];
    addSide(contact.link, contact.p_LC, contact.R_WC, {i, 1.0});
    if (contact.other.valid()) addSide(contact.other, contact.p_OC, contact.R_WC, {i, -1.0});
  }
  for (Part& part : trees_) {
    const bool had_any = part.layout.contacts > 0;
    part.layout = ContactLayout::of(static_cast<int>(part.frames.size()));
    if (part.frames.empty() && !had_any) continue;
    part.rows.assign(part.layout.rows(), 0.0);
    part.engine->setContacts(part.frames);
  }
}

/// What the sides of one tree say, into the rows of the contacts.
void ForestDynamics::addRows(const Part& part, double* rows) const {
  for (int k = 0; k < part.layout.contacts; ++k)
    for (int c = 0; c < 3; ++c)
      rows[layout_.row(part.sides[k].contact, c)] += part.sides[k].sign * part.rows[part.layout.row(k, c)];
}

void ForestDynamics::contactVelocity(VectorIn nu, double* v) const {
  std::fill_n(v, layout_.rows(), 0.0);
  for (Part& part : trees_) {
    if (part.frames.empty()) continue;
    part.engine->contactVelocity(velocitiesOf(part, nu, part.force), part.rows.data());
    addRows(part, v);
  }
}

void ForestDynamics::contactBiasAcceleration(double* a) const {
  std::fill_n(a, layout_.rows(), 0.0);
  for (const Part& part : trees_) {
    if (part.frames.empty()) continue;
    part.engine->contactBiasAcceleration(part.rows.data());
    addRows(part, a);
  }
}

void ForestDynamics::addContactImpulse(const double* p, VectorOut tau) const {
  for (Part& part : trees_) {
    if (part.frames.empty()) continue;
    std::fill(part.rows.begin(), part.rows.end(), 0.0);
    for (int k = 0; k < part.layout.contacts; ++k)
      for (int c = 0; c < 3; ++c)
        part.rows[part.layout.row(k, c)] = part.sides[k].sign * p[layout_.row(part.sides[k].contact, c)];
    if (part.body) {
      part.engine->addContactImpulse(part.rows.data(), tau.segment(part.tree.velocity, 6));
      continue;
    }
    part.force.setZero();
    part.engine->addContactImpulse(part.rows.data(), part.force);
    addTo(part.force, part, tau);
  }
}

void ForestDynamics::delassus(double* G) const {
  const auto rows = static_cast<std::size_t>(layout_.rows());
  std::fill_n(G, rows * rows, 0.0);
  for (const Part& part : trees_) {
    if (part.frames.empty()) continue;
    const auto own = static_cast<std::size_t>(part.layout.rows());
    if (part.G.size() < own * own) part.G.resize(own * own);
    part.engine->delassus(part.G.data());
    for (int k = 0; k < part.layout.contacts; ++k)
      for (int c = 0; c < 3; ++c) {
        double* to = G + rows * layout_.row(part.sides[k].contact, c);
        const double* from = part.G.data() + own * part.layout.row(k, c);
        for (int l = 0; l < part.layout.contacts; ++l) {
          const double sign = part.sides[k].sign * part.sides[l].sign;
          for (int d = 0; d < 3; ++d) to[layout_.row(part.sides[l].contact, d)] += sign * from[part.layout.row(l, d)];
        }
      }
  }
  if (loops_.prepared()) loops_.eliminateFrom(*this, layout_, G);
}

void ForestDynamics::contactJacobian(MatrixOut J) const {
  J.setZero();
  for (const Part& part : trees_) {
    if (part.frames.empty()) continue;
    MatrixXd own(3 * part.layout.contacts, part.model.nv());
    part.engine->contactJacobian(own);
    for (int k = 0; k < part.layout.contacts; ++k)
      forColumns(part, [&](int to, int from) {
        J.col(to).segment<3>(3 * part.sides[k].contact) += part.sides[k].sign * own.col(from).segment<3>(3 * k);
      });
  }
}

}  // namespace footfall
