#include "step/taut_flight.hpp"

namespace footfall {
namespace {

constexpr int kPieces = 5;       ///< of a piece that is too long
constexpr int kMostDivided = 3;  ///< times
constexpr int kCorrectionsOfAPiece = 3;
/// Of the velocities: what the last correction may change, and what is none.
constexpr double kPieceIsLost = 1e-3, kPieceIsFound = 1e-9;

}  // namespace

TautFlight::TautFlight(const Model& model, TautLinks& links) : model_(model), links_(links) {
  middle_.setZero(model.nq());
  for (VectorXd* v : {&nu_mean_, &nu_end_, &force_, &next_force_, &change_}) v->setZero(model.nv());
}

bool TautFlight::advance(const AppliedForces& applied, Dynamics& dynamics, VectorXd& q, VectorXd& nu) {
  return advance({applied.input, applied.field, applied.time, applied.dt, 0}, dynamics, q, nu);
}

bool TautFlight::advance(const Piece& piece, Dynamics& dynamics, VectorXd& q, VectorXd& nu) {
  const bool found = findEnd(piece, dynamics, q, nu);
  if (!found && piece.depth < kMostDivided) {
    const double dt = piece.dt / kPieces;
    bool all = true;
    for (int k = 0; k < kPieces; ++k)
      all = advance({piece.input, piece.field, piece.time + k * dt, dt, piece.depth + 1}, dynamics, q, nu) && all;
    return all;
  }
  nu = nu_end_;
  q = middle_;
  integrateConfiguration(model_, nu, 0.5 * piece.dt, q);
  return found;
}

/// The scheme of second_order where nothing touches: forces of the middle with the mean velocity.
bool TautFlight::findEnd(const Piece& piece, Dynamics& dynamics, const VectorXd& q, const VectorXd& nu) {
  middle_ = q;
  integrateConfiguration(model_, nu, 0.5 * piece.dt, middle_);
  dynamics.update(middle_, nu);
  nu_end_ = nu;
  if (links_.hold(piece.dt, dynamics)) links_.damp(nu, dynamics, nu_end_);
  findForces(piece, dynamics, nu);
  force_ = next_force_;
  change_ = piece.dt * force_;
  dynamics.solveMass(change_);
  nu_end_ += change_;
  double changed = 0.0, moving = 0.0;
  for (int k = 0; k < kCorrectionsOfAPiece; ++k) {
    nu_mean_ = 0.5 * (nu + nu_end_);
    dynamics.updateVelocity(nu_mean_);
    findForces(piece, dynamics, nu_mean_);
    force_ = piece.dt * (next_force_ - force_);
    change_ = force_;
    dynamics.solveMass(change_);
    changed = force_.dot(change_);
    nu_end_ += change_;
    force_ = next_force_;
    dynamics.multiplyMass(nu_end_, change_);
    moving = nu_end_.dot(change_);
    if (changed <= kPieceIsFound * kPieceIsFound * moving) return true;
  }
  return changed <= kPieceIsLost * kPieceIsLost * moving;
}

void TautFlight::findForces(const Piece& piece, const Dynamics& dynamics, const VectorXd& nu) {
  dynamics.biasForces(change_);
  next_force_ = -change_;
  model_.jointVelocities(next_force_) += piece.input.tau;
  const AppliedForces applied{piece.input, piece.field, piece.time, piece.dt};
  applied.addTo(0.5, middle_, nu, dynamics, next_force_);
}

}  // namespace footfall
