#pragma once

#include "solver/native/compliant_contact.hpp"
#include "solver/native/velocity_factor.hpp"

namespace footfall::FOOTFALL_ISA {

/// The contact problem with an equal small compliance at every contact, solved for the motion y of the robot:
///     v = b + V y,     y = Vᵀ p(v),     p the impulses of compliant contacts (compliant_contact.hpp).
/// There are as many unknowns as V has columns, impulses are on their cones whatever the velocities are, and where
/// rigid contacts could share the load in many ways the compliance decides. Newton's method, with a search along each
/// step for the point where the defect no longer points along it.
///
/// p is v divided by the compliance, which multiplies rounding: so v is a variable beside y, changed by increments
/// only.
template <class Law, class ProblemT>
class CompliantNewton {
 public:
  CompliantNewton(const ProblemT& problem, Arena& arena)
      : problem_(problem), factor_(problem, arena), lu_(problem.rows(), arena) {
    const int rows = problem.rows(), padded = DenseLu::paddedSize(rows);
    for (double** vector : {&v_, &p_, &step_v_, &start_v_, &shift_, &shown_, &saved_v_}) *vector = arena.doubles(rows);
    for (double** vector : {&y_, &defect_, &step_y_, &start_y_, &right_, &saved_y_}) *vector = arena.doubles(padded);
    for (double** vector : {&given_, &bound_, &weight_, &compliance_of_}) *vector = arena.doubles(problem.stride());
    response_ = reinterpret_cast<Response*>(arena.doubles(problem.stride() * kResponseSize));
    last_state_ = reinterpret_cast<ContactState*>(arena.integers(problem.stride()));
    mixed_ = arena.doubles(static_cast<std::size_t>(2 * rows) * padded);
    left_ = const_cast<const double**>(arena.pointers(rows));
    right_row_ = const_cast<const double**>(arena.pointers(rows));
    impulse_step_ = arena.doubles(padded);
    direction_of_ = reinterpret_cast<ProductDirection*>(arena.doubles(rows * kDirectionSize));
  }
  static std::size_t scratchSize(int stride) {
    const std::size_t rows = 3 * stride, padded = DenseLu::paddedSize(3 * stride);
    return VelocityFactor<ProblemT>::scratchSize(stride) + DenseLu::scratchSize(3 * stride) + 17 * padded +
           2 * rows * padded + rows * kDirectionSize + stride * (kResponseSize + 6) + 64;
  }

  /// Factorises G. Comes before everything else.
  void begin() {
    factor_.factorise();
    setZero(p_, problem_.rows());
    setZero(shown_, problem_.rows());
    double speed = 0.0;
    for (int i = 0; i < problem_.stride(); ++i) {
      given_[i] = givenNormal(i);
      const Vector3<double> b = contactOf(problem_.b, problem_.stride(), i);
      if (i < problem_.contacts && given_[i] < 0.0)
        speed = larger(speed, larger(magnitude(b.n), larger(magnitude(b.x), magnitude(b.y))));
    }
    rounding_ = CompliantRules::kRounding * speed;
  }
  bool regular() const { return factor_.regular(); }

  // --- where to start

  /// Which share of the compliance a contact has: all the same, or each in proportion to its own g.
  enum class Shares { equal, own };
  void setShares(Shares shares) {
    for (int i = 0; i < problem_.stride(); ++i) {
      const bool own = shares == Shares::own && i < problem_.contacts && problem_.movable(i);
      weight_[i] = own ? problem_.g[i] / problem_.mean_g : 1.0;
    }
  }

  /// No impulses.
  void startFromRest(double compliance) {
    setCompliance(compliance);
    has_shift_ = false;
    setZero(y_, factor_.width());
    copyVector(problem_.b, v_, problem_.rows());
  }

  /// From impulses p with the velocity v = G p + b: contacts are in the states that one step of the natural map gives.
  void startFrom(const double* p, const double* v, double compliance) {
    setCompliance(compliance);
    factor_.motion(p, y_);
    const int stride = problem_.stride();
    for (int i = 0; i < stride; ++i) {
      const Vector3<double> v_i = contactOf(v, stride, i);
      setContact(v_, stride, i, i < problem_.contacts ? likelyVelocity(i, contactOf(p, stride, i), v_i) : v_i);
    }
    keepShift(v);
  }

