#include "studio/server/live_session.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "footfall/base/suggest.hpp"
#include "footfall/diagram/all_blocks.hpp"
#include "footfall/scene/internal/scene_setup.hpp"
#include "studio/server/diagram_description.hpp"
#include "studio/server/diagram_document.hpp"
#include "studio/server/joint_pose.hpp"
#include "studio/server/json_fields.hpp"
#include "studio/server/live_parameters.hpp"
#include "studio/server/refused.hpp"
#include "studio/server/samples.hpp"
#include "studio/server/step_diagram.hpp"
#include "studio/server/value_keys.hpp"

namespace footfall::studio {
namespace {

using nlohmann::json;

constexpr auto kSlice = std::chrono::milliseconds(4);  ///< steps in a row before looking at anything else
constexpr double kMostDebt = 0.1;  ///< a simulation that cannot keep up does not try to catch up more [s]
constexpr double kHighestSpeed = 1e3;
constexpr double kHighestStiffness = 1e6;  ///< of a pull [N/m]
constexpr std::size_t kMostSaved = 32;
constexpr std::size_t kMostJobs = 256;                      ///< that wait for the next step
constexpr double kShortestStep = 1e-6, kLongestStep = 1.0;  ///< that a page may ask for [s]

std::string errorJson(const std::string& text) { return jsonText({{"type", "error"}, {"text", text}}); }

/// What the pages read that did not ask for it.
std::string toldOthers(const std::string& verb, const json& message) {
  const auto text = [&](const char* key) { return textField(message, key); };
  const auto number = [&](const char* key) { return fmt::format("{:.6g}", numberField(message, key)); };
  if (verb == "play") return "play";
  if (verb == "pause") return "pause";
  if (verb == "step") return "a step";
  if (verb == "reset") return "reset to the start";
  if (verb == "undo") return "undo";
  if (verb == "branch") return "go on from an earlier instant";
  if (verb == "speed") return "speed " + number("value");
  if (verb == "gain") return "gain = " + number("value");
  if (verb == "set") return text("key") + " = " + text("value");
  if (verb == "unset") return text("key") + " as in the file";
  if (verb == "diagram") return "another diagram runs";
  if (verb == "save" || verb == "restore") return verb + " '" + text("name") + "'";
  if (verb == "pose") return "a joint was moved";
  return {};
}

/// A row that a page names.
std::size_t rowField(const json& message, const Extent& extent) {
  const double row = numberField(message, "index");
  if (!(row >= static_cast<double>(extent.first) && row < static_cast<double>(extent.end)) || row != std::floor(row))
    throw Refused("index", "there is no row with this number");
  return static_cast<std::size_t>(row);
}

/// Readers say of a value that was not in the file where it was: then the page that gave it may read what is wrong.
/// Keys inside of a diagram's own file begin there.
bool isAboutChange(const Error& error, const std::string& key, const std::string& value) {
  const std::string& where = error.where();
  const std::string begin = "--set ", end = "=" + value;
  if (!where.starts_with(begin) || !where.ends_with(end) || where.size() < begin.size() + end.size()) return false;
  const std::string named = where.substr(begin.size(), where.size() - begin.size() - end.size());
  return key == named || key.ends_with("." + named);
}

/// Part of what the document of the editor holds.
bool isInDiagram(const SceneOverride& change) {
  return change.first == "diagram" || change.first.starts_with("diagram.");
}

Pull readPull(const json& message) {
  Pull pull;
  const double link = numberField(message, "link");
  if (!(link >= 0.0 && link < 1e6) || link != std::floor(link))
    throw Refused("link", "there is no link with this number");
  pull.link = LinkIndex(static_cast<int>(link));
  pull.p_LP = vectorField(message, "point");
  pull.target_W = vectorField(message, "target");
  pull.stiffness = numberField(message, "stiffness");
  if (pull.stiffness < 0.0 || pull.stiffness > kHighestStiffness)
    throw Refused("stiffness", "expected a number from 0 to 1e6 N/m");
  return pull;
}

}  // namespace

LiveSession::LiveSession(std::string scene_path, LiveOptions options)
    : scene_path_(std::move(scene_path)),
      options_(std::move(options)),
      editor_(options_.allow_files),
      run_(std::make_unique<LiveRun>(loadLiveScene(scene_path_, options_.overrides))),
      recorder_(std::make_unique<LiveRecorder>(*run_, options_.most_bytes)),
      changes_(std::make_shared<const SceneChanges>(SceneChanges{options_.overrides})),
      former_(*this, recorder_->recording().columns(), options_.most_bytes),
      playing_(options_.playing),
      speed_(options_.speed.value_or(run_->scene().view.speed >= 0.0 ? run_->scene().view.speed : 1.0)) {
  if (options_.prepare) options_.prepare(*run_);
  if (!options_.log.empty()) recorder_->logTo(options_.log, options_.overrides, *run_, options_.log_failed);
  initial_ = {run_->time(), run_->save()};
  pace_ = {playing_, speed_, 0.0};
  describeAnew();
  stepOnce();
  thread_ = std::thread([this] { runLoop(); });
}

LiveSession::~LiveSession() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_one();
  thread_.join();
  try {
    recorder_->endLog(*run_);
  } catch (const LogError&) {
    // The disk is full or gone: `log_failed` was told, and no page is left to hear of it.
  }
}

