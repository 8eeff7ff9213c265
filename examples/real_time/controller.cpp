// A controller of another process that holds the posture in which it finds the robot:
//
//     footfall run scenes/quadruped.yaml --real-time --socket /tmp/robot.sock &
//     c++ -std=c++20 -I include examples/real_time/controller.cpp -o controller && ./controller /tmp/robot.sock

#include <cstdio>
#include <exception>
#include <footfall/real_time/client.hpp>

int main(int argc, char** argv) try {
  footfall::real_time::Client robot(argc > 1 ? argv[1] : "/tmp/robot.sock");
  std::vector<double> wanted, torque(robot.about().joints);
  long states = 0;
  while (const footfall::real_time::RobotSample* sample = robot.wait()) {
    if (wanted.empty()) wanted.assign(sample->q.begin() + 7, sample->q.end());
    for (std::size_t j = 0; j < torque.size(); ++j)
      torque[j] = 40.0 * (wanted[j] - sample->q[7 + j]) - 1.0 * sample->nu[6 + j];
    robot.command(torque);
    ++states;
  }
  std::printf("the run is over after %ld states\n", states);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
