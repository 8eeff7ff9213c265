#include "step/islands.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace footfall {

Islands::Islands(const Model& model)
    : model_(model),
      trees_(footfall::treesOf(model)),
      tied_(trees_.size(), false),
      moves_(trees_.size(), true),
      tree_of_link_(model.links.size(), 0),
      tree_of_dof_(model.jointDofs(), 0),
      island_of_tree_(trees_.size(), 0),
      members_(trees_.size(), 0),
      begin_(trees_.size() + 1, 0) {
  begin_[1] = 1;
  united_.reserve(static_cast<int>(trees_.size()));
  for (int k = 0; k < static_cast<int>(trees_.size()); ++k) {
    const Tree& tree = trees_[k];
    moves_[k] = tree.floats || tree.dofs() > 0;
    std::fill(tree_of_link_.begin() + tree.base, tree_of_link_.begin() + tree.links_end, k);
    std::fill(tree_of_dof_.begin() + tree.dofs_begin, tree_of_dof_.begin() + tree.dofs_end, k);
  }
  for (const Loop& loop : model.loops)
    for (const LinkIndex link : {loop.link_a, loop.link_b})
      if (link.valid()) tied_[tree_of_link_[link]] = true;
  for (int k = static_cast<int>(trees_.size()) - 1; k >= 0; --k)
    if (tied_[k] && moves_[k]) first_tied_ = k;
}

void Islands::unite(int tree, int other) {
  if (moves_[tree] && moves_[other]) united_.unite(tree, other);
}

void Islands::find(std::span<const ContactFrame> frames) {
  if (trees_.size() == 1) return;
  united_.reset(static_cast<int>(trees_.size()));
  for (const ContactFrame& frame : frames)
    if (frame.other.valid()) unite(tree_of_link_[frame.link], tree_of_link_[frame.other]);
  for (int k = 0; k < static_cast<int>(trees_.size()); ++k)
    if (tied_[k] && moves_[k]) unite(first_tied_, k);
  count_ = 0;
  // A root comes before what it is the root of.
  for (int k = 0; k < static_cast<int>(trees_.size()); ++k)
    island_of_tree_[k] = united_.rootOf(k) == k ? count_++ : island_of_tree_[united_.rootOf(k)];
  sortTrees();
}

void Islands::mark(const ContactFrame& frame, std::vector<char>& links) const {
  for (const LinkIndex link : {frame.link, frame.other}) {
    if (!link.valid()) continue;
    const Tree& tree = trees_[tree_of_link_[link]];
    std::fill(links.begin() + tree.base, links.begin() + tree.links_end, 1);
  }
}

void Islands::mark(int island, std::vector<char>& links) const {
  for (const int tree : treesOf(island))
    std::fill(links.begin() + trees_[tree].base, links.begin() + trees_[tree].links_end, 1);
}

void Islands::sortTrees() {
  std::fill(begin_.begin(), begin_.end(), 0);
  for (const int island : island_of_tree_) ++begin_[island];
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  for (int k = static_cast<int>(trees_.size()) - 1; k >= 0; --k) members_[--begin_[island_of_tree_[k]]] = k;
}

double Islands::rootMass(int island) const {
  double mass = 0.0;
  for (const int k : treesOf(island))
    for (int link = trees_[k].base; link < trees_[k].links_end; ++link) mass += model_.links[link].inertia.mass;
  return std::sqrt(mass);
}

bool Islands::isOfLooseBodies(int island) const {
  const auto members = treesOf(island);
  return std::all_of(members.begin(), members.end(), [&](int k) { return trees_[k].dofs() == 0 && !tied_[k]; });
}

Energy Islands::energyOf(int island, const Dynamics& dynamics) const {
  if (count_ == 1) return dynamics.energy();
  Energy energy;
  for (const int k : treesOf(island)) {
    const Energy own = dynamics.tree(k).energy();
    energy.kinetic += own.kinetic;
    energy.potential += own.potential;
  }
  return energy;
}

template <class F>
void Islands::forVelocities(int tree, F f) const {
  const Tree& t = trees_[tree];
  if (t.floats) f(t.velocity, 6);
  if (t.dofs() > 0) f(model_.baseDofs() + t.dofs_begin, t.dofs());
}