// ---- seen by the server's thread -----------------------------------------------------------------------------------

json LiveSession::describe() const {
  const std::lock_guard lock(mutex_);
  return *described_;
}

std::shared_ptr<const SceneDescription> LiveSession::scene() const {
  const std::lock_guard lock(mutex_);
  return description_;
}

Pace LiveSession::pace() const {
  const std::lock_guard lock(mutex_);
  return pace_;
}

const Session* LiveSession::former() const {
  const std::lock_guard lock(mutex_);
  return has_former_ ? &former_ : nullptr;
}

std::string LiveSession::takeMessage() {
  const std::lock_guard lock(mutex_);
  if (messages_.empty()) return {};
  std::string message = std::move(messages_.front());
  messages_.pop_front();
  return message;
}

void LiveSession::clientLeft(int client) {
  postAlways({-1, "release", "", [this, client] { pull_.release(client); }});
}

void LiveSession::command(int client, const json& message) {
  const std::string verb = textField(message, "do");
  post({client, verb, toldOthers(verb, message), jobOf(client, verb, message)});
}

json LiveSession::answer(int client, const std::string& question, const json& message) {
  if (question == "yaml") {
    SceneChanges changes;
    {
      const std::lock_guard lock(mutex_);
      changes = *told_changes_;
    }
    std::erase_if(changes.overrides, isInDiagram);
    changes.diagram = editor_.text();
    return {{"type", "yaml"}, {"text", changedSceneText(scene_path_, changes, loadChanged(changes))}};
  }
  json answer = editor_.answer(question, message);
  if (question.starts_with("edit"))
    say(jsonText({{"type", "edited"}, {"by", client}, {"revision", answer["revision"]}}));
  return answer;
}

/// Reads a message now, in the server's thread, so that what is wrong with it is said to who sent it.
std::function<void()> LiveSession::jobOf(int client, const std::string& verb, const json& message) {
  if (verb == "play") return [this] { setPlaying(true); };
  if (verb == "pause") return [this] { setPlaying(false); };
  if (verb == "reset") return [this] { reset(); };
  if (verb == "undo") return [this] { undo(); };
  if (verb == "release") return [this, client] { pull_.release(client); };
  if (verb == "step") {
    const int count = static_cast<int>(std::clamp(numberField(message, "count"), 1.0, 1000.0));
    return [this, count] {
      setPlaying(false);
      for (int k = 0; k < count; ++k) stepOnce();
    };
  }
  if (verb == "speed") {
    const double speed = numberField(message, "value");
    if (speed < 0.0 || speed > kHighestSpeed) throw Refused("speed", "expected 0 (as fast as it goes) to 1000");
    return [this, speed] { setSpeed(speed); };
  }
  if (verb == "gain") {
    const double factor = numberField(message, "value");
    if (factor < 0.0 || factor > 1e3) throw Refused("gain", "expected a factor from 0 to 1000");
    return [this, factor] { setGain(factor); };
  }
  if (verb == "pull") {
    const Pull pull = readPull(message);
    return [this, client, pull] { setPull(client, pull); };
  }
  if (verb == "set") {
    const std::string key = textField(message, "key"), value = textField(message, "value");
    if (!options_.allow_files) checkValueKey(key, value);
    return [this, key, value] { changeScene(key, value); };
  }
  if (verb == "unset") {
    const std::string key = textField(message, "key");
    return [this, key] { changeBack(key); };
  }
  if (verb == "diagram")
    return [this, text = editor_.textToRun(numberField(message, "revision"))] { runDiagram(text); };
  if (verb == "restore") {
    const std::string name = textField(message, "name");
    return [this, name] { restore(name); };
  }
  if (verb == "save") {
    const std::string name = textField(message, "name");
    std::optional<std::size_t> row;
    if (message.contains("index")) row = rowField(message, recording().extent());
    return [this, name, row] { save(name, row); };
  }
  if (verb == "branch") return [this, row = rowField(message, recording().extent())] { branch(row); };
  if (verb == "pose") {
    const double dof = numberField(message, "dof"), position = numberField(message, "value");
    if (!(dof >= 0.0 && dof < 1e6) || dof != std::floor(dof))
      throw Refused("dof", "there is no joint with this number");
    const std::size_t row = rowField(message, recording().extent());
    return [this, dof, position, row] { pose(static_cast<int>(dof), position, row); };
  }
  throw Refused("do", "there is no command '" + verb + "'",
                suggestOrList(verb, {"play", "pause", "step", "speed", "reset", "undo", "branch", "pose", "pull",
                                     "release", "gain", "set", "unset", "diagram", "save", "restore"}));
}

