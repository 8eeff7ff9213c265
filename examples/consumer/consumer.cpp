// Runs a scene and says where the robot ends up.
#include <footfall/base/error.hpp>
#include <footfall/run/simulation.hpp>
#include <iostream>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: consumer SCENE\n";
    return 2;
  }
  try {
    footfall::Simulation simulation(footfall::loadScene(argv[1]));
    while (simulation.time() < 0.5) simulation.step();
    std::cout << "base at " << simulation.state().basePose().p.transpose() << " m\n";
  } catch (const footfall::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
