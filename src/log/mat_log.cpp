// Logs as .mat files: a struct for each bus, its fields named as the channels, a matrix with a row for each row of the
// log and a column for each component.

#include "log/mat_log.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "footfall/base/version.hpp"
#include "log/log_file.hpp"
#include "log/mat_file.hpp"
#include "log/mcap_groups.hpp"
#include "log/name_tree.hpp"

namespace footfall {
namespace {

/// A struct as the tree is; `leaf` makes the value of a name.
template <class Leaf>
mat::Value makeTree(const NameTree& tree, const Leaf& leaf) {
  mat::Struct result;
  for (const auto& child : tree.children) {
    result.names.push_back(child->identifier);
    result.values.push_back(child->leaf < 0 ? makeTree(*child, leaf) : leaf(static_cast<std::size_t>(child->leaf)));
  }
  return {std::move(result)};
}

NameTree treeOf(const mcap::Group& group) {
  NameTree tree;
  for (std::size_t i = 0; i < group.channels.size(); ++i) tree.add(group.channels[i].name, static_cast<int>(i));
  return tree;
}

std::string variableOf(const mcap::Group& group) { return identifierOf(group.name.empty() ? "log" : group.name); }

class MatLog : public Log {
 public:
  explicit MatLog(std::string path) : path_(std::move(path)), file_(openForWriting(path_)) {}

  ~MatLog() override {
    try {
      MatLog::close();
    } catch (const Error&) {
      // Whoever wants to know calls close().
    }
    if (file_ >= 0) closeWritten(file_);
  }

  bool keepsLists() const override { return true; }
  void flush() override {}

  void close() override {
    if (std::exchange(closed_, true)) return;
    for (const mcap::Group& group : groups_) checkSize(group);
    for (std::size_t k = 0; k < lists().size(); ++k)
      if (mat::sizeOf(identifierOf(lists()[k].name), entriesOf(k)) > mat::kLargestVariable)
        throw LogError(path_,
                       fmt::format("the list '{}' is too large for a .mat file: {} entries", lists()[k].name,
                                   entry_rows_[k].size()),
                       "log less often with run.log_period, or use .mcap");
    put(mat::header(fmt::format("footfall {}", version())));
    write("notes", notes());
    write("units", units());
    for (const mcap::Group& group : groups_) write(variableOf(group), valuesOf(group));
    for (std::size_t k = 0; k < lists().size(); ++k) write(identifierOf(lists()[k].name), entriesOf(k));
    // Some file systems report a full disk only here.
    if (closeWritten(std::exchange(file_, -1)) != 0) throw cannotWrite(path_, errno, "it is not complete");
  }

 protected:
  void writeHeader(const LogNotes& notes, const std::vector<Channel>& channels,
                   const std::vector<Attachment>&) override {
    notes_ = notes;
    groups_ = mcap::groupsOf(channels);
    entries_.resize(lists().size());
    entry_rows_.resize(lists().size());
    closed_ = false;
  }

  void writeRow(const std::vector<double>& values) override {
    values_.insert(values_.end(), values.begin(), values.end());
    columns_ = values.size();
  }

  void writeEntries(int list, const std::vector<double>&, std::span<const double> entries) override {
    const auto k = static_cast<std::size_t>(list);
    entries_[k].insert(entries_[k].end(), entries.begin(), entries.end());
    const std::size_t count = entries.size() / static_cast<std::size_t>(lists()[k].size());
    entry_rows_[k].insert(entry_rows_[k].end(), count, static_cast<double>(rows() + 1));
  }

  void pushRows() override {}

 private:
  void put(std::string_view bytes) const {
    if (writeAll(file_, bytes) < bytes.size()) throw cannotWrite(path_, errno, "it is not complete");
  }

  void write(const std::string& name, const mat::Value& value) const {
    mat::write(name, value, [this](std::string_view bytes) { put(bytes); });
  }

  void checkSize(const mcap::Group& group) const {
    if (mat::sizeOf(variableOf(group), valuesOf(group)) > mat::kLargestVariable)
      throw LogError(path_, fmt::format("the bus '{}' is too large for a .mat file: {} rows", group.name, rows()),
                     "log less often with run.log_period, or use .mcap");
  }

  mat::Value notes() const {
    NameTree tree;
    for (std::size_t i = 0; i < notes_.size(); ++i) tree.add(identifierOf(notes_[i].first), static_cast<int>(i));
    return makeTree(tree, [this](std::size_t i) { return mat::Value{mat::Text{notes_[i].second}}; });
  }

  /// The same structs with units in the places of numbers.
  mat::Value units() const {
    NameTree names;
    for (std::size_t i = 0; i < groups_.size(); ++i) names.add(variableOf(groups_[i]), static_cast<int>(i));
    return makeTree(names, [this](std::size_t g) {
      return makeTree(treeOf(groups_[g]),
                      [&](std::size_t i) { return mat::Value{mat::Text{groups_[g].channels[i].unit}}; });
    });
  }

  mat::Value valuesOf(const mcap::Group& group) const {
    std::vector<std::size_t> first;  // place of each channel in group.columns
    std::size_t next = 0;
    for (const Channel& channel : group.channels)
      next = (first.push_back(next), next + static_cast<std::size_t>(channel.size()));
    return makeTree(treeOf(group), [&](std::size_t i) {
      const int* columns = &group.columns[first[i]];
      const auto at = [this, columns](std::size_t r, std::size_t c) {
        return values_[r * columns_ + static_cast<std::size_t>(columns[c])];
      };
      return mat::Value{mat::Matrix{rows(), static_cast<std::size_t>(group.channels[i].size()), at}};
    });
  }

  /// A struct with a line for each entry; `row` is that of the other structs, counted from 1 as MATLAB does.
  mat::Value entriesOf(std::size_t list) const {
    NameTree tree;
    std::vector<std::size_t> first;  // place of each channel in an entry
    std::size_t next = 0;
    const std::vector<Channel>& channels = lists()[list].channels;
    tree.add("row", static_cast<int>(channels.size()));
    for (std::size_t i = 0; i < channels.size(); ++i) {
      tree.add(channels[i].name, static_cast<int>(i));
      next = (first.push_back(next), next + static_cast<std::size_t>(channels[i].size()));
    }
    const std::vector<double>&numbers = entries_[list], &rows = entry_rows_[list];
    return makeTree(tree, [&, width = next](std::size_t i) {
      if (i == channels.size())
        return mat::Value{mat::Matrix{rows.size(), 1, [&rows](std::size_t r, std::size_t) { return rows[r]; }}};
      const auto at = [&numbers, width, start = first[i]](std::size_t r, std::size_t c) {
        return numbers[r * width + start + c];
      };
      return mat::Value{mat::Matrix{rows.size(), static_cast<std::size_t>(channels[i].size()), at}};
    });
  }

  std::size_t rows() const { return columns_ == 0 ? 0 : values_.size() / columns_; }

  std::string path_;
  int file_;
  bool closed_ = true;  ///< or not begun
  LogNotes notes_;
  std::vector<mcap::Group> groups_;
  std::vector<double> values_;                             ///< row by row
  std::vector<std::vector<double>> entries_, entry_rows_;  ///< of each list: entry by entry; rows of the entries
  std::size_t columns_ = 0;
};

}  // namespace

std::unique_ptr<Log> makeMatLog(const std::string& path) { return std::make_unique<MatLog>(path); }

}  // namespace footfall
