#include <pinocchio/algorithm/cholesky.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody/data.hpp>

#include "dynamics/pinocchio/pinocchio_tree.hpp"
#include "dynamics/tree_dynamics.hpp"
#include "footfall/base/plugin_identity.hpp"

namespace footfall {
namespace {

/// The port on top of Pinocchio.
///
/// Pinocchio counts the velocity of a floating base in the base's own axes. So that nothing is lost in the conversion,
/// it works here in a frame that moves along with the base: the base stands at the origin and does not translate, only
/// turns. Accelerations and forces are the same in that frame; positions and velocities of the base are added on the
/// way out. What Pinocchio counts in the axes of the child of a ball joint is turned to those of the joint frame.
class PinocchioDynamics final : public TreeDynamics {
 public:
  PinocchioDynamics(const Model& model, PinocchioTree tree)
      : TreeDynamics(model, tree.columns),
        tree_(std::move(tree)),
        data_(tree_.model),
        gravity_data_(tree_.model),
        q_(tree_.model.nq),
        v_(tree_.model.nv),
        x_(tree_.model.nv),
        base_dofs_(model.baseDofs()),
        sparse_(map().isPermutation() && model.couplings.empty() && model.balls.empty()),
        R_balls_(tree_.balls.size(), Matrix3d::Identity()) {
    q_.setZero();
    v_.setZero();
    data_.M.setZero();
    findChains();
  }

  std::string_view name() const override { return "pinocchio"; }

  Pose linkPose(LinkIndex link) const override {
    if (link == 0) return X_WB_;
    const pinocchio::SE3& X_OE = poseOf(link);
    return {X_OE.rotation() * tree_.R_EL[link], X_OE.translation() + X_WB_.p};
  }

  Vector6d linkVelocity(LinkIndex link) const override {
    const auto id = tree_.joint_of_link[link];
    if (id == 0) return Vector6d::Zero();
    Vector6d V;
    V << data_.oMi[id].rotation() * data_.v[id].linear() + v_WB_, data_.oMi[id].rotation() * data_.v[id].angular();
    return V;
  }

  void solveMass(VectorOut x) const override;

 protected:
  void updateTree(const Pose& X_WB, const VectorXd& positions, const VectorXd& velocity) override;
  void updateTreeVelocity(const VectorXd& velocity) override;
  void treeMass(MatrixXd& M) const override;
  void treeBiasForces(VectorXd& h) const override { h = inWorldAxes(data_.nle); }
  void treeGravityForces(VectorXd& g) const override {
    g = inWorldAxes(pinocchio::computeGeneralizedGravity(tree_.model, gravity_data_, q_));
  }
  Vector6d linkBiasAcceleration(LinkIndex link) const override;
  void treeJacobian(LinkIndex link, Matrix6Xd& J) const override;
  void linkJacobian(LinkIndex link, Matrix6Xd& J) const override;
  void factorize() override;
  void linkDelassus(MatrixXd& G) const override;

 private:
  /// The degrees of freedom that move a link, from the link to the root.
  using Chain = std::vector<int>;

  void findChains();
  void placeJoints(const VectorXd& positions);
  /// Calls f(where the velocities of a ball joint begin, R of its child).
  template <class F>
  void forBalls(F f) const {
    for (std::size_t b = 0; b < tree_.balls.size(); ++b) f(tree_.columns[tree_.balls[b]], R_balls_[b]);
  }
  const pinocchio::SE3& poseOf(LinkIndex link) const { return data_.oMi[tree_.joint_of_link[link]]; }
  VectorXd& inWorldAxes(const VectorXd& force) const;
  /// Column of the Jacobian of a point at r from the base's origin.
  Vector6d columnAt(int dof, const Vector3d& r) const {
    Vector6d column = data_.J.col(dof);
    column.head<3>() += column.tail<3>().cross(r);
    return column;
  }
  template <class ColumnOf>
  void fillJacobian(LinkIndex link, ColumnOf column_of, Matrix6Xd& J) const;
  void halfSolve(const Chain& chain, const Vector3d& r, Matrix6Xd& Y) const;

