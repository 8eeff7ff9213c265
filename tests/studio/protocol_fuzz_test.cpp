// Every message of the protocol, as it is and mutated: the server survives, touches no file that a page names, and
// never tells what is in one.

#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "studio/server/live_session.hpp"
#include "studio/server/log_session.hpp"
#include "studio/server/studio.hpp"
#include "studio/watched_folder.hpp"
#include "tools/random_seed.hpp"

namespace footfall::studio {
namespace {

using nlohmann::json;
using test::WatchedFolder;

constexpr const char* kSecret = "canary-4f1d9c";  ///< in every file, and in the environment
constexpr int kClient = 3;

/// Of the diagram editor.
json goodDocument() {
  return {{"about", "drawn"},
          {"step", "1 ms"},
          {"blocks",
           {{{"name", "wave"},
             {"kind", "Sine"},
             {"at", {0, 0}},
             {"parameters", json::array({json::array({"amplitude", "1"})})}},
            {{"name", "gain"}, {"kind", "Half"}, {"at", {160, 0}}, {"when", "wave.out"}},
            {{"name", "robot"}, {"kind", "Robot"}, {"sample", "1 ms"}}}},
          {"lines", {{{"from", "wave.out"}, {"to", "gain.in"}}}},
          {"subdiagrams",
           {{{"name", "Half"},
             {"inputs", {{{"name", "in"}}}},
             {"outputs", {{{"name", "out"}, {"from", "half.out"}}}},
             {"blocks",
              {{{"name", "half"}, {"kind", "Gain"}, {"parameters", json::array({json::array({"factor", "0.5"})})}}}},
             {"lines", {{{"from", "in"}, {"to", "half.in"}}}}}}}};
}

/// What the page sends.
const std::vector<json>& goodMessages() {
  static const std::vector<json> messages = {
      {{"do", "play"}},
      {{"do", "pause"}},
      {{"do", "step"}, {"count", 3}},
      {{"do", "speed"}, {"value", 0.5}},
      {{"do", "gain"}, {"value", 2.0}},
      {{"do", "reset"}},
      {{"do", "pull"}, {"link", 0}, {"point", {0, 0, 0}}, {"target", {0.1, 0, 0.5}}, {"stiffness", 20}},
      {{"do", "release"}},
      {{"do", "save"}, {"name", "state 1"}},
      {{"do", "save"}, {"name", "state 2"}, {"index", 2}},
      {{"do", "branch"}, {"index", 1}},
      {{"do", "undo"}},
      {{"do", "pose"}, {"dof", 0}, {"value", 0.1}, {"index", 0}},
      {{"do", "unset"}, {"key", "ground.friction"}},
      {{"do", "restore"}, {"name", "state 1"}},
      {{"do", "set"}, {"key", "ground.friction"}, {"value", "0.3"}},
      {{"do", "set"}, {"key", "ground.incline"}, {"value", "3 deg"}},
      {{"do", "set"}, {"key", "physics.gravity"}, {"value", "[0, 0, -1.62]"}},
      {{"do", "set"}, {"key", "diagram.blocks.gain.factor"}, {"value", "3"}},
      {{"ask", "palette"}, {"id", 10}},
      {{"ask", "document"}, {"id", 11}},
      {{"ask", "edit"}, {"id", 12}, {"revision", 2}, {"document", goodDocument()}},
      {{"ask", "edit"}, {"id", 13}, {"revision", 3}, {"strict", true}, {"document", goodDocument()}},
      {{"ask", "edit-undo"}, {"id", 14}, {"revision", 4}},
      {{"ask", "edit-redo"}, {"id", 15}, {"revision", 5}},
      {{"ask", "yaml"}, {"id", 16}},
      {{"do", "diagram"}, {"revision", 6}},
      {{"ask", "subscribe"}, {"columns", {1, 2, 3}}},
      {{"ask", "rows"}, {"id", 8}, {"former", true}, {"from", 0.0}, {"to", 1.0}, {"most", 10}},
      {{"ask", "difference"}, {"id", 9}, {"session", 1}},
      {{"ask", "row"}, {"id", 1}, {"index", 4}},
      {{"ask", "rows"}, {"id", 2}, {"from", 0.0}, {"to", 1.0}, {"most", 10}},
      {{"ask", "columns"}, {"id", 3}, {"columns", {0, 1}}, {"from", 0.0}, {"to", 0.4}, {"buckets", 20}},
      {{"ask", "impact"}, {"id", 4}, {"after", 0.1}},
      {{"ask", "impact"}, {"id", 5}, {"before", 0.9}},
      {{"ask", "rows"}, {"id", 6}, {"session", 1}, {"from", 0.0}, {"to", 1.0}, {"most", 10}},
      {{"ask", "columns"}, {"id", 7}, {"session", 1}, {"columns", {0, 1}}, {"from", 0.0}, {"to", 1.0}, {"buckets", 5}},
  };
  return messages;
}

/// Keys of a scene of every kind; pages may change some of them.
const std::vector<std::string>& sceneKeys() {
  static const std::vector<std::string> keys = {"robot.model",
                                                "robot",
                                                "robot.joints",
                                                "robot.initial.x",
                                                "robot.base.position",
                                                "diagram",
                                                "diagram.file",
                                                "diagram.blocks",
                                                "diagram.blocks.gain",
                                                "diagram.blocks.gain.block",
                                                "diagram.blocks.gain.file",
                                                "diagram.blocks.gain.factor",
                                                "diagram.blocks.new",
                                                "diagram.blocks.wave.amplitude",
                                                "diagram.subdiagrams.x",
                                                "diagram.subdiagrams.x.file",
                                                "diagram.connect",
                                                "diagram.log",
                                                "diagram.parameters.x",
                                                "diagram.step",
                                                "ground",
                                                "ground.file",
                                                "ground.shape",
                                                "ground.friction",
                                                "ground.restitution",
                                                "ground.formula",
                                                "ground.size",
                                                "ground.steps",
                                                "ground.extent",
                                                "ground.0.friction",
                                                "ground.conveyor.formula",
                                                "physics.engine",
                                                "physics.solver",
                                                "physics.contact",
                                                "physics.integrator",
                                                "physics.step",
                                                "physics.gravity",
                                                "physics.tolerance",
                                                "run.log",
                                                "run.duration",
                                                "run.seed",
                                                "pushes.0.force",
                                                "pushes.0.link",
                                                "contacts.0.footprint",
                                                "contacts.0.radius",
                                                "hold.stiffness",
                                                "sensors.0.delay",
                                                "",
                                                "..",
                                                "a.b.c"};
  return keys;
}

/// Sessions that are played with, and a folder of files that are not.
class Victim {
 public:
  explicit Victim(bool allow_files = false) {
    setenv("FOOTFALL_CANARY", kSecret, 1);
    const std::string secret = kSecret;
    files_ = {watched_.write("a.yaml", secret + ": " + secret + "\n"),
              watched_.write("text.yaml", secret + "\n"),
              watched_.write("robot.urdf", "<robot name='" + secret + "'><link/></robot>"),
              watched_.write("robot.sdf", "<sdf>" + secret + "</sdf>"),
              watched_.write("table.csv", secret + "," + secret + "\n" + secret + ",1\n"),
              watched_.write("heights.csv", "1 2 " + secret + "\n"),
              watched_.write("a.mcap", secret),
              watched_.write("a.fmu", secret)};
    const std::string scene = watched_.write("scene.yaml", R"(
robot: {model: box, base: {position: [0, 0, 0.3]}}
contacts: [{frame: box, footprint: [[-0.1, -0.1, -0.1], [0.1, -0.1, -0.1], [0.1, 0.1, -0.1], [-0.1, 0.1, -0.1]]}]
ground: {shape: plane, friction: 0.5}
pushes: [{link: box, force: [1, 0, 0], start: 0.1, duration: 0.1}]
diagram:
  blocks: {wave: {block: Sine, amplitude: 1}, gain: {block: Gain, factor: 2}, pushes: Pushes, robot: Robot}
  connect: [wave -> gain, pushes.wrenches -> robot.wrenches]
)");
    LiveOptions options;
    options.playing = false;
    options.most_bytes = std::size_t{16} << 20;
    options.allow_files = allow_files;
    options.log = (folder_.path() / "run.mcap").string();
    std::vector<std::unique_ptr<Session>> sessions;
    {
      LiveSession logged(scene, options);
      logged.command(0, {{"do", "step"}, {"count", 300}});
      while (logged.recording().extent().end < 301) std::this_thread::yield();
    }
    options.log.clear();
    sessions.push_back(std::make_unique<LiveSession>(scene, options));
    sessions.push_back(std::make_unique<LogSession>((folder_.path() / "run.mcap").string()));
    studio_ = std::make_unique<Studio>(std::move(sessions));
    studio_->clientJoined(kClient);
    watched_.watch();
  }

