#include "footfall/record/contact_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace footfall {
namespace record {
namespace {

const std::vector<std::string> kAxes = {"x", "y", "z"};

}  // namespace

EntryList contactEntries() {
  return {"contact_points",
          {{"candidate", "-", {}},
           {"frame", "-", {}},
           {"other", "-", {}},
           {"mode", "-", {}},
           {"gap", "m", {}},
           {"friction", "-", {}},
           {"position", "m", kAxes},
           {"normal", "-", kAxes},
           {"tangent", "-", kAxes},
           {"force", "N", kAxes},
           {"force_C", "N", kAxes},
           {"force_position", "m", kAxes},
           {"impulse", "N s", kAxes},
           {"velocity_C", "m/s", kAxes}},
          "contacts"};
}

std::array<double, kContactEntry> numbersOf(const ContactReport& contact) {
  const int candidate = contact.other.valid() ? -1 : contact.candidate;  // that of two bodies is for the solver alone
  std::array<double, kContactEntry> numbers = {static_cast<double>(candidate),
                                               static_cast<double>(contact.frame),
                                               static_cast<double>(contact.other),
                                               static_cast<double>(contact.mode),
                                               contact.gap,
                                               contact.friction};
  double* next = numbers.data() + 6;
  const Vector3d normal = contact.R_WC.col(2), tangent = contact.R_WC.col(0);
  for (const Vector3d* vector : {&contact.p_WC, &normal, &tangent, &contact.force_W, &contact.force_C,
                                 &contact.force_p_W, &contact.impulse_W, &contact.velocity_C})
    next = std::copy_n(vector->data(), 3, next);
  return numbers;
}

}  // namespace record

namespace {

/// A number of a file as an index from `least` on and below `count`.
int indexOf(double number, int least, int count, const LogReader& log, std::size_t row) {
  if (number >= least && number < count && number == static_cast<int>(number)) return static_cast<int>(number);
  throw Error(log.path(), fmt::format("row {} has a contact with the number or mode {}", row, number),
              "is it damaged?");
}

ContactReport reportOf(const double* next, int candidates, int frames, const LogReader& log, std::size_t row) {
  ContactReport contact;
  contact.candidate = indexOf(*next++, -1, candidates, log, row);
  contact.frame = FrameIndex(indexOf(*next++, 0, frames, log, row));
  contact.other = FrameIndex(indexOf(*next++, -1, frames, log, row));
  contact.mode = static_cast<ContactMode>(indexOf(*next++, 0, 3, log, row));
  contact.gap = *next++;
  contact.friction = *next++;
  Vector3d normal, tangent;
  for (Vector3d* vector : {&contact.p_WC, &normal, &tangent, &contact.force_W, &contact.force_C, &contact.force_p_W,
                           &contact.impulse_W, &contact.velocity_C}) {
    std::copy_n(next, 3, vector->data());
    next += 3;
  }
  contact.R_WC << tangent, normal.cross(tangent), normal;
  contact.impulse_C = contact.R_WC.transpose() * contact.impulse_W;
  return contact;
}

int contactList(const LogReader& log) {
  const EntryList ours = record::contactEntries();
  const int list = log.findList(ours.name);
  if (list >= 0 && columnNames(log.lists()[static_cast<std::size_t>(list)].channels) != columnNames(ours.channels))
    throw Error(log.path(), fmt::format("its list '{}' has other channels than this version writes", ours.name),
                "read it with the version that is in its notes");
  return list;
}

}  // namespace

ContactReader::ContactReader(const LogReader& log, const Model& model)
    : log_(log),
      candidates_(static_cast<int>(model.candidates.size())),
      frames_(static_cast<int>(model.frames.size())),
      list_(contactList(log)) {}

void ContactReader::read(std::size_t row, std::vector<ContactReport>& contacts) const {
  contacts.clear();
  if (!available()) return;
  const ListEntries entries = log_.entries(list_, {row, 1});
  for (std::size_t e = 0; e < entries.first.back(); ++e)
    contacts.push_back(reportOf(entries.values.data() + e * record::kContactEntry, candidates_, frames_, log_, row));
}

}  // namespace footfall
