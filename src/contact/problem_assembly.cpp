#include "footfall/contact/problem_assembly.hpp"

#include <algorithm>

#include "footfall/contact/gap_velocity.hpp"
#include "footfall/geometry/shape.hpp"

namespace footfall {
namespace {

/// Calls `act` with the first of the contacts of each face, which follow each other.
template <class Act>
void forFaces(std::span<const ActiveContact> contacts, Act act) {
  for (int i = 0; i < static_cast<int>(contacts.size());) {
    const bool face = contacts[i].feature.isOfFace();
    if (face) act(i);
    i += face ? kFacePoints : 1;
  }
}

/// What is said of the points of a face becomes the mean of all: that of its middle.
template <class EntryOf>
void level(EntryOf entryOf) {
  double sum = 0.0;
  for (int k = 0; k < kFacePoints; ++k) sum += entryOf(k);
  for (int k = 0; k < kFacePoints; ++k) entryOf(k) = sum / kFacePoints;
}

/// Of G (rows × rows): those of the normals of a face, by the number of its point.
template <class RowOf>
void levelRowsAndColumns(double* G, int rows, RowOf normal) {
  const auto entry = [&](int row, int column) -> double& { return G[static_cast<std::size_t>(row) * rows + column]; };
  for (int other = 0; other < rows; ++other) level([&](int k) -> double& { return entry(normal(k), other); });
  for (int other = 0; other < rows; ++other) level([&](int k) -> double& { return entry(other, normal(k)); });
}

void levelNormals(std::span<const ActiveContact> contacts, const ContactLayout& layout, AlignedVector& rows) {
  forFaces(contacts, [&](int i) { level([&](int k) -> double& { return rows[layout.row(i + k, 2)]; }); });
}

}  // namespace

ProblemAssembly::ProblemAssembly(const Model& model) : model_(model), has_drives_(model.hasPrescribedJoints()) {
  const int contacts = model.usualContacts(), joints = maxJointRows(model);
  const int rows = ContactLayout::of(contacts).rows();
  problem_.reserve(contacts + joints);
  velocity_.assign(rows, 0.0);
  impulse_.assign(rows, 0.0);
  if (joints > 0) G_.assign(static_cast<std::size_t>(rows) * rows, 0.0);
  if (has_drives_) immovable_.reserve(contacts);
  column_.setZero(model.nv());
  joint_motions_.reserve(joints);
  for (std::vector<int>* rows_of : {&zeros_, &rows_now_}) rows_of->reserve(1 + joints);
}

void ProblemAssembly::makeRoom(int contacts) {
  const int rows = ContactLayout::of(contacts).rows();
  if (!by_trees_) problem_.reserve(contacts + maxJointRows(model_));
  velocity_.assign(rows, 0.0);
  impulse_.assign(rows, 0.0);
  if (!G_.empty() && !by_trees_) G_.assign(static_cast<std::size_t>(rows) * rows, 0.0);
  if (has_drives_) immovable_.reserve(contacts);
}

// --- G ---------------------------------------------------------------------------------------------

void ProblemAssembly::computeDelassus(const Constraints& constraints, const Dynamics& dynamics, LoopMotion& loops) {
  some_left_out_ = false;
  problem_.matrix.renew();
  if (!by_trees_ || !computeTrees(constraints, dynamics)) {
    problem_.resize(constraints.size());
    if (constraints.joints.empty()) {
      zeros_.clear();
      if (!constraints.contacts.empty()) dynamics.delassus(problem_.G.data());
    } else {
      computeContacts(constraints, dynamics);
      computeJoints(constraints, dynamics, loops);
    }
  }
  if (model_.has_faces) {
    if (problem_.byTrees())
      levelFacesOfTrees(constraints);
    else
      levelFaces(constraints);
  }
  immovable_.clear();
  if (has_drives_) findImmovable(static_cast<int>(constraints.contacts.size()));
}

/// The points of a face are points of the link to the engine. A ball that rolls on its face is not held by it as if it
/// stood on a flat foot: all normals of a face are that of its middle, J_n ← mean of J_n, in rows and columns of G.
void ProblemAssembly::levelFaces(const Constraints& constraints) {
  forFaces(constraints.contacts, [&](int i) {
    const auto normal = [&](int k) { return problem_.layout.row(i + k, 2); };
    levelRowsAndColumns(problem_.G.data(), problem_.layout.rows(), normal);
  });
}

/// The same of the part of a tree that is written out.
void ProblemAssembly::levelWritten(TreeMotions& trees, int first) {
  const TreeMotions::Written& tree = trees.written[trees.sides[first][0].tree];
  const auto normal = [&](int k) { return tree.layout.row(static_cast<int>(trees.sides[first + k][0].first), 2); };
  levelRowsAndColumns(trees.G.data() + tree.first, tree.layout.rows(), normal);
}

/// The same of J L⁻ᵀ. Points of a face touch the same trees.
void ProblemAssembly::levelFacesOfTrees(const Constraints& constraints) {
  constexpr int kNormal = 2 * TreeMotions::kBlock;
  TreeMotions& trees = problem_.trees;
  forFaces(constraints.contacts, [&](int i) {
    for (int s = 0; s < 2; ++s) {
      const int tree = trees.sides[i][s].tree;
      if (tree < 0) continue;
      if (trees.isWritten(tree)) {
        if (s == 0) levelWritten(trees, i);
        continue;
      }
      for (int block = 0; block < trees.blocks(tree); ++block)
        for (int m = 0; m < TreeMotions::kBlock; ++m)
          level([&](int k) -> double& {
            return trees.V[trees.sides[i + k][s].first + block * TreeMotions::kRows + kNormal + m];
          });
    }
  });
}

void ProblemAssembly::listJointMotions(const Constraints& constraints) {
  joint_motions_.clear();
  for (const JointRow& row : constraints.joints) joint_motions_.push_back({row.dof, row.sign, row.component()});
}

bool ProblemAssembly::computeTrees(const Constraints& constraints, const Dynamics& dynamics) {
  listJointMotions(constraints);
  problem_.resizeByTrees(constraints.size());
  return dynamics.contactMotions(joint_motions_, problem_.trees);
}

/// Most of G is zero where there are joints: two of three of their rows. It stays so from step to step while the same
/// rows are written.
void ProblemAssembly::clearMatrix(const Constraints& constraints) {
  rows_now_.clear();
  rows_now_.push_back(static_cast<int>(constraints.contacts.size()));
  for (const JointRow& row : constraints.joints) rows_now_.push_back(row.component());
  if (rows_now_ == zeros_) return;
  zeros_.swap(rows_now_);
  std::fill(problem_.G.begin(), problem_.G.end(), 0.0);
}

void ProblemAssembly::computeContacts(const Constraints& constraints, const Dynamics& dynamics) {
  const ContactLayout points = constraints.points();
  const std::size_t size = static_cast<std::size_t>(points.rows()) * points.rows();
  clearMatrix(constraints);
  if (points.contacts == 0) return;
  if (G_.size() < size) G_.resize(size);
  dynamics.delassus(G_.data());
  copyMatrix(G_.data(), points, problem_.G.data(), problem_.layout);
}

void ProblemAssembly::computeJoints(const Constraints& constraints, const Dynamics& dynamics, LoopMotion& loops) {
  listJointMotions(constraints);
  if (dynamics.addJointRows(joint_motions_, problem_.G.data())) return;
  for (int k = 0; k < static_cast<int>(constraints.joints.size()); ++k) computeJoint(constraints, dynamics, loops, k);
}

void ProblemAssembly::computeJoint(const Constraints& constraints, const Dynamics& dynamics, LoopMotion& loops, int k) {
  const ContactLayout points = constraints.points();
  const int contacts = points.contacts, base = model_.baseDofs();
  const JointRow& row = constraints.joints[k];
  const int own = row.component();
  column_.setZero();
  column_[base + row.dof] = row.sign;
  dynamics.solveMass(column_);
  for (int c = 0; c < 3; ++c)
    if (c != own) problem_(contacts + k, c, contacts + k, c) = row.sign * column_[base + row.dof];
  if (loops.any()) loops.constrainVelocity(dynamics, column_);
  for (int l = 0; l <= k; ++l) {
    const JointRow& other = constraints.joints[l];
    const double g = other.sign * column_[base + other.dof];
    problem_(contacts + k, own, contacts + l, other.component()) = g;
    problem_(contacts + l, other.component(), contacts + k, own) = g;
  }
  if (contacts == 0) return;
  dynamics.contactVelocity(column_, velocity_.data());
  for (int i = 0; i < contacts; ++i)
    for (int c = 0; c < 3; ++c)
      problem_(i, c, contacts + k, own) = problem_(contacts + k, own, i, c) = velocity_[points.row(i, c)];
}

/// They answer to no impulse, and must not upset the solver.
void ProblemAssembly::findImmovable(int contacts) {
  constexpr double kImmovable = 1e-50;  // 1/mass of a point, far below that of anything real [1/kg]
  for (int i = 0; i < contacts; ++i) {
    if (problem_.own(i, 2, 2) > kImmovable) continue;
    immovable_.push_back(i);
    problem_.detach(i);
  }
}

// --- b and mu --------------------------------------------------------------------------------------

const ContactProblem& ProblemAssembly::assemble(const Constraints& constraints, const Dynamics& dynamics,
                                                LoopMotion& loops, const VectorXd& nu, const ProblemTerms& terms) {
  if (some_left_out_) computeDelassus(constraints, dynamics, loops);
  problem_.law = terms.law;
  setContacts(constraints, dynamics, nu);
  setJoints(constraints, nu, terms);
  addTerms(static_cast<int>(constraints.contacts.size()), terms);
  problem_.makePaddingInert();
  leaveOut(constraints.contacts, terms.farthest);
  return problem_;
}

void ProblemAssembly::setContacts(const Constraints& constraints, const Dynamics& dynamics, const VectorXd& nu) {
  contactVelocity(constraints, dynamics, nu, problem_.b);
  for (int i = 0; i < static_cast<int>(constraints.contacts.size()); ++i) {
    const SurfacePoint& surface = constraints.contacts[i].surface;
    problem_.mu[i] = surface.friction;
    if (surface.velocity_W.isZero(0.0)) continue;
    const Vector3d velocity_C = constraints.frames[i].R_WC.transpose() * surface.velocity_W;
    for (int c = 0; c < 3; ++c) problem_.b[problem_.layout.row(i, c)] -= velocity_C[c];
  }
}

void ProblemAssembly::setJoints(const Constraints& constraints, const VectorXd& nu, const ProblemTerms& terms) {
  const ContactLayout& layout = problem_.layout;
  int i = static_cast<int>(constraints.contacts.size());
  for (const JointRow& row : constraints.joints) {
    const double rate = row.sign * nu[model_.baseDofs() + row.dof];
    const bool limit = row.kind == JointRow::Kind::limit;
    problem_.mu[i] = limit ? 0.0 : 1.0;
    problem_.b[layout.row(i, 0)] = limit ? 0.0 : rate;
    problem_.b[layout.row(i, 1)] = 0.0;
    // The decoupled normal row of friction gets exactly the impulse that bounds it.
    const double bound = terms.instant ? 0.0 : row.bound * terms.dt;
    const double gap_velocity = terms.limit_gaps ? gapVelocity(recoveredLimitGap(row.gap), terms.dt) : 0.0;
    problem_.b[layout.row(i, 2)] = limit ? rate + gap_velocity : -bound * problem_.own(i, 2, 2);
    ++i;
  }
}

void ProblemAssembly::addTerms(int contacts, const ProblemTerms& terms) {
  if (!terms.normal.empty())
    for (int i = 0; i < contacts; ++i) problem_.b[problem_.layout.row(i, 2)] += terms.normal[i];
  if (terms.shift != nullptr)
    for (int row = 0; row < problem_.layout.rows(); ++row) problem_.b[row] += (*terms.shift)[row];
}

void ProblemAssembly::leaveOut(std::span<const ActiveContact> contacts, double farthest) {
  if (farthest == std::numeric_limits<double>::infinity()) return;
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    if (!(contacts[i].surface.gap > farthest)) continue;
    problem_.makeInert(i);
    some_left_out_ = true;
  }
  if (some_left_out_) problem_.matrix.renew();
}

