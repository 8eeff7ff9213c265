#pragma once

#include <algorithm>

#include "footfall/model/state.hpp"
#include "footfall/record/tie_reader.hpp"
#include "footfall/step/step.hpp"
#include "studio/server/recording.hpp"

namespace footfall::studio {

inline ContactSample sampleOf(const ContactReport& report) {
  ContactSample sample;
  sample.candidate = report.other.valid() ? -1 : report.candidate;
  sample.frame = report.frame;
  sample.other = report.other;
  sample.mode = static_cast<double>(report.mode);
  sample.gap = report.gap;
  sample.friction = report.friction;
  const auto copy = [](const Vector3d& from, double* to) { std::copy_n(from.data(), 3, to); };
  copy(report.p_WC, sample.p_WC);
  copy(report.R_WC.col(2), sample.normal_W);
  copy(report.force_W, sample.force_W);
  copy(report.impulse_W, sample.impulse_W);
  copy(report.velocity_C, sample.slip_velocity_C);
  return sample;
}

/// @param mouse somebody pulls with it
inline PushSample sampleOf(const ExternalWrench& wrench, bool mouse) {
  PushSample sample{mouse ? 1.0 : 0.0, static_cast<double>(static_cast<int>(wrench.link)), {}, {}, {}};
  std::copy_n(wrench.p_LP.data(), 3, sample.p_LP);
  std::copy_n(wrench.wrench_W.data(), 3, sample.force_W);
  std::copy_n(wrench.wrench_W.data() + 3, 3, sample.moment_W);
  return sample;
}

/// @param names of the ties of the scene
inline TieSample sampleOf(const Loop& tie, const Vector6d& wrench_F, const std::vector<std::string>& names) {
  TieSample sample;
  sample.name = record::numberOf(tie, names);
  sample.kind = static_cast<double>(tie.kind);
  sample.link_a = static_cast<int>(tie.link_a);
  sample.link_b = static_cast<int>(tie.link_b);
  std::copy_n(tie.X_AF.p.data(), 3, sample.p_AF);
  std::copy_n(tie.X_BF.p.data(), 3, sample.p_BF);
  std::copy_n(wrench_F.data(), 3, sample.force_F);
  std::copy_n(wrench_F.data() + 3, 3, sample.moment_F);
  return sample;
}

/// What the mouse did in the step of a row, to do it again.
inline std::vector<ExternalWrench> mousePulls(const Row& row) {
  std::vector<ExternalWrench> pulls;
  for (const PushSample& push : row.pushes) {
    if (push.mouse == 0.0) continue;
    ExternalWrench& pull = pulls.emplace_back();
    pull.link = LinkIndex(static_cast<int>(push.link));
    pull.p_LP = Eigen::Map<const Vector3d>(push.p_LP);
    pull.wrench_W << Eigen::Map<const Vector3d>(push.force_W), Eigen::Map<const Vector3d>(push.moment_W);
  }
  return pulls;
}

}  // namespace footfall::studio
