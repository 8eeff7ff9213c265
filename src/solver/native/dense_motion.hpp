#pragma once

#include "solver/native/compliant_contact.hpp"
#include "solver/native/velocity_factor.hpp"

namespace footfall::FOOTFALL_ISA {

/// D · shift, with D = −compliance · dp/dv of contacts that answer so.
template <class ProblemT>
void spreadShift(const ProblemT& problem, const Response* response, const double* weight, const double* shift,
                 double* to) {
  const int stride = problem.stride();
  setZero(to, problem.rows());
  for (int i = 0; i < problem.contacts; ++i) {
    const Response& r = response[i];
    const double share = 1.0 / weight[i];
    const Vector3<double> own = contactOf(shift, stride, i);
    const Vector3<double> e = {share * own.x, share * own.y, share * own.n};
    Vector3<double> spread = {0.0, 0.0, r.closed ? e.n : 0.0};
    spread.x -= r.drag_x * spread.n;
    spread.y -= r.drag_y * spread.n;
    for (int k = 0; k < r.directions; ++k) {
      const Response::Direction& d = r.direction[k];
      const double along = d.size * (d.x * e.x + d.y * e.y);
      spread.x += along * d.x;
      spread.y += along * d.y;
    }
    setContact(to, stride, i, spread);
  }
}

/// What the contacts see of the motions of the robot, v = b + V y, and the linear systems of CompliantNewton, dense:
///     (compliance + Vᵀ D V) dy = −compliance · defect − Vᵀ D shift,   D = −compliance · dp/dv.
template <class ProblemT>
class DenseMotion {
 public:
  DenseMotion(const ProblemT& problem, Arena& arena)
      : problem_(problem), factor_(problem, arena), lu_(problem.rows(), arena) {
    const int rows = problem.rows(), padded = DenseLu::paddedSize(rows);
    mixed_ = arena.take<double>(static_cast<std::size_t>(2 * rows) * padded);
    left_ = const_cast<const double**>(arena.take<double*>(rows));
    right_row_ = const_cast<const double**>(arena.take<double*>(rows));
    right_ = arena.take<double>(padded);
    impulse_step_ = arena.take<double>(padded);
    spread_ = arena.take<double>(rows);
    direction_of_ = reinterpret_cast<ProductDirection*>(arena.take<double>(rows * kDirectionSize));
  }
  static std::size_t scratchSize(int stride) {
    const std::size_t rows = 3 * stride, padded = DenseLu::paddedSize(3 * stride);
    return VelocityFactor<ProblemT>::scratchSize(stride) + DenseLu::scratchSize(3 * stride) + 5 * padded +
           2 * rows * padded + rows * kDirectionSize + 64;
  }
  /// Most motions of a problem of this size, with padding.
  static int mostMotions(int stride) { return DenseLu::paddedSize(3 * stride); }

  /// Comes before everything else.
  void begin() { factor_.factorise(); }
  int rank() const { return factor_.rank(); }
  int width() const { return factor_.width(); }  ///< rank with padding, which is zero
  bool regular() const { return factor_.regular(); }
  bool takesPart(int row) const { return factor_.takesPart(row); }
  void addVelocity(const double* y, double* v) const { factor_.addVelocity(y, v); }  ///< v += V y
  void of(const double* p, double* y) const { factor_.motion(p, y); }                ///< y = Vᵀ p

  /// For contacts that answer so; they have these shares of the compliance. `response` and `weight` are kept.
  void factorise(const Response* response, const double* weight, double compliance) {
    response_ = response;
    weight_ = weight;
    compliance_ = compliance;
    collectProducts(response, weight);
    by_impulses_ = !ProblemT::kKnownSize && products_ < factor_.rank();
    if (by_impulses_)
      writeMatrixOfImpulses();
    else
      writeMatrix();
    lu_.factorise(true);
  }