void LiveSession::post(Job job) {
  {
    const std::lock_guard lock(mutex_);
    if (jobs_.size() >= kMostJobs) throw Refused("", "too much was asked for at once", "wait until it is done");
  }
  postAlways(std::move(job));
}

void LiveSession::postAlways(Job job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
    has_jobs_ = true;
  }
  wake_.notify_one();
}

// ---- the thread of the simulation ----------------------------------------------------------------------------------

void LiveSession::runLoop() {
  while (true) {
    {
      std::unique_lock lock(mutex_);
      const auto ready = [this] { return ending_ || !jobs_.empty(); };
      if (!playing_) {
        wake_.wait(lock, ready);
      } else if (speed_ > 0.0) {
        wake_.wait_for(lock, std::chrono::milliseconds(1), ready);
      }
      if (ending_) return;
    }
    doJobs();
    if (playing_) playUntilDue();
    measurePace();
  }
}

void LiveSession::doJobs() {
  std::deque<Job> jobs;
  {
    const std::lock_guard lock(mutex_);
    jobs.swap(jobs_);
    has_jobs_ = false;
  }
  for (const Job& job : jobs) {
    try {
      job.run();
      if (!job.told.empty()) say(jsonText({{"type", "done"}, {"by", job.client}, {"text", job.told}}));
    } catch (const std::exception& error) {
      // The others have nothing to do with it.
      say(jsonText({{"type", "error"}, {"by", job.client}, {"do", job.verb}, {"text", toldToPage(error)}}));
    }
  }
}

/// As many steps as the clock asks for, but no longer than a slice of time.
void LiveSession::playUntilDue() {
  const Clock::time_point begin = Clock::now();
  const double passed = std::chrono::duration<double>(begin - last_look_).count();
  last_look_ = begin;
  simulated_due_ += speed_ * passed;
  const double debt = std::max(kMostDebt * speed_, run_->robot().settings().step);
  simulated_due_ = std::min(simulated_due_, run_->time() + debt);
  while (playing_ && !has_jobs_ && (speed_ == 0.0 || run_->time() < simulated_due_)) {
    stepOnce();
    if (Clock::now() - begin > kSlice) return;
  }
}

void LiveSession::stepOnce() {
  std::string problem;
  try {
    if (steps_to_checkpoint_-- <= 0) keepCheckpoint();
    if (recorder_->step(*run_, pull_.at(run_->robot().model(), run_->robot().state()))) return stopInTime();
    problem = run_->context().stopReason();
  } catch (const LogError& error) {
    problem = std::string(error.what()) + "\nPlay goes on without a log.";
  } catch (const Error& error) {  // of a block that runs: it has read its files when it was made
    problem = error.what();
  } catch (const std::exception& error) {
    problem = toldToPage(error);
  }
  setPlaying(false);
  say(errorJson(problem));
}

void LiveSession::stopInTime() {
  if (stopped_ || run_->time() < options_.stop_at - 0.5 * run_->robot().settings().step) return;
  stopped_ = true;
  setPlaying(false);
  recorder_->endLog(*run_);
  say(jsonText({{"type", "note"}, {"text", "The run has come to its end; play goes on without a log."}}));
}

