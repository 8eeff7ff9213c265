#include "fuzz/readers.hpp"

#include <sstream>

#include "archive/zip_file.hpp"
#include "block_library/policy_network.hpp"
#include "footfall/base/error.hpp"
#include "footfall/base/expression.hpp"
#include "footfall/base/suggest.hpp"
#include "footfall/block_io/diagram_reader.hpp"
#include "footfall/block_library/library.hpp"
#include "footfall/diagram_file/internal/diagram_keys.hpp"
#include "footfall/geometry/convex_hull.hpp"
#include "footfall/keys/internal/yaml_lines.hpp"
#include "footfall/model/kinematics.hpp"
#include "footfall/model/state.hpp"
#include "footfall/robot_file/collision_shapes.hpp"
#include "footfall/robot_file/urdf.hpp"
#include "footfall/scene/scene.hpp"
#include "footfall/terrain/height_field.hpp"
#include "fuzz/memory_file.hpp"
#include "fuzz/seeds.hpp"
#include "geometry/mesh_formats.hpp"
#include "import/fmu_description.hpp"
#include "log/csv_reader.hpp"
#include "log/mcap_format.hpp"
#include "log/mcap_reader.hpp"

namespace footfall::fuzz {
namespace {

/// Calls something that may refuse what it is given.
template <class Call>
void attempt(Call call) {
  try {
    call();
  } catch (const Error&) {  // what bad input is answered with
  }
}

void useModel(const LoadedModel& loaded) {
  MeshHulls hulls;
  std::vector<Pose> X_WL;
  forwardKinematics(loaded.model, makeState(loaded.model).q, X_WL);
  for (const LinkGeometry& geometry : loaded.geometries)
    if (geometry.shape != "mesh") attempt([&] { collisionShape(geometry, loaded.model, {}, hulls); });
}

/// URDF, or SDF by its first element.
void readRobot(std::string_view bytes) {
  UrdfOptions options;
  options.resources = ResourcePath({});
  const std::string text(bytes);
  attempt([&] {
    options.floating_base = false;
    options.massless_links = MasslessLinks::ignore;
    useModel(parseUrdf(text, "fuzz.urdf", options));
  });
  useModel(parseUrdf(text, "fuzz.urdf"));
}

void readScene(std::string_view bytes) {
  attempt([&] { yamlWithLines(std::string(bytes), "/nonexistent/fuzz.yaml"); });
  parseScene(std::string(bytes), "/nonexistent/fuzz.yaml");
}

/// All blocks of the library but those that open files: a fuzzer would write all over the disk.
BlockRegistry harmlessBlocks() {
  BlockRegistry library, harmless;
  addLibraryBlocks(library);
  for (const BlockRegistry::Kind* kind : library.kinds())
    if (kind->description.name != "Log" && kind->description.name != "FromFile" && kind->description.name != "Policy")
      harmless.add(kind->description, kind->make);
  return harmless;
}

void readDiagramFile(std::string_view bytes) {
  static const BlockRegistry registry = harmlessBlocks();
  const DiagramFile file = parseDiagramFile(std::string(bytes), "/nonexistent/fuzz.yaml", {});
  const Diagram diagram = readDiagram(file.diagram, registry).build(diagramSettings(file.diagram));
  Context context = diagram.makeContext();
  for (int step = 0; step < 3 && diagram.step(context); ++step) {
  }
}

/// The format by the first letters: the ending of a file's name says it otherwise.
std::string meshEnding(std::string_view bytes) {
  if (bytes.starts_with("<")) return ".dae";
  return bytes.starts_with("solid") || bytes.substr(0, 200).find('\0') != bytes.npos ? ".stl" : ".obj";
}

void readMeshFile(std::string_view bytes) {
  const TriangleMesh mesh = parseMesh("fuzz" + meshEnding(bytes), bytes, {bytes.size(), 100'000});
  convexHull(mesh.vertices, {64, 1e-4});
}

void readLogFile(std::string_view bytes) {
  const MemoryFile file(bytes);
  const auto log = bytes.starts_with(mcap::kMagic) ? openMcap(file.path()) : openCsv(file.path());
  for (const AttachmentInfo& attachment : log->attachments()) attempt([&] { log->attachment(attachment.name); });
  for (int column = 0; column < static_cast<int>(log->columns().size()); ++column)
    attempt([&] { log->column(column); });
  if (log->rows() > 0) log->row(log->rows() - 1);
}

void readState(std::string_view bytes) {
  static const Model model = parseUrdf(seedRobot(), "seed.urdf").model;
  std::istringstream in{std::string(bytes)};
  const State state = loadState(model, in, "fuzz.state");
  std::vector<Pose> X_WL;
  forwardKinematics(model, state.q, X_WL);
}

/// An archive, or the description inside of one.
void readFmu(std::string_view bytes) {
  if (bytes.starts_with("<")) {
    fmu::parseDescription(std::string(bytes), "fuzz.fmu");
    return;
  }
  const MemoryFile file(bytes);
  for (const fmu::ZipEntry& entry : fmu::readZip(file.path()))
    if (entry.name == "modelDescription.xml") fmu::parseDescription(entry.bytes, "fuzz.fmu");
}

/// Heights of a ground, as a table or an image.
void readHeights(std::string_view bytes) {
  HeightTable table = parseHeights(std::string(bytes), "fuzz.pgm");
  const HeightGrid grid(std::move(table), 0.1);
  for (const double x : {-1e300, -0.05, 0.0, 0.07, 1e9}) grid.at(x, 0.5 * x);
}

void readPolicy(std::string_view bytes) {
  const PolicyNetwork network = parsePolicy(std::string(bytes), "fuzz.policy");
  std::vector<VectorXd> values = network.makeScratch();
  network.evaluate(VectorXd::Constant(network.inputs(), 0.5), values);
}

void readFormula(std::string_view bytes) {
  const Expression expression(std::string(bytes), {"x", "y"}, "fuzz");
  const double variables[] = {0.5, -2.0};
  expression.at(variables);
}

constexpr Reader kReaders[] = {{"urdf", readRobot, urdfSeeds},         {"sdf", readRobot, sdfSeeds},
                               {"scene", readScene, sceneSeeds},       {"diagram", readDiagramFile, diagramSeeds},
                               {"mesh", readMeshFile, meshSeeds},      {"log", readLogFile, logSeeds},
                               {"state", readState, stateSeeds},       {"fmu", readFmu, fmuSeeds},
                               {"heights", readHeights, heightsSeeds}, {"formula", readFormula, formulaSeeds},
                               {"policy", readPolicy, policySeeds}};

}  // namespace

std::span<const Reader> readers() { return kReaders; }

const Reader& findReader(std::string_view name) {
  std::vector<std::string> names;
  for (const Reader& reader : readers()) {
    if (reader.name == name) return reader;
    names.emplace_back(reader.name);
  }
  throw Error("", "there is no reader '" + std::string(name) + "'", suggestOrList(name, names));
}

}  // namespace footfall::fuzz
