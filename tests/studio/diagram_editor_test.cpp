// The document of the diagram editor: what pages may put into it, what they are told, and that it runs as its file
// does.

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "footfall/diagram/all_blocks.hpp"
#include "studio/server/diagram_document.hpp"
#include "studio/server/live_session.hpp"
#include "studio/server/palette.hpp"
#include "studio/server/refused.hpp"
#include "studio/watched_folder.hpp"
#include "tools/source_dir.hpp"

namespace footfall::studio {
namespace {

using nlohmann::json;
using test::WatchedFolder;

constexpr const char* kArm = R"(
robot: {model: rr_arm, base: {fixed: true}, initial: {shoulder: 0.3, elbow: -0.2}}
hold: {enabled: false}
physics: {step: 1 ms}
)";

constexpr const char* kDiagram = R"(
diagram:
  blocks:
    wave: {block: Sine, amplitude: [0.5, 0.3], frequency: 1}
    pd: {block: PD, kp: 60, kd: 6}
    robot: Robot
  connect:
    - wave -> pd.desired_position
    - robot.state.joints_position -> pd.position
    - robot.state.joints_velocity -> pd.velocity
    - pd -> robot.torque
)";

using Pairs = std::vector<std::vector<std::string>>;
json block(const std::string& name, const std::string& kind, const Pairs& parameters = {}) {
  return {{"name", name}, {"kind", kind}, {"parameters", parameters}};
}
json line(const std::string& from, const std::string& to) { return {{"from", from}, {"to", to}}; }

/// What a page draws: the same as kDiagram.
json drawn() {
  return {{"blocks",
           {block("wave", "Sine", {{"amplitude", "[0.5, 0.3]"}, {"frequency", "1"}}),
            block("pd", "PD", {{"kp", "60"}, {"kd", "6"}}), block("robot", "Robot")}},
          {"lines",
           {line("wave.out", "pd.desired_position"), line("robot.state.joints_position", "pd.position"),
            line("robot.state.joints_velocity", "pd.velocity"), line("pd.out", "robot.torque")}}};
}

