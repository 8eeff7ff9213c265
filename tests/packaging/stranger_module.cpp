// A module as an FMU or a MEX file is one: it steps a scene behind a plain C function.
#include <exception>

#include "footfall/run/simulation.hpp"

/// Steps the scene of this text; returns the time that has passed [s], or −1 when it is not a good scene.
extern "C" __attribute__((visibility("default"))) double stranger_run(const char* scene, int steps) {
  try {
    footfall::Simulation simulation(footfall::parseScene(scene, "stranger"));
    for (int i = 0; i < steps; ++i) simulation.step();
    return simulation.time();
  } catch (const std::exception&) {
    return -1.0;
  }
}
