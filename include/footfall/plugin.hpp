#pragma once

// All that a plug-in needs which brings a physics engine, a contact solver, a contact model, an integrator or a ground.
// (For blocks of diagrams: footfall/block.hpp.) See docs/plugins.md.

#include "footfall/base/plugin_identity.hpp"
#include "footfall/contact/contact_model.hpp"
#include "footfall/dynamics/dynamics.hpp"
#include "footfall/solver/contact_solver.hpp"
#include "footfall/step/integrator.hpp"
#include "footfall/terrain/terrain_plugin.hpp"

// Each of these stands once in the source of a library libfootfall_<kind>_<name>.so.

/// libfootfall_engine_<name>.so: a Dynamics with a constructor from `const footfall::Model&`
#define FOOTFALL_ENGINE(Class) \
  FOOTFALL_PLUGIN_MAKER(Dynamics, footfall_make_engine, Class, const footfall::Model& argument, argument)

/// libfootfall_solver_<name>.so: a ContactSolver with a constructor without arguments
#define FOOTFALL_SOLVER(Class) FOOTFALL_PLUGIN_MAKER(ContactSolver, footfall_make_solver, Class, , )

/// libfootfall_contact_<name>.so: a ContactModel with a constructor from `const footfall::ContactSettings&`
#define FOOTFALL_CONTACT_MODEL(Class)                                                                                \
  FOOTFALL_PLUGIN_MAKER(ContactModel, footfall_make_contact_model, Class, const footfall::ContactSettings& argument, \
                        argument)

/// libfootfall_integrator_<name>.so: an Integrator with a constructor without arguments
#define FOOTFALL_INTEGRATOR(Class) FOOTFALL_PLUGIN_MAKER(Integrator, footfall_make_integrator, Class, , )

/// libfootfall_terrain_<name>.so: a Terrain with a constructor from `const footfall::TerrainParameters&`
#define FOOTFALL_TERRAIN(Class) \
  FOOTFALL_PLUGIN_MAKER(Terrain, footfall_make_terrain, Class, const footfall::TerrainParameters& argument, argument)

/// What they have in common: what the plug-in was built with, and a function that calls the constructor.
#define FOOTFALL_PLUGIN_MAKER(Port, maker, Class, Parameter, argument) \
  FOOTFALL_PLUGIN_IDENTITY                                             \
  extern "C" __attribute__((visibility("default"))) footfall::Port* maker(Parameter) { return new Class{argument}; }
