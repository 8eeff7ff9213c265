#include "command/command_fixture.hpp"

#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace footfall::test {

namespace fs = std::filesystem;

std::string robotUrdf() {
  return R"(<robot name="stander">
  <link name="foot">
    <inertial>
      <mass value="2"/>
      <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.03"/>
    </inertial>
  </link>
  <link name="arm">
    <inertial>
      <origin xyz="0 0 0.1"/>
      <mass value="0.5"/>
      <inertia ixx="0.002" ixy="0" ixz="0" iyy="0.002" iyz="0" izz="0.001"/>
    </inertial>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="foot"/>
    <child link="arm"/>
    <origin xyz="0 0 0.1"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="10" velocity="5"/>
  </joint>
</robot>
)";
}

std::string sceneYaml() {
  return R"(robot:
  model: robot.urdf
  base: {position: [0, 0, 0]}
contacts:
  - {frame: foot, footprint: [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]]}
ground: {friction: 0.5}
physics: {step: 1 ms}
pushes:
  - {link: arm, force: [0.5, 0, 0], start: 0.05 s, duration: 0.05 s}
run: {duration: 0.25 s}
)";
}

std::string replaced(const std::string& text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << "the test replaces '" << what << "', which is not there";
  return at == std::string::npos ? text : text.substr(0, at) + by + text.substr(at + what.size());
}

Command::Command() {
  std::string pattern = fs::temp_directory_path() / "footfall_command_XXXXXX";
  folder_ = mkdtemp(pattern.data());
  write("robot.urdf", robotUrdf());
  write("scene.yaml", sceneYaml());
}

Command::~Command() { fs::remove_all(folder_); }

Outcome Command::call(const std::string& arguments, const std::string& before) const {
  const std::string line = "cd '" + folder_.string() + "' || exit 99; " + before + " '" FOOTFALL_COMMAND "' " +
                           arguments + " > stdout.txt 2> stderr.txt";
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read("stdout.txt"), read("stderr.txt")};
}

void Command::write(const std::string& file, const std::string& text) const { std::ofstream(folder_ / file) << text; }

std::string Command::read(const std::string& file) const {
  std::ifstream stream(folder_ / file, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<std::string> Command::lines(const std::string& file) const {
  std::istringstream text(read(file));
  std::vector<std::string> result;
  for (std::string line; std::getline(text, line);) result.push_back(line);
  return result;
}

}  // namespace footfall::test
