#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <random>
#include <vector>

#include "footfall/solver/contact_solver.hpp"

namespace footfall::test {

/// Impulses and status from a cold start.
inline ContactSolution solveCold(ContactSolver& solver, const ContactProblem& problem,
                                 const SolverSettings& settings = {}) {
  ContactSolution solution;
  solution.impulse.assign(problem.layout.rows(), 0.0);
  solver.solve(problem, settings, solution);
  return solution;
}

inline Eigen::Vector3d contactOf(const ContactProblem& problem, const AlignedVector& vector, int i) {
  return {vector[problem.layout.row(i, 0)], vector[problem.layout.row(i, 1)], vector[problem.layout.row(i, 2)]};
}

/// v = G p + b, in the problem's layout.
inline AlignedVector velocityOf(const ContactProblem& problem, const AlignedVector& impulse) {
  const int rows = problem.layout.rows();
  AlignedVector v = problem.b;
  for (int k = 0; k < rows; ++k)
    for (int l = 0; l < rows; ++l) v[k] += problem.G[static_cast<std::size_t>(k) * rows + l] * impulse[l];
  return v;
}

/// A point mass that touches the ground.
inline ContactProblem pointMass(double mass, double mu, const Eigen::Vector3d& b, FrictionLaw law = FrictionLaw::cone) {
  ContactProblem problem;
  problem.resize(1);
  problem.law = law;
  problem.mu[0] = mu;
  for (int c = 0; c < 3; ++c) {
    problem.b[problem.layout.row(0, c)] = b[c];
    for (int d = 0; d < 3; ++d) problem(0, c, 0, d) = c == d ? 1.0 / mass : 0.0;
  }
  return problem;
}

/// G and b from contact Jacobians stacked contact by contact (3 n × dof) and a free velocity.
inline ContactProblem fromJacobian(const Eigen::MatrixXd& J, const Eigen::MatrixXd& inverse_mass,
                                   const Eigen::VectorXd& free_velocity, double mu, FrictionLaw law) {
  const int contacts = static_cast<int>(J.rows()) / 3;
  const Eigen::MatrixXd G = J * inverse_mass * J.transpose();
  const Eigen::VectorXd b = J * free_velocity;
  ContactProblem problem;
  problem.resize(contacts);
  problem.law = law;
  for (int i = 0; i < contacts; ++i) {
    problem.mu[i] = mu;
    for (int c = 0; c < 3; ++c) {
      problem.b[problem.layout.row(i, c)] = b[3 * i + c];
      for (int j = 0; j < contacts; ++j)
        for (int d = 0; d < 3; ++d) problem(i, c, j, d) = G(3 * i + c, 3 * j + d);
    }
  }
  return problem;
}

/// A rigid box of 10 kg that stands on `points`, seen from its centre of mass; `twist` is its velocity (linear,
/// angular) after a step without contact.
inline ContactProblem boxOnPoints(const std::vector<Eigen::Vector3d>& points, const Eigen::VectorXd& twist, double mu,
                                  FrictionLaw law = FrictionLaw::cone) {
  Eigen::MatrixXd J(3 * points.size(), 6);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Eigen::Vector3d& r = points[i];
    Eigen::Matrix3d cross;
    cross << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
    J.middleRows<3>(3 * i) << Eigen::Matrix3d::Identity(), -cross;
  }
  Eigen::VectorXd inverse_mass(6);
  inverse_mass << 0.1, 0.1, 0.1, 2.0, 3.0, 5.0;
  return fromJacobian(J, inverse_mass.asDiagonal(), twist, mu, law);
}

/// Random contacts on a body with as many degrees of freedom, fixed by the seed.
inline ContactProblem randomProblem(int contacts, unsigned seed, double mu, FrictionLaw law) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd J(3 * contacts, 3 * contacts + 2);
  for (double& entry : J.reshaped()) entry = normal(generator);
  Eigen::VectorXd free(J.cols());
  for (double& entry : free) entry = normal(generator);
  ContactProblem problem = fromJacobian(J, Eigen::MatrixXd::Identity(J.cols(), J.cols()) / J.cols(), free, mu, law);
  for (int i = 0; i < contacts; ++i) problem.b[problem.layout.row(i, 2)] -= 2.0;  // most of them press
  return problem;
}

}  // namespace footfall::test
