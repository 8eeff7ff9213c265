#pragma once

#include "solver/native/dense_lu.hpp"
#include "solver/native/problem.hpp"

namespace footfall::FOOTFALL_ISA {

/// G = V Vᵀ: V y is what the contacts see of a motion y of the robot. However many contacts there are, V has no more
/// columns than the robot has degrees of freedom. By Cholesky's method with pivoting, column by column until nothing is
/// left.
///
/// Rows whose impulse is known beforehand stay out of V (they are zero there): tangents without friction, tangents that
/// neither move nor touch another row, and normals that touch no other row. Joint limits and joint friction consist of
/// such rows but for one.
template <class ProblemT>
class VelocityFactor {
 public:
  VelocityFactor(const ProblemT& problem, Arena& arena) : problem_(problem) {
    const int rows = problem.rows();
    columns_ = arena.take<double>(static_cast<std::size_t>(rows) * rows);
    row_copy_ = arena.take<double>(static_cast<std::size_t>(rows) * DenseLu::paddedSize(rows));
    left_ = arena.take<double>(rows);
    scale_ = arena.take<double>(rows);
    weight_ = arena.take<double>(rows);
    takes_part_ = arena.take<int>(rows);
  }
  static std::size_t scratchSize(int stride) {
    const std::size_t rows = 3 * stride;
    return rows * rows + rows * DenseLu::paddedSize(3 * stride) + 4 * DenseLu::paddedSize(3 * stride) + 24;
  }

  void factorise() {
    findRows();
    rank_ = 0;
    while (rank_ < row_count_ && addColumn(mostLeft())) ++rank_;
    width_ = (rank_ + kNativeLanes - 1) / kNativeLanes * kNativeLanes;
    copyRows();
  }

  int rank() const { return rank_; }
  int width() const { return width_; }  ///< rank with padding, which is zero
  /// As many columns as rows: impulses follow from velocities.
  bool regular() const { return rank_ == row_count_; }
  bool takesPart(int row) const { return takes_part_[row] != 0; }
  const double* row(int i) const { return row_copy_ + static_cast<std::size_t>(i) * width_; }

  /// v += V y
  void addVelocity(const double* y, double* v) const {
    int k = 0;
    for (; k + kTogether <= rank_; k += kTogether) addColumns(k, y, v);
    for (; k < rank_; ++k) addMultiple<kLanes>(y[k], column(k), v, problem_.rows());
  }
  /// y = Vᵀ p
  void motion(const double* p, double* y) const {
    int k = 0;
    for (; k + kTogether <= rank_; k += kTogether) multiplyColumns(k, p, y);
    for (; k < rank_; ++k) y[k] = dotProduct<kLanes>(column(k), p, problem_.rows());
  }

 private:
  static constexpr int kLanes = ProblemT::kLanes;  ///< that divide the rows
  static constexpr int kTogether = 4;              ///< columns, so that the processor need not wait for its last sum
  using P = Pack<kLanes>;

  void addColumns(int first, const double* y, double* v) const {
    const double *a = column(first), *b = column(first + 1), *c = column(first + 2), *d = column(first + 3);
    for (int row = 0; row < problem_.rows(); row += kLanes) {
      P sum = load<P>(v + row);
      sum = sum + y[first] * load<P>(a + row);
      sum = sum + y[first + 1] * load<P>(b + row);
      sum = sum + y[first + 2] * load<P>(c + row);
      sum = sum + y[first + 3] * load<P>(d + row);
      store(v + row, sum);
    }
  }

  void multiplyColumns(int first, const double* p, double* y) const {
    P sum[kTogether] = {};
    for (int row = 0; row < problem_.rows(); row += kLanes) {
      const P impulse = load<P>(p + row);
      for (int k = 0; k < kTogether; ++k) sum[k] += load<P>(column(first + k) + row) * impulse;
    }
    for (int k = 0; k < kTogether; ++k) {
      y[first + k] = 0.0;
      for (int lane = 0; lane < kLanes; ++lane) y[first + k] += sum[k][lane];
    }
  }

