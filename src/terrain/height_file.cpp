#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "footfall/base/error.hpp"
#include "footfall/terrain/height_field.hpp"

namespace footfall {
namespace {

constexpr std::string_view kSpace = " \t\r\n\v\f";
constexpr int kLongestSide = 1 << 15;  ///< of an image [pixels]

/// Reads the whole numbers of a PGM file; comments run from # to the end of the line.
class PgmReader {
 public:
  PgmReader(std::string_view text, const std::string& where) : text_(text), where_(where) {}

  int number(const char* what, int most) {
    skipSpace();
    int value = -1;
    const auto [end, problem] = std::from_chars(text_.data() + place_, text_.data() + text_.size(), value);
    if (problem != std::errc() || value < 0 || value > most)
      throw Error(where_,
                  fmt::format("the {} of the image at byte {} is not a number from 0 to {}", what, place_, most));
    place_ = end - text_.data();
    return value;
  }

  /// The bytes after the header and the one space that ends it.
  std::string_view bytes(std::size_t count) {
    const std::string_view rest = text_.substr(std::min(place_ + 1, text_.size()));
    if (rest.size() < count)
      throw Error(where_, fmt::format("the image ends after {} bytes of pixels, expected {}", rest.size(), count));
    return rest.substr(0, count);
  }

 private:
  void skipSpace() {
    while (true) {
      place_ = std::min(text_.find_first_not_of(kSpace, place_), text_.size());
      if (place_ == text_.size() || text_[place_] != '#') return;
      place_ = std::min(text_.find('\n', place_), text_.size());
    }
  }

  std::string_view text_;
  const std::string& where_;
  std::size_t place_ = 2;  ///< after P2 or P5
};

HeightTable parsePgm(std::string_view content, const std::string& where) {
  PgmReader reader(content, where);
  HeightTable table;
  table.columns = reader.number("width", kLongestSide);
  table.rows = reader.number("height", kLongestSide);
  const int white = reader.number("largest value", 65535);
  if (white == 0) throw Error(where, "the largest value of the image is 0, expected 1 to 65535");
  const std::size_t pixels = static_cast<std::size_t>(table.rows) * table.columns;
  const bool plain_text = content[1] == '2';
  const int width = white < 256 ? 1 : 2;  // bytes of a pixel, the high one first
  const std::string_view bytes = plain_text ? std::string_view() : reader.bytes(pixels * width);
  // A header may claim more pixels than the file holds: memory grows with what is really there.
  for (std::size_t i = 0; i < pixels; ++i) {
    int value = 0;
    if (plain_text)
      value = reader.number("pixel", white);
    else
      for (int k = 0; k < width; ++k) value = 256 * value + static_cast<unsigned char>(bytes[width * i + k]);
    table.heights.push_back(static_cast<double>(value) / white);
  }
  return table;
}

/// Appends the numbers of a line; returns how many.
int appendRow(std::string_view line, const std::string& where, std::vector<double>& heights) {
  constexpr std::string_view kSeparators = " \t\r,;";
  int count = 0;
  for (std::size_t begin = line.find_first_not_of(kSeparators); begin != line.npos;
       begin = line.find_first_not_of(kSeparators, begin)) {
    const std::size_t end = std::min(line.find_first_of(kSeparators, begin), line.size());
    const std::string_view word = line.substr(begin, end - begin);
    double value = 0.0;
    const auto [stop, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (problem != std::errc() || stop != word.data() + word.size())
      throw Error(where, fmt::format("'{}' (value {} of the line) is not a number", word, count + 1));
    heights.push_back(value);
    ++count;
    begin = end;
  }
  return count;
}

HeightTable parseCsv(std::string_view content, const std::string& where) {
  HeightTable table;
  int line_number = 0;
  for (std::size_t begin = 0; begin < content.size();) {
    const std::size_t end = std::min(content.find('\n', begin), content.size());
    const std::string_view line = content.substr(begin, end - begin);
    begin = end + 1;
    const std::string line_where = fmt::format("{}:{}", where, ++line_number);
    if (line.starts_with('#')) continue;
    const int columns = appendRow(line, line_where, table.heights);
    if (columns == 0) continue;
    if (table.rows > 0 && columns != table.columns)
      throw Error(line_where,
                  fmt::format("the row has {} heights, expected {} as in the rows before", columns, table.columns));
    table.columns = columns;
    ++table.rows;
  }
  if (table.rows == 0) throw Error(where, "there are no heights in the file");
  return table;
}

}  // namespace

HeightTable parseHeights(const std::string& content, const std::string& where) {
  if (content.starts_with("P2") || content.starts_with("P5")) return parsePgm(content, where);
  if (content.starts_with("\x89PNG"))
    throw Error(where, "the image is a PNG file, expected a PGM image or rows of numbers",
                "convert it to PGM, for example with: magick in.png out.pgm");
  return parseCsv(content, where);
}

}  // namespace footfall