  const std::vector<std::string>& files() const { return files_; }

  void send(const std::string& message) {
    for (const Packet& packet : studio_->answer(kClient, message)) check(packet);
    if (++unfinished_ == 40) finish();  // more would be too much at once
  }
  void send(const json& message) { send(message.dump(-1, ' ', false, json::error_handler_t::replace)); }

  /// Waits until the simulation has done everything; returns what was said meanwhile.
  std::string finish() {
    const std::string marker = "marker " + std::to_string(++markers_);
    unfinished_ = 0;
    studio_->answer(kClient, json{{"do", "pause"}}.dump());
    studio_->answer(kClient, json{{"do", "restore"}, {"name", marker}}.dump());
    std::string said;
    for (const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
         said.find(marker) == std::string::npos && std::chrono::steady_clock::now() < end;) {
      studio_->lookForNews();
      for (const Packet& packet : studio_->news(kClient)) {
        check(packet);
        if (!packet.binary) said += *packet.bytes + "\n";
      }
      std::this_thread::yield();
    }
    EXPECT_NE(said.find(marker), std::string::npos) << "the simulation does not answer any more";
    for (const std::string& name : watched_.touched())
      if (name != "scene.yaml") touched_.insert(name);  // it is read again for each change of a value
    return said;
  }

  /// Of the document.
  json revision() {
    return json::parse(*studio_->answer(kClient, R"({"ask": "document", "id": 1})").at(0).bytes)
        .value("revision", json());
  }

