#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "footfall/solver/contact_problem.hpp"

namespace footfall::test {

/// A recorded contact problem; tests/data/contact_problems/README.md describes the files.
struct RecordedProblem {
  ContactProblem problem;
  std::vector<std::int32_t> id;  ///< which contact each one is, to match it with the previous record
  bool follows = false;          ///< the next time step after the previous record
};

/// Reads numbers one after the other out of a file held in memory.
class ByteReader {
 public:
  explicit ByteReader(const std::string& path) : path_(path) {
    std::ifstream file(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
  }
  template <class T>
  std::vector<T> read(std::size_t count) {
    std::vector<T> values(count);
    if (at_ + count * sizeof(T) > bytes_.size()) throw std::runtime_error(path_ + ": missing or truncated");
    std::memcpy(values.data(), bytes_.data() + at_, count * sizeof(T));
    at_ += count * sizeof(T);
    return values;
  }

 private:
  std::string path_;
  std::vector<char> bytes_;
  std::size_t at_ = 0;
};

/// G = W Wᵀ, from rows (contact, component) to our layout.
inline void fillDelassus(const std::vector<double>& W, int columns, ContactProblem& problem) {
  const int contacts = problem.layout.contacts;
  for (int k = 0; k < 3 * contacts; ++k) {
    for (int l = 0; l < 3 * contacts; ++l) {
      double sum = 0.0;
      for (int j = 0; j < columns; ++j) sum += W[k * columns + j] * W[l * columns + j];
      problem(k / 3, k % 3, l / 3, l % 3) = sum;
    }
  }
}

inline RecordedProblem readRecord(ByteReader& file) {
  const auto header = file.read<std::int32_t>(4);
  const int contacts = header[0], columns = header[1];
  RecordedProblem record;
  record.follows = header[2] == 1;
  record.id = file.read<std::int32_t>(contacts + contacts % 2);
  record.id.resize(contacts);
  const auto mu = file.read<double>(contacts), shift = file.read<double>(contacts), b = file.read<double>(3 * contacts);
  const auto W = file.read<double>(static_cast<std::size_t>(3) * contacts * columns);
  record.problem.resize(contacts);
  for (int i = 0; i < contacts; ++i) {
    record.problem.mu[i] = mu[i];
    for (int c = 0; c < 3; ++c)
      record.problem.b[record.problem.layout.row(i, c)] = b[3 * i + c] + (c == 2 ? shift[i] : 0.0);
  }
  fillDelassus(W, columns, record.problem);
  return record;
}

/// All problems of one family, e.g. "icub_stand".
inline std::vector<RecordedProblem> readFamily(const std::string& folder, const std::string& family) {
  ByteReader file(folder + "/" + family + ".bin");
  if (std::memcmp(file.read<char>(8).data(), "NCPBIN1", 8) != 0) throw std::runtime_error(family + ": not NCPBIN1");
  std::vector<RecordedProblem> records(file.read<std::int32_t>(2)[0]);
  for (RecordedProblem& record : records) record = readRecord(file);
  return records;
}

/// The starting point of a record: impulses of the same contacts in the previous record, zero where there is none.
inline AlignedVector warmStart(const RecordedProblem& record, const RecordedProblem* previous,
                               const AlignedVector& previous_impulse) {
  AlignedVector start(record.problem.layout.rows(), 0.0);
  if (!record.follows || previous == nullptr) return start;
  for (std::size_t i = 0; i < record.id.size(); ++i)
    for (std::size_t j = 0; j < previous->id.size(); ++j)
      if (record.id[i] == previous->id[j])
        for (int c = 0; c < 3; ++c)
          start[record.problem.layout.row(i, c)] = previous_impulse[previous->problem.layout.row(j, c)];
  return start;
}

}  // namespace footfall::test
