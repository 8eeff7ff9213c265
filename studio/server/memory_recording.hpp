#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>

#include "studio/server/recording.hpp"

namespace footfall::studio {

/// The rows of a running simulation. One thread appends, any thread reads, without ever making the writer wait for
/// longer than it takes to copy the contacts of a row or a list of pointers to the rows that are asked for. Memory is
/// bounded: the oldest rows go first.
class MemoryRecording : public Recording {
 public:
  /// @param most_bytes kept at most
  MemoryRecording(std::vector<Column> columns, std::size_t most_bytes);

  void append(std::span<const double> values, std::span<const ContactSample> contacts, bool impact,
              std::span<const PushSample> pushes = {}, std::span<const TieSample> ties = {});
  /// Takes back all rows at or after this time, and starts a new epoch.
  void truncate(double time);
  /// Takes back everything: rows have other columns from now on.
  void restart(std::vector<Column> columns);
  /// The same columns and rows as `other`. What both have is kept in memory once.
  void copy(const MemoryRecording& other);
  /// Both start a new epoch.
  void swap(MemoryRecording& other) noexcept;

  const std::vector<Column>& columns() const override { return columns_; }
  std::size_t width() const override;
  Extent extent() const override;
  std::size_t rowAt(double time) const override;
  bool read(std::size_t index, Row& row) const override;
  void readColumn(int column, std::size_t first, std::size_t end, double* out) const override;
  std::size_t nextImpact(std::size_t index) const override;
  std::size_t previousImpact(std::size_t index) const override;

 private:
  static constexpr std::size_t kChunkRows = 512;

  /// Of the rows of a chunk: each has any number of them.
  template <class Sample>
  struct SamplesOfRows {
    void append(std::size_t row, std::span<const Sample> samples) {
      all.insert(all.end(), samples.begin(), samples.end());
      begin[row + 1] = all.size();
    }
    void keepRows(std::size_t rows) { all.resize(begin[rows]); }
    void read(std::size_t row, std::vector<Sample>& out) const {
      out.assign(all.begin() + static_cast<std::ptrdiff_t>(begin[row]),
                 all.begin() + static_cast<std::ptrdiff_t>(begin[row + 1]));
    }
    std::size_t bytes() const { return all.capacity() * sizeof(Sample); }

    std::vector<Sample> all;
    std::array<std::size_t, kChunkRows + 1> begin{};  ///< where those of a row begin
  };

  /// Values lie column by column. Rows below `rows` never change any more.
  struct Chunk {
    explicit Chunk(std::size_t columns) : values(columns * kChunkRows) {}
    std::size_t bytes() const {
      return values.size() * sizeof(double) + contacts.bytes() + pushes.bytes() + ties.bytes();
    }
    std::vector<double> values;
    SamplesOfRows<ContactSample> contacts;  ///< only with the lock
    SamplesOfRows<PushSample> pushes;       ///< only with the lock
    SamplesOfRows<TieSample> ties;          ///< only with the lock
    std::array<bool, kChunkRows> impact{};  ///< only with the lock
  };
  /// The chunks of some rows as they are at one moment.
  struct View {
    std::vector<std::shared_ptr<const Chunk>> chunks;
    std::size_t chunks_first = 0;    ///< row with which the first of them begins
    std::size_t first = 0, end = 0;  ///< those of the rows that are there
  };

  View view(std::size_t first, std::size_t end) const;
  double timeOf(std::size_t index) const;  ///< with the lock
  bool isImpact(std::size_t index) const;  ///< with the lock
  void dropOldest();

  std::vector<Column> columns_;
  std::size_t most_bytes_;
  mutable std::mutex mutex_;
  std::deque<std::shared_ptr<Chunk>> chunks_;
  std::size_t first_ = 0, end_ = 0;  ///< numbers of rows; first_ is that of the first chunk
  std::size_t bytes_ = 0;            ///< of complete chunks
  std::uint64_t epoch_ = 1;
};

}  // namespace footfall::studio
