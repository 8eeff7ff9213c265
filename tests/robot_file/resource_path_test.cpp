#include "footfall/robot_file/resource_path.hpp"

#include <cstdlib>
#include <optional>

#include "tools/test_tools.hpp"

namespace footfall {
namespace {

namespace fs = std::filesystem;

/// An environment variable that is put back at the end of a test.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    setenv(name, value.c_str(), 1);
  }
  ~ScopedVariable() { old_ ? setenv(name_, old_->c_str(), 1) : unsetenv(name_); }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

TEST(ResourcePath, FindsPlainPathsAndFileAddresses) {
  const TempFolder folder;
  const fs::path file = folder.write("a/robot.urdf", "x");
  const ResourcePath none({});
  EXPECT_EQ(none.find(file.string()), file);
  EXPECT_EQ(none.find("file://" + file.string()), file);
  EXPECT_EQ(none.find("robot.urdf", file.parent_path()), file);
  EXPECT_FALSE(none.find("robot.urdf", folder.path()));
  EXPECT_FALSE(none.find(folder.path().string())) << "a folder is not a file";
}

TEST(ResourcePath, FindsPackagesInItsFoldersInTheirOrder) {
  const TempFolder first, second;
  second.write("bot/robots/x.urdf", "second");
  const ResourcePath path({first.path(), second.path()});
  EXPECT_EQ(path.find("package://bot/robots/x.urdf"), second.path() / "bot/robots/x.urdf");
  EXPECT_EQ(path.find("model://bot/robots/x.urdf"), second.path() / "bot/robots/x.urdf");
  first.write("bot/robots/x.urdf", "first");
  EXPECT_EQ(path.find("package://bot/robots/x.urdf"), first.path() / "bot/robots/x.urdf");
  EXPECT_FALSE(path.find("package://bot/robots/y.urdf"));
  EXPECT_FALSE(path.find("package://"));
}

TEST(ResourcePath, FindsAPackageThatIsItselfOnThePath) {
  const TempFolder folder;
  const fs::path file = folder.write("bot/x.urdf", "x");
  EXPECT_EQ(ResourcePath({folder.path() / "bot"}).find("package://bot/x.urdf"), file);
}

TEST(ResourcePath, FindsThePackageThatAFileLiesIn) {
  const TempFolder folder;
  const fs::path mesh = folder.write("bot/meshes/leg.stl", "x");
  folder.write("bot/urdf/deep/bot.urdf", "x");
  EXPECT_EQ(ResourcePath({}).find("package://bot/meshes/leg.stl", folder.path() / "bot/urdf/deep"), mesh);
}

TEST(ResourcePath, ReadsTheVariablesOfOtherTools) {
  for (const char* variable : {"FOOTFALL_MODEL_PATH", "ROS_PACKAGE_PATH", "GZ_SIM_RESOURCE_PATH",
                               "IGN_GAZEBO_RESOURCE_PATH", "GAZEBO_MODEL_PATH"}) {
    const TempFolder folder;
    const fs::path file = folder.write("bot_of_a_test/x.urdf", "x");
    const ScopedVariable set(variable, "/nowhere:" + folder.path().string());
    EXPECT_EQ(ResourcePath::standard().find("package://bot_of_a_test/x.urdf"), file) << variable;
  }
  const TempFolder prefix;
  const fs::path file = prefix.write("share/bot_of_a_test/x.urdf", "x");
  const ScopedVariable set("AMENT_PREFIX_PATH", prefix.path().string());
  EXPECT_EQ(ResourcePath::standard().find("package://bot_of_a_test/x.urdf"), file);
}

TEST(ResourcePath, FindsPythonPackagesOfAnEnvironment) {
  const TempFolder environment;
  const fs::path icub = environment.write("share/iCub/robots/testbot/model.urdf", "x");
  const fs::path data = environment.write(
      "lib/python3.99/site-packages/cmeel.prefix/share/example-robot-data/robots/b_description/urdf/b.urdf", "x");
  const ScopedVariable set("VIRTUAL_ENV", environment.path().string());
  const ResourcePath path = ResourcePath::standard();
  EXPECT_EQ(path.find("model://iCub/robots/testbot/model.urdf"), icub);
  EXPECT_EQ(path.find("package://example-robot-data/robots/b_description/urdf/b.urdf"), data);
  EXPECT_EQ(path.findModel("testbot"), icub);
  EXPECT_EQ(path.findModel("b_description/b"), data);
}

TEST(ResourcePath, KnowsShortNames) {
  const TempFolder folder;
  const fs::path file = folder.write("wheel.urdf", "x");
  const ResourcePath path({folder.path()});
  EXPECT_EQ(path.findModel("wheel"), file);
  const Error error = errorOf([&] { path.findModel("weel"); });
  EXPECT_EQ(error.problem(), "model 'weel' is not found");
  EXPECT_NE(error.hint().find("did you mean 'wheel'?"), std::string::npos);
  EXPECT_NE(error.hint().find(folder.path().string()), std::string::npos);
}

TEST(ResourcePath, TheHintNamesEveryFolderAlsoThePresentOne) {
  const Error error = errorOf([] { ResourcePath({fs::path(), "/robots"}).findModel("weel"); });
  EXPECT_NE(error.hint().find("looked in\n    .\n    /robots\n"), std::string::npos) << error.hint();
}

TEST(ResourcePath, NamesThePackageOfARobotThatIsNotThere) {
  const TempFolder folder;
  const ResourcePath path({folder.path()});
  const auto hint = [&](const char* name) { return errorOf([&] { path.findModel(name); }).hint(); };
  EXPECT_NE(hint("model://iCub/robots/x/model.urdf").find("pip install icub-models\n"), std::string::npos);
  EXPECT_NE(hint("package://example-robot-data/robots/x.urdf").find("pip install example-robot-data\n"),
            std::string::npos);
  EXPECT_NE(hint("iCubGazeboV2_5").find("pip install icub-models example-robot-data\n"), std::string::npos);
  EXPECT_EQ(hint("mine.urdf").find("pip install"), std::string::npos);
  folder.write("iCub/package.xml", "x");
  EXPECT_EQ(hint("model://iCub/robots/x/model.urdf").find("pip install"), std::string::npos) << "it is there";
}

}  // namespace
}  // namespace footfall
