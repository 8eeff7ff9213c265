#pragma once

#include <memory>
#include <string>
#include <vector>

namespace footfall::studio {
class Session;
}

namespace footfall::command {

struct ViewOptions {
  std::vector<std::string> shown;      ///< a scene or a log, and logs that it is compared with
  std::vector<std::string> overrides;  ///< "physics.solver=osqp", for a scene
  std::string bind = "127.0.0.1";
  int port = 8642;
  bool browser = true;
  bool paused = false;       ///< a scene waits for somebody to press play
  bool allow_files = false;  ///< the page may change keys of the scene that name files and plug-ins
};

struct ReportOptions {
  std::vector<std::string> logs;  ///< the first one is shown, the others are compared with it
  std::string output = "report.html";
};

/// Writes logs as one html file that anyone can open.
int report(const ReportOptions& options);

/// Serves the page with these sessions until Ctrl-C; of the options those about the server count.
int show(std::vector<std::unique_ptr<studio::Session>> sessions, const ViewOptions& options);

/// There is a desktop that can open a page.
bool hasDisplay();

}  // namespace footfall::command
