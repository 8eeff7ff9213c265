#pragma once

#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "footfall/block/registry.hpp"
#include "footfall/block_io/diagram_reader.hpp"
#include "footfall/scene/scene.hpp"

namespace footfall::studio {

/// The diagram that pages edit: one document for all of them, with what was done to it. It may be unfinished, and runs
/// only when somebody asks for it. Pages send it whole, with the number of the version that they have changed; what
/// comes from them is checked before it counts.
class DiagramEditor {
 public:
  /// @param allow_files pages may name files and plug-ins
  explicit DiagramEditor(bool allow_files);

  /// This diagram runs now. The document follows it, unless somebody has drawn what does not run yet.
  /// @param scene whose robot the blocks belong to
  /// @param first nothing was drawn before: what it names, pages may name
  void opened(const Scene& scene, const SceneDiagram& running, bool first);

  /// What pages ask: palette, document, edit, edit-undo, edit-redo. Throws Refused.
  nlohmann::json answer(const std::string& question, const nlohmann::json& message);

  /// The document of that version as YAML, if nothing is wrong with it; throws Refused.
  std::string textToRun(double revision);
  /// As it is, right or wrong.
  std::string text();

 private:
  /// A version of the document, and what is known about it.
  struct Version {
    SceneDiagram document;
    DiagramReview review;
    std::vector<Error> late;  ///< found when all of it was put together
  };

  nlohmann::json state();
  nlohmann::json edit(const nlohmann::json& message);
  void step(std::vector<SceneDiagram>& from, std::vector<SceneDiagram>& to, const char* what);
  Version look(SceneDiagram document);
  void requireRevision(const nlohmann::json& message) const;
  /// What pages are told: errors of blocks that name files may quote them.
  nlohmann::json problemJson(const Error& problem, const SceneDiagram& document) const;
  const std::shared_ptr<const Environment>& environment();

  const bool allow_files_;
  const BlockRegistry registry_;
  std::mutex mutex_;         ///< of what follows
  std::string unavailable_;  ///< why the diagram cannot be edited; empty: it can
  SceneDiagram opened_;
  std::shared_ptr<const Scene> scene_;
  std::shared_ptr<const Environment> environment_;  ///< of that scene; null: nobody has needed it yet
  std::string running_;                             ///< as text, without places
  Version now_;
  bool looked_ = false;  ///< now_.review is that of now_.document
  std::vector<SceneDiagram> before_, after_;
  double revision_ = 1.0;
};

}  // namespace footfall::studio