void LiveSession::measurePace() {
  const double seconds = std::chrono::duration<double>(Clock::now() - pace_since_).count();
  const double time = run_->time();
  const std::lock_guard lock(mutex_);
  if (pace_.playing == playing_ && pace_.speed == speed_ && seconds < 0.5) return;
  pace_ = {playing_, speed_, playing_ && seconds > 0.0 ? std::max(0.0, (time - pace_from_) / seconds) : 0.0};
  pace_since_ = Clock::now();
  pace_from_ = time;
}

void LiveSession::say(std::string text) {
  constexpr std::size_t kMostWaiting = 64;
  const std::lock_guard lock(mutex_);
  if (messages_.size() < kMostWaiting) messages_.push_back(std::move(text));
}

void LiveSession::setPlaying(bool playing) {
  playing_ = playing;
  last_look_ = pace_since_ = Clock::now();
  simulated_due_ = pace_from_ = run_->time();
}

void LiveSession::setSpeed(double speed) {
  speed_ = speed;
  setPlaying(playing_);
}

void LiveSession::setGain(double factor) {
  if (!run_->holdsPosture()) throw Refused("gain", "this scene holds no posture, so there are no gains to change");
  rebuild({changes_->overrides, factor});
}

/// The rows from here on are made anew. A log cannot take rows back: it ends here.
void LiveSession::restart(double time) {
  recorder_->restart(*run_, time);
  checkpoints_.truncate(recording().extent().end);
  showAnew();
}

void LiveSession::showAnew() {
  describeAnew();
  setPlaying(playing_);
  steps_to_checkpoint_ = 0;
  stepOnce();
}

void LiveSession::setPull(int client, const Pull& pull) {
  if (static_cast<std::size_t>(pull.link) >= run_->robot().model().links.size())
    throw Refused("link", "there is no link with this number");
  const bool begins = !pull_.held();
  if (!pull_.set(client, pull)) throw Refused("pull", "another page pulls at the robot", "wait until it lets go");
  const std::string& link = run_->robot().model().links[pull.link].name;
  if (begins) say(jsonText({{"type", "done"}, {"by", client}, {"text", "a pull at " + link}}));
}

void LiveSession::changeScene(const std::string& key, const std::string& value) {
  SceneChanges changes = *changes_;
  std::erase_if(changes.overrides, [&](const SceneOverride& o) { return o.first == key; });
  changes.overrides.emplace_back(key, value);
  try {
    rebuild(std::move(changes));
  } catch (const Error& error) {
    // A value may be quoted: the page has said it. Other keys name files, whose readers quote what they read.
    if (options_.allow_files || !isAboutChange(error, key, value)) throw;
    throw Refused(error.where(), error.problem(), error.hint());
  }
}

/// What the file, or the command line, says about a key counts again.
void LiveSession::changeBack(const std::string& key) {
  SceneChanges changes = *changes_;
  const bool gain = key == "gain" && changes.gain != 1.0, drawn = key == "diagram" && !changes.diagram.empty();
  const auto concerned = [&](const SceneOverride& o) { return drawn ? isInDiagram(o) : o.first == key; };
  if (std::erase_if(changes.overrides, concerned) == 0 && !gain && !drawn)
    throw Refused(key, "this value is as in the file");
  if (gain) changes.gain = 1.0;
  for (const SceneOverride& given : options_.overrides)
    if (concerned(given)) changes.overrides.push_back(given);
  if (!drawn) return rebuild(std::move(changes));
  changes.diagram.clear();
  beginAnew(std::move(changes));
}

void LiveSession::runDiagram(const std::string& text) {
  SceneChanges changes = *changes_;
  changes.diagram = text;
  std::erase_if(changes.overrides, isInDiagram);
  beginAnew(std::move(changes));
  setPlaying(true);
}

void LiveSession::beginAnew(SceneChanges changes) {
  std::unique_ptr<LiveRun> changed = makeRun(changes);
  const Saved start{changed->time(), changed->save()};
  leave(start.time);
  recorder_->begin(*changed);
  changes_ = std::make_shared<const SceneChanges>(std::move(changes));
  initial_ = start;
  checkpoints_ = {};
  run_ = std::move(changed);
  showAnew();
}

