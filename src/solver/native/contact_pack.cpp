#include "footfall/solver/contact_pack.hpp"

#include <algorithm>

#include "footfall/simd/internal/kernel_choice.hpp"
#include "solver/native/pack_kernel.hpp"

namespace footfall {
namespace {

const ProblemPack* packs(const double* values) { return reinterpret_cast<const ProblemPack*>(values); }
ProblemPack* packs(double* values) { return reinterpret_cast<ProblemPack*>(values); }

/// Of ContactPackStates, which may be constant.
template <class Pack, class States>
StatesOf<Pack> statesView(States& s) {
  return {packs(s.presses.data()), packs(s.sticks.data()), packs(s.x.data()),
          packs(s.y.data()),       packs(s.drag.data()),   packs(s.give.data())};
}

ProblemPack maskOf(const std::array<bool, ContactPack::kProblems>& asked) {
  ProblemPack mask;
  for (int problem = 0; problem < ContactPack::kProblems; ++problem) mask[problem] = asked[problem] ? 1.0 : 0.0;
  return mask;
}

}  // namespace

ContactPack::ContactPack(std::vector<int> foot)
    : kernel_(FOOTFALL_CHOSEN_KERNEL(pack_kernel)),
      foot_(std::move(foot)),
      rows_(3 * static_cast<int>(foot_.size())),
      part_(static_cast<std::size_t>(rows_) * kProblems, 0.0),
      L_(static_cast<std::size_t>(rows_) * (rows_ + 1) / 2 * kProblems, 0.0),
      inverse_(part_),
      A_(static_cast<std::size_t>(rows_) * rows_ * kProblems, 0.0),
      pivots_(part_),
      order_(foot_.size()),
      place_(rows_),
      few_G_(A_),
      few_b_(part_),
      few_p_(part_),
      few_states_(static_cast<int>(foot_.size())) {}

void ContactPack::factorise(const double* G, const double* part, const double* compliance) {
  std::copy_n(part, part_.size(), part_.begin());
  kernel_.factorise(rows_, packs(G), packs(part_.data()), *packs(compliance), packs(L_.data()), packs(inverse_.data()));
}

void ContactPack::solve(const double* b, double* p) const {
  kernel_.solve(rows_, packs(L_.data()), packs(inverse_.data()), packs(part_.data()), packs(b), packs(p));
}

/// A contact that does not press adds zeros to its problem, and nothing else: the same bits come out with it and
/// without. So those that press come first in each problem, in their order, and as many are solved as the problem with
/// the most of them has.
void ContactPack::solveSliding(const double* G, const double* b, const ContactPackStates& states,
                               const double* compliance, const std::array<bool, kProblems>& asked, double* p) {
  const int contacts = rows_ / 3, count = orderPressing(states, asked);
  const auto solve = [&](int number, const double* own_G, const double* own_b, const ContactPackStates& s, double* to) {
    kernel_.solveSliding(number, packs(own_G), packs(own_b), statesView<const ProblemPack>(s), *packs(compliance),
                         packs(A_.data()), packs(pivots_.data()), packs(to));
  };
  if (count == contacts) return solve(contacts, G, b, states, p);
  gather(count, G, b, states);
  solve(count, few_G_.data(), few_b_.data(), few_states_, few_p_.data());
  scatter(count, p);
}

int ContactPack::orderPressing(const ContactPackStates& states, const std::array<bool, kProblems>& asked) {
  const int contacts = rows_ / 3;
  int most = 1;
  for (int problem = 0; problem < kProblems; ++problem) {
    int pressing = 0, others = contacts;
    for (int i = 0; i < contacts; ++i) {
      const bool presses = asked[problem] && states.presses[i * kProblems + problem] != 0.0;
      order_[presses ? pressing++ : --others][problem] = i;
    }
    most = std::max(most, pressing);
  }
  return most;
}

void ContactPack::gather(int count, const double* G, const double* b, const ContactPackStates& states) {
  const int contacts = rows_ / 3, rows = 3 * count;
  const auto take = [&](const AlignedVector& from, int i, AlignedVector& to) {
    for (int problem = 0; problem < kProblems; ++problem)
      to[i * kProblems + problem] = from[order_[i][problem] * kProblems + problem];
  };
  for (int i = 0; i < count; ++i) {
    take(states.presses, i, few_states_.presses);
    take(states.sticks, i, few_states_.sticks);
    take(states.x, i, few_states_.x);
    take(states.y, i, few_states_.y);
    take(states.drag, i, few_states_.drag);
    take(states.give, i, few_states_.give);
  }
  for (int c = 0; c < 3; ++c)
    for (int i = 0; i < count; ++i)
      for (int problem = 0; problem < kProblems; ++problem)
        place_[c * count + i][problem] = (c * contacts + order_[i][problem]) * kProblems + problem;
  double* to = few_G_.data();
  for (int r = 0; r < rows; ++r) {
    std::array<const double*, kProblems> row;
    for (int problem = 0; problem < kProblems; ++problem) {
      const int at = place_[r][problem];
      few_b_[r * kProblems + problem] = b[at];
      row[problem] = G + (at - problem) * rows_;
    }
    for (int c = 0; c < rows; ++c, to += kProblems)
      for (int problem = 0; problem < kProblems; ++problem) to[problem] = row[problem][place_[c][problem]];
  }
}

void ContactPack::scatter(int count, double* p) const {
  std::fill_n(p, rows_ * kProblems, 0.0);
  for (int r = 0; r < 3 * count; ++r)
    for (int problem = 0; problem < kProblems; ++problem) p[place_[r][problem]] = few_p_[r * kProblems + problem];
}

ProblemPackNumbers ContactPack::viewOf(const ContactPackNumbers& known) const {
  return {rows_ / 3,          foot_.data(),          packs(known.active),
          packs(known.scale), packs(known.friction), packs(known.compliance),
          packs(known.p),     packs(known.v)};
}

void ContactPack::statesOf(const ContactPackNumbers& known, double nearly, const std::array<bool, kProblems>& asked,
                           ContactPackStates& states) const {
  kernel_.statesOf(viewOf(known), nearly, maskOf(asked), statesView<ProblemPack>(states));
}

void ContactPack::likelyStates(const ContactPackNumbers& known, const std::array<bool, kProblems>& asked,
                               ContactPackStates& states) const {
  kernel_.likelyStates(viewOf(known), maskOf(asked), statesView<ProblemPack>(states));
}

void ContactPack::guessStates(const ContactPackNumbers& known, const std::array<bool, kProblems>& asked,
                              ContactPackStates& states) {
  kernel_.guessStates(viewOf(known), maskOf(asked), packs(A_.data()), statesView<ProblemPack>(states));
}

void ContactPack::residuals(const double* scale, const double* active, const double* friction, const double* p,
                            const double* v, double* residual) const {
  kernel_.residuals(rows_ / 3, packs(scale), packs(active), friction, packs(p), packs(v), residual);
}

void ContactPack::velocity(const double* G, const double* b, const double* p, double* v) const {
  kernel_.velocity(rows_, packs(G), packs(b), packs(p), packs(v));
}

}  // namespace footfall
