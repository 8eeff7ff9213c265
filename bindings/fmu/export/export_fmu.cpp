#include "export/export_fmu.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "archive/platform.hpp"
#include "export/model_description.hpp"
#include "export/scene_bundle.hpp"
#include "footfall/base/error.hpp"
#include "footfall/base/internal/temporary_folder.hpp"
#include "footfall/base/library_folder.hpp"
#include "footfall/base/licenses.hpp"

namespace footfall::fmu {
namespace fs = std::filesystem;
namespace {

std::string readLibrary() {
  const fs::path path = libraryFolder() / "footfall" / "fmu" / (std::string(kModelIdentifier) + ".so");
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw Error(path.string(), "this build of Footfall has no library for FMUs",
                "it is built when the FMI headers are found: `./dev build` fetches them");
  std::stringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

/// Of all the bytes (FNV-1a, 64 bits, from two starts), in the form that tools expect of a GUID.
std::string tokenOf(const std::vector<ZipEntry>& entries) {
  const auto hash = [&](std::uint64_t h) {
    for (const ZipEntry& entry : entries)
      for (const std::string* text : {&entry.name, &entry.bytes})
        for (const char c : *text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return h;
  };
  const std::uint64_t a = hash(0xcbf29ce484222325u), b = hash(0x84222325cbf29ce4u);
  return fmt::format("{{{:08x}-{:04x}-{:04x}-{:04x}-{:012x}}}", a >> 32, a >> 16 & 0xffff, a & 0xffff, b >> 48,
                     b & 0xffffffffffff);
}

void writeResources(const std::vector<ZipEntry>& entries, const fs::path& folder) {
  for (const ZipEntry& entry : entries) {
    fs::create_directories((folder / entry.name).parent_path());
    std::ofstream file(folder / entry.name, std::ios::binary);
    file << entry.bytes;
    if (!file.flush()) throw Error((folder / entry.name).string(), "the file cannot be written");
  }
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// The very session that will run. What is wrong is said about the user's files, not about their copies.
Session sessionIn(const fs::path& folder, const std::string& scene_path) {
  try {
    return Session(folder);
  } catch (const Error& error) {
    const fs::path home = fs::path(scene_path).parent_path();
    const auto as_the_user_knows_it = [&](const std::string& text) {
      const std::string named = replaced(text, (folder / kSceneFile).string(), scene_path);
      return replaced(named, (folder / "").string(), home.empty() ? "" : (home / "").string());
    };
    throw Error(as_the_user_knows_it(error.where()), as_the_user_knows_it(error.problem()),
                as_the_user_knows_it(error.hint()));
  }
}

}  // namespace

void exportFmu(const std::string& scene_path, const std::vector<SceneOverride>& overrides, FmiVersion version,
               const std::string& fmu_path) {
  const std::string library = readLibrary();
  std::vector<ZipEntry> resources = bundleScene(scene_path, overrides);
  const std::string token = tokenOf(resources);
  resources.push_back({kTokenFile, token + "\n"});

  // The variables come from the very session that will run: the FMU cannot disagree with its description.
  const TemporaryFolder folder("fmu");
  writeResources(resources, folder.path());
  const Session session = sessionIn(folder.path(), scene_path);
  const ModelInfo info{fs::path(scene_path).stem().string(), "Robot simulation by Footfall", token,
                       session.internalStep(), session.duration()};

  const bool two = version == FmiVersion::v2;
  std::vector<ZipEntry> entries;
  entries.push_back({"modelDescription.xml", two ? modelDescription2(info, session.variables())
                                                 : modelDescription3(info, session.variables())});
  for (const std::string_view platform : platformFolders(two ? 2 : 3))
    entries.push_back({fmt::format("binaries/{}/{}.so", platform, kModelIdentifier), library});
  entries.push_back({"documentation/licenses/license.txt", libraryLicenseTexts()});
  for (ZipEntry& entry : resources) entries.push_back({"resources/" + entry.name, std::move(entry.bytes)});
  writeZip(fmu_path, entries);
}

}  // namespace footfall::fmu