  void get(const std::string& path) {
    const std::optional<Resource> resource = studio_->get(path);
    EXPECT_TRUE(!resource || resource->body->find(kSecret) == std::string::npos) << path;
  }

  /// Names of the files that were touched until the last finish().
  const std::set<std::string>& touched() const { return touched_; }

 private:
  static void check(const Packet& packet) {
    EXPECT_EQ(packet.bytes->find(kSecret), std::string::npos) << (packet.binary ? "numbers" : *packet.bytes);
  }

  WatchedFolder watched_, folder_;
  std::vector<std::string> files_;
  std::set<std::string> touched_;
  std::unique_ptr<Studio> studio_;
  int unfinished_ = 0, markers_ = 0;
};

/// Makes messages that are nearly good.
class Mutator {
 public:
  explicit Mutator(const std::vector<std::string>& files) {
    words_ = {0,
              -1,
              1e308,
              -1e308,
              1e-308,
              0.5,
              2147483648.0,
              9007199254740993.0,
              4294967296.0,
              1e15,
              1e19,
              true,
              false,
              json(),
              "",
              "x",
              "0",
              "1e400",
              "nan",
              "true",
              "native",
              "proxqp",
              "plane",
              "height_field",
              "[1, 2, 3]",
              "[[1, 2], [3, 4]]",
              "1e300",
              "1e-300 s",
              "$FOOTFALL_CANARY",
              "${FOOTFALL_CANARY}",
              "/proc/self/environ",
              "/etc/passwd",
              "../../../../etc/passwd",
              "{block: FromFile, file: x.csv}",
              "{block: Log, file: x.csv}",
              "!!str x",
              "&a [*a]",
              json::array(),
              json::object(),
              json::array({1, 2, 3}),
              json::array({-1, 1e9, "x"}),
              json::object({{"file", "x"}}),
              std::string(300, 'x'),
              "\xf0\x9f\xa4\x96",
              std::string("a\0b", 3)};
    for (const std::string& file : files) {
      words_.emplace_back(file);
      words_.emplace_back("file://" + file);
      words_.emplace_back("{block: FromFile, columns: [x], file: " + file + "}");
      words_.emplace_back("{file: " + file + "}");
    }
  }

