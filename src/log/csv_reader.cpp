#include "log/csv_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <span>
#include <utility>

namespace footfall {
namespace {

/// The fields of a line of RFC 4180.
std::vector<std::string> fieldsOf(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += '"';
      ++i;
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += line[i];
    }
  }
  return fields;
}

/// "l_knee.position [rad]" as a channel; a column without a unit is a plain number.
Channel scalarChannel(const std::string& column) {
  const std::size_t unit = column.rfind(" [");
  if (unit == std::string::npos || column.back() != ']') return {column, "-", {}};
  return {column.substr(0, unit), column.substr(unit + 2, column.size() - unit - 3), {}};
}

bool isComponent(const Channel& channel, const std::string& stem, const std::string& unit, const char* component) {
  return channel.unit == unit && channel.name == stem + "." + component;
}

/// Neighbours that are called a.x, a.y, a.z (and a.w) are one channel.
std::vector<Channel> joinVectors(const std::vector<Channel>& scalars) {
  constexpr const char* kComponents[] = {"x", "y", "z", "w"};
  std::vector<Channel> channels;
  for (std::size_t i = 0; i < scalars.size();) {
    const std::string stem = scalars[i].name.substr(0, scalars[i].name.rfind('.'));
    std::vector<std::string> found;
    while (found.size() < 4 && i + found.size() < scalars.size() &&
           isComponent(scalars[i + found.size()], stem, scalars[i].unit, kComponents[found.size()]))
      found.emplace_back(kComponents[found.size()]);
    if (found.size() < 3) {
      channels.push_back(scalars[i++]);
    } else {
      channels.push_back({stem, scalars[i].unit, found});
      i += found.size();
    }
  }
  return channels;
}

/// "base.position 3": its name, and how many columns it has.
std::pair<std::string, std::size_t> vectorNamed(const std::string& field) {
  const std::size_t space = field.rfind(' ');
  std::size_t count = 0;
  if (space != std::string::npos) std::from_chars(field.data() + space + 1, field.data() + field.size(), count);
  return {field.substr(0, space), count};
}

/// The channel of so many columns from a place on; none where they are not called so.
std::optional<Channel> vectorAt(std::span<const Channel> scalars, const std::string& name, std::size_t count) {
  if (count == 0 || count > scalars.size()) return std::nullopt;
  Channel channel{name, scalars[0].unit, {}};
  for (const Channel& scalar : scalars.first(count)) {
    if (scalar.unit != channel.unit || !scalar.name.starts_with(name + ".")) return std::nullopt;
    channel.components.push_back(scalar.name.substr(name.size() + 1));
  }
  return channel;
}

/// As the note names them. Empty where the columns are not those of the note: somebody has edited the file.
std::vector<Channel> joinNamed(const std::vector<Channel>& scalars, const std::string& note) {
  const std::vector<std::string> fields = fieldsOf(note);
  std::vector<Channel> channels;
  std::size_t next = 0;
  for (std::size_t i = 0; i < scalars.size();) {
    std::optional<Channel> vector;
    if (next < fields.size()) {
      const auto [name, count] = vectorNamed(fields[next]);
      vector = vectorAt(std::span(scalars).subspan(i), name, count);
    }
    next += vector ? 1 : 0;
    i += vector ? vector->components.size() : 1;
    channels.push_back(vector ? *vector : scalars[i - 1]);
  }
  return next == fields.size() ? channels : std::vector<Channel>();
}

class CsvReader : public LogReader {
 public:
  explicit CsvReader(const std::string& path) : LogReader(path), file_(path, std::ios::binary) {
    if (!file_) throw Error(path, fmt::format("the log cannot be read: {}", std::strerror(errno)));
    readHeader();
    findRows();
  }

 private:
  void readHeader() {
    std::string line, vectors;
    while (std::getline(file_, line) && !line.empty() && line.front() == '#') {
      const std::size_t colon = line.find(": ");
      if (line.size() <= 2 || colon == std::string::npos) continue;
      const std::string key = line.substr(2, colon - 2), text = line.substr(colon + 2);
      if (key == kCsvVectors) {
        vectors = text;
      } else {
        notes_.emplace_back(key, text);
      }
    }
    if (line.empty() || file_.eof()) throw Error(path(), "this is not a log: there is no line with names of columns");
    std::vector<Channel> scalars;
    for (const std::string& field : fieldsOf(line)) scalars.push_back(scalarChannel(field));
    std::vector<Channel> channels = vectors.empty() ? joinVectors(scalars) : joinNamed(scalars, vectors);
    setChannels(channels.empty() ? joinVectors(scalars) : std::move(channels));
  }

  /// Every line that ends is a row; one that does not was being written when the program ended.
  void findRows() {
    std::string line;
    for (std::streamoff start = file_.tellg(); std::getline(file_, line); start = file_.tellg()) {
      if (file_.eof()) {
        damage_ = fmt::format("it ends in the middle of row {}", rows_);
        break;
      }
      const auto fields = static_cast<std::size_t>(std::count(line.begin(), line.end(), ',')) + 1;
      if (fields != columns().size())
        throw Error(path(), fmt::format("row {} has {} fields, the header names {}", rows_, fields, columns().size()));
      offsets_.push_back(start);
      ++rows_;
    }
    file_.clear();
  }

  double number(std::string_view text, std::size_t row) const {
    if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    if (text.empty()) return std::numeric_limits<double>::quiet_NaN();
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
      throw Error(path(), fmt::format("row {} holds '{}', expected a number", row, text));
    return value;
  }

  void fetch(std::span<const int> wanted, RowRange range, double* out) const override {
    std::string line;
    std::vector<std::string_view> fields(columns().size());
    file_.clear();
    file_.seekg(offsets_[range.first]);
    for (std::size_t i = 0; i < range.count; ++i) {
      std::getline(file_, line);
      std::string_view rest = line;
      for (std::string_view& field : fields) {
        field = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), field.size() + 1));
      }
      for (std::size_t c = 0; c < wanted.size(); ++c)
        out[c * range.count + i] = number(fields[static_cast<std::size_t>(wanted[c])], range.first + i);
    }
  }

  std::string fetchAttachment(std::size_t) const override { return {}; }

  mutable std::ifstream file_;
  std::vector<std::streamoff> offsets_;  ///< of each row
};

}  // namespace

std::unique_ptr<LogReader> openCsv(const std::string& path) { return std::make_unique<CsvReader>(path); }

}  // namespace footfall
