// Against the bytes that the format's document prescribes; SciPy and Octave read whole logs in tests/logs_in_python and
// tests/matlab.

#include "log/mat_file.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <iterator>

#include "footfall/log/log_reader.hpp"
#include "temporary_file.hpp"

namespace footfall::mat {
namespace {

std::string bytesOf(const std::string& name, const Value& value) {
  std::string bytes;
  write(name, value, [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

template <class Number>
Number at(const std::string& bytes, std::size_t place) {
  Number number;
  std::memcpy(&number, bytes.data() + place, sizeof number);
  return number;
}

TEST(MatFile, HeaderIsTextVersionAndOrderOfBytes) {
  const std::string bytes = header("footfall");
  ASSERT_EQ(bytes.size(), 128u);
  EXPECT_TRUE(bytes.starts_with("MATLAB 5.0 MAT-file, footfall "));
  EXPECT_EQ(at<std::uint16_t>(bytes, 124), 0x0100);
  EXPECT_EQ(bytes.substr(126), "IM");
  EXPECT_EQ(header(std::string(500, 'x')).size(), 128u);
}

TEST(MatFile, MatrixLiesColumnByColumn) {
  const Matrix matrix{
      2, 3, [](std::size_t r, std::size_t c) { return 10.0 * static_cast<double>(r) + static_cast<double>(c); }};
  const std::string bytes = bytesOf("m", {matrix});
  EXPECT_EQ(at<std::uint32_t>(bytes, 0), 14u);               // a matrix
  EXPECT_EQ(at<std::uint32_t>(bytes, 4), bytes.size() - 8);  // of all that follows
  EXPECT_EQ(at<std::uint32_t>(bytes, 16), 6u);               // class: double
  EXPECT_EQ(at<std::int32_t>(bytes, 32), 2);
  EXPECT_EQ(at<std::int32_t>(bytes, 36), 3);
  EXPECT_EQ(bytes[48], 'm');
  const double expected[] = {0.0, 10.0, 1.0, 11.0, 2.0, 12.0};
  for (std::size_t k = 0; k < std::size(expected); ++k) EXPECT_EQ(at<double>(bytes, 64 + 8 * k), expected[k]) << k;
}

TEST(MatFile, EveryElementEndsAtAMultipleOfEightBytes) {
  for (const char* text : {"", "a", "seven77", "eight888", "9 letters", "µ and ν"}) {
    const Struct inner{{"text"}, {{Text{text}}}};
    const Value value{Struct{{"a_rather_long_name_of_forty_letters_and_x", "b"}, {{inner}, {Text{text}}}}};
    const std::string bytes = bytesOf(text, value);
    EXPECT_EQ(bytes.size() % 8, 0u) << text;
    EXPECT_EQ(bytes.size(), sizeOf(text, value)) << text;
    EXPECT_EQ(at<std::uint32_t>(bytes, 4), bytes.size() - 8) << text;
  }
}

TEST(MatFile, TextCountsUnitsOfUtf16) {
  const std::string bytes = bytesOf("", {Text{"µ𝛼"}});  // U+B5, and U+1D6FC as a pair
  EXPECT_EQ(at<std::int32_t>(bytes, 36), 3);
  EXPECT_EQ(at<std::uint32_t>(bytes, 48), 17u);
  EXPECT_EQ(at<std::uint32_t>(bytes, 52), 6u);
  EXPECT_EQ(at<char16_t>(bytes, 56), u'\u00b5');
  EXPECT_EQ(at<char16_t>(bytes, 58), u'\xd835');
  EXPECT_EQ(at<char16_t>(bytes, 60), u'\xdefc');
}

TEST(MatLog, SaysWhenTheFileCannotBeOpened) { EXPECT_THROW(makeLog("/no/such/folder/out.mat"), LogError); }

}  // namespace
}  // namespace footfall::mat