  /// The same impulses for another compliance, as a first guess: what sticks gives way in proportion to it.
  void changeCompliance(double compliance) {
    const double share = compliance / compliance_;
    const int stride = problem_.stride();
    copyVector(v_, start_v_, problem_.rows());
    for (int i = 0; i < problem_.contacts; ++i) {
      Vector3<double> v_i = contactOf(v_, stride, i);
      respond(i, v_i, response_[i]);
      const bool sticks = response_[i].state == ContactState::sticks;
      if (v_i.n < 0.0 && given_[i] < 0.0) v_i.n *= share;
      if (sticks) {
        v_i.x *= share;
        v_i.y *= share;
      }
      setContact(v_, stride, i, v_i);
    }
    setCompliance(compliance);
    keepShift(start_v_);
  }

  void save() {
    copyVector(y_, saved_y_, factor_.width());
    copyVector(v_, saved_v_, problem_.rows());
    saved_compliance_ = compliance_;
  }
  void restore() {
    copyVector(saved_y_, y_, factor_.width());
    copyVector(saved_v_, v_, problem_.rows());
    setCompliance(saved_compliance_);
    has_shift_ = false;
  }
  double compliance() const { return compliance_; }

  // --- friction with bounds that are held (Tresca): a convex problem, which Newton's method cannot miss

  /// Holds the bounds of friction where the present normal impulses have them. Returns by how much they changed.
  double holdBounds(double share) {
    double change = 0.0;
    for (int i = 0; i < problem_.contacts; ++i) {
      if (given_[i] >= 0.0) continue;
      const double bound = problem_.mu[i] * larger(-v_[2 * problem_.stride() + i] / compliance_of_[i], 0.0);
      if (bounds_held_) change = larger(change, magnitude(bound - bound_[i]));
      bound_[i] = bounds_held_ ? bound_[i] + share * (bound - bound_[i]) : bound;
    }
    bounds_held_ = true;
    return change;
  }
  void releaseBounds() { bounds_held_ = false; }

  // --- solving

  /// Newton steps until the defect shows by no more than `precision` of what the contacts give way. Impulses are up to
  /// date afterwards. Given up where the defect does not get smaller any more, and where contacts give way by more than
  /// `largest_yield`: impulses have got out of hand.
  bool solve(int max_steps, double precision, double largest_yield = infinity()) {
    double least_defect = kUnknown;
    int waited = 0;
    may_reuse_ = false;
    shown_defect_ = kUnknown;
    evaluate();
    for (int step = 0;; ++step) {
      if (!has_shift_ && arrived(precision)) return true;
      if (step >= max_steps || !(shown_defect_ < infinity())) return false;
      if (step > 0 && yielding_ > largest_yield) return false;
      const bool progress = has_shift_ || shown_defect_ < CompliantRules::kProgress * least_defect;
      if (!has_shift_ && progress) least_defect = shown_defect_;
      waited = progress ? 0 : waited + 1;
      if (waited >= CompliantRules::kPatience) return false;
      ++steps_;
      findStep();
      if (has_shift_)
        takeShiftedStep();
      else
        takeStep();
    }
  }

  const double* impulse() const { return p_; }
  double largestImpulse() const { return largest_impulse_; }
  double yielding() const { return yielding_; }  ///< by which contacts give way at most [m/s]
  int steps() const { return steps_; }

 private:
  static constexpr double kUnknown = 1e300;
  static constexpr int kResponseSize = (sizeof(Response) + 7) / sizeof(double);

  /// What a product of VᵀDV is about: a direction at a contact.
  struct ProductDirection {
    int contact;
    double x, y, n;
  };
  static constexpr int kDirectionSize = (sizeof(ProductDirection) + 7) / sizeof(double);

  void setCompliance(double compliance) {
    compliance_ = compliance;
    for (int i = 0; i < problem_.stride(); ++i) compliance_of_[i] = compliance * weight_[i];
  }

  /// The normal impulse where it does not depend on others, else −1.
  double givenNormal(int i) const {
    if (i >= problem_.contacts || !problem_.movable(i)) return 0.0;
    const int row = 2 * problem_.stride() + i;
    return factor_.takesPart(row) ? -1.0 : larger(-problem_.b[row] / problem_.block(i, 2, 2), 0.0);
  }

