#include "footfall/dynamics/singular_inertia.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>

namespace footfall {
namespace {

SingularInertia describe(const Model& model, int row) {
  if (row < model.baseDofs()) return {"the floating base", model.links[0].name};
  const int dof = row - model.baseDofs();
  for (std::size_t j = 0; j < model.joints.size(); ++j)
    if (model.joints[j].dof == dof) return {fmt::format("joint '{}'", model.dofs[dof].name), model.links[j + 1].name};
  return {fmt::format("joint '{}'", model.dofs[dof].name), model.links[0].name};
}

}  // namespace

std::optional<SingularInertia> findSingularInertia(const RobotDynamics& dynamics, const VectorXd& damping) {
  // Rows are scaled to a diagonal of ones, so that fingers count as much as legs. Light fingers on a heavy robot have
  // 1e-4 then; what is zero in the file comes out at rounding, 1e-16.
  constexpr double kSingular = 1e-12;
  const Model& model = dynamics.model();
  if (model.nv() == 0) return {};
  MatrixXd M(model.nv(), model.nv());
  dynamics.massMatrix(M);
  M.diagonal().tail(model.jointDofs()) += damping;
  Eigen::Index row = 0;
  if (!(M.diagonal().minCoeff(&row) > 0.0)) return describe(model, static_cast<int>(row));
  const VectorXd scale = M.diagonal().cwiseSqrt().cwiseInverse();
  const MatrixXd scaled = scale.asDiagonal() * M * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(scaled);
  if (solver.eigenvalues()[0] > kSingular) return {};
  solver.eigenvectors().col(0).cwiseAbs().maxCoeff(&row);
  return describe(model, static_cast<int>(row));
}

}  // namespace footfall