Scene LiveSession::loadChanged(const SceneChanges& changes) const {
  return withGain(loadLiveScene(scene_path_, changes.all()), changes.gain);
}

void LiveSession::rebuild(SceneChanges changes) {
  Scene scene = loadLiveScene(scene_path_, changes.all());
  const double step = scene.physics.step;
  if (!options_.allow_files && step != run_->scene().physics.step && !(step >= kShortestStep && step <= kLongestStep))
    throw Refused("physics.step", "expected 1e-6 to 1 s");
  auto changed = std::make_unique<LiveRun>(withGain(std::move(scene), changes.gain));
  const Saved start{changed->time(), changed->save()};
  const std::string now = run_->save();
  try {
    if (!playing_) takeBackNewestStep();
    changed->context().takeOver(run_->context());
    changed->robot().setState(carriedAlong(run_->robot(), changed->robot()));
    recorder_->restart(*changed, changed->time());
  } catch (...) {
    run_->restore(now);
    throw;
  }
  // Nothing was changed before, so that a change that is refused leaves everything as it was.
  checkpoints_.truncate(recording().extent().end);
  changes_ = std::make_shared<const SceneChanges>(std::move(changes));
  initial_ = start;
  if (changed->robot().model().links.size() != run_->robot().model().links.size())
    pull_ = {};  // it may hold on to a link that is no more
  run_ = std::move(changed);
  showAnew();
}

// ---- going back ----------------------------------------------------------------------------------------------------

/// The run is one step ahead of the instant that is shown. While it is paused, that instant is shown anew after a
/// change, and time stands still.
void LiveSession::takeBackNewestStep() {
  const Extent extent = recording().extent();
  if (extent.end == extent.first) return;
  try {
    run_->restore(stateAt(newestRow()));
  } catch (const Refused&) {
    // The instant is not kept any more: the change counts from the next one on.
  }
}

/// The scene as it was once.
std::unique_ptr<LiveRun> LiveSession::makeRun(const SceneChanges& changes) const {
  return std::make_unique<LiveRun>(loadChanged(changes));
}

void LiveSession::keepCheckpoint() {
  const Extent extent = LiveSession::recording().extent();  // the constructor calls this, too
  checkpoints_.add({extent.end, std::make_shared<const std::string>(run_->save()), changes_});
  checkpoints_.forgetBefore(extent.first);
  steps_to_checkpoint_ = Checkpoints::kRows - 1;
}

double LiveSession::timeOf(std::size_t row) const {
  double time = std::nan("");
  recording().readColumn(0, row, row + 1, &time);
  return time;
}

std::string LiveSession::stateAt(std::size_t row) {
  const Checkpoint* from = checkpoints_.before(row);
  if (from == nullptr) throw Refused("index", "the state of this instant is not kept any more");
  // A run of the scene as it was then: this one, if nothing has changed since.
  std::unique_ptr<LiveRun> other;
  if (from->changes != changes_) other = makeRun(*from->changes);
  LiveRun& run = other ? *other : *run_;
  const std::string now = run.save();
  std::string bytes;
  try {
    run.restore(*from->bytes);
    replay(run, from->row, row);
    bytes = run.save();
  } catch (...) {
    run.restore(now);
    throw;
  }
  run.restore(now);
  return bytes;
}

/// The steps of rows [first, end) again, with what the mouse did in them.
void LiveSession::replay(LiveRun& run, std::size_t first, std::size_t end) const {
  Row row;
  for (std::size_t k = first; k < end; ++k) {
    if (!recording().read(k, row)) throw Refused("index", "the state of this instant is not kept any more");
    run.robot().setPulls(mousePulls(row));
    if (!run.step()) throw Refused("index", "the run cannot be made again up to there");
  }
}

void LiveSession::restoreState(const std::string& bytes, const std::string& what) {
  const std::string now = run_->save();
  try {
    run_->restore(bytes);
  } catch (const Error&) {
    run_->restore(now);
    throw Refused("restore", what + " is of a time when the scene had other blocks or sizes");
  }
}

void LiveSession::leave(double time) {
  left_ = Left{run_->save(), changes_, checkpoints_, initial_, time};
  former_.rows().copy(recorder_->recording());
}

bool LiveSession::formerHasTheseColumns() {
  const auto same = [](const Column& a, const Column& b) { return a.name == b.name; };
  const auto &now = recorder_->recording().columns(), &then = former_.rows().columns();
  return std::equal(now.begin(), now.end(), then.begin(), then.end(), same);
}