  /// The velocity that a compliant contact has in the state which p − v/g is in.
  Vector3<double> likelyVelocity(int i, const Vector3<double>& p, const Vector3<double>& v) const {
    const double compliance = compliance_of_[i];
    const double inverse = 1.0 / problem_.g[i];
    const bool given = given_[i] >= 0.0;
    const Vector3<double> z = {p.x - v.x * inverse, p.y - v.y * inverse, given ? given_[i] : p.n - v.n * inverse};
    Vector3<double> likely = v;
    if (!given) likely.n = z.n > 0.0 ? -compliance * z.n : larger(v.n, 0.0);
    if (!(z.n > 0.0)) return likely;
    const double radius = problem_.mu[i] * z.n, length = squareRoot(z.x * z.x + z.y * z.y);
    if (length < radius) {
      likely.x = -compliance * z.x;
      likely.y = -compliance * z.y;
    } else if (length > 0.0) {
      const double speed =
          larger(squareRoot(v.x * v.x + v.y * v.y), CompliantRules::kJustSliding * compliance * radius);
      likely.x = -z.x / length * speed;
      likely.y = -z.y / length * speed;
    }
    return likely;
  }

  /// What v_ lacks to belong to y_, whose velocity this is; the next step makes up for it.
  void keepShift(const double* velocity) {
    for (int row = 0; row < problem_.rows(); ++row) shift_[row] = velocity[row] - v_[row];
    has_shift_ = true;
  }

  /// Impulses of the contacts from i on, one or as many as a pack holds. `bound` is that of friction.
  template <class Real>
  Vector3<Real> push(int i, const Vector3<Real>& v, Real& bound) const {
    const Real compliance = load<Real>(compliance_of_ + i), given = load<Real>(given_ + i), zero{};
    Vector3<Real> p = {zero, zero, choose(given >= zero, given, larger(-v.n / compliance, zero))};
    bound = load<Real>(problem_.mu + i) * p.n;
    if (bounds_held_) bound = choose(given >= zero, bound, load<Real>(bound_ + i));
    CompliantFriction<Law>::push(compliance, bound, v, p);
    return p;
  }

  void respond(int i, const Vector3<double>& v, Response& response) const {
    double radius;
    response.impulse = push(i, v, radius);
    response.closed = given_[i] < 0.0 && response.impulse.n > 0.0;
    response.state = ContactState::open;
    response.directions = 0;
    response.drag_x = response.drag_y = 0.0;
    const double mu = bounds_held_ || !response.closed ? 0.0 : problem_.mu[i];
    if (radius > 0.0)
      CompliantFriction<Law>::linearise(compliance_of_[i], mu, radius, v, response);
    else if (response.closed)
      response.state = ContactState::slides;
  }

  /// Impulses of v_, and the defect y − Vᵀ p.
  void evaluate() {
    const int stride = problem_.stride();
    largest_impulse_ = yielding_ = 0.0;
    for (int i = 0; i < problem_.contacts; ++i) {
      respond(i, contactOf(v_, stride, i), response_[i]);
      const Vector3<double>& p = response_[i].impulse;
      setContact(p_, stride, i, p);
      const double size = squareRoot(p.x * p.x + p.y * p.y + p.n * p.n);
      largest_impulse_ = larger(largest_impulse_, size);
      yielding_ = larger(yielding_, compliance_of_[i] * size);
    }
    factor_.motion(p_, defect_);
    for (int k = 0; k < factor_.rank(); ++k) defect_[k] = y_[k] - defect_[k];
  }

  /// Looks at the defect as the contacts would see it.
  bool arrived(double precision) {
    setZero(shown_, problem_.rows());
    factor_.addVelocity(defect_, shown_);
    const double before = shown_defect_;
    shown_defect_ = 0.0;
    double sum = 0.0;
    for (int row = 0; row < problem_.rows(); ++row) {
      shown_defect_ = larger(shown_defect_, magnitude(shown_[row]));
      sum += shown_[row];
    }
    if (!(sum - sum == 0.0)) shown_defect_ = infinity();
    may_reuse_ = may_reuse_ && shown_defect_ < CompliantRules::kSameMatrix * before && sameStates();
    const bool at_rounding = shown_defect_ <= CompliantRules::kSmallDefect * yielding_ &&
                             shown_defect_ > CompliantRules::kStopsFalling * before;
    return at_rounding || shown_defect_ <= larger(precision * yielding_, rounding_);
  }

