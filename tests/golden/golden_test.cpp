// Same bits: what only reorganises the code changes no digit of any run. The hashes of golden_hashes.txt were made by a
// named compiler for a named instruction set; where another one builds, there is nothing to compare with, and the test
// says so. A change of the numerics writes them anew, in a commit that says why:
//     FOOTFALL_WRITE_GOLDEN=tests/golden/golden_hashes.txt build/release/bin/test_golden

#include <gnu/libc-version.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <span>
#include <string>

#include "footfall/diagram/all_blocks.hpp"
#include "footfall/diagram/diagram_source.hpp"
#include "footfall/robot_block/diagram_robot.hpp"
#include "footfall/simd/instruction_set.hpp"
#include "tools/source_dir.hpp"

namespace footfall {
namespace {

constexpr int kSteps = 400;
const std::string kFile = sourceDir() + "/tests/golden/golden_hashes.txt";

/// FNV-1a: every bit counts.
class Hash {
 public:
  void add(std::span<const double> values) {
    for (const double value : values) {
      std::uint64_t bits;
      std::memcpy(&bits, &value, sizeof bits);
      for (int byte = 0; byte < 8; ++byte) hash_ = (hash_ ^ ((bits >> (8 * byte)) & 0xff)) * 0x100000001b3;
    }
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

std::span<const double> numbers(const VectorXd& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }

/// States and contact forces of every step, of the scene's diagram or of the one that stands for a scene without.
std::uint64_t hashOfRun(const std::string& scene) {
  const DiagramSource source = loadDiagramSource(sourceDir() + "/scenes/" + scene + ".yaml", {}, allBlocks());
  Context context = source.diagram.makeContext();
  const DiagramRobot robot(source.diagram, context);
  Hash hash;
  for (int k = 0; k < kSteps; ++k) {
    if (!source.diagram.step(context)) ADD_FAILURE() << scene << ": " << context.stopReason();
    hash.add(numbers(robot.state().q));
    hash.add(numbers(robot.state().nu));
    for (const ContactReport& contact : robot.result().contacts) hash.add({contact.force_W.data(), 3});
  }
  return hash.value();
}

/// What decides about the last digit. The mathematical functions of glibc choose their code by the processor, too.
std::string machine() {
  std::string name = std::string(FOOTFALL_GOLDEN_BUILD) + ", glibc " + gnu_get_libc_version() + ", Eigen " +
                     std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
                     std::to_string(EIGEN_MINOR_VERSION) + ", " + nameOf(instructionSet());
#ifdef __x86_64__
  if (__builtin_cpu_supports("fma")) name += ", fma";
#endif
  return name;
}

/// machine → scene → hash
using Golden = std::map<std::string, std::map<std::string, std::string>>;

Golden readGolden() {
  Golden golden;
  std::ifstream file(kFile);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    const auto first = line.find('\t'), second = line.find('\t', first + 1);
    golden[line.substr(0, first)][line.substr(first + 1, second - first - 1)] = line.substr(second + 1);
  }
  return golden;
}

std::string text(std::uint64_t hash) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

class GoldenHash : public testing::TestWithParam<const char*> {};

TEST_P(GoldenHash, SameBitsAsBefore) {
  const std::string scene = GetParam(), now = text(hashOfRun(scene));
  EXPECT_EQ(now, text(hashOfRun(scene))) << "the same run twice";
  if (const char* path = std::getenv("FOOTFALL_WRITE_GOLDEN")) {
    std::ofstream(path, std::ios::app) << machine() << '\t' << scene << '\t' << now << '\n';
    return;
  }
  const Golden golden = readGolden();
  ASSERT_FALSE(golden.empty()) << kFile;
  if (golden.count(machine()) == 0) GTEST_SKIP() << "no hashes of " << machine() << " in " << kFile;
  EXPECT_EQ(now, golden.at(machine()).at(scene))
      << "the numerics have changed: if that was meant, write " << kFile << " anew and say why";
}

INSTANTIATE_TEST_SUITE_P(Scenes, GoldenHash,
                         testing::Values("icub", "g1", "anymal_c", "talos", "cassie", "fallen_g1", "stairs", "five_bar",
                                         "icub_balancing", "icub_motors", "euler_disc", "push_ups"),
                         [](const auto& scene) { return std::string(scene.param); });

}  // namespace
}  // namespace footfall
