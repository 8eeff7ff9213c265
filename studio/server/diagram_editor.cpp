#include "studio/server/diagram_editor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "footfall/block_io/internal/signal_text.hpp"
#include "footfall/diagram/all_blocks.hpp"
#include "footfall/diagram_file/diagram_text.hpp"
#include "footfall/robot_block/robot_setup.hpp"
#include "studio/server/diagram_document.hpp"
#include "studio/server/json_fields.hpp"
#include "studio/server/outside_names.hpp"
#include "studio/server/palette.hpp"
#include "studio/server/refused.hpp"

namespace footfall::studio {
namespace {

using nlohmann::json;

constexpr std::size_t kMostUndo = 200;
constexpr double kMostSignalNumbers = 4e6;  ///< on all lines: 32 MB in each context
constexpr std::size_t kMostBlocks = 4000;   ///< with all that is in sub-diagrams

Refused tooManyBlocks() {
  return {"document", fmt::format("it has more than {} blocks when its sub-diagrams are written out", kMostBlocks)};
}

json typeJson(const SignalType& type) {
  json out = {{"type", type.describe()}, {"short", shortText(type)}};
  for (const BusField& field : type.fields)
    out["fields"].push_back({{"name", field.name}, {"type", field.type.describe()}});
  return out;
}

json portsJson(const std::vector<DiagramReview::Port>& ports) {
  json out = json::array();
  for (const DiagramReview::Port& port : ports) {
    json entry = typeJson(port.type);
    entry.update({{"name", port.name}, {"optional", port.optional}, {"connected", port.connected}});
    out.push_back(std::move(entry));
  }
  return out;
}

std::string withoutPlaces(SceneDiagram diagram) {
  const auto clear = [](const auto& self, SceneDiagram& each) -> void {
    each.layout.clear();
    for (SceneDiagram& inside : each.subdiagrams) self(self, inside);
  };
  clear(clear, diagram);
  return diagramText(diagram);
}

/// The same, as a page would send it: lines one by one, and places of errors in the document.
SceneDiagram asDocument(const SceneDiagram& diagram) { return readDocument(documentJson(diagram)); }

double numbersIn(const SignalType& type) {
  double numbers = std::max(0.0, static_cast<double>(type.rows) * static_cast<double>(type.columns));
  for (const BusField& field : type.fields) numbers += numbersIn(field.type);
  return numbers;
}

/// A diagram that would not fit into memory is not even tried.
bool isTooLarge(const DiagramReview& review) {
  double numbers = 0.0;
  for (const DiagramReview::Node& node : review.nodes)
    for (const DiagramReview::Port& port : node.outputs) numbers += numbersIn(port.type);
  return numbers > kMostSignalNumbers;
}

/// Counts the blocks that there are when sub-diagrams are written out: a few lines can make millions of them.
class WrittenOut {
 public:
  void check(const SceneDiagram& document) { visit(document, {&document}); }

 private:
  using Scope = std::vector<const SceneDiagram*>;  ///< whose kinds can be used, the outermost one first

  void visit(const SceneDiagram& level, const Scope& scope) {
    // One that contains itself is told about by who reads the document.
    if (std::find(open_.begin(), open_.end(), &level) != open_.end()) return;
    open_.push_back(&level);
    for (const SceneBlock& block : level.blocks) {
      if (++blocks_ > kMostBlocks) throw tooManyBlocks();
      visitKind(block.kind, scope);
    }
    open_.pop_back();
  }

  void visitKind(const std::string& name, Scope scope) {
    for (; !scope.empty(); scope.pop_back())
      for (const SceneDiagram& kind : scope.back()->subdiagrams) {
        if (kind.name != name) continue;
        scope.push_back(&kind);
        return visit(kind, scope);
      }
  }