  bool sameStates() const {
    for (int i = 0; i < problem_.contacts; ++i)
      if (response_[i].state != last_state_[i]) return false;
    return true;
  }

  // --- one step

  /// (compliance + Vᵀ D V) dy = −compliance · defect − Vᵀ D shift, with D = −compliance · dp/dv.
  void findStep() {
    if (!may_reuse_) {
      collectProducts();
      by_impulses_ = !ProblemT::kKnownSize && products_ < factor_.rank();
      if (by_impulses_)
        writeMatrixOfImpulses();
      else
        writeMatrix();
      lu_.factorise(true);
      for (int i = 0; i < problem_.contacts; ++i) last_state_[i] = response_[i].state;
    }
    may_reuse_ = true;
    if (by_impulses_)
      findStepByImpulses();
    else
      findStepByMotion();
    setZero(step_v_, problem_.rows());
    factor_.addVelocity(step_y_, step_v_);
  }

  void findStepByMotion() {
    setZero(right_, factor_.width());
    if (has_shift_) {
      spreadShift(shown_);
      factor_.motion(shown_, right_);
    }
    for (int k = 0; k < factor_.rank(); ++k) right_[k] = -right_[k] - compliance_ * defect_[k];
    lu_.solve(right_, step_y_);
  }

  /// The same for the impulses z of the directions that answer, where these are fewer than the motions. With
  /// Vᵀ D V = Lᵀ R, a product in each row:  (compliance + R Lᵀ) z = r · shift − R defect,  dy = −defect − Lᵀ z.
  void findStepByImpulses() {
    const int width = factor_.width();
    for (int q = 0; q < products_; ++q)
      right_[q] = (has_shift_ ? shiftAlong(direction_of_[q]) : 0.0) - dotProduct(right_row_[q], defect_, width);
    lu_.solve(right_, impulse_step_);
    for (int k = 0; k < width; ++k) step_y_[k] = -defect_[k];
    for (int q = 0; q < products_; ++q) addMultiple(-impulse_step_[q], left_[q], step_y_, width);
  }

