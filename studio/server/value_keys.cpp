#include "studio/server/value_keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

#include "footfall/base/text_number.hpp"
#include "footfall/scene/ground_shapes.hpp"
#include "studio/server/refused.hpp"

namespace footfall::studio {
namespace {

using Words = std::vector<std::string>;

// ---- values --------------------------------------------------------------------------------------------------------

constexpr std::array kUnits = {"rad",  "deg",   "m",    "cm",  "mm",   "s",     "ms",    "us",
                               "min",  "Hz",    "kHz",  "m/s", "km/h", "rad/s", "deg/s", "rpm",
                               "m/s²", "m/s^2", "m/s2", "N",   "kN",   "Nm",    "N m"};

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// "5", "-1e3", "5 deg", "5deg"
bool isNumber(std::string_view text) {
  text = trimmed(text);
  if (text.find_first_not_of("+-.0123456789") == 0) return false;  // YAML's .inf, and names
  for (std::size_t length = text.size(); length > 0; --length) {
    if (!parseNumber(text.substr(0, length))) continue;
    const std::string_view unit = trimmed(text.substr(length));
    return unit.empty() || std::find(kUnits.begin(), kUnits.end(), unit) != kUnits.end();
  }
  return false;
}

/// Takes "[1, [2, 3]]" or "1" from the front of a text; false when it is not that.
bool takeNumbers(std::string_view& text, int depth = 0) {
  constexpr int kDeepest = 3;  // a list of matrices
  text = trimmed(text);
  if (text.empty() || depth > kDeepest) return false;
  if (text.front() != '[') {
    const std::size_t end = std::min(text.find_first_of(",]"), text.size());
    const bool good = isNumber(text.substr(0, end));
    text.remove_prefix(end);
    return good;
  }
  do {
    text.remove_prefix(1);  // the bracket, or a comma
    if (!takeNumbers(text, depth + 1)) return false;
    text = trimmed(text);
  } while (!text.empty() && text.front() == ',');
  if (text.empty() || text.front() != ']') return false;
  text.remove_prefix(1);
  return true;
}

bool isNumbers(std::string_view text) { return takeNumbers(text) && trimmed(text).empty(); }

bool isFlag(std::string_view text) { return text == "true" || text == "false"; }

/// Of x, y or t; what it computes is checked by who reads it.
bool isFormula(std::string_view text) {
  const auto allowed = [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view(" _.,+-*/^()").find(static_cast<char>(c)) != std::string::npos;
  };
  return std::all_of(text.begin(), text.end(), allowed);
}

// ---- keys ----------------------------------------------------------------------------------------------------------

enum class Kind { numbers, flag, numbers_or_flag, formula, choice };

struct ValueKey {
  Words pattern;  ///< `#`: the number of an entry; `*`: any name
  Kind kind = Kind::numbers;
  Words choices;  ///< of what is built in
};

Words split(const std::string& path) {
  Words words;
  std::size_t begin = 0;
  for (std::size_t dot; (dot = path.find('.', begin)) != std::string::npos; begin = dot + 1)
    words.push_back(path.substr(begin, dot - begin));
  words.push_back(path.substr(begin));
  return words;
}

class Table {
 public:
  void numbers(const std::string& section, const Words& names) { add(section, names, {{}, Kind::numbers, {}}); }
  void flags(const std::string& section, const Words& names) { add(section, names, {{}, Kind::flag, {}}); }
  void formulas(const std::string& section, const Words& names) { add(section, names, {{}, Kind::formula, {}}); }
  void anyValue(const std::string& section, const Words& names) {
    add(section, names, {{}, Kind::numbers_or_flag, {}});
  }
  void choice(const std::string& section, const std::string& name, const Words& choices) {
    add(section, {name}, {{}, Kind::choice, choices});
  }
  /// How a distance or an angle changes over time.
  void timeLaw(const std::string& section) {
    numbers(section, {"speed", "table", "smooth_table", "rates", "sine.amplitude", "sine.frequency", "sine.phase"});
    formulas(section, {"formula"});
  }
  const std::vector<ValueKey>& keys() const { return keys_; }