  json message() {
    json message = goodMessages()[below(goodMessages().size())];
    if (message.contains("key") && below(2) == 0) message["key"] = sceneKeys()[below(sceneKeys().size())];
    for (std::size_t k = below(3); k > 0; --k) change(message);
    return message;
  }

  json document() {
    json document = goodDocument();
    for (std::size_t k = 1 + below(3); k > 0; --k) changeInside(document);
    return document;
  }

  /// The text of a message with some bytes changed, cut off, or said twice.
  std::string text() {
    std::string text = message().dump();
    for (std::size_t k = 1 + below(4); k > 0 && !text.empty(); --k) {
      const std::size_t at = below(text.size());
      if (below(4) == 0)
        text.resize(at);
      else if (below(4) == 0)
        text.insert(at, text.substr(below(text.size())));
      else
        text[at] = static_cast<char>(below(256));
    }
    return text;
  }

  std::string path() {
    static const std::vector<std::string> parts = {"/",
                                                   "scene",
                                                   "mesh",
                                                   "0",
                                                   "1",
                                                   "-1",
                                                   "..",
                                                   ".",
                                                   "%2e%2e",
                                                   "etc",
                                                   "passwd",
                                                   "99999999999999999999",
                                                   std::string(1, '\0'),
                                                   "//",
                                                   "?",
                                                   "0x0",
                                                   " 0"};
    std::string path;
    for (std::size_t k = 1 + below(6); k > 0; --k) path += "/" + parts[below(parts.size())];
    return path;
  }

 private:
  std::size_t below(std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_); }

  /// Something inside of a document: a field, an entry of a list, or the kind of a block.
  void changeInside(json& value) {
    static const std::vector<std::string> kinds = {"FromFile", "Log",  "Fmu",  "python:os.system",
                                                   "Robot",    "Half", "Scope"};
    if (value.is_object() && value.contains("kind") && below(3) == 0) {
      value["kind"] = kinds[below(kinds.size())];
      value["parameters"] = json::array({json::array({"file", words_[below(words_.size())]})});
      return;
    }
    if (!value.is_structured() || value.empty() || below(5) == 0) {
      value = words_[below(words_.size())];
      return;
    }
    auto entry = value.begin();
    std::advance(entry, static_cast<std::ptrdiff_t>(below(value.size())));
    changeInside(*entry);
  }

  void change(json& message) {
    if (message.contains("document") && below(4) != 0) return changeInside(message["document"]);
    std::vector<std::string> fields;
    for (const auto& [field, value] : message.items()) fields.push_back(field);
    const std::string field = fields.empty() ? "do" : fields[below(fields.size())];
    switch (below(5)) {
      case 0:
        message.erase(field);
        break;
      case 1:
        message["session"] = words_[below(words_.size())];
        break;
      default:
        message[field] = words_[below(words_.size())];
    }
  }

