#pragma once

#include "solver/native/cone_pair.hpp"

namespace footfall::FOOTFALL_ISA {

/// One contact inside the interior-point method, for the pyramids: four faces with slacks
/// s = mu p_n ∓ p_x, mu p_n ∓ p_y and multipliers l with v = Cᵀ l, where s = C p. The Coulomb pyramid lessens the
/// normal part of Cᵀ l by mu (|v_x| + |v_y|), as De Saxcé does for the cone.
template <bool kCoulomb>
class PyramidPair {
 public:
  static constexpr int kDegree = 4;

  double begin(double g, double mu, const Vector3<double>& b) {
    mu_ = larger(mu, kSmallestMu);
    scale_ = 1.0 / squareRoot(g);
    const double sliding = mu_ * (magnitude(b.x) + magnitude(b.y));
    const bool presses = b.n < (kCoulomb ? 0.0 : sliding);
    return presses ? scale_ * larger(magnitude(b.n), sliding) : 0.0;
  }

  void start(double size, const Vector3<double>& b) {
    const double sliding = mu_ * (magnitude(b.x) + magnitude(b.y));
    const double u = larger(size, scale_ * (magnitude(b.n) + sliding));
    p_ = {0.0, 0.0, scale_ * size * size / u};
    for (int j = 0; j < 4; ++j) {
      l_[j] = u / (4.0 * mu_ * scale_);
      s_[j] = mu_ * p_.n;
    }
  }

  Vector3<double> impulse() const { return p_; }
  double complementarity() const { return complementarityAfter(0.0); }
  double complementarityAfter(double step) const {
    double sum = 0.0;
    for (int j = 0; j < 4; ++j) sum += (s_[j] + step * ds_[j]) * (l_[j] + step * dl_[j]);
    return sum;
  }

  void linearise(const Vector3<double>& v, double smoothing) {
    const double v_x = l_[1] - l_[0], v_y = l_[3] - l_[2];
    double lift = 0.0;
    if constexpr (kCoulomb) {
      const double smooth = smoothing / (mu_ * mu_ * scale_ * scale_);
      const double length_x = squareRoot(v_x * v_x + smooth), length_y = squareRoot(v_y * v_y + smooth);
      slope_x_ = v_x / length_x;
      slope_y_ = v_y / length_y;
      lift = mu_ * (length_x + length_y - 2.0 * squareRoot(smooth));
    }
    violation_ = {v_x - v.x, v_y - v.y, mu_ * (l_[0] + l_[1] + l_[2] + l_[3]) - lift - v.n};
  }

  void addBlock(double (&B)[3][3]) const {
    double d[4], e[4];
    for (int j = 0; j < 4; ++j) {
      d[j] = l_[j] / s_[j];
      e[j] = d[j] * normalRow(j);
    }
    const double zero = 0.0;
    const double block[3][3] = {{d[0] + d[1], zero, mu_ * (d[1] - d[0])},
                                {zero, d[2] + d[3], mu_ * (d[3] - d[2])},
                                {e[1] - e[0], e[3] - e[2], mu_ * (e[0] + e[1] + e[2] + e[3])}};
    for (int a = 0; a < 3; ++a)
      for (int c = 0; c < 3; ++c) B[a][c] = block[a][c];
  }

  void aimPredictor() {
    for (int j = 0; j < 4; ++j) q_[j] = -s_[j] * l_[j];
  }
  void aimCorrector(double complementarity) {
    for (int j = 0; j < 4; ++j) q_[j] = complementarity - s_[j] * l_[j] - ds_[j] * dl_[j];
  }

  Vector3<double> rightSide() const {
    Vector3<double> right = violation_;
    right.x += q_[1] / s_[1] - q_[0] / s_[0];
    right.y += q_[3] / s_[3] - q_[2] / s_[2];
    for (int j = 0; j < 4; ++j) right.n += normalRow(j) * q_[j] / s_[j];
    return right;
  }

  void takeDirection(const Vector3<double>& dp, const Vector3<double>&) {
    dp_ = dp;
    const double ds[4] = {mu_ * dp.n - dp.x, mu_ * dp.n + dp.x, mu_ * dp.n - dp.y, mu_ * dp.n + dp.y};
    for (int j = 0; j < 4; ++j) {
      ds_[j] = ds[j];
      dl_[j] = (q_[j] - l_[j] * ds[j]) / s_[j];
    }
  }

  double longestStep() const {
    double step = infinity();
    for (int j = 0; j < 4; ++j) {
      if (ds_[j] < 0.0) step = smaller(step, -s_[j] / ds_[j]);
      if (dl_[j] < 0.0) step = smaller(step, -l_[j] / dl_[j]);
    }
    return step;
  }

  void advance(double step) {
    p_ = {p_.x + step * dp_.x, p_.y + step * dp_.y, p_.n + step * dp_.n};
    for (int j = 0; j < 4; ++j) {
      s_[j] += step * ds_[j];
      l_[j] += step * dl_[j];
    }
  }

 private:
  /// Entry of the normal row of Cᵀ for face j, the Coulomb correction included.
  double normalRow(int j) const {
    const double slope = j < 2 ? slope_x_ : slope_y_;
    return mu_ * (j % 2 == 0 ? 1.0 + slope : 1.0 - slope);
  }

  double mu_, scale_;
  double slope_x_ = 0.0, slope_y_ = 0.0;
  Vector3<double> p_, dp_, violation_;
  double s_[4], l_[4];
  double ds_[4] = {}, dl_[4] = {}, q_[4];
};

}  // namespace footfall::FOOTFALL_ISA
