#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "footfall/log/log_reader.hpp"
#include "footfall/model/model.hpp"

namespace footfall {

struct Scene;

namespace record {

/// Of the joints that a scene makes and releases while it runs: a tie is named by its number among them.
std::vector<std::string> tieNames(const Scene& scene);
/// −1: none of these names is its own, it was made by code.
int numberOf(const Loop& tie, const std::vector<std::string>& names);

/// How a tie lies in a log: an entry of the list `ties`.
EntryList tieEntries();
inline constexpr std::size_t kTieEntry = 36;  ///< numbers of it
/// @param name number of its name; −1: the log does not know it
std::array<double, kTieEntry> numbersOf(const Loop& tie, int name, const Vector6d& wrench_F);

}  // namespace record

/// A tie of a row, and what it carried on its second link in the step that starts there, about the origin and in the
/// axes of the joint; not-a-number: no step followed [N, N m].
struct LoggedTie {
  Loop tie;
  Vector6d wrench_F = Vector6d::Zero();
};

/// The ties of a log that RunRecorder wrote: the same bits as when they were logged.
class TieReader {
 public:
  /// Both must outlive the reader.
  TieReader(const LogReader& log, const Model& model);

  /// Those that there are at a row. Ties that the scene did not name are called by their links. Throws Error for links
  /// that the model does not have, and where the format only counts them.
  std::vector<Loop> at(std::size_t row) const;
  /// The same with what they carry; none where the format only counts them.
  std::vector<LoggedTie> read(std::size_t row) const;

 private:
  void refuseLostTies(std::size_t row) const;
  LoggedTie tieOf(const double* numbers, std::size_t row) const;

  const LogReader& log_;
  const Model& model_;
  int list_;                        ///< −1: the log has none
  std::size_t entry_ = 0;           ///< numbers of a tie in this log
  std::vector<std::string> names_;  ///< of ties
};

}  // namespace footfall
