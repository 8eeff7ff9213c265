#pragma once

#include <string>
#include <vector>

#include "footfall/scene/scene.hpp"

namespace footfall::command {

/// What the command tells the shell. Scripts rely on these numbers: they are part of `--help`.
enum ExitCode : int {
  kSuccess = 0,
  kRunFailed = 1,     ///< a contact solve failed
  kBadInput = 2,      ///< command line, scene, model or state file
  kCannotWrite = 3,   ///< a log, state or other file, or standard output
  kBug = 4,           ///< something that should not happen
  kInterrupted = 130  ///< Ctrl-C, SIGTERM, SIGHUP; log and summary are complete
};

struct RunOptions {
  std::string scene;                   ///< path
  std::vector<std::string> overrides;  ///< "physics.solver=osqp"
  std::string duration;                ///< until this simulated time; empty: as the scene says
  std::string log;                     ///< path; empty: as the scene says
  bool log_meshes = true;              ///< .mcap logs hold the robot's meshes
  bool log_warm_start = false;         ///< and every log the solver's memory
  double log_scene_rate = 60.0;        ///< pictures for Foxglove [1/s]
  std::string state;                   ///< path of a state to start from; may be empty
  std::string save_state;              ///< path for the state at the end; may be empty
  bool quiet = false;
  bool profile = false;       ///< say where the time went
  std::string profile_trace;  ///< path of a flame graph; may be empty
  bool view = false;          ///< in the browser
  bool real_time = false;     ///< keep to the clock
  std::string socket;         ///< path at which a controller of another process speaks to the run; empty: none does
  bool lock_step = false;     ///< wait for its answer to each state
  int exchange_every = 1;     ///< steps from one state that it gets to the next
  bool keeps_log = true;      ///< else it lies in a temporary folder, and nobody needs to know where
};

struct DemoOptions {
  RunOptions run;                           ///< its scene is the demo's
  std::string page = "footfall-demo.html";  ///< where there is no display: path of a page that plays the run
};

struct DiagramOptions {
  std::string file;    ///< a scene or a diagram
  std::string output;  ///< path; empty: standard output
  std::vector<SceneOverride> overrides;
  bool json = false;  ///< data instead of a picture
};

struct BatchOptions {
  std::string scene;                   ///< path
  std::vector<std::string> overrides;  ///< "physics.solver=osqp"
  int copies = 4096;
  int steps = 1000;     ///< of each copy
  int threads = 0;      ///< 0: one for each core
  double spread = 0.0;  ///< copies start with base velocities up to this in x and y [m/s]
  unsigned seed = 1;    ///< of those velocities
  std::string output;   ///< path of a table of the final states; may be empty
};

struct ExportOptions {
  std::string scene;                   ///< path of a scene or a diagram
  std::string output;                  ///< path of the FMU; empty: named after the scene
  std::string fmi_version = "2";       ///< 2 or 3
  std::vector<std::string> overrides;  ///< "physics.solver=osqp"
};

// One function for each verb; each returns an ExitCode and throws footfall::Error for bad input.
int run(const RunOptions& options);
int demo(DemoOptions options);
int batch(const BatchOptions& options);
/// Path of the scene that `demo` runs: a humanoid, or, where that is not installed, a robot of our own.
std::string demoScene();
int inspect(const std::string& model_or_scene);
int doctor();
int exportFmu(const ExportOptions& options);
/// Becomes the Python program that runs studies.
int sweep(const std::vector<std::string>& arguments);
int blocks(const std::string& name, bool markdown);
int diagram(const DiagramOptions& options);
int init(const std::string& path, bool overwrite);
/// Prints the JSON schema of scene files.
int printSchema();

}  // namespace footfall::command
