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
/// such rows but for one: where a problem has many, columns hold the other rows alone.
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
    row_at_ = arena.take<int>(rows);
    known_if_ = arena.take<int>(rows);
    packed_ = arena.take<double>(rows);
  }
  static std::size_t scratchSize(int stride) {
    const std::size_t rows = 3 * stride;
    return rows * rows + rows * DenseLu::paddedSize(3 * stride) + 7 * DenseLu::paddedSize(3 * stride) + 24;
  }

  void factorise() {
    if (isLeft()) return takeWhatIsLeft();
    problem_.memo->matrix = 0;
    findRows();
    rank_ = 0;
    while (rank_ < row_count_ && addColumn(mostLeft())) ++rank_;
    width_ = padded(rank_);
    copyRows();
    *problem_.memo = {problem_.matrix, columns_, rank_, row_count_};
  }

  int rank() const { return rank_; }
  int width() const { return width_; }  ///< rank with padding, which is zero
  /// As many columns as rows: impulses follow from velocities.
  bool regular() const { return rank_ == row_count_; }
  bool takesPart(int row) const { return takes_part_[row] != 0; }
  const double* row(int i) const { return row_copy_ + static_cast<std::size_t>(i) * width_; }

  /// v += V y
  void addVelocity(const double* y, double* v) const {
    if (!isPacked()) return addToColumn(y, v);
    pack(v);
    addToColumn(y, packed_);
    for (int k = 0; k < row_count_; ++k) v[row_at_[k]] = packed_[k];
  }
  /// y = Vᵀ p
  void motion(const double* p, double* y) const {
    if (isPacked()) {
      pack(p);
      p = packed_;
    }
    int k = 0;
    for (; k + kTogether <= rank_; k += kTogether) multiplyColumns(k, p, y);
    for (; k < rank_; ++k) y[k] = dotProduct<kLanes>(column(k), p, length());
  }

 private:
  static constexpr int kLanes = ProblemT::kLanes;  ///< that divide the rows
  static constexpr int kTogether = 4;              ///< columns, so that the processor need not wait for its last sum
  using P = Pack<kLanes>;

  static int padded(int columns) { return (columns + kNativeLanes - 1) / kNativeLanes * kNativeLanes; }

  /// Whether the last solve left the factors of this matrix, with the same rows.
  bool isLeft() const {
    const FactorMemo& memo = *problem_.memo;
    if (problem_.matrix == 0 || memo.matrix != problem_.matrix || memo.at != columns_) return false;
    for (int c = 0; c < 2; ++c)
      for (int i = 0; i < problem_.contacts; ++i)
        if (known_if_[c * problem_.stride() + i] != knownIf(i, c)) return false;
    return true;
  }
  void takeWhatIsLeft() {
    rank_ = problem_.memo->rank;
    row_count_ = problem_.memo->row_count;
    width_ = padded(rank_);
    length_ = (row_count_ + kLanes - 1) / kLanes * kLanes;
  }

  /// What impulseIsKnown() asks of a tangent beside G: one number for each answer.
  int knownIf(int i, int component) const {
    if (problem_.mu[i] == 0.0) return 0;
    return problem_.b[component * problem_.stride() + i] == 0.0 ? 1 : 2;
  }

  /// Rows of a column: all of the problem's, or those that take part.
  int length() const { return ProblemT::kKnownSize ? problem_.rows() : length_; }
  bool isPacked() const { return !ProblemT::kKnownSize && length_ < problem_.rows(); }

  void pack(const double* all) const {
    for (int k = 0; k < row_count_; ++k) packed_[k] = all[row_at_[k]];
    for (int k = row_count_; k < length(); ++k) packed_[k] = 0.0;
  }

  void addToColumn(const double* y, double* v) const {
    int k = 0;
    for (; k + kTogether <= rank_; k += kTogether) addColumns(k, y, v);
    for (; k < rank_; ++k) addMultiple<kLanes>(y[k], column(k), v, length());
  }

  void addColumns(int first, const double* y, double* v) const {
    const double *a = column(first), *b = column(first + 1), *c = column(first + 2), *d = column(first + 3);
    for (int row = 0; row < length(); row += kLanes) {
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
    for (int row = 0; row < length(); row += kLanes) {
      const P impulse = load<P>(p + row);
      for (int k = 0; k < kTogether; ++k) sum[k] += load<P>(column(first + k) + row) * impulse;
    }
    for (int k = 0; k < kTogether; ++k) {
      y[first + k] = 0.0;
      for (int lane = 0; lane < kLanes; ++lane) y[first + k] += sum[k][lane];
    }
  }

  double* column(int k) const { return columns_ + static_cast<std::size_t>(k) * length(); }
  const double* rowOfG(int row) const { return problem_.G + static_cast<std::size_t>(row) * problem_.rows(); }

  bool touchesNoOther(int row) const {
    constexpr double kUncoupled = RankRules::kUncoupled * RankRules::kUncoupled;
    const double* G = rowOfG(row);
    P count{};
    for (int k = 0; k < problem_.rows(); k += kLanes) {
      const P g = load<P>(G + k), limit = kUncoupled * load<P>(scale_ + k) * scale_[row];
      count += choose(g * g > limit, broadcast<P>(1.0), P{});
    }
    double others = G[row] * G[row] > kUncoupled * scale_[row] * scale_[row] ? -1.0 : 0.0;  // itself does not count
    for (int lane = 0; lane < kLanes; ++lane) others += count[lane];
    return others == 0.0;
  }

  bool impulseIsKnown(int i, int component, int row) const {
    if (!problem_.movable(i)) return true;
    if (component == 2) return touchesNoOther(row);
    const int known_if = knownIf(i, component);
    return known_if == 0 || (known_if == 1 && touchesNoOther(row));
  }

  void findRows() {
    const int stride = problem_.stride();
    double largest = 0.0;
    row_count_ = 0;
    for (int row = 0; row < problem_.rows(); ++row) scale_[row] = rowOfG(row)[row];
    for (int c = 0; c < 3; ++c) {
      for (int i = 0; i < stride; ++i) {
        const int row = c * stride + i;
        takes_part_[row] = i < problem_.contacts && !impulseIsKnown(i, c, row);
        if (i < problem_.contacts) known_if_[row] = knownIf(i, c);
        if (!takesPart(row)) continue;
        largest = larger(largest, scale_[row]);
        row_at_[row_count_++] = row;
      }
    }
    length_ = (row_count_ + kLanes - 1) / kLanes * kLanes;
    scaleRows(largest);
  }

  void scaleRows(double largest) {
    if (!isPacked())
      for (int row = 0; row < problem_.rows(); ++row) left_[row] = takesPart(row) ? scale_[row] : 0.0;
    else
      for (int k = 0; k < length(); ++k) left_[k] = k < row_count_ ? scale_[row_at_[k]] : 0.0;
    for (int k = 0; k < length(); ++k) {
      const double size = larger(left_[k], RankRules::kSmallest * largest);
      const bool part = isPacked() ? k < row_count_ : takesPart(k);
      scale_[k] = part && size > 0.0 ? 1.0 / size : 0.0;
    }
  }

  /// The first of the rows of which most is left: of each lane, then of all.
  int mostLeft() const {
    P most{}, first{}, row = laneNumbers<P>();
    for (int k = 0; k < length(); k += kLanes, row += static_cast<double>(kLanes)) {
      const P left = load<P>(left_ + k) * load<P>(scale_ + k);
      first = choose(left > most, row, first);
      most = larger(most, left);
    }
    double largest = 0.0, found = 0.0;
    for (int lane = 0; lane < kLanes; ++lane) {
      const double left = most[lane], of_lane = first[lane];
      if (!(left > largest || (left == largest && of_lane < found))) continue;
      largest = left;
      found = of_lane;
    }
    return static_cast<int>(found);
  }

  bool addColumn(int pivot) {
    if (!(left_[pivot] * scale_[pivot] > RankRules::kNegligible)) return false;
    double* now = column(rank_);
    if (isPacked()) pack(rowOfG(row_at_[pivot]));
    copyVector(isPacked() ? packed_ : rowOfG(pivot), now, length());
    for (int k = 0; k < rank_; ++k) weight_[k] = -column(k)[pivot];
    addToColumn(weight_, now);
    if (!(now[pivot] > 0.0)) return false;
    const double inverse = 1.0 / squareRoot(now[pivot]);
    for (int row = 0; row < length(); row += kLanes) {
      const P own = choose(load<P>(scale_ + row) > P{}, load<P>(now + row) * inverse, P{});  // zero if it has no part
      store(now + row, own);
      store(left_ + row, load<P>(left_ + row) - own * own);
    }
    left_[pivot] = 0.0;
    return true;
  }

  void copyRows() {
    if (isPacked()) setZero(row_copy_, problem_.rows() * width_);
    const int count = isPacked() ? row_count_ : problem_.rows();
    for (int at = 0; at < count; ++at) {
      double* to = row_copy_ + static_cast<std::size_t>(isPacked() ? row_at_[at] : at) * width_;
      int k = 0;
      for (; k + kTogether <= rank_; k += kTogether)
        for (int j = 0; j < kTogether; ++j) to[k + j] = column(k + j)[at];
      for (; k < rank_; ++k) to[k] = column(k)[at];
      for (; k < width_; ++k) to[k] = 0.0;
    }
  }

  const ProblemT& problem_;
  int rank_ = 0, width_ = 0, row_count_ = 0;
  int length_ = 0;    ///< of a column of the rows that take part, with padding
  double* columns_;   ///< V, column by column, packed where isPacked(); so are left_ and scale_
  double* row_copy_;  ///< V, row by row
  double* left_;      ///< diagonal of G − V Vᵀ
  double* scale_;     ///< diagonal of G at first, then one over it; 0 of rows that have no part
  double* weight_;    ///< of the columns so far, in a new one
  int* takes_part_;   ///< whether a row is in V
  int* row_at_;       ///< those that are, ascending
  int* known_if_;     ///< knownIf() of each row
  double* packed_;    ///< of their rows alone
};

}  // namespace footfall::FOOTFALL_ISA
