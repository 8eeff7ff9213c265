#pragma once

#include "footfall/block/registry.hpp"

namespace footfall {

/// Questions about the model at (q, ν), each a block: `ForwardKinematics`, `Jacobian`, `JacobianDotNu`,
/// `CentroidalMomentum`, `CenterOfMass`, `MassMatrix`, `BiasForces`, `GravityForces`, `InverseDynamics`; and
/// `ModelFunctions`, which other blocks may call.
void addModelQueries(BlockRegistry& registry);

}  // namespace footfall
