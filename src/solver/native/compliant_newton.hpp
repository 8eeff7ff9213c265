#pragma once

#include "solver/native/compliant_contact.hpp"
#include "solver/native/dense_motion.hpp"

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
  CompliantNewton(const ProblemT& problem, Arena& arena) : problem_(problem), motion_(problem, arena) {
    const int rows = problem.rows(), most = Motion::mostMotions(problem.size());
    for (double** vector : {&v_, &p_, &step_v_, &start_v_, &shift_, &shown_, &saved_v_})
      *vector = arena.take<double>(rows);
    for (double** vector : {&y_, &defect_, &step_y_, &start_y_, &saved_y_}) *vector = arena.take<double>(most);
    for (double** vector : {&given_, &bound_, &weight_, &compliance_of_})
      *vector = arena.take<double>(problem.stride());
    response_ = reinterpret_cast<Response*>(arena.take<double>(problem.stride() * kResponseSize));
    last_state_ = reinterpret_cast<ContactState*>(arena.take<int>(problem.stride()));
  }
  static std::size_t scratchSize(const typename ProblemT::Size& size) {
    const std::size_t stride = ProblemT::strideOf(size), rows = DenseLu::paddedSize(3 * static_cast<int>(stride));
    return Motion::scratchSize(size) + 7 * rows + 5 * Motion::mostMotions(size) + stride * (kResponseSize + 6) + 64;
  }

  /// Factorises G. Comes before everything else.
  void begin() {
    motion_.begin();
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
  bool regular() const { return motion_.regular(); }

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
    setZero(y_, motion_.width());
    copyVector(problem_.b, v_, problem_.rows());
  }

  /// From impulses p with the velocity v = G p + b: contacts are in the states that one step of the natural map gives.
  void startFrom(const double* p, const double* v, double compliance) {
    setCompliance(compliance);
    motion_.of(p, y_);
    const int stride = problem_.stride();
    for (int i = 0; i < stride; ++i) {
      const Vector3<double> v_i = contactOf(v, stride, i);
      setContact(v_, stride, i, i < problem_.contacts ? likelyVelocity(i, contactOf(p, stride, i), v_i) : v_i);
    }
    keepShift(v);
  }

  /// From impulses p with the velocity v = G p + b, for contacts that give way by what their impulses change from p,
  /// and not by all of them: a solution of the rigid problem is one of this, whatever the compliance. States are those
  /// of startFrom().
  void startNear(const double* p, const double* v, double compliance) {
    setCompliance(compliance);
    motion_.of(p, y_);
    const int stride = problem_.stride();
    copyVector(v, start_v_, problem_.rows());
    for (int i = 0; i < problem_.contacts; ++i) {
      const Vector3<double> p_i = contactOf(p, stride, i), v_i = contactOf(v, stride, i);
      const double own = compliance_of_[i];
      setContact(start_v_, stride, i,
                 {v_i.x - own * p_i.x, v_i.y - own * p_i.y, given_[i] < 0.0 ? v_i.n - own * p_i.n : v_i.n});
      setContact(v_, stride, i, likelyVelocity(i, p_i, v_i));
    }
    for (int i = problem_.contacts; i < stride; ++i) setContact(v_, stride, i, contactOf(v, stride, i));
    keepShift(start_v_);
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
    copyVector(y_, saved_y_, motion_.width());
    copyVector(v_, saved_v_, problem_.rows());
    saved_compliance_ = compliance_;
  }
  void restore() {
    copyVector(saved_y_, y_, motion_.width());
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
  /// date afterwards. Given up where the defect does not get smaller in `patience` steps, and where contacts give way
  /// by more than `largest_yield`: impulses have got out of hand.
  bool solve(int max_steps, double precision, double largest_yield = infinity(),
             int patience = CompliantRules::kPatience) {
    enough_ = 0.0;
    return iterate(max_steps, precision, largest_yield, patience);
  }
  /// The same until the defect shows by no more than `enough`.
  bool solveTo(double enough, int max_steps, int patience) {
    enough_ = enough;
    return iterate(max_steps, 0.0, infinity(), patience);
  }

  const double* impulse() const { return p_; }
  double largestImpulse() const { return largest_impulse_; }
  double yielding() const { return yielding_; }  ///< by which contacts give way at most [m/s]
  int steps() const { return steps_; }

 private:
  using Motion = typename ProblemT::Motion;
  static constexpr double kUnknown = 1e300;
  static constexpr int kResponseSize = (sizeof(Response) + 7) / sizeof(double);

  bool iterate(int max_steps, double precision, double largest_yield, int patience) {
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
      if (waited >= patience) return false;
      ++steps_;
      findStep();
      if (has_shift_)
        takeShiftedStep();
      else
        takeStep();
    }
  }

  void setCompliance(double compliance) {
    compliance_ = compliance;
    for (int i = 0; i < problem_.stride(); ++i) compliance_of_[i] = compliance * weight_[i];
  }

  /// The normal impulse where it does not depend on others, else −1.
  double givenNormal(int i) const {
    if (i >= problem_.contacts || !problem_.movable(i)) return 0.0;
    const int row = 2 * problem_.stride() + i;
    return motion_.takesPart(row) ? -1.0 : larger(-problem_.b[row] / problem_.block(i, 2, 2), 0.0);
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
    motion_.of(p_, defect_);
    for (int k = 0; k < motion_.rank(); ++k) defect_[k] = y_[k] - defect_[k];
  }

  /// Looks at the defect as the contacts would see it.
  bool arrived(double precision) {
    setZero(shown_, problem_.rows());
    motion_.addVelocity(defect_, shown_);
    const double before = shown_defect_;
    shown_defect_ = 0.0;
    double sum = 0.0;
    for (int row = 0; row < problem_.rows(); ++row) {
      shown_defect_ = larger(shown_defect_, magnitude(shown_[row]));
      sum += shown_[row];
    }
    if (!(sum - sum == 0.0)) shown_defect_ = infinity();  // NOLINT(misc-redundant-expression): is it finite?
    may_reuse_ = may_reuse_ && shown_defect_ < CompliantRules::kSameMatrix * before && sameStates();
    if (enough_ > 0.0) return shown_defect_ <= larger(enough_, rounding_);
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

  void findStep() {
    if (!may_reuse_) {
      motion_.factorise(response_, weight_, compliance_);
      for (int i = 0; i < problem_.contacts; ++i) last_state_[i] = response_[i].state;
    }
    may_reuse_ = true;
    motion_.solve(defect_, has_shift_ ? shift_ : nullptr, step_y_);
    setZero(step_v_, problem_.rows());
    motion_.addVelocity(step_y_, step_v_);
  }

  void takeShiftedStep() {
    for (int k = 0; k < motion_.rank(); ++k) y_[k] += step_y_[k];
    for (int row = 0; row < problem_.rows(); ++row) v_[row] += step_v_[row] + shift_[row];
    has_shift_ = false;
    shown_defect_ = kUnknown;
    evaluate();
  }

  /// The whole step if the defect along it becomes much smaller by it, else to where it vanishes.
  void takeStep() {
    copyVector(y_, start_y_, motion_.width());
    copyVector(v_, start_v_, problem_.rows());
    double before = 0.0, after = 0.0;
    for (int k = 0; k < motion_.rank(); ++k) before += step_y_[k] * defect_[k];
    goAlong(1.0);
    for (int k = 0; k < motion_.rank(); ++k) after += step_y_[k] * defect_[k];
    if (!(before < 0.0) || magnitude(after) <= -CompliantRules::kFullStep * before) return;
    goAlong(lengthWithoutSlope(before, after));
    may_reuse_ = false;
  }

  void goAlong(double length) {
    for (int k = 0; k < motion_.rank(); ++k) y_[k] = start_y_[k] + length * step_y_[k];
    for (int row = 0; row < problem_.rows(); ++row) v_[row] = start_v_[row] + length * step_v_[row];
    evaluate();
  }

  /// The defect along the step, at this length of it.
  double slope(double length) const {
    using P = typename ProblemT::P;
    const int stride = problem_.stride();
    double sum = 0.0;
    for (int k = 0; k < motion_.rank(); ++k) sum += step_y_[k] * (start_y_[k] + length * step_y_[k]);
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
  Motion motion_;
  double compliance_ = 0.0;  ///< of a contact with weight one [1/kg]
  double saved_compliance_ = 0.0;
  double largest_impulse_ = 0.0;  ///< [N s]
  double yielding_ = 0.0;         ///< by which contacts give way at most [m/s]
  double shown_defect_ = 0.0;     ///< largest entry of V defect [m/s]
  double rounding_ = 0.0;         ///< defect that cannot be told from none [m/s]
  double enough_ = 0.0;           ///< defect that ends the solve, where one was asked for [m/s]
  bool has_shift_ = false;        ///< the next step adds shift_ to v_
  bool bounds_held_ = false;
  bool may_reuse_ = false;  ///< the matrix of the last step serves for another one
  int steps_ = 0;
  double *y_, *v_, *p_;  ///< motion, velocities, impulses
  double *defect_, *step_y_, *step_v_, *start_y_, *start_v_, *shift_, *shown_, *saved_y_, *saved_v_;
  double* given_;                    ///< normal impulse that does not depend on others, or −1
  double* bound_;                    ///< of friction, where bounds are held
  double *weight_, *compliance_of_;  ///< of each contact
  Response* response_;
  ContactState* last_state_;  ///< of the matrix
};

}  // namespace footfall::FOOTFALL_ISA
