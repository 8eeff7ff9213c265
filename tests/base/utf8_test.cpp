#include "footfall/base/internal/utf8.hpp"

#include <gtest/gtest.h>

namespace footfall {
namespace {

TEST(Utf8, LettersOfOneToFourBytesAreRead) {
  EXPECT_EQ(decodeUtf8(""), U"");
  EXPECT_EQ(decodeUtf8("aü€🤖z"), U"aü€🤖z");
  EXPECT_EQ(decodeUtf8(std::string_view("a\0b", 3)), std::u32string(U"a\0b", 3));
  EXPECT_EQ(decodeUtf8("\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"),
            U"\x80\x7FF\x800\xFFFF\x10000\x10FFFF");
}

TEST(Utf8, ALetterThatIsCutOffIsReplacedOnce) {
  EXPECT_EQ(decodeUtf8("\xE2\x82"), U"\xFFFD");
  EXPECT_EQ(decodeUtf8("\xF0\x9F\xA4"), U"\xFFFD");
  EXPECT_EQ(decodeUtf8("\xE2\x82z"), U"\xFFFDz");
  EXPECT_EQ(decodeUtf8("\xC3\xC3\xBC"), U"\xFFFDü");
}

TEST(Utf8, BytesThatBeginNoLetterAreReplacedEach) {
  EXPECT_EQ(decodeUtf8("\x80\xBFz"), U"\xFFFD\xFFFDz");
  EXPECT_EQ(decodeUtf8("\xFE\xFF"), U"\xFFFD\xFFFD");
}

/// "/" and the zero in more bytes than they need slip past those who look for them.
TEST(Utf8, LongerFormsOfALetterAreNotThatLetter) {
  EXPECT_EQ(decodeUtf8("\xC0\xAF"), U"\xFFFD\xFFFD");
  EXPECT_EQ(decodeUtf8("\xE0\x80\xAF"), U"\xFFFD\xFFFD\xFFFD");
  EXPECT_EQ(decodeUtf8("\xF0\x80\x80\x80"), U"\xFFFD\xFFFD\xFFFD\xFFFD");
}

TEST(Utf8, HalvesOfPairsAndLettersBeyondTheLastAreNone) {
  EXPECT_EQ(decodeUtf8("\xED\xA0\x80"), U"\xFFFD\xFFFD\xFFFD");
  EXPECT_EQ(decodeUtf8("\xF4\x90\x80\x80"), U"\xFFFD\xFFFD\xFFFD\xFFFD");
  EXPECT_EQ(decodeUtf8("\xF8\x88\x80\x80\x80"), U"\xFFFD\xFFFD\xFFFD\xFFFD\xFFFD");
}

}  // namespace
}  // namespace footfall
