#include "dynamics/native/make_native.hpp"

#include "dynamics/native/mimic_dynamics.hpp"
#include "dynamics/native/native_dynamics.hpp"

namespace footfall::native {

std::unique_ptr<Dynamics> makeNative(const Model& model) {
  if (MimicDynamics::neededBy(model)) return std::make_unique<MimicDynamics>(model);
  return std::make_unique<NativeDynamics>(model);
}

}  // namespace footfall::native