void LiveSession::reset() {
  leave(initial_.time);
  run_->restore(initial_.bytes);
  restart(initial_.time);
}

/// The shown instant is the start of the step of its row, while the run is one step ahead of the newest row.
void LiveSession::save(const std::string& name, std::optional<std::size_t> row) {
  if (saved_.size() >= kMostSaved && saved_.count(name) == 0) throw Refused("save", "32 states are saved already");
  const std::size_t shown = row.value_or(newestRow());
  saved_[name] = {timeOf(shown), stateAt(shown)};
  describeAnew();
}

void LiveSession::restore(const std::string& name) {
  const auto found = saved_.find(name);
  if (found == saved_.end()) throw Refused("restore", "there is no saved state '" + name + "'");
  leave(found->second.time);
  restoreState(found->second.bytes, "'" + name + "'");
  restart(found->second.time);
}

void LiveSession::branch(std::size_t row) {
  const std::string bytes = stateAt(row);
  const double time = timeOf(row);
  leave(time);
  restoreState(bytes, "this instant");
  restart(time);
}

/// Rows that were taken back come again, and those that came in their place are kept: a second undo takes this one
/// back.
void LiveSession::undo() {
  if (!left_) throw Refused("undo", "nothing was taken back");
  std::unique_ptr<LiveRun> run;
  if (left_->changes != changes_) run = makeRun(*left_->changes);
  Left now{run_->save(), changes_, checkpoints_, initial_, left_->branched};
  (run ? *run : *run_).restore(left_->bytes);
  recorder_->swap(former_.rows(), run ? *run : *run_);
  if (run) run_ = std::move(run);
  std::swap(changes_, left_->changes);
  std::swap(checkpoints_, left_->checkpoints);
  initial_ = left_->initial;
  left_ = std::move(now);
  steps_to_checkpoint_ = 0;
  setPlaying(false);
  describeAnew();
}

void LiveSession::pose(int dof, double position, std::size_t row) {
  if (playing_) throw Refused("pose", "joints can be moved while the simulation is paused");
  const std::string bytes = stateAt(row);
  const double time = timeOf(row);
  const bool looks_back = row != newestRow();
  if (looks_back) leave(time);
  restoreState(bytes, "this instant");
  run_->robot().setState(withJointAt(run_->robot().model(), run_->robot().state(), dof, position));
  recorder_->restart(*run_, time);
  checkpoints_.truncate(recording().extent().end);
  if (looks_back) describeAnew();  // else it is too often for all that
  steps_to_checkpoint_ = 0;
  stepOnce();
}

void LiveSession::describeAnew() {
  const Scene& scene = run_->scene();
  const Model& model = run_->robot().model();
  const std::vector<Column>& columns = recorder_->recording().columns();
  auto description = std::make_shared<const SceneDescription>(scene, model, loadRobot(scene));
  auto described = std::make_shared<json>(description->data());
  addColumns(columns, model, *described);
  (*described)["live"] = true;
  (*described)["diagram"] = describeDiagram(run_->source().diagram, allBlocks(), recorder_->signals(), model, columns);
  (*described)["diagram"]["step"] = stepDiagram(scene, columns);
  (*described)["parameters"] = parametersOf(scene, run_->holdsPosture() ? changes_->gain : std::nan(""));
  (*described)["targets"] = targetsOf(*run_);
  (*described)["changes"] = changesJson(*changes_, options_.overrides);
  (*described)["yaml"] = changedSceneText(scene_path_, *changes_, scene);
  const bool comparable = left_ && formerHasTheseColumns();
  if (left_) (*described)["former"] = {{"time", left_->branched}, {"shown", comparable}};
  editor_.opened(scene, scene.diagram.given() ? scene.diagram : documentOf(run_->source().diagram), !opened_);
  opened_ = true;
  (*described)["saved"] = json::array();
  for (const auto& [name, state] : saved_) (*described)["saved"].push_back({{"name", name}, {"time", state.time}});
  {
    const std::lock_guard lock(mutex_);
    description_ = std::move(description);
    described_ = std::move(described);
    told_changes_ = changes_;
    has_former_ = comparable;
  }
  say(jsonText({{"type", "described"}}));
}

}  // namespace footfall::studio
