#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace footfall::test {

/// What came of calling the command.
struct Outcome {
  int exit_code = -1;
  std::string out, err;
};

/// A flat robot with a foot and an arm. Written out here, because the tests break it in many ways.
std::string robotUrdf();
/// A scene with that robot standing on the ground, for a quarter of a second.
std::string sceneYaml();

/// `text` with one replacement; the test fails when there is nothing to replace.
std::string replaced(const std::string& text, const std::string& what, const std::string& by);

/// Runs the real program in an empty folder of its own, which holds robot.urdf and scene.yaml.
class Command : public ::testing::Test {
 protected:
  Command();
  ~Command() override;

  /// Through the shell: `footfall <arguments>`, with `before` in front of it ("ulimit -f 8;").
  Outcome call(const std::string& arguments, const std::string& before = "") const;

  void write(const std::string& file, const std::string& text) const;
  std::string read(const std::string& file) const;
  std::vector<std::string> lines(const std::string& file) const;
  std::string path(const std::string& file) const { return (folder_ / file).string(); }
  bool exists(const std::string& file) const { return std::filesystem::exists(folder_ / file); }

 private:
  std::filesystem::path folder_;
};

}  // namespace footfall::test