  /// @param shift may be null
  void solve(const double* defect, const double* shift, double* step) {
    if (by_impulses_)
      solveByImpulses(defect, shift, step);
    else
      solveByMotion(defect, shift, step);
  }

 private:
  /// What a product of VᵀDV is about: a direction at a contact.
  struct ProductDirection {
    int contact;
    double x, y, n;
  };
  static constexpr int kDirectionSize = (sizeof(ProductDirection) + 7) / sizeof(double);

  void solveByMotion(const double* defect, const double* shift, double* step) {
    setZero(right_, factor_.width());
    if (shift) {
      spreadShift(problem_, response_, weight_, shift, spread_);
      factor_.motion(spread_, right_);
    }
    for (int k = 0; k < factor_.rank(); ++k) right_[k] = -right_[k] - compliance_ * defect[k];
    lu_.solve(right_, step);
  }

  /// The same for the impulses z of the directions that answer, where these are fewer than the motions. With
  /// Vᵀ D V = Lᵀ R, a product in each row:  (compliance + R Lᵀ) z = r · shift − R defect,  dy = −defect − Lᵀ z.
  void solveByImpulses(const double* defect, const double* shift, double* step) {
    const int width = factor_.width();
    for (int q = 0; q < products_; ++q)
      right_[q] = (shift ? shiftAlong(direction_of_[q], shift) : 0.0) - dotProduct(right_row_[q], defect, width);
    lu_.solve(right_, impulse_step_);
    for (int k = 0; k < width; ++k) step[k] = -defect[k];
    for (int q = 0; q < products_; ++q) addMultiple(-impulse_step_[q], left_[q], step, width);
  }

  double shiftAlong(const ProductDirection& d, const double* shift) const {
    const Vector3<double> along = contactOf(shift, problem_.stride(), d.contact);
    return d.x * along.x + d.y * along.y + d.n * along.n;
  }

  /// R Lᵀ, in tiles of two by four entries.
  void writeMatrixOfImpulses() {
    lu_.resize(products_);
    int a = 0;
    for (; a + 2 <= products_; a += 2) writeRowsOfProducts<2>(a);
    if (a < products_) writeRowsOfProducts<1>(a);
    for (a = 0; a < products_; ++a) lu_.row(a)[a] += compliance_;
  }

  template <int kRows>
  void writeRowsOfProducts(int a) {
    int c = 0;
    for (; c + 4 <= products_; c += 4) writeProducts<kRows, 4>(a, c);
    if (c + 2 <= products_) {
      writeProducts<kRows, 2>(a, c);
      c += 2;
    }
    if (c < products_) writeProducts<kRows, 1>(a, c);
  }

  template <int kRows, int kColumns>
  void writeProducts(int a, int c) {
    NativePack total[kRows][kColumns] = {};
    for (int k = 0; k < factor_.width(); k += kNativeLanes) {
      for (int row = 0; row < kRows; ++row) {
        const NativePack right = load<NativePack>(right_row_[a + row] + k);
        for (int column = 0; column < kColumns; ++column)
          total[row][column] += right * load<NativePack>(left_[c + column] + k);
      }
    }
    for (int row = 0; row < kRows; ++row) {
      for (int column = 0; column < kColumns; ++column) {
        double sum = 0.0;
        for (int lane = 0; lane < kNativeLanes; ++lane) sum += total[row][column][lane];
        lu_.row(a + row)[c + column] = sum;
      }
    }
  }

