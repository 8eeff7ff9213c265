#include "fuzz/seeds.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "archive/zip_file.hpp"
#include "footfall/log/csv_log.hpp"
#include "footfall/log/mcap_log.hpp"
#include "footfall/model/state.hpp"
#include "footfall/robot_file/urdf.hpp"
#include "fuzz/memory_file.hpp"
#include "tools/source_dir.hpp"

namespace footfall::fuzz {
namespace {

namespace fs = std::filesystem;

std::string bytesOf(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string indented(const std::string& text) {
  std::string result = "  ";
  for (const char letter : text) result += letter == '\n' ? "\n  " : std::string(1, letter);
  return result;
}

std::vector<std::string> filesIn(const char* folder) {
  std::vector<fs::path> paths;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(sourceDir()) / folder))
    if (entry.is_regular_file()) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> files;
  for (const fs::path& path : paths) files.push_back(bytesOf(path));
  return files;
}

constexpr const char* kRobot = R"(<robot name="r">
  <material name="red"><color rgba="1 0 0 1"/></material>
  <link name="base"><inertial><origin xyz="0 0 0.1" rpy="0 0.1 0"/><mass value="2"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><box size="1 1 1"/></geometry><material name="red"/></visual>
    <collision><geometry><cylinder radius="0.1" length="1"/></geometry></collision></link>
  <link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
    <collision><geometry><sphere radius="0.1"/></geometry></collision>
    <visual><geometry><mesh filename="package://a/b.stl" scale="1 1 2"/></geometry></visual></link>
  <link name="finger"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <link name="tip"/>
  <joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="1 0 0"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="10" velocity="2"/><dynamics damping="0.1" friction="0.2"/></joint>
  <joint name="slide" type="prismatic"><parent link="arm"/><child link="finger"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="1" effort="10" velocity="2"/><mimic joint="turn" multiplier="0.5" offset="0.1"/></joint>
  <joint name="weld" type="fixed"><parent link="finger"/><child link="tip"/></joint>
</robot>)";

constexpr const char* kSdf = R"(<sdf version="1.6"><model name="m">
  <link name="base"><pose>0 0 1 0 0 0</pose><inertial><pose>0.1 0 0 0 0 0</pose><mass>2</mass>
    <inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz><ixy>0</ixy></inertia></inertial>
    <collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link>
  <link name="a"><pose relative_to="base">1 0 0 0 0 1.5708</pose><inertial><mass>2</mass>
    <inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>
    <visual name="v"><geometry><mesh><uri>model://m/a.dae</uri><scale>1 1 1</scale></mesh></geometry></visual></link>
  <link name="b"><inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>
  <frame name="mount" attached_to="base"><pose>0 1 0 0 0 0</pose></frame>
  <joint name="base_a" type="revolute"><parent>base</parent><child>a</child><pose>0 0.3 0 0 0 0</pose>
    <axis><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>1e16</upper><effort>-1</effort></limit>
    <dynamics><damping>1</damping><spring_stiffness>3</spring_stiffness></dynamics></axis></joint>
  <joint name="base_b" type="revolute"><parent>base</parent><child>b</child><axis><xyz>0 1 0</xyz>
    <use_parent_model_frame>1</use_parent_model_frame></axis></joint>
  <joint name="gear" type="gearbox"><parent>a</parent><child>b</child>
    <gearbox_reference_body>base</gearbox_reference_body><gearbox_ratio>2</gearbox_ratio>
    <axis><xyz>-1 0 0</xyz><use_parent_model_frame>1</use_parent_model_frame></axis>
    <axis2><xyz>0 1 0</xyz><use_parent_model_frame>1</use_parent_model_frame></axis2></joint>
</model></sdf>)";

constexpr const char* kLoopSdf = R"(<sdf version="1.6"><model name="m">
  <link name="base"><inertial><mass>2</mass><inertia/></inertial></link>
  <link name="a"><inertial><mass>2</mass><inertia/></inertial></link>
  <link name="b"><inertial><mass>2</mass><inertia/></inertial></link>
  <joint name="base_a" type="ball"><parent>base</parent><child>a</child></joint>
  <joint name="base_b" type="prismatic"><parent>base</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>
  <joint name="a_b" type="ball"><parent>a</parent><child>b</child></joint>
</model></sdf>)";

constexpr const char* kDiagram = R"yaml(about: Weighs loads
step: 1 ms
solver: rk4
parameters:
  feet: {default: [l, r], help: frames, unit: "-"}
  gain: 2