  double* column(int k) const { return columns_ + static_cast<std::size_t>(k) * problem_.rows(); }
  const double* rowOfG(int row) const { return problem_.G + static_cast<std::size_t>(row) * problem_.rows(); }

  bool touchesNoOther(int row) const {
    const double* G = rowOfG(row);
    for (int k = 0; k < problem_.rows(); ++k)
      if (k != row && G[k] * G[k] > RankRules::kUncoupled * RankRules::kUncoupled * scale_[k] * scale_[row])
        return false;
    return true;
  }

  bool impulseIsKnown(int i, int component, int row) const {
    if (!problem_.movable(i)) return true;
    if (component == 2) return touchesNoOther(row);
    return problem_.mu[i] == 0.0 || (problem_.b[row] == 0.0 && touchesNoOther(row));
  }

  void findRows() {
    const int stride = problem_.stride();
    double largest = 0.0;
    row_count_ = 0;
    setZero(left_, problem_.rows());
    for (int row = 0; row < problem_.rows(); ++row) scale_[row] = rowOfG(row)[row];
    for (int c = 0; c < 3; ++c) {
      for (int i = 0; i < stride; ++i) {
        const int row = c * stride + i;
        takes_part_[row] = i < problem_.contacts && !impulseIsKnown(i, c, row);
        if (!takesPart(row)) continue;
        left_[row] = scale_[row];
        largest = larger(largest, left_[row]);
        ++row_count_;
      }
    }
    for (int row = 0; row < problem_.rows(); ++row) {
      const double size = larger(left_[row], RankRules::kSmallest * largest);
      scale_[row] = takesPart(row) && size > 0.0 ? 1.0 / size : 0.0;
    }
  }

  /// The first of the rows of which most is left.
  int mostLeft() const {
    P most{};
    for (int row = 0; row < problem_.rows(); row += kLanes)
      most = larger(most, load<P>(left_ + row) * load<P>(scale_ + row));
    double largest = 0.0;
    for (int lane = 0; lane < kLanes; ++lane) largest = larger(largest, static_cast<double>(most[lane]));
    for (int row = 0; row < problem_.rows(); ++row)
      if (left_[row] * scale_[row] == largest) return row;
    return 0;
  }

  bool addColumn(int pivot) {
    if (!(left_[pivot] * scale_[pivot] > RankRules::kNegligible)) return false;
    const int rows = problem_.rows();
    double* now = column(rank_);
    copyVector(rowOfG(pivot), now, rows);
    for (int k = 0; k < rank_; ++k) weight_[k] = -column(k)[pivot];
    addVelocity(weight_, now);
    if (!(now[pivot] > 0.0)) return false;
    const double inverse = 1.0 / squareRoot(now[pivot]);
    for (int row = 0; row < rows; row += kLanes) {
      const P own = choose(load<P>(scale_ + row) > P{}, load<P>(now + row) * inverse, P{});  // zero if it has no part
      store(now + row, own);
      store(left_ + row, load<P>(left_ + row) - own * own);
    }
    left_[pivot] = 0.0;
    return true;
  }

  void copyRows() {
    const int rows = problem_.rows();
    for (int row = 0; row < rows; ++row) {
      double* to = row_copy_ + static_cast<std::size_t>(row) * width_;
      for (int k = 0; k < rank_; ++k) to[k] = column(k)[row];
      for (int k = rank_; k < width_; ++k) to[k] = 0.0;
    }
  }

  const ProblemT& problem_;
  int rank_ = 0, width_ = 0, row_count_ = 0;
  double* columns_;   ///< V, column by column
  double* row_copy_;  ///< V, row by row
  double* left_;      ///< diagonal of G − V Vᵀ
  double* scale_;     ///< diagonal of G at first, then one over it; 0 of rows that have no part
  double* weight_;    ///< of the columns so far, in a new one
  int* takes_part_;   ///< whether a row is in V
};

}  // namespace footfall::FOOTFALL_ISA
