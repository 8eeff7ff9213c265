#include "show.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "footfall/log/log.hpp"
#include "studio/server/log_session.hpp"
#include "studio/server/report.hpp"
#include "studio/server/studio.hpp"
#include "verbs.hpp"

namespace footfall::command {
namespace {

using SessionPtr = std::unique_ptr<studio::Session>;

/// Asks the desktop to show the page; a desktop that cannot leaves the address on the terminal.
void openBrowser(const std::string& url) {
  const pid_t child = fork();
  if (child == 0) {
    if (fork() == 0) {  // a grandchild, that nobody has to wait for
      if (std::freopen("/dev/null", "w", stdout) && std::freopen("/dev/null", "w", stderr))
        execlp("xdg-open", "xdg-open", url.c_str(), static_cast<char*>(nullptr));
    }
    _exit(0);
  }
  if (child > 0) waitpid(child, nullptr, 0);
}

}  // namespace

bool hasDisplay() { return std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr; }

int report(const ReportOptions& options) {
  std::vector<SessionPtr> sessions;
  for (const std::string& path : options.logs) sessions.push_back(std::make_unique<studio::LogSession>(path));
  const std::string page = studio::reportHtml(sessions);
  errno = 0;
  std::ofstream file(options.output, std::ios::binary);
  file << page;
  file.close();
  if (!file) throw LogError(options.output, fmt::format("the report cannot be written: {}", std::strerror(errno)));
  fmt::print("{}: {:.1f} MB; open it in any browser\n", options.output, 1e-6 * static_cast<double>(page.size()));
  return kSuccess;
}

int show(std::vector<SessionPtr> sessions, const ViewOptions& options) {
  studio::Studio studio(std::move(sessions));
  const int default_port = ViewOptions{}.port;
  studio::WebServer server({options.bind, static_cast<unsigned short>(options.port), options.port == default_port},
                           studio);
  fmt::print("{}   (Ctrl-C ends)\n", server.url());
  std::fflush(stdout);
  if (options.browser && hasDisplay()) openBrowser(server.launchUrl());
  server.stopOnInterrupt();
  server.run();
  return kSuccess;
}

}  // namespace footfall::command