subdiagrams:
  Twice:
    parameters: {factor: {default: 1}}
    inputs: {in: {type: vector, size: 2, unit: N}}
    outputs: {out: {from: gain.out}}
    blocks: {gain: {block: Gain, factor: $factor}}
    connect: [in -> gain]
blocks:
  wave: {block: Sine, amplitude: [1, 2], frequency: 0.5, unit: N, sample: {period: 2 ms, offset: 1 ms}}
  ${foot}_twice: {for: {foot: $feet}, block: Twice, factor: $gain}
  sum: {block: Sum, signs: "+-"}
  first: {block: Select, indices: [0]}
  filter: {block: TransferFunction, numerator: [1], denominator: [1, 2]}
  table: {block: LookupTable, x: [0, 1], y: [0, 2], beyond: linear}
  f: {block: Function, formula: "2*u + sin(t)"}
  hold: {block: UnitDelay, sample: 4 ms}
connect:
  - for: {foot: $feet}
    connect: [wave -> $(foot)_twice -> sum.in$foot_number]
  - sum -> first -> filter -> table -> f -> hold
outputs: {out: hold.out}
run: {duration: 1 s}
)yaml";

constexpr const char* kChain = R"yaml(blocks:
  wave: {block: Sine, amplitude: 2, frequency: 0.5}
  twice: {block: Gain, factor: 2}
  noise: {block: Noise, sample: 3 ms, mean: [1, 2]}
  space: {block: StateSpace, A: [[0, 1], [-1, 0]], B: [[0], [1]], C: [[1, 0]]}
  jerk: {block: MinimumJerk, times: [0, 0.06], points: [[0, 1], [2, 3]]}
  delay: {block: UnitDelay, initial: 1}
connect:
  - wave -> twice -> space
  - noise -> delay
)yaml";

constexpr const char* kCollada = R"(<?xml version="1.0"?><COLLADA version="1.4.1">
  <asset><unit meter="0.01"/></asset><library_geometries><geometry id="g"><mesh>
    <source id="p"><float_array id="n" count="12">0 0 0 1 0 0 0 2 0 1 2 3</float_array>
      <technique_common><accessor source="#n" count="4" stride="3"/></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
    <triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#m" offset="1"/>
      <p>0 9 1 9 2 9</p></triangles>
    <polylist count="1"><input semantic="VERTEX" source="#v" offset="0"/><vcount>4</vcount><p>0 1 2 3</p></polylist>
    <tristrips count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2 3</p></tristrips>
  </mesh></geometry></library_geometries>
  <library_nodes><node id="k"><instance_geometry url="#g"/></node></library_nodes>
  <library_visual_scenes><visual_scene id="s"><node><matrix>1 0 0 1 0 1 0 2 0 0 1 3 0 0 0 1</matrix>
    <rotate>0 0 1 90</rotate><scale>1 2 3</scale><translate>1 2 3</translate><instance_node url="#k"/>
    <node><instance_geometry url="#g"/></node></node></visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene></COLLADA>)";

constexpr const char* kTextStl = R"(solid s
facet normal 0 0 1
outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet
facet normal 0 0 1
 outer loop
  vertex 0 0 1e0 vertex 1 0 .5 vertex 0 1 -2
 endloop
endfacet
endsolid s
)";

constexpr const char* kObj = R"(# a comment
o thing
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1 0.5
vn 0 0 1
f 1 2 3
f 1/1 2/2 -1/3 3//1
)";

std::string binaryStl() {
  std::string bytes(80, ' ');
  bytes += std::string("\x02\0\0\0", 4);
  for (int triangle = 0; triangle < 2; ++triangle) {
    for (int number = 0; number < 12; ++number) {
      const float value = static_cast<float>((7 * number + triangle) % 5);
      bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    bytes += std::string(2, '\0');
  }
  return bytes;
}

template <class LogType>
std::string smallLog(bool with_rows) {
  const MemoryFile file;
  LogType log(file.path());
  log.addNote("robot", "box");
  const ChannelHandle time = log.add({"time", "s", {}, "state"});
  const ChannelHandle force = log.add({"foot.force", "N", {"x", "y", "z"}, "contacts"});
  log.add({"foot.touches", "-", {}, "contacts"});
  log.attach({"scene.yaml", "text/yaml", "robot: {model: box}\n"});
  log.begin();
  for (int row = 0; with_rows && row < 20; ++row) {
    log.set(time, 0.25 * row);
    log.set(force, Vector3d(1.0, 2.0, 3.0));
    log.endRow();
  }
  log.close();
  return file.bytes();
}

constexpr const char* kDescription2 =
    R"(<?xml version="1.0"?><fmiModelDescription fmiVersion="2.0" modelName="m" guid="{1}">
  <CoSimulation modelIdentifier="m" canGetAndSetFMUstate="true" canSerializeFMUstate="true"/>
  <ModelVariables><ScalarVariable name="u" valueReference="1" causality="input"><Real unit="N" start="1"/></ScalarVariable>
  <ScalarVariable name="y" valueReference="2" causality="output"><Real unit="m"/></ScalarVariable></ModelVariables>
</fmiModelDescription>)";

