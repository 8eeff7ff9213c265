#include <cstdio>
#include <footfall/base/error.hpp>
#include <footfall/run/simulation.hpp>

int main() try {
  footfall::Simulation simulation(footfall::loadScene("scenes/demo.yaml"));
  const footfall::FrameIndex chest = simulation.model().frame("chest");

  while (simulation.time() < 5.0) {
    const footfall::StepResult& result = simulation.step();
    if (result.status == footfall::SolveStatus::failed) {
      std::puts(simulation.describeFailure().c_str());
      return 1;
    }
    if (result.impact) std::printf("impact at t = %.3f s\n", simulation.time());
  }
  const footfall::Vector3d p = simulation.dynamics().framePose(chest).p;
  std::printf("chest at %.4f %.4f %.4f m\n", p.x(), p.y(), p.z());
  for (const footfall::SoleReport& sole : simulation.result().soles)
    std::printf("%s carries %.2f N\n", simulation.model().frames[sole.frame].name.c_str(), sole.wrench_F[2]);
} catch (const footfall::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