// --- between the problem and the engine -------------------------------------------------------------

void ProblemAssembly::contactVelocity(const Constraints& constraints, const Dynamics& dynamics, const VectorXd& nu,
                                      AlignedVector& velocity) {
  if (constraints.contacts.empty()) return;
  const ContactLayout layout = constraints.layout(), points = constraints.points();
  if (constraints.joints.empty()) {
    dynamics.contactVelocity(nu, velocity.data());
  } else {
    dynamics.contactVelocity(nu, velocity_.data());
    for (int i = 0; i < points.contacts; ++i)
      for (int c = 0; c < 3; ++c) velocity[layout.row(i, c)] = velocity_[points.row(i, c)];
  }
  if (model_.has_faces) levelNormals(constraints.contacts, layout, velocity);
}

void ProblemAssembly::contactBias(const Constraints& constraints, const Dynamics& dynamics, AlignedVector& bias) {
  if (constraints.contacts.empty()) return;
  dynamics.contactBiasAcceleration(velocity_.data());
  const ContactLayout layout = constraints.layout(), points = constraints.points();
  for (int i = 0; i < points.contacts; ++i)
    for (int c = 0; c < 3; ++c) bias[layout.row(i, c)] = velocity_[points.row(i, c)];
  if (model_.has_faces) levelNormals(constraints.contacts, layout, bias);
}

void ProblemAssembly::addImpulses(const Constraints& constraints, const Dynamics& dynamics,
                                  const AlignedVector& impulse, VectorOut tau) {
  if (constraints.joints.empty() && !model_.has_faces) {
    if (!constraints.contacts.empty()) dynamics.addContactImpulse(impulse.data(), tau);
    return;
  }
  const ContactLayout layout = constraints.layout(), points = constraints.points();
  int k = points.contacts;
  for (const JointRow& row : constraints.joints)
    tau[model_.baseDofs() + row.dof] += row.sign * impulse[layout.row(k++, row.component())];
  if (points.contacts == 0) return;
  for (int i = 0; i < points.contacts; ++i)
    for (int c = 0; c < 3; ++c) impulse_[points.row(i, c)] = impulse[layout.row(i, c)];
  if (model_.has_faces) levelNormals(constraints.contacts, points, impulse_);
  dynamics.addContactImpulse(impulse_.data(), tau);
}

}  // namespace footfall