void Islands::dots(const VectorXd& a, const VectorXd& b, std::vector<double>& sums) const {
  if (count_ == 1) {
    sums.assign(1, a.dot(b));
    return;
  }
  sums.assign(count_, 0.0);
  for (int k = 0; k < static_cast<int>(trees_.size()); ++k)
    forVelocities(k, [&](int begin, int size) {
      sums[island_of_tree_[k]] += a.segment(begin, size).dot(b.segment(begin, size));
    });
}

void Islands::copyVelocities(int island, const VectorXd& from, VectorXd& to) const {
  for (const int k : treesOf(island)) copyVelocitiesOfTree(k, from, to);
}

void Islands::copyVelocitiesOfTree(int tree, const VectorXd& from, VectorXd& to) const {
  forVelocities(tree, [&](int begin, int size) { to.segment(begin, size) = from.segment(begin, size); });
}

void Islands::addVelocities(int island, double factor, const VectorXd& from, VectorXd& to) const {
  for (const int k : treesOf(island))
    forVelocities(k, [&](int begin, int size) { to.segment(begin, size) += factor * from.segment(begin, size); });
}

void Islands::scaleVelocities(int island, double factor, VectorXd& nu) const {
  for (const int k : treesOf(island)) forVelocities(k, [&](int begin, int size) { nu.segment(begin, size) *= factor; });
}

bool Islands::allFloat(int island) const {
  const auto members = treesOf(island);
  return std::all_of(members.begin(), members.end(), [&](int k) { return trees_[k].floats; });
}

bool Islands::isPushed(int island, const VectorXd& tau) const {
  const auto members = treesOf(island);
  return std::any_of(members.begin(), members.end(),
                     [&](int k) { return trees_[k].floats && !tau.segment<6>(trees_[k].velocity).isZero(0.0); });
}

bool Islands::hasAny(int island, const VectorXd& of_dofs) const {
  const auto members = treesOf(island);
  return std::any_of(members.begin(), members.end(),
                     [&](int k) { return !of_dofs.segment(trees_[k].dofs_begin, trees_[k].dofs()).isZero(0.0); });
}

Vector3d RigidPart::turningBy(const Vector3d& angular) const { return inertia.I_com.ldlt().solve(angular); }

double RigidPart::energy() const { return 0.5 * (momentum.dot(velocity()) + angular_momentum.dot(turning())); }

RigidPart Islands::rigidPartOf(int island, const Dynamics& dynamics) const {
  RigidPart rigid;
  for (const int k : treesOf(island))
    for (int link = trees_[k].base; link < trees_[k].links_end; ++link)
      rigid.inertia += model_.links[link].inertia.expressedIn(dynamics.linkPose(LinkIndex(link)));
  for (const int k : treesOf(island)) {
    const Vector6d own = dynamics.tree(k).momentum();
    rigid.momentum += own.head<3>();
    rigid.angular_momentum +=
        own.tail<3>() + (dynamics.tree(k).centerOfMass() - rigid.inertia.com).cross(Vector3d(own.head<3>()));
  }
  return rigid;
}

void Islands::push(int island, const Vector3d& velocity_W, VectorXd& nu) const {
  for (const int k : treesOf(island)) nu.segment<3>(trees_[k].velocity) += velocity_W;
}

void Islands::turn(int island, const RigidPart& rigid, const Vector3d& omega_W, const VectorXd& q, VectorXd& nu) const {
  for (const int k : treesOf(island)) {
    const Tree& tree = trees_[k];
    nu.segment<3>(tree.velocity) += omega_W.cross(q.segment<3>(tree.position) - rigid.inertia.com);
    nu.segment<3>(tree.velocity + 3) += omega_W;
  }
}

void Islands::slowInside(int island, const RigidPart& rigid, double share, const VectorXd& q, VectorXd& nu) const {
  scaleVelocities(island, share, nu);
  push(island, (1.0 - share) * rigid.velocity(), nu);
  turn(island, rigid, (1.0 - share) * rigid.turning(), q, nu);
}

void Islands::copyPositions(int island, const VectorXd& from, VectorXd& to) const {
  for (const int k : treesOf(island)) copyTree(k, from, to);
}

void Islands::copyTree(int tree, const VectorXd& from, VectorXd& to) const {
  const Tree& t = trees_[tree];
  if (t.floats) to.segment<7>(t.position) = from.segment<7>(t.position);
  model_.jointPositions(to).segment(t.dofs_begin, t.dofs()) =
      model_.jointPositions(from).segment(t.dofs_begin, t.dofs());
}

}  // namespace footfall
