#pragma once

#include <array>
#include <vector>

#include "footfall/spatial/contact_layout.hpp"

namespace footfall {

struct PackKernel;
struct ProblemPackNumbers;

/// What contacts of eight problems do: one number of each contact and problem, (contacts × 8), contact by contact.
struct ContactPackStates {
  explicit ContactPackStates(int contacts)
      : presses(static_cast<std::size_t>(contacts) * 8, 0.0),
        sticks(presses),
        x(presses),
        y(presses),
        drag(presses),
        give(presses) {}

  AlignedVector presses;  ///< 1, or 0: it has no impulse
  AlignedVector sticks;   ///< 1 where it presses and sticks, else 0
  AlignedVector x, y;     ///< direction of sliding, a unit vector; (1, 0) of others [-]
  AlignedVector drag;     ///< coefficient of friction where it slides, else 0 [-]
  AlignedVector give;     ///< speed of sliding over the impulse of friction, else 0: how a direction turns [1/kg]
};

/// What is known about eight problems when states of their contacts are guessed.
struct ContactPackNumbers {
  const double* active;      ///< 1, or 0: this contact does not count (contacts)
  const double* scale;       ///< of each contact, that makes a velocity of its impulse (contacts) [1/kg]
  const double* friction;    ///< of each problem [-]
  const double* compliance;  ///< of each problem [1/kg]
  const double* p;           ///< impulses (rows) [N s]
  const double* v;           ///< their velocities b + G p (rows) [m/s]
};

/// The impulses of eight contact problems at once, for states of their contacts that are known or guessed: those of the
/// native solver, of contacts that all give way a little, without its search. Who asks looks whether the impulses are
/// on their cones and the velocities fit, guesses anew, or solves those that do not fit one by one.
///
/// Numbers of the problems lie side by side: entry k of problem i is at 8 k + i. Rows are component-major without
/// padding, as those of BatchDynamics: component c of contact i is row c · contacts + i. No problem knows of the
/// others: what it gives depends neither on them nor on its place.
class ContactPack {
 public:
  static constexpr int kProblems = 8;

  /// All memory is taken here.
  /// @param foot of each contact: the first one that is a point of the same link
  explicit ContactPack(std::vector<int> foot);

  int rows() const { return rows_; }

  /// @param G (rows × rows), symmetric [1/kg]
  /// @param part (rows) 1 where the contact presses, 0: it has no impulse
  /// @param compliance of each problem [1/kg]
  void factorise(const double* G, const double* part, const double* compliance);
  /// p ← −(G + compliance)⁻¹ b among those that press, 0 elsewhere.
  void solve(const double* b, double* p) const;
  /// p ← the impulses with contacts that slide: a step of Newton's method for their directions. Takes the less time the
  /// fewer contacts press in any of the problems that are asked for; p of others is anything.
  void solveSliding(const double* G, const double* b, const ContactPackStates& states, const double* compliance,
                    const std::array<bool, kProblems>& asked, double* p);
  // States of the contacts of the problems that are asked for; those of others stay.

  /// Those that the impulses were found with: what is at `nearly` the limit of friction or beyond it slides.
  void statesOf(const ContactPackNumbers& known, double nearly, const std::array<bool, kProblems>& asked,
                ContactPackStates& states) const;
  /// Those that the natural map leads to from these impulses: where nothing better is known.
  void likelyStates(const ContactPackNumbers& known, const std::array<bool, kProblems>& asked,
                    ContactPackStates& states) const;
  /// What impulses of solveSliding() and their velocities show to be wrong about the states becomes better.
  void guessStates(const ContactPackNumbers& known, const std::array<bool, kProblems>& asked,
                   ContactPackStates& states);

  /// The largest natural map over the active contacts of each problem, as the solver has it [m/s]; not-a-number where
  /// one comes in.
  /// @param scale of each contact, that makes a velocity of its impulse (contacts) [1/kg]
  /// @param active 1, or 0: this contact does not count (contacts)
  /// @param friction of each problem [-]
  void residuals(const double* scale, const double* active, const double* friction, const double* p, const double* v,
                 double* residual) const;
  /// v ← b + G p
  void velocity(const double* G, const double* b, const double* p, double* v) const;

 private:
  using Order = std::array<int, kProblems>;

  ProblemPackNumbers viewOf(const ContactPackNumbers& known) const;
  int orderPressing(const ContactPackStates& states, const std::array<bool, kProblems>& asked);
  void gather(int count, const double* G, const double* b, const ContactPackStates& states);
  void scatter(int count, double* p) const;

  const PackKernel& kernel_;
  const std::vector<int> foot_;
  int rows_;
  AlignedVector part_, L_, inverse_;
  AlignedVector A_, pivots_;             ///< of contacts that slide
  std::vector<Order> order_;             ///< (contacts) of each problem: those that press, then the others
  std::vector<Order> place_;             ///< (rows) where rows of the first contacts of that order are among all
  AlignedVector few_G_, few_b_, few_p_;  ///< of the first contacts of that order
  ContactPackStates few_states_;
};

}  // namespace footfall
