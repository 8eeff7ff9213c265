#include "step/warm_start.hpp"

namespace footfall {
namespace {

/// Slot of a candidate in the warm start, or −1. Contacts mostly come in the order of the last step: look there first.
int slotOf(const WarmStart& warm, int candidate, int guess) {
  const int slots = static_cast<int>(warm.candidate.size());
  for (int k = 0; k < slots; ++k) {
    const int slot = guess + k < slots ? guess + k : guess + k - slots;
    if (warm.candidate[slot] == candidate) return slot;
  }
  return -1;
}

}  // namespace

void forgetWarmStart(WarmStart& warm) {
  warm.candidate.setConstant(-1);
  warm.impulse.setZero();
  warm.minimum_norm = false;
}

void loadWarmStart(const WarmStart& warm, const Model& model, const ConstraintSystem& system,
                   ContactSolution& solution) {
  const auto contacts = system.contacts();
  const auto joints = system.jointRows();
  const int count = static_cast<int>(contacts.size());
  const ContactLayout layout = system.layout();
  solution.impulse.assign(layout.rows(), 0.0);
  for (int i = 0, guess = 0; i < count; ++i) {
    const int slot = slotOf(warm, contacts[i].candidate, guess);
    if (slot < 0) continue;
    for (int c = 0; c < 3; ++c) solution.impulse[layout.row(i, c)] = warm.impulse[3 * slot + c];
    guess = slot + 1 < static_cast<int>(warm.candidate.size()) ? slot + 1 : 0;
  }
  for (int k = 0; k < static_cast<int>(joints.size()); ++k)
    solution.impulse[layout.row(count + k, joints[k].component())] = warm.impulse[joints[k].warmIndex(model, warm)];
  solution.minimum_norm = warm.minimum_norm;
}

void storeWarmStart(const ContactSolution& solution, const Model& model, const ConstraintSystem& system,
                    WarmStart& warm) {
  const auto contacts = system.contacts();
  const auto joints = system.jointRows();
  const int count = static_cast<int>(contacts.size());
  const ContactLayout layout = system.layout();
  forgetWarmStart(warm);
  if (count > warm.candidate.size()) {  // links touch each other in more points than ever before
    warm.candidate.setConstant(2 * count, -1);
    warm.impulse.setZero(6 * count + 2 * model.jointDofs());
  }
  for (int i = 0; i < count; ++i) {
    warm.candidate[i] = contacts[i].candidate;
    for (int c = 0; c < 3; ++c) warm.impulse[3 * i + c] = solution.impulse[layout.row(i, c)];
  }
  for (int k = 0; k < static_cast<int>(joints.size()); ++k)
    warm.impulse[joints[k].warmIndex(model, warm)] = solution.impulse[layout.row(count + k, joints[k].component())];
  warm.minimum_norm = solution.minimum_norm;
}

}  // namespace footfall
