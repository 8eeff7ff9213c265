#include "contact_model.hpp"

#include <algorithm>
#include <cmath>

#include "footfall/base/error.hpp"

namespace footfall::python {
namespace {

/// What a contact model in Python is asked. Plain copies, contact by contact: row 3 i + c is component c of contact i.
struct StepInputs {
  double dt = 0.0;
  VectorXd nu, nu_free;
  int contacts = 0;  ///< with the ground; rows of joint limits and joint friction are not shown
  VectorXd gap, friction;
  MatrixXd p_WC;           ///< (contacts × 3)
  MatrixXd velocity;       ///< (contacts × 3)
  MatrixXd velocity_free;  ///< (contacts × 3)
  MatrixXd G;              ///< (3 contacts × 3 contacts)
  std::vector<int> candidate;
};

MatrixXd contactRows(const ContactProblem& problem, int contacts) {
  MatrixXd rows(contacts, 3);
  for (int i = 0; i < contacts; ++i)
    for (int c = 0; c < 3; ++c) rows(i, c) = problem.b[problem.layout.row(i, c)];
  return rows;
}

StepInputs describe(const ContactStepInputs& asked, FrictionLaw law) {
  const auto contacts = asked.system.contacts();
  const int count = static_cast<int>(contacts.size());
  StepInputs q;
  q.dt = asked.dt;
  q.nu = asked.nu;
  q.nu_free = asked.nu_free;
  q.contacts = count;
  const ProblemTerms terms{.law = law, .dt = asked.dt};
  q.velocity = contactRows(asked.system.assemble(asked.dynamics, asked.nu, terms), count);
  const ContactProblem& problem = asked.system.assemble(asked.dynamics, asked.nu_free, terms);
  q.velocity_free = contactRows(problem, count);
  q.gap.resize(count);
  q.friction.resize(count);
  q.p_WC.resize(count, 3);
  q.G.resize(3 * count, 3 * count);
  for (int i = 0; i < count; ++i) {
    q.gap[i] = contacts[i].surface.gap;
    q.friction[i] = contacts[i].surface.friction;
    q.p_WC.row(i) = contacts[i].p_WC.transpose();
    q.candidate.push_back(contacts[i].candidate);
    for (int a = 0; a < 3; ++a)
      for (int j = 0; j < count; ++j)
        for (int c = 0; c < 3; ++c) q.G(3 * i + a, 3 * j + c) = problem(i, a, j, c);
  }
  return q;
}

std::string textOf(const nb::object& thing) { return nb::cast<std::string>(nb::str(nb::handle(thing))); }

using Impulses = nb::ndarray<const double, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;

class PythonContactModel : public ContactModel {
 public:
  PythonContactModel(nb::object python, const ContactSettings& settings)
      : python_(std::move(python)), settings_(settings.solver), law_(settings.law) {
    name_ = nb::cast<std::string>(python_.type().attr("__name__"));
    has_impacts_ = nb::cast<bool>(python_.attr("has_impacts"));
  }

  std::string_view name() const override { return name_; }
  bool hasImpacts() const override { return has_impacts_; }
  void reserve(int max_contacts) override { joints_.impulse.assign(ContactLayout::of(max_contacts).rows(), 0.0); }

  void solve(const ContactStepInputs& asked, ContactSolver& solver, ContactSolution& solution) override {
    solution.iterations = 0;
    solution.counters = {};
    solution.residual = 0.0;
    solution.worst_contact = -1;
    solution.minimum_norm = false;
    solution.status = SolveStatus::converged;
    const ContactLayout& layout = asked.system.problem().layout;
    std::fill(solution.impulse.begin(), solution.impulse.begin() + layout.rows(), 0.0);
    callPython(asked, solution);
    if (!asked.system.jointRows().empty()) solveJointRows(asked, solver, solution);
    if (!std::all_of(solution.impulse.begin(), solution.impulse.begin() + layout.rows(),
                     [](double p) { return std::isfinite(p); })) {
      solution.status = SolveStatus::failed;
      solution.residual = std::numeric_limits<double>::infinity();
    }
  }