  PinocchioTree tree_;
  pinocchio::Data data_;
  mutable pinocchio::Data gravity_data_;
  VectorXd q_, v_;
  mutable VectorXd x_;
  int base_dofs_;
  bool sparse_;  ///< the tree of joints gives the pattern of zeros of M
  /// Of the child of each ball joint in its joint frame. Pinocchio's velocities of such joints are in the child's axes.
  std::vector<Matrix3d> R_balls_;
  Pose X_WB_;
  Vector3d v_WB_ = Vector3d::Zero();
  std::vector<Chain> chains_;                   ///< by link
  mutable std::vector<Matrix6Xd> half_solved_;  ///< by link that touches
};

void PinocchioDynamics::findChains() {
  chains_.resize(model().links.size());
  for (std::size_t link = 0; link < chains_.size(); ++link) {
    const auto id = tree_.joint_of_link[link];
    if (id == 0) continue;
    int dof = tree_.model.joints[id].idx_v() + tree_.model.joints[id].nv() - 1;
    for (; dof >= 0; dof = data_.parents_fromRow[dof]) chains_[link].push_back(dof);
  }
}

void PinocchioDynamics::updateTree(const Pose& X_WB, const VectorXd& positions, const VectorXd& velocity) {
  if (base_dofs_ == 6) {
    q_.segment<4>(3) = Eigen::Quaterniond(X_WB.R).coeffs();
  } else if (X_WB.R != X_WB_.R) {
    placeRoot(model(), X_WB.R, tree_);
  }
  X_WB_ = X_WB;
  placeJoints(positions);
  pinocchio::crba(tree_.model, data_, q_, pinocchio::Convention::WORLD);
  updateTreeVelocity(velocity);
}

void PinocchioDynamics::placeJoints(const VectorXd& positions) {
  if (tree_.balls.empty()) {
    q_.tail(positions.size()) = positions;
    return;
  }
  for (std::size_t j = 0; j < tree_.columns.size(); ++j)
    if (model().joints[j].kind != JointKind::ball) q_[tree_.positions[j]] = positions[tree_.columns[j] - base_dofs_];
  for (std::size_t b = 0; b < tree_.balls.size(); ++b) {
    const int joint = tree_.balls[b];
    const Eigen::Quaterniond Q = expQuaternion(positions.segment<3>(tree_.columns[joint] - base_dofs_));
    q_.segment<4>(tree_.positions[joint]) = Q.coeffs();
    R_balls_[b] = Q.toRotationMatrix();
  }
}

void PinocchioDynamics::updateTreeVelocity(const VectorXd& velocity) {
  v_ = velocity;
  if (base_dofs_ == 6) {
    v_WB_ = velocity.head<3>();
    v_.head<3>().setZero();
    v_.segment<3>(3) = X_WB_.R.transpose() * velocity.segment<3>(3);
  }
  forBalls([&](int at, const Matrix3d& R) { v_.segment<3>(at) = R.transpose() * velocity.segment<3>(at); });
  pinocchio::nonLinearEffects(tree_.model, data_, q_, v_);
}

VectorXd& PinocchioDynamics::inWorldAxes(const VectorXd& force) const {
  x_ = force;
  if (base_dofs_ == 6) {
    x_.head<3>() = X_WB_.R * force.head<3>();
    x_.segment<3>(3) = X_WB_.R * force.segment<3>(3);
  }
  forBalls([&](int at, const Matrix3d& R) { x_.segment<3>(at) = R * force.segment<3>(at); });
  return x_;
}

void PinocchioDynamics::treeMass(MatrixXd& M) const {
  M = data_.M.selfadjointView<Eigen::Upper>();
  const auto turnAxes = [&](int at, const Matrix3d& R) {
    M.middleRows<3>(at) = R * M.middleRows<3>(at).eval();
    M.middleCols<3>(at) = M.middleCols<3>(at).eval() * R.transpose();
  };
  for (int k = 0; k < base_dofs_; k += 3) turnAxes(k, X_WB_.R);
  forBalls(turnAxes);
}

Vector6d PinocchioDynamics::linkBiasAcceleration(LinkIndex link) const {
  const auto id = tree_.joint_of_link[link];
  if (id == 0) return Vector6d::Zero();
  const Matrix3d& R_WE = data_.oMi[id].rotation();
  const pinocchio::Motion& V = data_.v[id];
  const pinocchio::Motion& A = data_.a_gf[id];  // spatial, and less gravity
  Vector6d bias;
  bias << R_WE * (A.linear() + V.angular().cross(V.linear())) + model().gravity, R_WE * A.angular();
  return bias;
}

template <class ColumnOf>
void PinocchioDynamics::fillJacobian(LinkIndex link, ColumnOf column_of, Matrix6Xd& J) const {
  const Vector3d r = linkPose(link).p - X_WB_.p;
  J.setZero();
  for (int dof : chains_[link]) J.col(column_of(dof)) = columnAt(dof, r);
  if (base_dofs_ == 6) {  // Pinocchio's columns of the base are those of the base's own axes
    J.leftCols<6>().setIdentity();
    J.block<3, 3>(0, 3) = -skew(r);
  }
}

void PinocchioDynamics::treeJacobian(LinkIndex link, Matrix6Xd& J) const {
  fillJacobian(
      link, [](int dof) { return dof; }, J);
  forBalls([&](int at, const Matrix3d& R) { J.middleCols<3>(at) = J.middleCols<3>(at).eval() * R.transpose(); });
}

void PinocchioDynamics::linkJacobian(LinkIndex link, Matrix6Xd& J) const {
  if (!map().isPermutation() || !tree_.balls.empty()) return TreeDynamics::linkJacobian(link, J);
  fillJacobian(
      link, [this](int dof) { return map().source(dof); }, J);
}

// --- sparse factorisation: only where every coordinate drives one joint, and no motor drives several
// ----------------------------------------------

void PinocchioDynamics::factorize() {
  if (!sparse_) return TreeDynamics::factorize();
  x_ = data_.M.diagonal();
  for (int dof = base_dofs_; dof < map().treeSize(); ++dof) {
    const int d = map().source(dof) - base_dofs_;
    data_.M(dof, dof) += reflectedInertia()[d] + implicitInertia()[d];
  }
  pinocchio::cholesky::decompose(tree_.model, data_);
  data_.M.diagonal() = x_;
}

void PinocchioDynamics::solveMass(VectorOut x) const {
  if (!sparse_) return TreeDynamics::solveMass(x);
  for (int k = 0; k < base_dofs_; k += 3) x_.segment<3>(k) = X_WB_.R.transpose() * x.segment<3>(k);
  for (int dof = base_dofs_; dof < map().treeSize(); ++dof) x_[dof] = x[map().source(dof)];
  pinocchio::cholesky::solve(tree_.model, data_, x_);
  for (int k = 0; k < base_dofs_; k += 3) x.segment<3>(k) = X_WB_.R * x_.segment<3>(k);
  for (int dof = base_dofs_; dof < map().treeSize(); ++dof) x[map().source(dof)] = x_[dof];
}

/// With M = U D Uᵀ: the columns Y = J U⁻ᵀ of a link, over the chain that moves it and nothing else.
void PinocchioDynamics::halfSolve(const Chain& chain, const Vector3d& r, Matrix6Xd& Y) const {
  for (std::size_t k = 0; k < chain.size(); ++k) {
    Vector6d column = columnAt(chain[k], r);
    for (std::size_t below = 0; below < k; ++below) column -= data_.U(chain[k], chain[below]) * Y.col(chain[below]);
    Y.col(chain[k]) = column;
  }
}

void PinocchioDynamics::linkDelassus(MatrixXd& G) const {
  if (!sparse_) return TreeDynamics::linkDelassus(G);
  const auto touching = contactLinks();
  while (half_solved_.size() < touching.size()) half_solved_.emplace_back(6, tree_.model.nv);
  for (std::size_t a = 0; a < touching.size(); ++a) {
    const Chain& chain_a = chains_[touching[a].link];
    if (!chain_a.empty()) halfSolve(chain_a, poseOf(touching[a].link).translation(), half_solved_[a]);
    for (std::size_t b = 0; b <= a; ++b) {
      // The chains of two links share what is nearest to the root.
      const Chain& chain_b = chains_[touching[b].link];
      Matrix6d block = Matrix6d::Zero();
      for (auto i = chain_a.rbegin(), j = chain_b.rbegin(); i != chain_a.rend() && j != chain_b.rend() && *i == *j;
           ++i, ++j) {
        const Vector6d scaled = data_.Dinv[*i] * half_solved_[b].col(*i);
        block.noalias() += half_solved_[a].col(*i) * scaled.transpose();
      }
      const auto row = static_cast<Eigen::Index>(6 * a);
      const auto column = static_cast<Eigen::Index>(6 * b);
      G.block<6, 6>(row, column) = block;
      G.block<6, 6>(column, row) = block.transpose();
    }
  }
}

}  // namespace
}  // namespace footfall

extern "C" footfall::Dynamics* footfall_make_engine(const footfall::Model& model) {
  return new footfall::PinocchioDynamics(model, footfall::makePinocchioTree(model));
}

FOOTFALL_PLUGIN_IDENTITY
