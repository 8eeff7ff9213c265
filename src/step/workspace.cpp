#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "footfall/base/error.hpp"
#include "footfall/solver/island_solver.hpp"
#include "footfall/step/internal/check_gains.hpp"
#include "footfall/step/internal/joint_forces.hpp"
#include "footfall/step/tie.hpp"
#include "step/report.hpp"
#include "step/second_order.hpp"
#include "step/second_order_rules.hpp"
#include "step/workspace_parts.hpp"

namespace footfall {

void validate(const Settings& settings) {
  if (!(settings.step > 0.0) || !std::isfinite(settings.step))
    throw Error("physics.step", fmt::format("the step is {} s, expected a number above zero", settings.step));
  if (settings.contact.model == "gauss" && settings.contact.law == FrictionLaw::cone)
    throw Error("physics.friction_law", "the contact model 'gauss' is a QP on the friction pyramid",
                "choose friction_law: pyramid, or contact: rigid for the cone");
}

namespace {

FrictionLaw impactLaw(const ContactSettings& contact) {
  return contact.model == "gauss" ? FrictionLaw::convex_pyramid : contact.law;
}

/// A single robot is one island.
std::unique_ptr<ContactSolver> solverFor(const Model& model, const Settings& settings) {
  std::unique_ptr<ContactSolver> solver = makeContactSolver(settings.solver);
  return model.further_bodies > 0 ? makeIslandSolver(std::move(solver)) : std::move(solver);
}

/// Null where shapes meet neither each other nor blocks of the ground.
SharedSolids solidsFor(const Model& model, const Terrain& terrain) {
  const bool meet = model.collides() || (!model.shapes.empty() && terrain.blockCount() > 0);
  return meet ? makeSolids(model) : nullptr;
}

void reserve(ContactSolution& solution, int rows) { solution.impulse.assign(rows, 0.0); }

}  // namespace

Workspace::Parts::Parts(const Model& m, const Terrain& t, const Settings& s, const std::vector<Loop>& with_ties,
                        bool with_own_masses, const Parts* before)
    : bare_model(m),
      ties(with_ties),
      own_masses(with_own_masses),
      own(ties.empty() ? (own_masses ? std::make_unique<Model>(m) : nullptr)
                       : std::make_unique<Model>(withTies(m, ties))),
      model(own ? *own : m),
      solids(before ? before->solids : solidsFor(m, t)),
      terrain(t),
      settings(s),
      dynamics(makeDynamics(s.engine, model)),
      solver(before ? before->solver : solverFor(model, s)),
      contact_model(makeContactModel(s.contact)),
      integrator(makeIntegrator(s.integrator)),
      impact_model(impactLaw(s.contact), s.contact.solver, 0.0),
      system(model, solids),
      prescribed(model),
      result_memory(before ? before->result_memory : std::make_shared<StepResult>()),
      result(*result_memory) {
  validate(settings);
  checkGains(model);
  if (contact_model->hasImpacts()) requireSupport(*solver, impactLaw(s.contact));
  system.keepByTrees(keepsByTrees());
  integrator->reserve(model);
  makeRoom();
  for (VectorXd* v : {&nu, &nu_free, &nu_end, &tau, &reaction, &change, &external}) v->setZero(model.nv());
  for (VectorXd* v : {&torque, &implicit, &bare_inertia}) v->setZero(model.jointDofs());
  for (const DofIndex dof : prescribed.dofs()) bare_inertia[dof] = kImmovableInertia;
  for (VectorXd* v : {&middle, &end}) v->setZero(model.nq());
  reserveReport(model, result);
  chooseScheme();
}

Workspace::Parts::~Parts() = default;

std::unique_ptr<Workspace::Parts> Workspace::Parts::withOwnModel(const Parts& before) {
  return std::unique_ptr<Parts>(new Parts(before.bare_model, before.terrain, before.settings, {}, true, &before));
}

/// Other contact models work on G themselves.
bool Workspace::Parts::keepsByTrees() const { return model.further_bodies > 0 && contact_model->takesTrees(); }

void Workspace::Parts::makeRoom() {
  const int contacts = system.capacity();
  if (contacts == room) return;
  const int rows = ContactLayout::of(contacts).rows();
  dynamics->reserveContacts(contacts);
  solver->reserve(contacts);
  contact_model->reserve(contacts);
  reserve(forces, rows);
  reserve(impacts, rows);
  velocity.assign(rows, 0.0);
  impact_model.reserve(contacts);
  if (second_order) second_order->makeRoom();
  if (profile != nullptr) {
    ++profile->growths;
    profile->room = contacts;
  }
  room = contacts;
}

void Workspace::Parts::chooseScheme() {
  const bool second = integrator->ownsStep() && contact_model->takesShift();
  if (second != (second_order != nullptr)) second_order = second ? std::make_unique<SecondOrderStep>(*this) : nullptr;
  const bool is_explicit = !second && !integrator->singleStage();
  stiff_flight = is_explicit ? std::make_unique<StiffFlight>(model, *dynamics) : nullptr;
  const double fall = second ? 0.5 * model.gravity.norm() * settings.step * settings.step : 0.0;
  impact_model = ImpactModel(impactLaw(settings.contact), settings.contact.solver,
                             impactThreshold(model, settings.step, second), fall);
  impact_model.reserve(system.capacity());
}

Workspace::Workspace(const Model& model, const Terrain& terrain, const Settings& settings)
    : parts_(std::make_unique<Parts>(model, terrain, settings)) {}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;
Dynamics& Workspace::dynamics() { return *parts_->dynamics; }

void Workspace::setTies(const std::vector<Loop>& ties) {
  if (ties == parts_->ties) return;
  checkTies(parts_->bare_model, ties, "state");
  if (parts_->own_masses) throw Error("state", "it has ties, which robots with masses of their own cannot have");
  replaceParts(std::make_unique<Parts>(*parts_, ties));
}

void Workspace::makeRoomFor(const State& state) {
  setTies(state.ties);
  Parts& w = *parts_;
  w.dynamics->updateKinematics(state.q, state.nu);
  w.system.find(w.terrain, state.time, {.step = w.settings.step}, state.q, state.nu, *w.dynamics);
  w.makeRoom();
}

void Workspace::setMasses(std::span<const LinkMass> masses, const MassTraits& traits) {
  if (!parts_->own_masses) {
    if (!parts_->ties.empty()) throw Error("masses", "they cannot be changed while the robot has ties");
    replaceParts(Parts::withOwnModel(*parts_));
  }
  setLinkMasses(masses, parts_->bare_model, *parts_->own);
  parts_->dynamics->setLinkMasses(masses);
  if (parts_->second_order) parts_->second_order->setMasses(masses, traits);
  if (parts_->stiff_flight) parts_->stiff_flight->use(traits);
}

void Workspace::replaceParts(std::unique_ptr<Parts> fresh) {
  const std::unique_ptr<Parts> old = std::exchange(parts_, std::move(fresh));
  // What somebody may have put in place of ours.
  setContactModel(std::move(old->contact_model));
  setIntegrator(std::move(old->integrator));
  setForceField(std::move(old->force_field));
  setProfile(old->profile);
}

void Workspace::setContactModel(std::unique_ptr<ContactModel> model) {
  model->reserve(parts_->system.capacity());
  parts_->contact_model = std::move(model);
  parts_->system.keepByTrees(parts_->keepsByTrees());
  parts_->chooseScheme();
}

void Workspace::setIntegrator(std::unique_ptr<Integrator> integrator) {
  integrator->reserve(parts_->model);
  parts_->integrator = std::move(integrator);
  parts_->chooseScheme();
}
void Workspace::setForceField(ForceField field) { parts_->force_field = std::move(field); }
void Workspace::setProfile(StepProfile* profile) { parts_->profile = profile; }

}  // namespace footfall