/// An arm that waits, and a page that edits its diagram.
class Arm : public ::testing::Test {
 protected:
  void open(const std::string& scene, bool allow_files = false) {
    path_ = folder_.write("arm.yaml", scene);
    LiveOptions options;
    options.playing = false;
    options.allow_files = allow_files;
    session_ = std::make_unique<LiveSession>(path_, options);
  }
  json ask(const std::string& question, json more = json::object()) {
    more["ask"] = question;
    return session_->answer(0, question, more);
  }
  json edit(const json& document, bool strict = false) {
    return ask("edit", {{"revision", revision()}, {"document", document}, {"strict", strict}});
  }
  double revision() { return ask("document")["revision"].get<double>(); }
  /// Why it is refused; empty: it is not.
  std::string refusal(const json& document, bool strict = false) {
    try {
      edit(document, strict);
    } catch (const Refused& refused) {
      return refused.what();
    }
    return "";
  }
  static std::string problems(const json& state) {
    std::string text;
    for (const json& problem : state["problems"])
      text += problem["where"].get<std::string>() + ": " + problem["text"].get<std::string>() + "\n";
    return text;
  }
  template <class Condition>
  void waitFor(const Condition& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    while (!condition() && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ASSERT_TRUE(condition());
  }
  /// Runs the document, until there are so many rows.
  void run(std::size_t rows) {
    const std::uint64_t epoch = session_->recording().extent().epoch;
    session_->command(0, {{"do", "speed"}, {"value", 0}});
    session_->command(0, {{"do", "diagram"}, {"revision", revision()}});
    waitFor(
        [&] { return session_->recording().extent().epoch != epoch && session_->recording().extent().end >= rows; });
    session_->command(0, {{"do", "pause"}});
    waitFor([&] { return !session_->pace().playing; });
  }
  /// q and ν of all rows up to this one.
  std::vector<double> states(std::size_t rows) const { return statesOf(*session_, rows); }
  static std::vector<double> statesOf(const LiveSession& session, std::size_t rows) {
    std::vector<double> values;
    Row row;
    const json described = session.describe();
    for (std::size_t k = 0; k < rows; ++k) {
      EXPECT_TRUE(session.recording().read(k, row));
      for (const char* part : {"q", "nu"})
        for (const json& column : described["state"][part])
          if (column.get<int>() >= 0) values.push_back(row.values[column.get<std::size_t>()]);
    }
    return values;
  }
  std::vector<double> statesOfFile(const std::string& text, std::size_t rows) {
    LiveOptions options;
    options.playing = false;
    LiveSession session(folder_.write("other.yaml", text), options);
    session.command(0, {{"do", "step"}, {"count", rows - 1}});
    waitFor([&] { return session.recording().extent().end == rows; });
    return statesOf(session, rows);
  }
  static bool sameBits(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && !a.empty() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
  }

  WatchedFolder folder_;
  std::string path_;
  std::unique_ptr<LiveSession> session_;
};

// ---- running and saving --------------------------------------------------------------------------------------------

TEST_F(Arm, WhatIsDrawnRunsToTheSameBitsAsItsFile) {
  open(kArm);
  EXPECT_EQ(problems(edit(drawn())), "");
  run(400);
  const std::vector<double> drawn_states = states(400);
  EXPECT_TRUE(sameBits(drawn_states, statesOfFile(std::string(kArm) + kDiagram, 400)));
  EXPECT_FALSE(sameBits(drawn_states, statesOfFile(kArm, 400))) << "the diagram does nothing";
  // What is saved is a scene that runs the same.
  const std::string saved = ask("yaml")["text"];
  EXPECT_TRUE(sameBits(drawn_states, statesOfFile(saved, 400))) << saved;
  EXPECT_TRUE(ask("document")["runs"]);
}

TEST_F(Arm, OtherBlocksHaveOtherColumns) {
  open(kArm);
  edit(drawn());
  run(10);
  const json described = session_->describe();
  EXPECT_FALSE(described["diagram"]["signals"]["pd.out"]["columns"].empty());
  EXPECT_EQ(session_->recording().width(), described["columns"].size());
  EXPECT_EQ(session_->former(), nullptr) << "the run before had other columns";
  // Undo brings back the run and its columns.
  const std::size_t width = session_->recording().width();
  session_->command(0, {{"do", "undo"}});
  waitFor([&] { return session_->recording().width() != width; });
  waitFor([&] { return !session_->describe()["diagram"]["signals"].contains("pd.out"); });
  // A column of the other run is read as nothing.
  double value = 0.0;
  session_->recording().readColumn(static_cast<int>(width) + 100, 0, 1, &value);
  EXPECT_TRUE(std::isnan(value));
}

TEST_F(Arm, TheDefaultDiagramOfASceneIsADocumentThatRunsTheSame) {
  open(R"(
robot: {model: quadruped, base: {on_ground: true}}
contacts: [{frame: all, collision: true}]
pushes: [{link: trunk, force: [30, 0, 0], start: 10 ms, duration: 50 ms}]
)");
  const json state = ask("document");
  EXPECT_EQ(problems(state), "");
  EXPECT_TRUE(state["runs"]);
  EXPECT_GE(state["document"]["blocks"].size(), 3u);
  session_->command(0, {{"do", "step"}, {"count", 200}});
  waitFor([&] { return session_->recording().extent().end == 201; });
  const std::vector<double> before = states(200);
  run(200);
  EXPECT_TRUE(sameBits(before, states(200)));
}

TEST_F(Arm, AScenesOwnDiagramIsTheDocument) {
  open(std::string(kArm) + kDiagram);
  const json state = ask("document");
  EXPECT_TRUE(state["runs"]);
  EXPECT_EQ(state["document"]["blocks"][1]["parameters"][0], json({"kp", "60"}));
  EXPECT_EQ(state["document"]["lines"].size(), 4u);
  // A value that is changed elsewhere is changed here.
  session_->command(0, {{"do", "set"}, {"key", "diagram.blocks.pd.kp"}, {"value", "70"}});
  waitFor([&] { return ask("document")["document"]["blocks"][1]["parameters"][0][1] == "70"; });
}

TEST_F(Arm, WhatIsUnfinishedIsKeptAndDoesNotRun) {
  open(kArm);
  json document = drawn();
  document["lines"].erase(0);
  const json state = edit(document);
  EXPECT_EQ(problems(state), "blocks/1: input 'desired_position' of block 'pd' (any signal) is not connected\n");
  EXPECT_FALSE(state["runs"]);
  EXPECT_THROW(session_->command(0, {{"do", "diagram"}, {"revision", revision()}}), Refused);
  EXPECT_EQ(ask("document")["document"]["lines"].size(), 3u);
}

// ---- editing -------------------------------------------------------------------------------------------------------

TEST_F(Arm, UndoAndRedoGiveTheSameDocuments) {
  open(kArm);
  std::vector<json> documents = {ask("document")["document"]};
  json document = drawn();
  for (const char* kp : {"1", "2", "3"}) {
    document["blocks"][1]["parameters"][0][1] = kp;
    document["blocks"][0]["at"] = {8.0 * documents.size(), -16.0};
    documents.push_back(edit(document)["document"]);
  }
  for (std::size_t k = documents.size() - 1; k > 0; --k)
    EXPECT_EQ(ask("edit-undo", {{"revision", revision()}})["document"], documents[k - 1]);
  EXPECT_THROW(ask("edit-undo", {{"revision", revision()}}), Refused);
  for (std::size_t k = 1; k < documents.size(); ++k)
    EXPECT_EQ(ask("edit-redo", {{"revision", revision()}})["document"], documents[k]);
  EXPECT_THROW(ask("edit-redo", {{"revision", revision()}}), Refused);
}

TEST_F(Arm, ALineThatDoesNotFitIsRefusedWithTheReason) {
  open(kArm);
  edit(drawn());
  json document = drawn();
  document["blocks"].push_back(block("three", "Constant", {{"value", "[1, 2, 3]"}}));
  edit(document);
  json wrong = document;
  wrong["lines"][3]["from"] = "three.out";
  EXPECT_NE(refusal(wrong, true).find("'three.out' cannot go into 'robot.torque'"), std::string::npos)
      << refusal(wrong, true);
  wrong = document;
  wrong["lines"][0]["from"] = "three.out";
  EXPECT_NE(refusal(wrong, true).find("block 'pd' (PD)"), std::string::npos) << refusal(wrong, true);
  wrong = document;
  wrong["lines"].push_back(line("wave.out", "robot.torque"));
  EXPECT_NE(refusal(wrong, true).find("has two writers"), std::string::npos);
  EXPECT_EQ(problems(ask("document")), "");
  // Without being strict it is taken, and said.
  EXPECT_NE(problems(edit(wrong)).find("lines/4: input 'robot.torque' has two writers"), std::string::npos);
}

TEST_F(Arm, ErrorsSayWhereTheyAre) {
  open(kArm);
  json document = drawn();
  document["blocks"][1]["parameters"] = Pairs{{"kp", "many"}, {"kd", "6"}};
  EXPECT_NE(problems(edit(document)).find("blocks/1/kp: block pd (PD): parameter 'kp'"), std::string::npos);
  document["blocks"][1]["parameters"] = Pairs{{"kpp", "1"}};
  EXPECT_NE(problems(edit(document)).find("blocks/1/kpp: "), std::string::npos);
  document["blocks"][1]["parameters"] = Pairs{{"kp", "[1"}};
  EXPECT_NE(refusal(document).find("blocks/1/kp: this is not YAML"), std::string::npos) << refusal(document);
  document = drawn();
  document["solver"] = "magic";
  EXPECT_NE(refusal(document).find("solver"), std::string::npos);
}

TEST_F(Arm, PagesThatEditAtTheSameTimeAreTold) {
  open(kArm);
  const double before = revision();
  edit(drawn());
  EXPECT_THROW(ask("edit", {{"revision", before}, {"document", drawn()}}), Refused);
  bool told = false;
  for (std::string said = session_->takeMessage(); !said.empty(); said = session_->takeMessage())
    told = told || json::parse(said)["type"] == "edited";
  EXPECT_TRUE(told);
}

TEST_F(Arm, BlocksStayWhereTheyWerePut) {
  open(kArm);
  json document = drawn();
  document["blocks"][2]["at"] = {160, -40};
  edit(document);
  run(5);
  const json state = ask("document");
  EXPECT_EQ(state["document"]["blocks"][2]["at"], json({160.0, -40.0}));
  EXPECT_NE(ask("yaml")["text"].get<std::string>().find("layout"), std::string::npos);
  // Moving a block changes nothing that runs.
  document["blocks"][2]["at"] = {0, 0};
  EXPECT_TRUE(edit(document)["runs"]);
}

// ---- what pages may name -------------------------------------------------------------------------------------------

TEST(Palette, HasEveryKindThatNamesNoFile) {
  const BlockRegistry registry = builtInBlocks();
  std::set<std::string> names, all;
  for (const json& kind : paletteJson(registry, false)) {
    names.insert(kind["name"]);
    EXPECT_FALSE(kind["summary"].get<std::string>().empty()) << kind["name"];
  }
  for (const json& kind : paletteJson(registry, true)) all.insert(kind["name"]);
  for (const char* kind : {"Gain", "PD", "Robot", "Scope", "StateMachine"}) EXPECT_EQ(names.count(kind), 1u) << kind;
  for (const char* kind : {"FromFile", "Log"}) {
    EXPECT_EQ(names.count(kind), 0u) << kind;
    EXPECT_EQ(all.count(kind), 1u) << kind;
  }
  EXPECT_EQ(all.size(), registry.kinds().size());
}

TEST_F(Arm, NoParameterOfAnyBlockReachesAFile) {
  open(kArm);
  const std::string file = folder_.write("secret.csv", "canary-77,canary-77\n1,2\n");
  folder_.watch();
  const BlockRegistry registry = builtInBlocks();
  for (const BlockRegistry::Kind* kind : registry.kinds())
    for (const ParameterDescription& parameter : kind->description.parameters)
      for (const std::string& value : {file, "[" + file + "]", "{file: " + file + "}"}) {
        Pairs parameters;
        for (const ParameterDescription& other : kind->description.parameters)
          if (other.required) parameters.push_back({other.name, file});
        parameters.push_back({parameter.name, value});
        json document = drawn();
        document["blocks"].push_back(block("evil", kind->description.name, parameters));
        std::string told;
        try {
          told = edit(document).dump();
        } catch (const Refused& refused) {
          told = refused.what();
        }
        EXPECT_EQ(told.find("canary"), std::string::npos) << told;
      }
  for (const std::string& name : folder_.touched()) EXPECT_EQ(name, "arm.yaml");
}

TEST_F(Arm, FilesPlugInsAndPythonAreRefused) {
  open(kArm);
  const std::vector<json> evil = {
      block("evil", "FromFile", {{"file", "/etc/passwd"}, {"columns", "[x]"}}),
      block("evil", "Log", {{"file", "/tmp/x.csv"}}),
      block("evil", "python:os.system"),
      block("evil", "$kind"),
      block("robot2", "Robot", {{"engine", "pinocchio"}}),
      block("robot2", "Robot", {{"engine", "$engine"}}),
      block("robot2", "Robot", {{"solver", "../../evil"}}),
      block("evil", "MassMatrix", {{"engine", "/tmp/evil"}}),
  };
  for (const json& each : evil) {
    json document = drawn();
    document["blocks"].push_back(each);
    EXPECT_NE(refusal(document).find("names a file or a plug-in"), std::string::npos)
        << each.dump() << refusal(document);
    // Neither in a sub-diagram.
    document = drawn();
    document["subdiagrams"] = {{{"name", "Inside"}, {"blocks", {each}}}};
    EXPECT_NE(refusal(document).find("names a file or a plug-in"), std::string::npos) << each.dump();
  }
  json document = drawn();
  document["blocks"][2]["parameters"] = Pairs{{"contact", "gauss"}};  // built in
  EXPECT_EQ(refusal(document), "");
}

TEST_F(Arm, WhatTheOpenedSceneNamesStays) {
  const std::string file = folder_.write("wave.csv", "time,x\n0,1\n1,2\n");
  const std::string scene = std::string(kArm) + R"(
diagram:
  blocks: {table: {block: FromFile, file: )" +
                            file + R"(, columns: [x]}, robot: Robot, end: Terminator}
  connect: [table -> end]
)";
  open(scene);
  json document = ask("document")["document"];
  EXPECT_EQ(problems(ask("document")), "");
  document["blocks"].push_back(block("gain", "Gain", {{"factor", "2"}}));
  EXPECT_EQ(refusal(document), "");
  document["blocks"][0]["parameters"][0][1] = "/etc/passwd";
  EXPECT_NE(refusal(document).find("names a file"), std::string::npos);
}

TEST_F(Arm, WithAllowFilesTheyAreReadButNotQuoted) {
  open(kArm, true);
  const std::string file = folder_.write("secret.csv", "canary-77,canary-78\ncanary-79,2\n");
  json document = drawn();
  document["blocks"].push_back(block("table", "FromFile", {{"file", file}, {"columns", "[x]"}}));
  const json state = edit(document);
  EXPECT_NE(problems(state).find("the terminal"), std::string::npos) << problems(state);
  EXPECT_EQ(state.dump().find("canary"), std::string::npos);
  document["blocks"][3]["name"] = "another";
  EXPECT_NE(refusal(document, true).find("the terminal"), std::string::npos) << refusal(document, true);
}

TEST_F(Arm, DocumentsThatAreNoneAreRefused) {
  open(kArm);
  json deep = json::object();
  for (int k = 0; k < 30; ++k) deep = {{"name", "a"}, {"subdiagrams", {deep}}};
  json many = drawn(), contained = drawn();
  for (int k = 0; k < 5000; ++k) many["lines"].push_back(line("a", "b"));
  contained["blocks"].push_back(block("me", "Me"));
  contained["subdiagrams"] = {{{"name", "Me"}, {"blocks", {block("me", "Me")}}}};
  const std::vector<json> evil = {
      json(),
      1,
      "x",
      json::array(),
      {{"blocks", 1}},
      {{"blocks", {1}}},
      {{"blocks", {{{"name", "a"}}}}},
      {{"blocks", {{{"name", 1}, {"kind", "Gain"}}}}},
      {{"blocks", {block("", "Gain")}}},
      {{"blocks", {block("a", "Gain", {{"block", "Fmu"}})}}},
      {{"blocks", {{{"name", "a"}, {"kind", "Gain"}, {"parameters", {1}}}}}},
      {{"blocks", {{{"name", "a"}, {"kind", "Gain"}, {"parameters", {{"factor", "1"}}}}}}},  // an object
      {{"blocks", {{{"name", "a"}, {"kind", "Gain"}, {"parameters", json::array({json::array({"factor", 1})})}}}}},
      {{"blocks", {block("a", "Gain", {{"factor", "[" + std::string(9000, ' ') + "]"}})}}},
      {{"blocks", {{{"name", "a"}, {"kind", "Gain"}, {"at", {1e300, 0}}}}}},
      {{"blocks", {{{"name", "a"}, {"kind", "Gain"}, {"at", "x"}}}}},
      {{"lines", {line("a -> b", "c")}}},
      {{"lines", {line("a", "b, c")}}},
      {{"lines", {line("a", "b\nblocks: x")}}},
      {{"step", "-1 s"}},
      {{"step", "x"}},
      {{"log", {1}}},
      {{"name", std::string(10000, 'x')}},
      deep,
      many};
  for (const json& document : evil) EXPECT_NE(refusal(document), "") << document.dump().substr(0, 200);
  EXPECT_NE(problems(edit(contained)).find("contains itself"), std::string::npos);
  EXPECT_TRUE(ask("edit-undo", {{"revision", revision()}})["runs"]);
}

/// A few letters that ask for more memory than there is.
TEST_F(Arm, DiagramsThatWouldNotFitIntoMemoryAreNotTried) {
  open(kArm);
  json document = drawn();
  document["blocks"].push_back(block("column", "Constant", {{"value", "1"}}));
  document["blocks"].push_back(block("many", "Reshape", {{"rows", "1000000"}, {"columns", "1000000"}}));
  document["lines"].push_back(line("column.out", "many.in"));
  EXPECT_NE(problems(edit(document)), "");
}

/// A few kilobytes, and more blocks than there is memory for; or as many as would make an answer of hundreds of
/// megabytes.
TEST_F(Arm, DiagramsThatMultiplyAreRefused) {
  open(kArm);
  json bomb = drawn(), own = drawn(), repeated = drawn();
  for (int level = 0; level < 8; ++level) {
    json blocks = json::array();
    const json inner =
        level < 7 ? block("b", "S" + std::to_string(level + 1)) : block("b", "Constant", {{"value", "1"}});
    for (int k = 0; k < 40; ++k) {
      blocks.push_back(inner);
      blocks.back()["name"] = std::string("b").append(std::to_string(k));
    }
    bomb["subdiagrams"].push_back({{"name", "S" + std::to_string(level)}, {"blocks", std::move(blocks)}});
  }
  bomb["blocks"].push_back(block("x", "S0"));
  repeated["blocks"].push_back(block("c$k", "Constant", {{"value", "1"}}));
  repeated["blocks"].back()["for"] = "{k: 9000}";
  for (const json& document : {bomb, repeated})
    EXPECT_NE(refusal(document).find("more than 4000 blocks"), std::string::npos);
  own["subdiagrams"].push_back({{"name", "S"}, {"blocks", {block("c", "Constant", {{"value", "1"}})}}});
  for (int k = 0; k < 20; ++k) own["blocks"].push_back(block("s" + std::to_string(k), "S"));
  EXPECT_EQ(refusal(own), "");
}

TEST_F(Arm, DocumentsOfScenesComeBackTheSame) {
  for (const char* scene : {"icub_balancing", "quadruped"}) {
    LiveOptions options;
    options.playing = false;
    session_ = std::make_unique<LiveSession>(sourceDir() + "/scenes/" + scene + ".yaml", options);
    const json state = ask("document");
    EXPECT_EQ(problems(state), "") << scene;
    EXPECT_TRUE(state["runs"]) << scene;
    EXPECT_EQ(documentJson(readDocument(state["document"])), state["document"]) << scene;
  }
}

}  // namespace
}  // namespace footfall::studio