  std::size_t blocks_ = 0;
  Scope open_;
};

/// A step or a tolerance with which a single step of the robot would take for ever.
void checkSettings(const SceneDiagram& document, const SceneDiagram& opened) {
  constexpr double kShortestStep = 1e-6, kLeastTolerance = 1e-12;
  if (document.step > 0.0 && document.step < std::min(kShortestStep, opened.step > 0.0 ? opened.step : 1.0))
    throw Refused("step", "expected 1e-6 s or more");
  if (document.tolerance > 0.0 && document.tolerance < kLeastTolerance)
    throw Refused("tolerance", "expected 1e-12 or more");
}

/// A place of the document, and not of a file that was read.
bool isInDocument(const std::string& where) {
  constexpr std::array kPlaces = {"blocks/",     "lines/",       "inputs/", "outputs/",
                                  "parameters/", "subdiagrams/", "document"};
  return where.empty() ||
         std::any_of(kPlaces.begin(), kPlaces.end(), [&](const char* place) { return where.starts_with(place); });
}

bool isIn(const Error& problem, const std::vector<Error>& list) {
  return std::any_of(list.begin(), list.end(), [&](const Error& each) { return each.problem() == problem.problem(); });
}

Refused refusedAs(const json& problem) {
  return {"", problem["text"].get<std::string>(), problem["hint"].get<std::string>()};
}

}  // namespace

DiagramEditor::DiagramEditor(bool allow_files) : allow_files_(allow_files), registry_(allBlocks()) {}

void DiagramEditor::opened(const Scene& scene, const SceneDiagram& running, bool first) {
  const std::lock_guard lock(mutex_);
  scene_ = std::make_shared<const Scene>(scene);
  environment_ = nullptr;
  looked_ = false;
  SceneDiagram document;
  try {
    document = asDocument(running);
  } catch (const Error& problem) {  // it is larger than anybody draws, or lines are made of parameters
    unavailable_ = problem.problem();
    return;
  }
  unavailable_.clear();
  const bool follows = first || withoutPlaces(now_.document) == running_;
  running_ = withoutPlaces(document);
  if (first) opened_ = document;
  if (!follows || withoutPlaces(now_.document) == running_) return;
  if (!first) before_.push_back(std::move(now_.document));
  after_.clear();
  now_ = {std::move(document), {}, {}};
  ++revision_;
}

const std::shared_ptr<const Environment>& DiagramEditor::environment() {
  if (!environment_) environment_ = makeRobotEnvironment(*scene_);
  return environment_;
}

DiagramEditor::Version DiagramEditor::look(SceneDiagram document) {
  Version version{std::move(document), {}, {}};
  version.review = reviewDiagram(version.document, registry_, environment());
  if (!version.review.problems.empty()) return version;
  if (isTooLarge(version.review)) {
    version.late.emplace_back("document", "its signals have more than four million numbers");
    return version;
  }
  try {
    const Diagram diagram = readDiagram(version.document, registry_, environment())
                                .build(diagramSettings(version.document, scene_->physics.step));
    const auto& blocks = diagram.blocks();
    if (std::none_of(blocks.begin(), blocks.end(), [](const auto& block) { return block.kind == "Robot"; }))
      version.late.emplace_back("document", "there is no block Robot in it", "the studio shows robots");
  } catch (const Error& problem) {
    version.late.push_back(problem);
  }
  return version;
}

json DiagramEditor::problemJson(const Error& problem, const SceneDiagram& document) const {
  const std::vector<std::string> outside = outsideBlocks(document, registry_);
  const auto concerns = [&](const std::string& place) {
    return problem.where().empty() || problem.where() == place || problem.where().starts_with(place + "/");
  };
  if (isInDocument(problem.where()) && std::none_of(outside.begin(), outside.end(), concerns))
    return {{"where", problem.where()}, {"text", problem.problem()}, {"hint", problem.hint()}};
  return {{"where", isInDocument(problem.where()) ? problem.where() : ""}, {"text", toldToPage(problem)}, {"hint", ""}};
}

json DiagramEditor::state() {
  if (!looked_) now_ = look(now_.document);
  looked_ = true;
  json nodes = json::array(), problems = json::array();
  for (const DiagramReview::Node& node : now_.review.nodes)
    nodes.push_back({{"path", node.path},
                     {"kind", node.kind},
                     {"inputs", portsJson(node.inputs)},
                     {"outputs", portsJson(node.outputs)}});
  for (const std::vector<Error>* list : {&now_.review.problems, &now_.late})
    for (const Error& problem : *list) problems.push_back(problemJson(problem, now_.document));
  return {{"type", "document"},
          {"revision", revision_},
          {"document", documentJson(now_.document)},
          {"nodes", std::move(nodes)},
          {"problems", std::move(problems)},
          {"undo", before_.size()},
          {"redo", after_.size()},
          {"runs", withoutPlaces(now_.document) == running_}};
}

void DiagramEditor::requireRevision(const json& message) const {
  if (numberField(message, "revision") != revision_)
    throw Refused("revision", "another page has changed the diagram meanwhile", "look at what it has done");
}

/// With {"strict": true} a line is refused that does not fit.
json DiagramEditor::edit(const json& message) {
  requireRevision(message);
  const auto found = message.find("document");
  if (found == message.end()) throw Refused("document", "this field is missing in the message");
  SceneDiagram document = readDocument(*found);
  if (!allow_files_) checkOutsideNames(document, opened_, registry_);
  checkSettings(document, opened_);
  WrittenOut().check(document);
  try {
    parseDiagram(diagramText(document), "document");  // what cannot be saved is not taken
  } catch (const Error& problem) {
    throw Refused("document", problem.problem(), problem.hint());
  }
  state();
  Version next = look(std::move(document));
  if (next.review.nodes.size() > kMostBlocks) throw tooManyBlocks();  // `for` makes more of them, too
  if (message.value("strict", json()) == json(true))
    for (const Error& problem : next.review.problems)
      if (!isIn(problem, now_.review.problems)) throw refusedAs(problemJson(problem, next.document));
  before_.push_back(std::move(now_.document));
  if (before_.size() > kMostUndo) before_.erase(before_.begin());
  after_.clear();
  now_ = std::move(next);
  ++revision_;
  return state();
}

void DiagramEditor::step(std::vector<SceneDiagram>& from, std::vector<SceneDiagram>& to, const char* what) {
  if (from.empty()) throw Refused("", fmt::format("there is nothing to {}", what));
  to.push_back(std::move(now_.document));
  now_ = {std::move(from.back()), {}, {}};
  from.pop_back();
  looked_ = false;
  ++revision_;
}

json DiagramEditor::answer(const std::string& question, const json& message) {
  if (question == "palette") return {{"type", "palette"}, {"kinds", paletteJson(registry_, allow_files_)}};
  const std::lock_guard lock(mutex_);
  if (!unavailable_.empty()) throw Refused("document", "this diagram cannot be edited here: " + unavailable_);
  if (question == "document") return state();
  if (question == "edit") return edit(message);
  if (question == "edit-undo") {
    requireRevision(message);
    step(before_, after_, "undo");
    return state();
  }
  if (question == "edit-redo") {
    requireRevision(message);
    step(after_, before_, "redo");
    return state();
  }
  throw Refused("ask", "there is no question '" + question + "'");
}

std::string DiagramEditor::textToRun(double revision) {
  const std::lock_guard lock(mutex_);
  if (revision != revision_) throw Refused("revision", "another page has changed the diagram meanwhile");
  state();
  for (const std::vector<Error>* list : {&now_.review.problems, &now_.late})
    if (!list->empty()) throw refusedAs(problemJson(list->front(), now_.document));
  return diagramText(now_.document);
}

std::string DiagramEditor::text() {
  const std::lock_guard lock(mutex_);
  return diagramText(now_.document);
}

}  // namespace footfall::studio