  double shiftAlong(const ProductDirection& d) const {
    const Vector3<double> shift = contactOf(shift_, problem_.stride(), d.contact);
    return d.x * shift.x + d.y * shift.y + d.n * shift.n;
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
  void collectProducts() {
    const int stride = problem_.stride();
    products_ = 0;
    double* scratch = mixed_;
    for (int i = 0; i < problem_.contacts; ++i) {
      const Response& r = response_[i];
      const double *Vx = factor_.row(i), *Vy = factor_.row(stride + i), *Vn = factor_.row(2 * stride + i);
      const double share = 1.0 / weight_[i];
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

  /// D · shift
  void spreadShift(double* to) const {
    const int stride = problem_.stride();
    setZero(to, problem_.rows());
    for (int i = 0; i < problem_.contacts; ++i) {
      const Response& r = response_[i];
      const double share = 1.0 / weight_[i];
      const Vector3<double> shift = contactOf(shift_, stride, i);
      const Vector3<double> e = {share * shift.x, share * shift.y, share * shift.n};
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

  void takeShiftedStep() {
    for (int k = 0; k < factor_.rank(); ++k) y_[k] += step_y_[k];
    for (int row = 0; row < problem_.rows(); ++row) v_[row] += step_v_[row] + shift_[row];
    has_shift_ = false;
    shown_defect_ = kUnknown;
    evaluate();
  }

  /// The whole step if the defect along it becomes much smaller by it, else to where it vanishes.
  void takeStep() {
    copyVector(y_, start_y_, factor_.width());
    copyVector(v_, start_v_, problem_.rows());
    double before = 0.0, after = 0.0;
    for (int k = 0; k < factor_.rank(); ++k) before += step_y_[k] * defect_[k];
    goAlong(1.0);
    for (int k = 0; k < factor_.rank(); ++k) after += step_y_[k] * defect_[k];
    if (!(before < 0.0) || magnitude(after) <= -CompliantRules::kFullStep * before) return;
    goAlong(lengthWithoutSlope(before, after));
    may_reuse_ = false;
  }

  void goAlong(double length) {
    for (int k = 0; k < factor_.rank(); ++k) y_[k] = start_y_[k] + length * step_y_[k];
    for (int row = 0; row < problem_.rows(); ++row) v_[row] = start_v_[row] + length * step_v_[row];
    evaluate();
  }

  /// The defect along the step, at this length of it.
  double slope(double length) const {
    using P = typename ProblemT::P;
    const int stride = problem_.stride();
    double sum = 0.0;
    for (int k = 0; k < factor_.rank(); ++k) sum += step_y_[k] * (start_y_[k] + length * step_y_[k]);
    P work{};
    for (int i = 0; i < stride; i += ProblemT::kLanes) {
      const Vector3<P> d = packsOf<P>(step_v_, i), v = packsOf<P>(start_v_, i);
      P bound;
      const Vector3<P> p = push<P>(i, {v.x + length * d.x, v.y + length * d.y, v.n + length * d.n}, bound);
      work += d.x * p.x + d.y * p.y + d.n * p.n;
    }
    for (int lane = 0; lane < ProblemT::kLanes; ++lane) sum -= work[lane];
    return sum;
  }

  template <class P>
  Vector3<P> packsOf(const double* vector, int i) const {
    const int stride = problem_.stride();
    return {load<P>(vector + i), load<P>(vector + stride + i), load<P>(vector + 2 * stride + i)};
  }

  /// By regula falsi and halving in turns.
  double lengthWithoutSlope(double slope_0, double slope_1) const {
    double lower = 0.0, lower_slope = slope_0, upper = 1.0, upper_slope = slope_1;
    while (upper_slope < 0.0 && upper < CompliantRules::kLongest) {
      lower = upper;
      lower_slope = upper_slope;
      upper *= 2.0;
      upper_slope = slope(upper);
    }
    double length = upper;
    for (int trial = 0; trial < CompliantRules::kTrials && upper_slope > 0.0; ++trial) {
      const double falsi = lower - lower_slope * (upper - lower) / (upper_slope - lower_slope);
      length = trial % 2 == 1 ? 0.5 * (lower + upper) : falsi;
      const double now = slope(length);
      if (magnitude(now) < -CompliantRules::kSmallSlope * slope_0) break;
      (now < 0.0 ? lower : upper) = length;
      (now < 0.0 ? lower_slope : upper_slope) = now;
    }
    return length;
  }

  const ProblemT& problem_;
  VelocityFactor<ProblemT> factor_;
  DenseLu lu_;
  double compliance_ = 0.0;  ///< of a contact with weight one [1/kg]
  double saved_compliance_ = 0.0;
  double largest_impulse_ = 0.0;  ///< [N s]
  double yielding_ = 0.0;         ///< by which contacts give way at most [m/s]
  double shown_defect_ = 0.0;     ///< largest entry of V defect [m/s]
  double rounding_ = 0.0;         ///< defect that cannot be told from none [m/s]
  bool has_shift_ = false;        ///< the next step adds shift_ to v_
  bool bounds_held_ = false;
  bool may_reuse_ = false;  ///< the matrix of the last step serves for another one
  int steps_ = 0;
  int products_ = 0;
  bool by_impulses_ = false;  ///< the matrix is that of impulses, not of motions
  double *y_, *v_, *p_;       ///< motion, velocities, impulses
  double *defect_, *step_y_, *step_v_, *start_y_, *start_v_, *right_, *shift_, *shown_, *saved_y_, *saved_v_;
  double* given_;                    ///< normal impulse that does not depend on others, or −1
  double* bound_;                    ///< of friction, where bounds are held
  double *weight_, *compliance_of_;  ///< of each contact
  Response* response_;
  ContactState* last_state_;  ///< of the matrix
  double* mixed_;             ///< rows that are combined from those of V
  const double **left_, **right_row_;
  ProductDirection* direction_of_;  ///< of each product
  double* impulse_step_;
};

}  // namespace footfall::FOOTFALL_ISA
