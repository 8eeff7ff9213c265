// Small files that claim to be large ones, go in circles, or lead out of where they belong: each is refused with an
// Error that says why, before it costs time or memory.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "archive/zip_file.hpp"
#include "footfall/base/error.hpp"
#include "footfall/geometry/triangle_mesh.hpp"
#include "footfall/robot_file/urdf.hpp"
#include "footfall/scene/scene.hpp"
#include "fuzz/memory_file.hpp"
#include "fuzz/readers.hpp"
#include "geometry/mesh_formats.hpp"
#include "import/fmu_description.hpp"
#include "model/error_of.hpp"

namespace footfall::fuzz {
namespace {

template <class Call>
void expectRefused(Call call, const std::string& because) {
  const std::string problem = errorOf(call).problem();
  EXPECT_NE(problem.find(because), std::string::npos) << problem;
}

void expectRefusedBy(const char* reader, const std::string& bytes, const std::string& because) {
  expectRefused([&] { findReader(reader).read(bytes); }, because);
}

/// a0 … a9 hold ten of the one before each.
std::string billionLaughs(const std::string& first_lines) {
  std::string text = first_lines + "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 10; ++i)
    text +=
        fmt::format("a{0}: &a{0} [*a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}]\n", i, i - 1);
  return text;
}

TEST(HostileScene, AliasesOfAliasesAreNotWrittenOut) {
  expectRefusedBy("scene", billionLaughs(""), "aliases (*name) make far more values");
  expectRefusedBy("diagram", billionLaughs("blocks: {}\n"), "aliases (*name) make far more values");
}

TEST(HostileScene, AnAliasInsideOfItselfIsRefused) {
  expectRefusedBy("diagram", "blocks: &b {a: {block: Gain, factor: *b}}\n", "deep in each other");
}

TEST(HostileScene, DeepListsAreRefused) {
  expectRefusedBy("scene", "robot: " + std::string(150, '[') + std::string(150, ']'), "deep in each other");
  EXPECT_THROW(findReader("scene").read("robot: " + std::string(100'000, '[')), Error);
}

TEST(HostilePolicy, LayersThatClaimToBeLargeAreNotBelieved) {
  const std::string start = "footfall_policy 1\ninputs 1\nmean 0\nscale 1\ninput_limit 1\n";
  expectRefusedBy("policy", start + "layer 65536 tanh\nbias 0\n", "'bias' has 1 numbers, expected 65536");
  expectRefusedBy("policy", start + "layer 1e300 tanh\n", "no whole number");
  expectRefusedBy("policy", start + "layer -1 tanh\n", "no whole number");
  std::string deep = start;
  for (int i = 0; i < 1000; ++i) deep += "layer 1 tanh\nbias 0\nweights 1\n";
  expectRefusedBy("policy", deep, "more than 64 layers");
}

TEST(HostileDiagram, RepeatsInsideOfRepeatsEnd) {
  const std::string block = "blocks: {a$i-$j-$k: {for: {i: 1000, j: 1000, k: 1000}, block: Clock}}\n";
  expectRefusedBy("diagram", block, "becomes too large");
  expectRefusedBy("diagram", "blocks: {a$i: {for: {i: 1e30}, block: Clock}}\n", "at most 20000 are allowed");
}

TEST(HostileDiagram, NamesOfNamesEnd) {
  std::string texts = "parameters:\n  p0: xxxxxxxxxx\n", lists = "parameters:\n  p0: [1, 1]\n";
  for (int i = 1; i < 40; ++i) {
    texts += fmt::format("  p{0}: $p{1}$p{1}\n", i, i - 1);
    lists += fmt::format("  p{0}: [$p{1}, $p{1}]\n", i, i - 1);
  }
  expectRefusedBy("diagram", texts + "blocks: {}\n", "becomes too large");
  expectRefusedBy("diagram", lists + "blocks: {}\n", "becomes too large");
}

TEST(HostileDiagram, SubDiagramsInsideOfSubDiagramsEnd) {
  std::string text = "subdiagrams:\n  S0: {blocks: {c: Clock}}\n";
  for (int i = 1; i < 20; ++i) text += fmt::format("  S{0}: {{blocks: {{a: S{1}, b: S{1}, c: S{1}}}}}\n", i, i - 1);
  expectRefusedBy("diagram", text + "blocks: {s: S19}\n", "becomes too large");
}

TEST(HostileDiagram, ASizeThatNoMemoryHoldsIsRefused) {
  for (const char* size : {"1e9", "1e30", "[1e9, 1e9]"})
    expectRefusedBy("diagram", fmt::format("blocks: {{}}\ninputs: {{u: {{type: vector, size: {}}}}}\n", size),
                    "size is not a whole number");
}

/// A chain of links: each hangs on the one before.
std::string chainOfLinks(int count) {
  const std::string body = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>";
  std::string text = "<robot name='r'>";
  for (int i = 0; i < count; ++i) text += fmt::format("<link name='l{}'>{}</link>", i, body);
  for (int i = 1; i < count; ++i)
    text += fmt::format("<joint name='j{0}' type='fixed'><parent link='l{1}'/><child link='l{0}'/></joint>", i, i - 1);
  return text + "</robot>";
}

TEST(HostileRobot, AChainOfTenThousandLinksIsRefusedAndOneOfAThousandIsNot) {
  expectRefused([] { parseUrdf(chainOfLinks(10'000), "r.urdf"); }, "chain of more than 1000 joints");
#ifdef __SANITIZE_ADDRESS__
  constexpr int kLinks = 300;  // its frames of the stack are ten times as large
#else
  constexpr int kLinks = 1000;
#endif
  EXPECT_EQ(parseUrdf(chainOfLinks(kLinks), "r.urdf").model.totalMass(), kLinks);
}

TEST(HostileRobot, FramesOfSdfMayFollowEachOtherInALongChain) {
  std::string text =
      "<sdf><model name='m'><link name='l'><pose relative_to='f4999'/><inertial><inertia/></inertial></link>"
      "<frame name='f0'><pose>1 0 0 0 0 0</pose></frame>";
  text.replace(text.find("<pose relative_to='f4999'/>"), 27, "<pose relative_to='f4999'>0 0 0 0 0 0</pose>");
  for (int i = 1; i < 5000; ++i)
    text += fmt::format("<frame name='f{}' attached_to='f{}'><pose>1 0 0 0 0 0</pose></frame>", i, i - 1);
  EXPECT_EQ(parseUrdf(text + "</model></sdf>", "m.sdf").model.totalMass(), 1.0);
}

/// Nodes of a COLLADA file that show the one before twice.
std::string doublingNodes(int count) {
  std::string text = "<COLLADA><library_nodes><node id='n0'/>";
  for (int i = 1; i < count; ++i)
    text += fmt::format("<node id='n{0}'><instance_node url='#n{1}'/><instance_node url='#n{1}'/></node>", i, i - 1);
  return text + fmt::format(
                    "</library_nodes><library_visual_scenes><visual_scene id='s'><instance_node url='#n{}'/>"
                    "</visual_scene></library_visual_scenes><scene><instance_visual_scene url='#s'/></scene></COLLADA>",
                    count - 1);
}

TEST(HostileMesh, NodesThatShowEachOtherTwiceEnd) {
  expectRefused([] { parseMesh("a.dae", doublingNodes(64)); }, "the scene shows more than");
}

TEST(HostileMesh, AGeometryThatIsShownAgainAndAgainEndsAtTheLimitOfTriangles) {
  std::string numbers, instances;
  for (int i = 0; i < 300; ++i) numbers += "1 ";
  for (int i = 0; i < 100; ++i) instances += "<instance_geometry url='#g'/>";
  const std::string text = fmt::format(
      "<COLLADA><library_geometries><geometry id='g'><mesh><source id='p'><float_array>{}</float_array>"
      "<technique_common><accessor count='100' stride='3'/></technique_common></source><vertices id='v'>"
      "<input semantic='POSITION' source='#p'/></vertices><triangles><input semantic='VERTEX' source='#v' offset='0'/>"
      "<p>0 1 2</p></triangles></mesh></geometry></library_geometries><library_visual_scenes>"
      "<visual_scene id='s'><node>{}</node></visual_scene></library_visual_scenes>"
      "<scene><instance_visual_scene url='#s'/></scene></COLLADA>",
      numbers, instances);
  EXPECT_EQ(parseMesh("a.dae", text).triangles.size(), 100u);
  expectRefused([&] { parseMesh("a.dae", text, {text.size(), 1000}); }, "more than the 1000 triangles");
}

TEST(HostileMesh, AnOffsetThatOverflowsIsRefused) {
  std::string text = findReader("mesh").seeds()[0];
  text.replace(text.find("offset=\"1\""), 10, "offset=\"2147483647\"");
  expectRefusedBy("mesh", text, "offset=\"2147483647\"");
}

TEST(HostileFmu, FilesOfAnArchiveDoNotShareTheirBytes) {
  const MemoryFile file;
  fmu::writeZip(file.path(), {{"a", std::string(50'000, 'x')}, {"b", std::string(50'000, 'y')}});
  std::string bytes = file.bytes();
  EXPECT_EQ(fmu::readZip(MemoryFile(bytes).path()).size(), 2u);
  // The directory has 47 bytes for each file; at 20 is the packed size, which is made that of the whole archive.
  const std::size_t second = bytes.rfind("PK\1\2");
  bytes[second + 20] = static_cast<char>(bytes.size() & 0xff);
  bytes[second + 21] = static_cast<char>(bytes.size() >> 8);
  expectRefused([&] { fmu::readZip(MemoryFile(bytes).path()); }, "overlap");
}

std::string description(const std::string& identifier, const std::string& dimensions) {
  return fmt::format(
      "<fmiModelDescription fmiVersion='3.0'><CoSimulation modelIdentifier='{}'/><ModelVariables>"
      "<Float64 name='q' valueReference='1' causality='output'>{}</Float64></ModelVariables></fmiModelDescription>",
      identifier, dimensions);
}

TEST(HostileFmu, DimensionsThatOverflowOrAreNegativeAreRefused) {
  EXPECT_EQ(
      fmu::parseDescription(description("m", "<Dimension start='3'/><Dimension start='4'/>"), "").variables[0].size,
      12);
  for (const char* dimensions :
       {"<Dimension start='65536'/><Dimension start='65536'/>", "<Dimension start='-3'/>", "<Dimension start='many'/>"})
    expectRefused([&] { fmu::parseDescription(description("m", dimensions), ""); }, "'q' has dimensions");
}

TEST(HostileFmu, AnIdentifierCannotLeadOutOfTheArchive) {
  expectRefused([] { fmu::parseDescription(description("../../tmp/evil", ""), ""); }, "modelIdentifier");
}

TEST(HostileFmu, ADescriptionWithoutElementsIsRefused) {
  expectRefused([] { fmu::parseDescription("<?xml version='1.0'?><!-- nothing -->", ""); }, "no element");
}

}  // namespace
}  // namespace footfall::fuzz