  /// VᵀDV as a sum of products of rows.
  void collectProducts(const Response* response, const double* weight) {
    const int stride = problem_.stride();
    products_ = 0;
    double* scratch = mixed_;
    for (int i = 0; i < problem_.contacts; ++i) {
      const Response& r = response[i];
      const double *Vx = factor_.row(i), *Vy = factor_.row(stride + i), *Vn = factor_.row(2 * stride + i);
      const double share = 1.0 / weight[i];
      for (int k = 0; k < r.directions; ++k) {
        const Response::Direction& d = r.direction[k];
        if (d.x == 0.0 || d.y == 0.0) {
          const int row = d.x == 0.0 ? stride + i : i;
          if (factor_.takesPart(row))
            addProduct(share * d.size, factor_.row(row), factor_.row(row), {i, d.x, d.y, 0.0}, scratch);
        } else {
          const double* across = mixRows(d.x, Vx, d.y, Vy, scratch);
          addProduct(share * d.size, across, across, {i, d.x, d.y, 0.0}, scratch);
        }
      }
      if (!r.closed) continue;
      const double* pulled = Vn;
      if (r.drag_x != 0.0 || r.drag_y != 0.0) {
        double* mixed = mixRows(-r.drag_x, Vx, -r.drag_y, Vy, scratch);
        addMultiple(1.0, Vn, mixed, factor_.width());
        pulled = mixed;
      }
      addProduct(share, pulled, Vn, {i, 0.0, 0.0, 1.0}, scratch);
    }
  }

  double* mixRows(double x, const double* row_x, double y, const double* row_y, double*& scratch) const {
    double* row = scratch;
    for (int k = 0; k < factor_.width(); k += kNativeLanes)
      store(row + k, x * load<NativePack>(row_x + k) + y * load<NativePack>(row_y + k));
    scratch += factor_.width();
    return row;
  }

  void addProduct(double size, const double* left, const double* right, const ProductDirection& direction,
                  double*& scratch) {
    left_[products_] = size == 1.0 ? left : mixRows(size, left, 0.0, left, scratch);
    direction_of_[products_] = direction;
    right_row_[products_++] = right;
  }

  /// In tiles of four rows and three packs, which fill the registers.
  void writeMatrix() {
    const int rank = factor_.rank();
    lu_.resize(rank);
    int a = 0;
    for (; a + 4 <= rank; a += 4) writeTiles<4>(a);
    if (a + 2 <= rank) {
      writeTiles<2>(a);
      a += 2;
    }
    if (a < rank) writeTiles<1>(a);
    for (a = 0; a < rank; ++a) lu_.row(a)[a] += compliance_;
  }

  template <int kRows>
  void writeTiles(int a) {
    const int packs = factor_.width() / kNativeLanes;
    int k = 0;
    for (; k + 3 <= packs; k += 3) writeTile<kRows, 3>(a, k * kNativeLanes);
    if (k + 2 <= packs) {
      writeTile<kRows, 2>(a, k * kNativeLanes);
      k += 2;
    }
    if (k < packs) writeTile<kRows, 1>(a, k * kNativeLanes);
  }

  template <int kRows, int kPacks>
  void writeTile(int a, int first) {
    NativePack total[kRows][kPacks] = {};
    for (int q = 0; q < products_; ++q) {
      const double *left = left_[q] + a, *right = right_row_[q] + first;
      for (int row = 0; row < kRows; ++row)
        for (int k = 0; k < kPacks; ++k) total[row][k] += left[row] * load<NativePack>(right + k * kNativeLanes);
    }
    for (int row = 0; row < kRows; ++row)
      for (int k = 0; k < kPacks; ++k) store(lu_.row(a + row) + first + k * kNativeLanes, total[row][k]);
  }

  const ProblemT& problem_;
  VelocityFactor<ProblemT> factor_;
  DenseLu lu_;
  const Response* response_ = nullptr;
  const double* weight_ = nullptr;
  double compliance_ = 0.0;
  int products_ = 0;
  bool by_impulses_ = false;  ///< the matrix is that of impulses, not of motions
  double* mixed_;             ///< rows that are combined from those of V
  const double **left_, **right_row_;
  ProductDirection* direction_of_;  ///< of each product
  double *right_, *impulse_step_;
  double* spread_;  ///< D · shift
};

}  // namespace footfall::FOOTFALL_ISA