 private:
  void add(const std::string& section, const Words& names, ValueKey key) {
    for (const std::string& name : names) {
      key.pattern = split(section + "." + name);
      keys_.push_back(key);
    }
  }
  std::vector<ValueKey> keys_;
};

void addGround(Table& table, const std::string& ground) {
  table.numbers(ground, {"point", "incline", "heading", "friction", "restitution", "position", "rpy", "size", "steps",
                         "rise", "run", "width", "landing", "cell", "scale", "extent", "parameters.*"});
  table.formulas(ground, {"formula"});
  table.choice(ground, "shape", groundShapes());
  table.choice(ground, "interpolation", {"bicubic", "bilinear"});
  table.numbers(ground + ".motion.translate.#", {"direction"});
  table.timeLaw(ground + ".motion.translate.#");
  table.numbers(ground + ".motion.rotate.#", {"axis", "point"});
  table.timeLaw(ground + ".motion.rotate.#");
  table.numbers(ground + ".conveyor", {"direction"});
  table.timeLaw(ground + ".conveyor");
}

/// How many bodies there are, and which of them move, stays: the state has a place for each of them.
void addBodies(Table& table) {
  table.numbers("bodies.#", {"size", "radius", "length", "face", "mass", "density", "color", "initial.*", "position",
                             "rpy", "velocity", "angular_velocity", "friction", "restitution"});
  table.flags("collisions", {"self"});
  table.numbers("collisions", {"hull_corners"});
  for (const char* section : {"collisions", "collisions.pairs.#"}) table.numbers(section, {"friction", "restitution"});
}

/// Kinds of blocks, files and plug-ins are named by words, which are no numbers; those keys are refused all the same.
void addDiagram(Table& table) {
  table.anyValue("diagram.blocks.*", {"*"});
  table.anyValue("diagram.parameters", {"*"});
  table.anyValue("diagram.parameters.*", {"default"});
}

Table makeTable() {
  Table table;
  for (const char* ground : {"ground", "ground.#"}) addGround(table, ground);
  addBodies(table);
  table.numbers("robot", {"initial.*", "initial_velocity.*", "base.position", "base.rpy", "base.roll", "base.pitch",
                          "base.yaw", "base.velocity", "base.angular_velocity"});
  table.flags("robot", {"base.on_ground"});
  table.numbers("contacts.#", {"footprint", "radius", "face", "circle", "axis"});
  table.numbers("loops.#", {"axis", "from", "until", "within"});
  table.numbers("physics",
                {"step", "gravity", "tolerance", "acceptable", "stiffness", "dissipation", "stiction_velocity"});
  table.choice("physics", "engine", {"native"});
  table.choice("physics", "solver", {"native"});
  table.choice("physics", "contact", {"rigid", "gauss", "compliant"});
  table.choice("physics", "friction_law", {"cone", "pyramid"});
  table.choice("physics", "integrator", {"second_order", "semi_implicit_euler", "explicit_euler", "rk4", "midpoint"});
  table.flags("hold", {"enabled", "gravity_compensation"});
  table.numbers("hold", {"stiffness", "damping", "joint_stiffness.*", "joint_damping.*", "target.*"});
  table.numbers("actuators.#", {"transmission", "gear_ratio", "rotor_inertia", "natural_frequency", "damping_ratio",
                                "max_torque", "max_speed", "viscous", "coulomb"});
  table.numbers("springs.#", {"stiffness", "damping", "rest_length", "from.point", "to.point"});
  table.numbers("torques", {"*"});
  table.numbers("prescribed.#", {"offset"});
  table.timeLaw("prescribed.#");
  table.numbers("pushes.#", {"force", "moment", "start", "duration"});
  table.numbers("sensors.#",
                {"rate", "delay", "noise.*", "bias.*", "bias_walk.*", "resolution.*", "threshold", "seed"});
  table.numbers("run", {"duration", "seed"});
  addDiagram(table);
  return table;
}

bool isEntryNumber(const std::string& word) {
  return !word.empty() && word.size() < 7 && word.find_first_not_of("0123456789") == std::string::npos;
}

bool matches(const Words& pattern, const Words& key) {
  const auto same = [](const std::string& wanted, const std::string& word) {
    if (wanted == "#") return isEntryNumber(word);
    return wanted == "*" ? !word.empty() : wanted == word;
  };
  return std::equal(pattern.begin(), pattern.end(), key.begin(), key.end(), same);
}

/// `diagram.subdiagrams.leg.blocks.knee.kp` is of the same kind as `diagram.blocks.knee.kp`.
Words withoutSubdiagrams(Words key) {
  while (key.size() > 3 && key[0] == "diagram" && key[1] == "subdiagrams") key.erase(key.begin() + 1, key.begin() + 3);
  return key;
}

/// Parameters of blocks that name something, whatever their value looks like.
bool namesSomething(const Words& key) {
  static const Words names = {"block", "file", "for", "engine", "solver", "contact", "integrator"};
  return key.size() == 4 && key[1] == "blocks" && std::find(names.begin(), names.end(), key[3]) != names.end();
}

const ValueKey* find(const Words& key) {
  static const Table table = makeTable();
  const auto found = std::find_if(table.keys().begin(), table.keys().end(),
                                  [&](const ValueKey& each) { return matches(each.pattern, key); });
  return found == table.keys().end() || namesSomething(key) ? nullptr : &*found;
}

bool fits(const ValueKey& key, const std::string& value) {
  switch (key.kind) {
    case Kind::numbers:
      return isNumbers(value);
    case Kind::flag:
      return isFlag(value);
    case Kind::numbers_or_flag:
      return isNumbers(value) || isFlag(value);
    case Kind::formula:
      return isFormula(value);
    case Kind::choice:
      return std::find(key.choices.begin(), key.choices.end(), value) != key.choices.end();
  }
  return false;
}

std::string expected(const ValueKey& key) {
  switch (key.kind) {
    case Kind::numbers:
      return "a number or a list of numbers";
    case Kind::flag:
      return "true or false";
    case Kind::numbers_or_flag:
      return "a number, a list of numbers, true or false";
    case Kind::formula:
      return "a formula";
    case Kind::choice:
      return fmt::format("one of: {}", fmt::join(key.choices, ", "));
  }
  return "";
}

}  // namespace

void checkValueKey(const std::string& key, const std::string& value) {
  constexpr const char* hint = "`footfall view --allow-files` lets the page change every key of the scene";
  const ValueKey* known = find(withoutSubdiagrams(split(key)));
  if (known == nullptr) throw Refused(key, "this is not a value that a page may change", hint);
  if (!fits(*known, value)) throw Refused(key, fmt::format("is '{}', expected {}", value, expected(*known)), hint);
}

}  // namespace footfall::studio
