// The `footfall` command: reads the command line and calls a verb. CLI11 is a heavy header: it stays in this file.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "footfall/base/licenses.hpp"
#include "footfall/base/suggest.hpp"
#include "footfall/base/text_number.hpp"
#include "footfall/base/version.hpp"
#include "guard.hpp"
#include "log_verbs.hpp"
#include "overrides.hpp"
#include "terminal.hpp"
#include "verbs.hpp"
#include "view.hpp"

namespace footfall::command {
namespace {

constexpr const char* kFooter = R"(
Examples:
  footfall demo                                          a humanoid on its feet, pushed
  footfall init my.yaml && footfall run my.yaml          a commented scene to start from
  footfall run my.yaml --set physics.solver=proxqp --set physics.friction_law=pyramid --log out.csv
  footfall run my.yaml --duration 2 --save-state a.state && footfall run my.yaml --state a.state
  footfall run my.yaml --profile=trace.json              where the time goes, as a table and a flame graph
  footfall run my.yaml --real-time --socket /tmp/robot   a controller of another process moves it
  footfall batch my.yaml --copies 4096 --steps 1000      many copies at once, on all cores
  footfall blocks && footfall diagram my.yaml -o my.svg  the parts of diagrams, and one drawn
  footfall run my.yaml --log out.mcap && footfall plot out.mcap 'l_sole.force*' com.position -o forces.png
  footfall sweep study.yaml                              many values of the scene's keys, on all cores
  footfall convert out.mcap out.mat                      for MATLAB; docs/logs.md tells more
  footfall inspect model://iCub/robots/iCubGazeboV2_5/model.urdf

Exit codes:
    0  success
    1  the run failed: a contact solve did not converge; the state before it is kept in <scene>.fail.state
    2  bad input: command line, scene, model or state file
    3  cannot write: a log, state or other file, or standard output
    4  a bug in footfall
  130  interrupted (Ctrl-C, SIGTERM, a closed terminal); log and summary are complete up to there)";

/// CLI11's own checks tell the largest double with all of its digits.
CLI::Validator orMore(int least, std::string name) {
  return {[=](const std::string& text) {
            const std::optional<double> value = parseNumber(text);
            return value && std::isfinite(*value) && *value >= least
                       ? ""
                       : "it is " + text + ", expected " + std::to_string(least) + " or more";
          },
          std::move(name)};
}

CLI::Validator positive() { return orMore(1, "POSITIVE"); }
CLI::Validator notNegative() { return orMore(0, "NONNEGATIVE"); }

/// Of a file that is written: what others make of it depends on how it is called.
CLI::Validator endsIn(const std::string& ending) {
  return {[=](const std::string& path) {
            return path.empty() || path.ends_with(ending) ? "" : "'" + path + "' does not end in " + ending;
          },
          "*" + ending};
}

void addRunOptions(CLI::App& verb, RunOptions& options) {
  verb.add_option("--set", options.overrides, "Change a value of the scene: physics.solver=osqp; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb.add_option("--duration", options.duration, "Run until this simulated time, e.g. 2.5 or '500 ms'")
      ->type_name("TIME");
  verb.add_option("--log", options.log, "Write down every step; the ending chooses the format: .mcap, .csv, .mat")
      ->type_name("FILE");
  verb.add_flag("!--no-log-meshes", options.log_meshes, "Leave the robot's meshes out of an .mcap log");
  verb.add_option("--log-scene-rate", options.log_scene_rate, "Pictures for Foxglove in an .mcap log; 0: none")
      ->type_name("HZ")
      ->check(notNegative())
      ->capture_default_str();
  verb.add_flag("--log-warm-start", options.log_warm_start, "Log the solver's memory too, to go on from any row");
  verb.add_option("--state", options.state, "Start from a saved state, to the bit")->type_name("FILE");
  CLI::Option* save =
      verb.add_option("--save-state", options.save_state, "Save the state at the end")->type_name("FILE");
  CLI::Option* profile =
      verb.add_flag("--profile", options.profile_trace,
                    "Say where the time went, by block and stage of the step; --profile=FILE writes a flame graph too");
  verb.add_flag("--quiet,-q", options.quiet, "Print nothing but errors");
  verb.add_flag("--view", options.view, "Watch it in the browser, in real time; `footfall view` has more options")
      ->excludes(save)
      ->excludes(profile);
}

void addRealTime(CLI::App& verb, RunOptions& options) {
  verb.add_flag("--real-time", options.real_time, "Keep to the clock; the summary tells jitter and missed deadlines");
  verb.add_option("--socket", options.socket,
                  "A controller of another process speaks to this Unix socket: docs/real_time.md")
      ->type_name("FILE");
  verb.add_flag("--lock-step", options.lock_step, "Wait for the controller's answer to each state");
  verb.add_option("--exchange-every", options.exchange_every,
                  "Steps from one state that the controller gets to the next")
      ->type_name("STEPS")
      ->capture_default_str();
}

/// `--profile` alone reads as the text "true".
void readProfileFlag(RunOptions& options) {
  options.profile = !options.profile_trace.empty();
  if (options.profile_trace == "true") options.profile_trace.clear();
}

void addView(CLI::App& verb, ViewOptions& options) {
  verb.add_option("shown", options.shown,
                  "A scene (YAML) to simulate, or a log; more logs to compare it with; default: the scene of `demo`")
      ->type_name("SCENE|LOG");
  verb.add_option("--set", options.overrides, "Change a value of the scene: ground.friction=0.2; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb.add_option("--port", options.port, "Where to serve the page; 0: any free port")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  verb.add_option("--bind", options.bind, "Address to serve it at; 0.0.0.0: every machine of the network can reach it")
      ->type_name("ADDRESS")
      ->capture_default_str();
  verb.add_flag("!--no-browser", options.browser, "Only print the address of the page");
  verb.add_flag("--paused", options.paused, "Wait for play");
  verb.add_flag("--allow-files", options.allow_files,
                "Let the page change keys of the scene that name files, robots, plug-ins or blocks, too");
}

void addReport(CLI::App& verb, ReportOptions& options) {
  verb.add_option("logs", options.logs, "The log, and others to compare it with")->required()->type_name("LOG");
  verb.add_option("-o,--output", options.output, "Where to write it")
      ->type_name("FILE")
      ->check(endsIn(".html"))
      ->capture_default_str();
}

void addBatch(CLI::App& verb, BatchOptions& options) {
  verb.add_option("scene", options.scene, "Scene file (YAML)")->required()->type_name("SCENE");
  verb.add_option("--copies", options.copies, "How many worlds")->check(positive())->capture_default_str();
  verb.add_option("--steps", options.steps, "Steps of each world")->check(positive())->capture_default_str();
  verb.add_option("--threads", options.threads, "0: one for each core")->check(notNegative())->capture_default_str();
  CLI::Option* spread = verb.add_option("--spread", options.spread,
                                        "Random velocity of the base that each world starts with, up to this [m/s]")
                            ->check(notNegative())
                            ->capture_default_str();
  verb.add_option("--seed", options.seed, "Of the spread")->needs(spread)->check(notNegative())->capture_default_str();
  verb.add_option("-o,--output", options.output, "Write the final states: .csv, a row for each world")
      ->type_name("FILE")
      ->check(endsIn(".csv"));
  verb.add_option("--set", options.overrides, "Change a value of the scene: ground.friction=0.2; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

/// Returns the verb `export fmu`.
CLI::App* addExport(CLI::App& app, ExportOptions& options) {
  CLI::App* verb = app.add_subcommand("export", "Pack a scene or a diagram for other tools")
                       ->require_subcommand(1)
                       ->add_subcommand("fmu", "A co-simulation FMU for Simulink, Modelica tools and others");
  verb->add_option("scene", options.scene, "Scene or diagram (YAML)")->required()->type_name("SCENE");
  verb->add_option("-o,--output", options.output, "Where to write it; default: named after the scene")
      ->type_name("FILE")
      ->check(endsIn(".fmu"));
  verb->add_option("--fmi", options.fmi_version, "Version of FMI")
      ->check(CLI::IsMember({"2", "3"}))
      ->capture_default_str();
  verb->add_option("--set", options.overrides, "Change a value of the scene: ground.friction=0.2; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  return verb;
}

/// Everything that the command line can ask for.
struct CommandLine {
  CLI::App app{"Footfall simulates robots whose feet meet the ground.", "footfall"};
  RunOptions run_options;
  DemoOptions demo_options;
  PlotOptions plot_options;
  std::string inspected, converted, converted_to, described, scene_to_write = "scene.yaml";
  bool overwrite = false, schema = false;
  std::string block_name;
  bool markdown = false;
  DiagramOptions diagram_options;
  std::vector<std::string> diagram_overrides;
  ExportOptions export_options;
  BatchOptions batch_options;
  CLI::App *run, *demo, *inspect, *doctor, *init, *blocks, *diagram, *convert, *plot, *info, *export_fmu;
  ViewOptions view_options;
  ReportOptions report_options;
  CLI::App *view, *report, *batch;

  CommandLine() {
    app.set_version_flag("--version", std::string("footfall ") + version());
    app.add_flag_callback(
        "--licenses", [] { throw CLI::CallForVersion(licenseTexts(), kSuccess); },
        "Print the licences of Footfall and of all that is inside of it");
    app.require_subcommand(1);
    app.footer(kFooter);
    run = app.add_subcommand("run", "Simulate a scene");
    run->add_option("scene", run_options.scene, "Scene file (YAML)")->required()->type_name("SCENE");
    addRunOptions(*run, run_options);
    addRealTime(*run, run_options);
    app.add_subcommand("sweep", "Run a study: one scene, many values of its keys; `footfall sweep --help` tells more");
    demo = app.add_subcommand("demo", "Simulate the default scene: a humanoid on its feet, pushed");
    addRunOptions(*demo, demo_options.run);
    demo->add_option("--page", demo_options.page,
                     "Where there is no display to show it on: a page to write that plays it; '': none")
        ->type_name("FILE")
        ->capture_default_str();
    batch = app.add_subcommand("batch", "Simulate many copies of a scene at once, on all cores");
    addBatch(*batch, batch_options);
    view = app.add_subcommand("view", "Watch a scene or a log in the browser: play, push, plot, compare");
    addView(*view, view_options);
    report = app.add_subcommand("report", "Write a log as one html file that anyone can open");
    addReport(*report, report_options);
    inspect = app.add_subcommand("inspect", "Report on a robot: tree, masses, limits, frames, what is suspicious");
    inspect->add_option("model", inspected, "URDF file, model:// or package:// address, name of a robot, or a scene")
        ->required()
        ->type_name("MODEL");
    doctor = app.add_subcommand("doctor", "Say what is there: version, processor, engines, solvers, robots");
    export_fmu = addExport(app, export_options);
    init = app.add_subcommand("init", "Write a commented scene to start from");
    init->add_option("file", scene_to_write, "Where to write it")->type_name("FILE")->capture_default_str();
    init->add_flag("--force", overwrite, "Overwrite a file that is there");
    blocks = app.add_subcommand("blocks", "List the blocks that diagrams are made of, or document one");
    blocks->add_option("name", block_name, "Kind of block")->type_name("NAME");
    blocks->add_flag("--markdown", markdown, "Print the reference of all built-in blocks: docs/blocks_reference.md");
    diagram = app.add_subcommand("diagram", "Draw the block diagram of a scene, or of a file of its own");
    diagram->add_option("file", diagram_options.file, "Scene or diagram (YAML)")->required()->type_name("FILE");
    diagram->add_option("--output,-o", diagram_options.output, "Where to write it; default: standard output")
        ->type_name("FILE");
    diagram->add_option("--set", diagram_overrides, "Change a value of the file; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    diagram->add_flag("--json", diagram_options.json, "Data (places of blocks and lines) instead of a picture (SVG)");
    init->add_flag("--schema", schema, "Print the JSON schema of scene files instead, for editors");
    addLogVerbs();
  }

  void addLogVerbs() {
    convert = app.add_subcommand("convert", "Copy a log into another format, chosen by the ending: .mcap, .csv, .mat");
    convert->add_option("log", converted, "Log to read (.mcap or .csv)")->required()->type_name("LOG");
    convert->add_option("output", converted_to, "Log to write")->required()->type_name("OUT");
    plot = app.add_subcommand("plot", "Draw channels of a log over time, as PNG or SVG");
    plot->add_option("log", plot_options.log, "Log to read (.mcap or .csv)")->required()->type_name("LOG");
    plot->add_option("channels", plot_options.channels,
                     "Channels, a panel for each; patterns such as 'l_sole.force*' give several lines")
        ->required()
        ->type_name("CHANNEL");
    plot->add_option("--output,-o", plot_options.output, "File to draw, .png or .svg")
        ->type_name("FILE")
        ->capture_default_str();
    plot->add_option("--from", plot_options.from, "Leave out what is before this time [s]")->type_name("TIME");
    plot->add_option("--to", plot_options.to, "Leave out what is after this time [s]")->type_name("TIME");
    plot->add_option("--title", plot_options.title, "Above the plot; default: robot and scene")->type_name("TEXT");
    info = app.add_subcommand("info", "Say what is in a log: notes, channels with units, attachments");
    info->add_option("log", described, "Log to read (.mcap or .csv)")->required()->type_name("LOG");
  }

  int callVerb() {
    for (RunOptions* options : {&run_options, &demo_options.run}) readProfileFlag(*options);
    diagram_options.overrides = parseOverrides(diagram_overrides);
    if (blocks->parsed()) return command::blocks(block_name, markdown);
    if (diagram->parsed()) return command::diagram(diagram_options);
    if (run->parsed()) return command::run(run_options);
    if (demo->parsed()) return command::demo(demo_options);
    if (batch->parsed()) return command::batch(batch_options);
    if (view->parsed()) return command::view(std::move(view_options));
    if (report->parsed()) return command::report(report_options);
    if (inspect->parsed()) return command::inspect(inspected);
    if (convert->parsed()) return command::convert(converted, converted_to);
    if (plot->parsed()) return command::plot(plot_options);
    if (info->parsed()) return command::info(described);
    if (doctor->parsed()) return command::doctor();
    if (export_fmu->parsed()) return command::exportFmu(export_options);
    return schema ? command::printSchema() : command::init(scene_to_write, overwrite);
  }
};

std::vector<std::string> verbsOf(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands({})) names.push_back(verb->get_name());
  return names;
}

/// What stands where a verb should, and is none: the error and its hint. Nothing where something else is wrong.
std::optional<std::pair<std::string, std::string>> wrongVerb(const CLI::App& app,
                                                             const std::vector<std::string>& words) {
  const CLI::App* place = &app;
  for (const std::string& word : words) {
    const std::vector<std::string> known = verbsOf(*place);
    if (known.empty() || word.starts_with("-")) return std::nullopt;
    if (std::find(known.begin(), known.end(), word) == known.end()) {
      const bool scene = word.ends_with(".yaml") || word.ends_with(".yml");
      return std::pair("there is no verb '" + word + "'",
                       scene ? "`footfall run " + word + "` simulates it" : suggestOrList(word, known));
    }
    place = place->get_subcommand(word);
  }
  return std::nullopt;
}

/// The verb that the words lead to.
const CLI::App& verbOf(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* place = &app;
  for (const std::string& word : words) {
    const std::vector<std::string> known = verbsOf(*place);
    if (std::find(known.begin(), known.end(), word) == known.end()) break;
    place = place->get_subcommand(word);
  }
  return *place;
}

/// The first option that the verb does not have, and the nearest that it has.
std::optional<std::pair<std::string, std::string>> wrongOption(const CLI::App& app,
                                                               const std::vector<std::string>& words) {
  const CLI::App& verb = verbOf(app, words);
  std::vector<std::string> known;
  for (const CLI::Option* option : verb.get_options({}))
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  for (const std::string& word : words) {
    const std::string option = word.substr(0, word.find('='));
    if (word == "--") return std::nullopt;
    if (!word.starts_with("--") || std::find(known.begin(), known.end(), option) != known.end()) continue;
    const std::string name = verb.get_parent() == nullptr ? "footfall" : "`footfall " + verb.get_name() + "`";
    return std::pair(name + " has no option '" + option + "'", suggestOrList(option, known));
  }
  return std::nullopt;
}

/// A variable of a shell script that is empty would be taken for an option that is not given. Only `demo --page ''`
/// means something: no page.
void refuseEmptyFileNames(CLI::App& app) {
  const CLI::Validator named([](const std::string& path) { return path.empty() ? "it is empty, expected a file" : ""; },
                             "");
  for (CLI::App* verb : app.get_subcommands({})) {
    for (CLI::Option* option : verb->get_options())
      if (option->get_type_name().starts_with("FILE") && !option->check_lname("page")) option->check(named);
    refuseEmptyFileNames(*verb);
  }
}

int parseAndCall(int argc, char** argv) {
  // Its options, and its help, are those of another program.
  if (argc > 1 && std::string_view(argv[1]) == "sweep") return sweep({argv + 2, argv + argc});
  CommandLine line;
  refuseEmptyFileNames(line.app);
  try {
    line.app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    return line.app.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    const bool extras = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
    if (const auto verb = wrongVerb(line.app, words))
      printError(verb->first, verb->second);
    else if (const auto option = extras ? wrongOption(line.app, words) : std::nullopt)
      printError(option->first, option->second);
    else
      printError(error.what(), "`footfall --help` shows the verbs, `footfall run --help` the options of one");
    return kBadInput;
  }
  return line.callVerb();
}

}  // namespace
}  // namespace footfall::command

int main(int argc, char** argv) {
  return footfall::command::guarded([&] { return footfall::command::parseAndCall(argc, argv); });
}
