#pragma once

#include <memory>
#include <span>

#include "footfall/solver/contact_solver.hpp"

namespace footfall {

/// Solves a problem of several islands, contacts that no motion of another one can feel, island by island with another
/// solver: bodies that do not touch each other, directly or by others, cost what each costs alone.
class IslandSolver : public ContactSolver {
 public:
  /// What was reached by the island of a contact.
  struct Outcome {
    SolveStatus status = SolveStatus::converged;
    int iterations = 0;
    double residual = 0.0;  ///< [m/s]
    int worst_contact = -1;
  };
  /// Of more contacts than this an island is a heap: what takes too much work ends with impulses that are good enough
  /// (docs/decisions/0031). Smaller ones are solved whatever it takes.
  static constexpr int kContactsOfAHeap = 96;

  /// Of the last solve, contact by contact.
  virtual std::span<const Outcome> outcomes() const = 0;

  /// In the next solve, and in no other, the impulses of these contacts stay as they are, and so do those of all of
  /// their islands. @param settled one for each contact of that problem; it is read by solve()
  virtual void leaveAlone(std::span<const char> settled) = 0;
};

std::unique_ptr<IslandSolver> makeIslandSolver(std::unique_ptr<ContactSolver> solver);

}  // namespace footfall
