// Logs as .mat files, which MATLAB, Octave and SciPy open: a struct for each bus, its fields named as the channels, a
// matrix with a row for each row of the log and a column for each component. matio is a heavy library: it stays here.

#include <fmt/format.h>
#include <matio.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "footfall/base/version.hpp"
#include "footfall/log/log.hpp"
#include "log/log_file.hpp"
#include "log/mcap_groups.hpp"
#include "log/name_tree.hpp"

namespace footfall {
namespace {

/// What the format's counters can hold in one variable [bytes].
constexpr std::size_t kLargestVariable = 0x7FFF0000;

matvar_t* makeStruct(const char* name, const NameTree& tree) {
  std::vector<const char*> fields;
  for (const auto& child : tree.children) fields.push_back(child->identifier.c_str());
  size_t size[2] = {1, 1};
  return Mat_VarCreateStruct(name, 2, size, fields.data(), static_cast<unsigned>(fields.size()));
}

matvar_t* makeText(std::string text) {
  size_t size[2] = {text.empty() ? 0U : 1U, text.size()};
  return Mat_VarCreate(nullptr, MAT_C_CHAR, MAT_T_UTF8, 2, size, text.data(), 0);
}

/// A struct as the tree is; `leaf` makes the variable of a name.
template <class Leaf>
matvar_t* makeTree(const char* name, const NameTree& tree, const Leaf& leaf) {
  matvar_t* result = makeStruct(name, tree);
  for (const auto& child : tree.children)
    Mat_VarSetStructFieldByName(result, child->identifier.c_str(), 0,
                                child->leaf < 0 ? makeTree(nullptr, *child, leaf) : leaf(child->leaf));
  return result;
}

NameTree treeOf(const mcap::Group& group) {
  NameTree tree;
  for (std::size_t i = 0; i < group.channels.size(); ++i) tree.add(group.channels[i].name, static_cast<int>(i));
  return tree;
}

std::string variableOf(const mcap::Group& group) { return identifierOf(group.name.empty() ? "log" : group.name); }

class MatLog : public Log {
 public:
  explicit MatLog(std::string path) : path_(std::move(path)) { ::close(openForWriting(path_)); }

  ~MatLog() override {
    try {
      close();
    } catch (const Error&) {  // whoever wants to know calls close()
    }
  }

  void flush() override {}

  void close() override {
    if (std::exchange(closed_, true)) return;
    mat_t* file =
        Mat_CreateVer(path_.c_str(), fmt::format("MATLAB 5.0 MAT-file, footfall {}", version()).c_str(), MAT_FT_MAT5);
    if (file == nullptr) throw cannotWrite(path_, errno, "nothing of it is there");
    write(file, makeNotes());
    write(file, makeUnits());
    for (const mcap::Group& group : groups_) write(file, makeGroup(group));
    Mat_Close(file);
    // matio does not look whether its writes succeeded.
    if (std::filesystem::file_size(path_) < values_.size() * sizeof(double))
      throw cannotWrite(path_, ENOSPC, "it is not complete");
  }

 protected:
  void writeHeader(const LogNotes& notes, const std::vector<Channel>& channels,
                   const std::vector<Attachment>&) override {
    notes_ = notes;
    groups_ = mcap::groupsOf(channels);
    closed_ = false;
  }

  void writeRow(const std::vector<double>& values) override {
    values_.insert(values_.end(), values.begin(), values.end());
    columns_ = values.size();
  }

  void pushRows() override {}

 private:
  static void write(mat_t* file, matvar_t* variable) {
    Mat_VarWrite(file, variable, MAT_COMPRESSION_NONE);
    Mat_VarFree(variable);
  }

  matvar_t* makeNotes() const {
    NameTree tree;
    for (std::size_t i = 0; i < notes_.size(); ++i) tree.add(identifierOf(notes_[i].first), static_cast<int>(i));
    return makeTree("notes", tree, [this](int i) { return makeText(notes_[static_cast<std::size_t>(i)].second); });
  }

  /// The same structs with units in the places of numbers.
  matvar_t* makeUnits() const {
    NameTree names;
    for (std::size_t i = 0; i < groups_.size(); ++i) names.add(variableOf(groups_[i]), static_cast<int>(i));
    return makeTree("units", names, [this](int g) {
      const mcap::Group& group = groups_[static_cast<std::size_t>(g)];
      return makeTree(nullptr, treeOf(group),
                      [&](int i) { return makeText(group.channels[static_cast<std::size_t>(i)].unit); });
    });
  }

  matvar_t* makeGroup(const mcap::Group& group) const {
    if (rows() * group.columns.size() * sizeof(double) > kLargestVariable)
      throw LogError(path_, fmt::format("the bus '{}' is too large for a .mat file: {} rows", group.name, rows()),
                     "log less often with run.log_period, or use .mcap");
    std::vector<std::size_t> first;  // place of each channel in group.columns
    std::size_t next = 0;
    for (const Channel& channel : group.channels)
      next = (first.push_back(next), next + static_cast<std::size_t>(channel.size()));
    return makeTree(variableOf(group).c_str(), treeOf(group), [&](int i) {
      const auto k = static_cast<std::size_t>(i);
      return makeMatrix(&group.columns[first[k]], static_cast<std::size_t>(group.channels[k].size()));
    });
  }

  matvar_t* makeMatrix(const int* columns, std::size_t count) const {
    std::vector<double> matrix(rows() * count);
    for (std::size_t c = 0; c < count; ++c)
      for (std::size_t r = 0; r < rows(); ++r)
        matrix[c * rows() + r] = values_[r * columns_ + static_cast<std::size_t>(columns[c])];
    size_t size[2] = {rows(), count};
    return Mat_VarCreate(nullptr, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, size, matrix.data(), 0);
  }

  std::size_t rows() const { return columns_ == 0 ? 0 : values_.size() / columns_; }

  std::string path_;
  bool closed_ = true;  ///< or not begun
  LogNotes notes_;
  std::vector<mcap::Group> groups_;
  std::vector<double> values_;  ///< row by row
  std::size_t columns_ = 0;
};

}  // namespace
}  // namespace footfall

extern "C" const char* footfall_plugin_version() { return FOOTFALL_VERSION_TEXT; }
extern "C" footfall::Log* footfall_make_log(const char* path) { return new footfall::MatLog(path); }