constexpr const char* kDescription3 = R"(<fmiModelDescription fmiVersion="3.0" modelName="m" instantiationToken="t">
  <CoSimulation modelIdentifier="m" canGetAndSetFMUState="true"/>
  <ModelVariables><Float64 name="q" valueReference="1" causality="output" start="0 0 0"><Dimension start="3"/></Float64>
  <Float64 name="k" valueReference="3" causality="parameter" start="2" unit="N/m"/></ModelVariables>
</fmiModelDescription>)";

std::string archive() {
  const MemoryFile file;
  fmu::writeZip(file.path(), {{"modelDescription.xml", kDescription2},
                              {"binaries/linux64/m.so", std::string(300, 'x')},
                              {"resources/scene.yaml", "robot: {}\n"}});
  return file.bytes();
}

}  // namespace

std::string seedRobot() { return kRobot; }

std::vector<std::string> urdfSeeds() {
  std::vector<std::string> seeds = filesIn("models");
  seeds.emplace_back(kRobot);
  return seeds;
}

std::vector<std::string> sdfSeeds() { return {kSdf, kLoopSdf}; }

/// The diagrams of scenes lie in files of their own, which the reader does not find: they are written into the scene.
std::vector<std::string> sceneSeeds() {
  std::vector<std::string> seeds = filesIn("scenes");
  for (std::string& seed : seeds) {
    const std::string key = "\ndiagram: ";
    const std::size_t begin = seed.find(key), file = begin + key.size();
    if (begin == seed.npos) continue;
    const std::size_t end = seed.find('\n', file);
    const std::string diagram = bytesOf(fs::path(sourceDir()) / "scenes" / seed.substr(file, end - file));
    seed.replace(begin, end - begin, "\ndiagram:\n" + indented(diagram));
  }
  return seeds;
}

std::vector<std::string> diagramSeeds() { return {kDiagram, kChain}; }
std::vector<std::string> meshSeeds() { return {kCollada, kTextStl, kObj, binaryStl()}; }

std::vector<std::string> logSeeds() {
  return {smallLog<McapLog>(true), smallLog<McapLog>(false), smallLog<CsvLog>(true), smallLog<CsvLog>(false)};
}

std::vector<std::string> stateSeeds() {
  std::ostringstream out;
  const Model model = parseUrdf(kRobot, "seed.urdf").model;
  saveState(makeState(model), model, out);
  return {out.str()};
}

std::vector<std::string> fmuSeeds() { return {archive(), kDescription2, kDescription3}; }
std::vector<std::string> heightsSeeds() {
  return {"# a table\n0, 1; 2\n3 4 5\n", "P2 # image\n3 2 255\n0 10 20\n30 40 50\n",
          std::string("P5 2 2 65535\n\0\1\0\2\0\3\0\4", 21)};
}
std::vector<std::string> policySeeds() {
  return {
      "footfall_policy 1\n# a comment\ninputs 2\nmean 1 -1\nscale 2 0.5\ninput_limit 3\nlayer 3 elu\nbias 0.1 -0.2 0\n"
      "weights 1 0\nweights 0 1\nweights 1 -1\nlayer 1 none\nbias 0.25\nweights 1 2 -0.5\noutput_limit 1.5\n",
      "footfall_policy 1\ninputs 1\nmean 0\nscale 1e-3\ninput_limit 1e9\nlayer 1 tanh\nbias 0\nweights 1\nlayer 1 "
      "relu\n"
      "bias 1\nweights -1\noutput_limit 1\n"};
}

std::vector<std::string> formulaSeeds() { return {"2*x^2 - sin(pi*y)/3 + max(x, min(y, 1e-3))", "-(x+1)*exp(-y)"}; }

}  // namespace footfall::fuzz
