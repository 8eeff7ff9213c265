#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "studio/server/recording.hpp"
#include "studio/server/scene_description.hpp"

namespace footfall::studio {

/// How a live simulation is getting on; all zero for logs.
struct Pace {
  bool playing = false;
  double speed = 1.0;    ///< simulated seconds for each second; 0: as fast as it goes
  double reached = 0.0;  ///< what the last second really had
  bool operator==(const Pace&) const = default;
};

/// One thing that the page shows: a simulation that goes on, or a log.
class Session {
 public:
  virtual ~Session() = default;

  /// What the page is told when it opens: scene, columns, where the state is in them, what can be changed.
  virtual nlohmann::json describe() const = 0;
  virtual std::shared_ptr<const SceneDescription> scene() const = 0;
  virtual const Recording& recording() const = 0;

  virtual Pace pace() const { return {}; }
  /// Rows that were taken back by going on from an earlier instant; null: there are none.
  virtual const Session* former() const { return nullptr; }
  /// The file that is looked at; empty: it is not a log.
  virtual std::string logPath() const { return {}; }
  /// Carries out what a client asked for, or throws Refused that says why not. Returns at once.
  virtual void command(int client, const nlohmann::json& message);
  /// Answers what only some sessions know, or throws Refused. Returns soon.
  virtual nlohmann::json answer(int client, const std::string& question, const nlohmann::json& message);
  /// A client has gone: what it held is let go.
  virtual void clientLeft(int /*client*/) {}
  /// Something that all clients should read; empty: nothing new. Each is returned once.
  virtual std::string takeMessage() { return {}; }
};

}  // namespace footfall::studio
