#include "footfall/base/internal/xml_text.hpp"

#include <gtest/gtest.h>

namespace footfall {
namespace {

TEST(XmlText, LettersThatWouldEndATextAreWrittenByName) {
  EXPECT_EQ(xmlText(R"(a <b> & "c")"), "a &lt;b&gt; &amp; &quot;c&quot;");
  EXPECT_EQ(xmlText("&lt;"), "&amp;lt;");
  EXPECT_EQ(xmlText("ü"), "ü");
}

}  // namespace
}  // namespace footfall
