#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "footfall/log/log_reader.hpp"
#include "footfall/step/step.hpp"

namespace footfall {

namespace record {

/// How a contact lies in a log: an entry of the list `contact_points`.
EntryList contactEntries();
inline constexpr std::size_t kContactEntry = 30;  ///< numbers of it
std::array<double, kContactEntry> numbersOf(const ContactReport& contact);

}  // namespace record

/// The contacts of a log that RunRecorder wrote, as the steps reported them.
class ContactReader {
 public:
  /// Both must outlive the reader. Throws Error when the log writes contacts in another way.
  ContactReader(const LogReader& log, const Model& model);

  bool available() const { return list_ >= 0; }  ///< false: the log holds no contacts one by one
  /// Of the step that starts at a row; empty where none follows. Throws Error for contacts that the model does not
  /// have.
  void read(std::size_t row, std::vector<ContactReport>& contacts) const;

 private:
  const LogReader& log_;
  int candidates_, frames_;  ///< of the model
  int list_;
};

}  // namespace footfall
