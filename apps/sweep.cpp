// `footfall sweep`: studies belong to the Python package, and this starts it.

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "footfall/base/error.hpp"
#include "footfall/base/library_folder.hpp"
#include "verbs.hpp"

namespace footfall::command {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInstall =
    "`pip install footfall` has the command and the package; FOOTFALL_PYTHON names a Python that has the package";

/// A missing package is an error of ours (with a hint and an exit code); everything else is told by the package.
constexpr const char* kProgram = R"python(
import sys
try:
    from footfall.study.__main__ import main
except ImportError as problem:
    print(f"error: sweep needs the Python package of footfall: {{problem}} (in {{sys.executable}})", file=sys.stderr)
    print("  hint: {}", file=sys.stderr)
    sys.exit({})
sys.exit(main())
)python";

bool isThere(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// The folder to import the package from that belongs to this command; empty: none, Python has to know.
fs::path packageFolder() {
  const fs::path root = libraryFolder().parent_path();
  if (isThere(root / "python/footfall/study")) return root / "python";                      // a build folder
  if (isThere(root / "study") && root.filename() == "footfall") return root.parent_path();  // in the package itself
  return {};
}

/// The wheels of a clone lie in its .venv; the package of its build folder is made for that Python.
std::string pythonAbove(fs::path folder) {
  for (; folder.has_relative_path(); folder = folder.parent_path())
    if (isThere(folder / ".venv/bin/python")) return folder / ".venv/bin/python";
  return "";
}

std::string findPython(const fs::path& package) {
  if (const std::string named = environment("FOOTFALL_PYTHON"); !named.empty()) return named;
  if (const std::string above = package.empty() ? "" : pythonAbove(package); !above.empty()) return above;
  const std::string active = environment("VIRTUAL_ENV");
  return active.empty() ? "python3" : active + "/bin/python";
}

}  // namespace

int sweep(const std::vector<std::string>& arguments) {
  const fs::path package = packageFolder();
  if (!package.empty()) {
    const std::string more = environment("PYTHONPATH");
    ::setenv("PYTHONPATH", (package.string() + (more.empty() ? "" : ":" + more)).c_str(), 1);
  }
  const std::string python = findPython(package);
  const std::string program = fmt::format(fmt::runtime(kProgram), kInstall, static_cast<int>(kBadInput));
  std::vector<const char*> words = {python.c_str(), "-c", program.c_str()};
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  words.push_back(nullptr);
  ::execvp(python.c_str(), const_cast<char* const*>(words.data()));
  throw Error("sweep", fmt::format("Python cannot be started as '{}': {}", python, std::strerror(errno)), kInstall);
}

}  // namespace footfall::command
