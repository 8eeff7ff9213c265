#include "import/imported_fmu.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <fstream>

#include "archive/platform.hpp"
#include "archive/zip_file.hpp"
#include "footfall/base/error.hpp"

namespace footfall::fmu {
namespace fs = std::filesystem;
namespace {

void writeFile(const fs::path& path, const std::string& bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  if (!file.flush()) throw Error(path.string(), "the FMU cannot be unpacked here", "is there room on the disk?");
}

}  // namespace

ImportedFmu::ImportedFmu(const std::string& path) : path_(path) {
  unpack();
  open();
}

ImportedFmu::~ImportedFmu() {
  if (library_ != nullptr) dlclose(library_);
}

void ImportedFmu::unpack() {
  std::string description;
  for (const ZipEntry& entry : readZip(path_)) {
    if (entry.name == "modelDescription.xml") description = entry.bytes;
    writeFile(folder_.path() / entry.name, entry.bytes);
  }
  if (description.empty()) throw Error(path_, "there is no modelDescription.xml in it: this is no FMU");
  fs::create_directories(resources());
  description_ = parseDescription(description, path_);
}

fs::path ImportedFmu::libraryFile() const {
  const std::vector<std::string_view> platforms = platformFolders(description_.version);
  for (const std::string_view platform : platforms) {
    fs::path file = folder_.path() / "binaries" / platform / (description_.identifier + ".so");
    if (fs::exists(file)) return file;
  }
  throw Error(
      path_,
      fmt::format("it has no library for this machine (binaries/{}/{}.so)", platforms.front(), description_.identifier),
      fmt::format("export it for {}", kPlatformTuple));
}

void ImportedFmu::open() {
  library_ = dlopen(libraryFile().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) throw Error(path_, fmt::format("its library cannot be opened: {}", dlerror()));
}

void* ImportedFmu::symbol(const char* name) const {
  void* address = dlsym(library_, name);
  if (address == nullptr) throw Error(path_, fmt::format("its library has no function {}", name));
  return address;
}

std::unique_ptr<ImportedInstance> ImportedFmu::instantiate(const std::string& name) const {
  return description_.version == 2 ? makeFmi2Instance(*this, name) : makeFmi3Instance(*this, name);
}

}  // namespace footfall::fmu
