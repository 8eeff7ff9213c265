#include <dlfcn.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <memory>
#include <set>
#include <sstream>
#include <string>

#include "tools/source_dir.hpp"

namespace {

std::string outputOf(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string output;
  std::array<char, 4096> piece;
  while (const std::size_t read = std::fread(piece.data(), 1, piece.size(), pipe.get()))
    output.append(piece.data(), read);
  return output;
}

std::set<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

std::set<std::string> neededBy(const std::string& library) {
  return words(outputOf("readelf -d '" + library + "' | sed -n 's/.*(NEEDED).*\\[\\(.*\\)\\]/\\1/p'"));
}

/// But for what templates of the standard library leave, weak, in every library that clang compiles.
std::set<std::string> shownBy(const std::string& library) {
  return words(
      outputOf("nm -D --defined-only --format=posix '" + library + "' | sed '/^_ZNK*St.* [WV] /d' | cut -d' ' -f1"));
}

TEST(SelfContainedModule, NeedsOnlyTheCLibrary) {
  const std::set<std::string> allowed{
      "libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"};
  const auto needed = neededBy(FOOTFALL_STRANGER_MODULE);
  ASSERT_TRUE(needed.contains("libc.so.6"));
  for (const std::string& library : needed) EXPECT_TRUE(allowed.contains(library)) << library;
}

TEST(SelfContainedModule, ShowsOnlyItsOwnFunction) {
  EXPECT_EQ(shownBy(FOOTFALL_STRANGER_MODULE), std::set<std::string>{"stranger_run"});
}

TEST(SelfContainedModule, RunsAScene) {
  void* library = dlopen(FOOTFALL_STRANGER_MODULE, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  const auto run = reinterpret_cast<double (*)(const char*, int)>(dlsym(library, "stranger_run"));
  ASSERT_NE(run, nullptr);
  const std::string box = "robot: {model: " + footfall::sourceDir() + "/models/box.urdf}\nphysics: {step: 1 ms}\n";
  EXPECT_DOUBLE_EQ(run(box.c_str(), 10), 0.01);
  EXPECT_EQ(run("robot: {model: no_such_robot}\n", 1), -1.0);  // exceptions stay inside
  dlclose(library);
}

TEST(SharedLibrary, NeedsNoThirdPartyLibrary) {
  const std::set<std::string> allowed{
      "libc.so.6",      "libm.so.6",     "libdl.so.2",           "libpthread.so.0",
      "libstdc++.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"};
  for (const std::string& library : neededBy(FOOTFALL_LIBRARY)) EXPECT_TRUE(allowed.contains(library)) << library;
}

TEST(SharedLibrary, HidesTheLibrariesInside) {
  for (const std::string& symbol : shownBy(FOOTFALL_LIBRARY)) {
    EXPECT_FALSE(symbol.starts_with("_ZN8tinyxml2")) << symbol;
    EXPECT_NE(symbol, "_ZN4YAML4LoadERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE");
  }
}

}  // namespace
