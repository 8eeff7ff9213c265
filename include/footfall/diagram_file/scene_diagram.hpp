#pragma once

#include <string>
#include <utility>
#include <vector>

namespace footfall {

// What a file says about a block diagram, as plain data. Nothing here is resolved yet: names are names, and `$foot` in
// a text still stands for a value. `where` fields hold "file:line".

struct SceneTreeEntry;

/// A value as it was written: a text, a list or a map.
struct SceneTree {
  enum class Kind { none, text, list, map };

  std::string where;
  Kind kind = Kind::none;
  std::string text;
  bool quoted = false;                  ///< a text in quotes is never a number
  std::vector<SceneTree> items;         ///< of a list
  std::vector<SceneTreeEntry> entries;  ///< of a map, in the order of the file

  bool given() const { return kind != Kind::none; }
};

/// Of a map. (A pair of a name and a SceneTree inside of SceneTree is more than clang can see through.)
struct SceneTreeEntry {
  std::string key;
  SceneTree value;
};

/// `for: {foot: $feet}`: what carries it is there once for each value of the list (or 0 … n − 1 of a number).
struct SceneRepeat {
  std::string variable;
  SceneTree values;
};
using SceneRepeats = std::vector<SceneRepeat>;

struct SceneBlock {
  std::string where;
  std::string name, kind;
  SceneTree when;    ///< runs only then: a signal, `not` a signal, or {rises: signal, restart: true}
  SceneTree sample;  ///< 10 ms, or {period: 10 ms, offset: 2 ms}, or `continuous`, `inherited`, `constant`
  std::vector<std::pair<std::string, SceneTree>> parameters;
  SceneRepeats repeats;
};

/// "robot.state -> controller.state", or a chain of them; the last part may name several inputs, separated by commas.
struct SceneConnection {
  std::string where;
  std::string text;
  SceneRepeats repeats;
};

/// An input or output of a diagram.
struct SceneDiagramPort {
  std::string where;
  std::string name;
  std::string help;
  std::string source;  ///< of an output: "controller.torque"
  std::string type;    ///< of an input: scalar, vector, matrix, pose, boolean; empty: any
  SceneTree size;      ///< of a vector: 3; of a matrix: [2, 3]
  std::string unit;
  SceneRepeats repeats;
};

struct SceneDiagramParameter {
  std::string where;
  std::string name;
  std::string help;
  std::string unit;
  SceneTree fallback;  ///< not given: the value must be
};

/// Where the editor shows a block; diagrams run the same without [px, y points down].
struct SceneBlockPlace {
  std::string block;
  double x = 0.0, y = 0.0;
};

struct SceneDiagram {
  std::string where;                         ///< empty: there is none
  std::string source;                        ///< the file that it stands in
  std::string name;                          ///< of a sub-diagram: the kind of block that it is
  std::string about;                         ///< one line
  double step = 0.0;                         ///< 0: physics.step, or 1 ms [s]
  std::string solver;                        ///< rk4, rk45 or euler; empty: rk4
  double tolerance = 0.0;                    ///< of rk45; 0: its default
  std::string algebraic_loops;               ///< refuse or solve; empty: refuse
  std::vector<std::string> log;              ///< signals that the log of a run holds too
  std::vector<std::string> log_places = {};  ///< where each of them is named; none: not in a file
  std::vector<SceneDiagramParameter> parameters;
  std::vector<SceneDiagramPort> inputs, outputs;
  std::vector<SceneBlock> blocks;
  std::vector<SceneConnection> connections;
  std::vector<SceneDiagram> subdiagrams;
  std::vector<SceneBlockPlace> layout;  ///< of some of its blocks; the others are put somewhere

  bool given() const { return !where.empty(); }
};

}  // namespace footfall
