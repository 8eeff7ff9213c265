#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "footfall/base/internal/temporary_folder.hpp"
#include "import/fmu_description.hpp"

namespace footfall::fmu {

/// One instance of somebody's FMU. Every call throws Error with what the FMU logged when it returns an error.
class ImportedInstance {
 public:
  virtual ~ImportedInstance() = default;
  virtual void set(const ImportedVariable& variable, std::span<const double> values) = 0;
  virtual void get(const ImportedVariable& variable, std::span<double> values) = 0;
  /// From setting parameters to the first step.
  virtual void initialize(double start_time) = 0;
  virtual void step(double time, double step_size) = 0;
  virtual std::string save() = 0;
  virtual void load(const std::string& bytes) = 0;
};

/// An FMU that was unpacked and whose library was opened. Instances must not outlive it.
class ImportedFmu {
 public:
  explicit ImportedFmu(const std::string& path);
  ~ImportedFmu();
  ImportedFmu(const ImportedFmu&) = delete;
  ImportedFmu& operator=(const ImportedFmu&) = delete;

  const std::string& path() const { return path_; }
  const ImportedDescription& description() const { return description_; }
  std::unique_ptr<ImportedInstance> instantiate(const std::string& name) const;

  /// A function of the library; throws Error when it is not there.
  void* symbol(const char* name) const;
  std::filesystem::path resources() const { return folder_.path() / "resources"; }

 private:
  void unpack();
  void open();
  /// For this machine; throws Error when there is none.
  std::filesystem::path libraryFile() const;

  std::string path_;
  TemporaryFolder folder_{"fmu"};
  ImportedDescription description_;
  void* library_ = nullptr;
};

std::unique_ptr<ImportedInstance> makeFmi2Instance(const ImportedFmu& fmu, const std::string& name);
std::unique_ptr<ImportedInstance> makeFmi3Instance(const ImportedFmu& fmu, const std::string& name);

}  // namespace footfall::fmu
