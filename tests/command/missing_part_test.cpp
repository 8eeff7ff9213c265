// The verbs of parts that a build was made without, compiled as such a build has them.

#include <gtest/gtest.h>

#include "../../apps/verbs.hpp"
#include "../../apps/view.hpp"
#include "footfall/base/error.hpp"

namespace footfall::command {
namespace {

template <class Verb>
std::string messageOf(Verb verb) {
  try {
    verb();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(MissingPart, ItsVerbSaysSoAndWhatHasIt) {
  for (const std::string& message : {messageOf([] { view({}); }), messageOf([] { report({}); })}) {
    EXPECT_NE(message.find("no studio in this build"), std::string::npos) << message;
    EXPECT_NE(message.find("pip install footfall"), std::string::npos) << message;
  }
  const std::string message = messageOf([] { exportFmu({}); });
  EXPECT_NE(message.find("no export of FMUs in this build"), std::string::npos) << message;
  EXPECT_NE(message.find("headers of FMI"), std::string::npos) << message;
}

}  // namespace
}  // namespace footfall::command