  std::mt19937_64 random_{randomSeed(20261115)};
  std::vector<json> words_;
};

TEST(ProtocolFuzz, GoodMessagesAreUnderstood) {
  Victim victim;
  for (const json& message : goodMessages()) victim.send(message);
  const std::string said = victim.finish();
  EXPECT_EQ(said.find("not JSON"), std::string::npos) << said;
  EXPECT_TRUE(victim.touched().empty());
}

TEST(ProtocolFuzz, EveryKeyWithEveryFileTouchesNoneOfThem) {
  Victim victim;
  for (const std::string& key : sceneKeys())
    for (const std::string& file : victim.files())
      for (const std::string& value :
           {file, "{file: " + file + "}", "{block: FromFile, columns: [x], file: " + file + "}",
            "{block: Fmu, file: " + file + "}", "[" + file + "]", file + ".new.csv"})
        victim.send(json{{"do", "set"}, {"key", key}, {"value", value}});
  for (const char* verb : {"save", "restore", "load", "log", "open", "report", "compare", "view", "export"})
    for (const std::string& file : victim.files())
      for (const char* field : {"name", "file", "path", "log", "value"}) victim.send(json{{"do", verb}, {field, file}});
  victim.finish();
  EXPECT_EQ(victim.touched(), std::set<std::string>{});
}

TEST(ProtocolFuzz, MutatedMessagesDoNoHarm) {
  Victim victim;
  Mutator mutator(victim.files());
  for (int k = 0; k < 3000; ++k) victim.send(mutator.message());
  for (int k = 0; k < 3000; ++k) victim.send(mutator.text());
  for (int k = 0; k < 3000; ++k) victim.get(mutator.path());
  victim.finish();
  EXPECT_EQ(victim.touched(), std::set<std::string>{});
}

TEST(ProtocolFuzz, MutatedDocumentsDoNoHarm) {
  Victim victim;
  Mutator mutator(victim.files());
  for (int k = 0; k < 1500; ++k) {
    victim.send(json{{"ask", "edit"}, {"id", k}, {"revision", victim.revision()}, {"document", mutator.document()}});
    if (k % 10 == 0) victim.send(json{{"do", "diagram"}, {"revision", victim.revision()}});
    if (k % 25 == 0) victim.send(json{{"ask", "yaml"}, {"id", k}});
  }
  victim.finish();
  EXPECT_EQ(victim.touched(), std::set<std::string>{});
}

/// With --allow-files a page may name files. They are read, but what is in them is told to nobody.
TEST(ErrorsForPages, NeverQuoteFilesThatThePageMayName) {
  Victim victim(true);
  const std::string heights = "{shape: height_field, cell: 0.1, file: ";
  const std::string from_file = "{block: FromFile, columns: [x], file: ";
  for (const std::string& file : victim.files())
    for (const auto& [key, value] :
         std::vector<std::pair<std::string, std::string>>{{"robot.model", file},
                                                          {"diagram", file},
                                                          {"ground", heights + file + "}"},
                                                          {"diagram.blocks.new", from_file + file + "}"},
                                                          {"diagram.subdiagrams.new", file}}) {
      victim.send(json{{"do", "set"}, {"key", key}, {"value", value}});
      EXPECT_NE(victim.finish().find("the terminal"), std::string::npos) << key << " = " << value;
    }
  for (const char* name : {"a.yaml", "text.yaml", "robot.urdf", "robot.sdf", "table.csv", "heights.csv", "a.mcap"})
    EXPECT_EQ(victim.touched().count(name), 1u) << name << " was not even opened";
}

TEST(ErrorsForPages, SayWhatIsWrongWithAValue) {
  Victim victim;
  victim.send(json{{"do", "set"}, {"key", "ground.friction"}, {"value", "-3"}});
  EXPECT_NE(victim.finish().find("ground.friction is -3, expected 0 or more"), std::string::npos);
}

/// The scene of a log may have been written by a stranger.
TEST(LogOfAStranger, RunsNoCodeThatItNames) {
  WatchedFolder folder, files;
  const std::string scene = folder.write("scene.yaml", "robot: {model: box}\ncontacts: [{frame: box}]\n");
  const std::string log = (folder.path() / "run.csv").string(), fmu = files.write("a.fmu", "x");
  {
    LiveOptions options;
    options.playing = false;
    options.log = log;
    const LiveSession session(scene, options);
  }
  folder.write(
      "scene.yaml",
      "robot: {model: box}\ncontacts: [{frame: box}]\ndiagram: {blocks: {robot: Robot, evil: {block: Fmu, file: " +
          fmu + ", step: 1 ms}}}\n");
  files.watch();
  const LogSession session(log);
  EXPECT_TRUE(session.describe()["diagram"].contains("problem"));
  EXPECT_TRUE(files.touched().empty());
}

}  // namespace
}  // namespace footfall::studio