 private:
  void callPython(const ContactStepInputs& asked, ContactSolution& solution) {
    const nb::gil_scoped_acquire gil;
    const int count = static_cast<int>(asked.system.contacts().size());
    StepInputs inputs = describe(asked, law_);
    if (count == 0) return;
    const nb::object answer = python_.attr("solve")(nb::cast(std::move(inputs)));
    const nb::object numpy = nb::module_::import_("numpy");
    Impulses array;
    const nb::object given = numpy.attr("asarray")(answer);
    if (!nb::cast<bool>(numpy.attr("can_cast")(given.attr("dtype"), "float64", "same_kind")) ||
        !nb::try_cast(nb::object(numpy.attr("ascontiguousarray")(given, "dtype"_a = "float64")), array) ||
        static_cast<int>(array.shape(0)) != count)
      throw Error(name_ + ".solve",
                  "it returned " + textOf(given.attr("shape")) + " values of type " + textOf(given.attr("dtype")) +
                      ", expected one impulse of three numbers for each of the " + std::to_string(count) + " contacts");
    const ContactLayout& layout = asked.system.problem().layout;
    for (int i = 0; i < count; ++i)
      for (int c = 0; c < 3; ++c) solution.impulse[layout.row(i, c)] = array.data()[3 * i + c];
  }

  /// Joint limits and joint friction answer what the ground does: the solver finds their impulses.
  void solveJointRows(const ContactStepInputs& asked, ContactSolver& solver, ContactSolution& solution) {
    const ContactProblem& all = asked.system.problem();
    const int first = static_cast<int>(asked.system.contacts().size());
    const int count = all.layout.contacts - first;
    rows_.law = law_;
    rows_.resize(count);
    for (int i = 0; i < count; ++i) {
      rows_.mu[i] = all.mu[first + i];
      for (int a = 0; a < 3; ++a) {
        double& b = rows_.b[rows_.layout.row(i, a)];
        b = all.b[all.layout.row(first + i, a)];
        for (int j = 0; j < first; ++j)
          for (int c = 0; c < 3; ++c) b += all(first + i, a, j, c) * solution.impulse[all.layout.row(j, c)];
        for (int j = 0; j < count; ++j)
          for (int c = 0; c < 3; ++c) rows_(i, a, j, c) = all(first + i, a, first + j, c);
      }
    }
    std::fill(joints_.impulse.begin(), joints_.impulse.end(), 0.0);
    joints_.minimum_norm = false;
    solver.solve(rows_, settings_, joints_);
    solution.status = joints_.status;
    solution.residual = joints_.residual;
    solution.iterations = joints_.iterations;
    solution.counters = joints_.counters;
    for (int i = 0; i < count; ++i)
      for (int c = 0; c < 3; ++c)
        solution.impulse[all.layout.row(first + i, c)] = joints_.impulse[rows_.layout.row(i, c)];
  }

  nb::object python_;
  SolverSettings settings_;
  FrictionLaw law_;
  std::string name_;
  bool has_impacts_;
  ContactProblem rows_;
  ContactSolution joints_;
};

}  // namespace

std::unique_ptr<ContactModel> makePythonContactModel(nb::object python, const ContactSettings& settings) {
  return std::make_unique<PythonContactModel>(std::move(python), settings);
}

void bindContactModel(nb::module_& module) {
  nb::class_<StepInputs>(module, "ContactStepInputs",
                         R"(What a ContactModel gets, to find the impulses that act during this step.

Contact axes: x and y lie in the ground, z is its outward normal. In G, row 3 i + c is component c of contact i.)")
      .def_ro("dt", &StepInputs::dt, "length of the step [s]")
      .def_ro("contacts", &StepInputs::contacts, "how many there are")
      .def_prop_ro(
          "nu", [](const StepInputs& q) { return copyOf(q.nu); }, "velocity at the start, after impacts (nv)")
      .def_prop_ro(
          "nu_free", [](const StepInputs& q) { return copyOf(q.nu_free); },
          "velocity at the end if nothing touched (nv)")
      .def_prop_ro(
          "gap", [](const StepInputs& q) { return copyOf(q.gap); }, "distance to the ground, < 0 inside [m]")
      .def_prop_ro(
          "friction", [](const StepInputs& q) { return copyOf(q.friction); }, "Coulomb coefficients [-]")
      .def_prop_ro(
          "p_WC", [](const StepInputs& q) { return copyOf(q.p_WC); }, "where they are (contacts × 3) [m]")
      .def_prop_ro(
          "velocity", [](const StepInputs& q) { return copyOf(q.velocity); },
          "relative to the ground at the start, contact axes (contacts × 3) [m/s]")
      .def_prop_ro(
          "velocity_free", [](const StepInputs& q) { return copyOf(q.velocity_free); },
          "relative to the ground at the end if nothing touched (contacts × 3) [m/s]")
      .def_prop_ro(
          "G", [](const StepInputs& q) { return copyOf(q.G); },
          "velocity at the end = velocity_free + G impulse (3 contacts × 3 contacts) [1/kg]")
      .def_ro("candidate", &StepInputs::candidate, "numbers in model.candidate_names");
}

}  // namespace footfall::python
