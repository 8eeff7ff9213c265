#include "studio/server/memory_recording.hpp"

#include <algorithm>
#include <limits>

namespace footfall::studio {

MemoryRecording::MemoryRecording(std::vector<Column> columns, std::size_t most_bytes)
    : columns_(std::move(columns)), most_bytes_(most_bytes) {}

void MemoryRecording::append(std::span<const double> values, std::span<const ContactSample> contacts, bool impact,
                             std::span<const PushSample> pushes, std::span<const TieSample> ties) {
  const std::lock_guard lock(mutex_);
  const std::size_t place = (end_ - first_) % kChunkRows;
  if (place == 0) {
    if (!chunks_.empty()) bytes_ += chunks_.back()->bytes();
    chunks_.push_back(std::make_shared<Chunk>(columns_.size()));
    dropOldest();
  }
  Chunk& chunk = *chunks_.back();
  for (std::size_t c = 0; c < columns_.size(); ++c) chunk.values[c * kChunkRows + place] = values[c];
  chunk.contacts.append(place, contacts);
  chunk.pushes.append(place, pushes);
  chunk.ties.append(place, ties);
  chunk.impact[place] = impact;
  ++end_;
}

void MemoryRecording::dropOldest() {
  while (bytes_ > most_bytes_ && chunks_.size() > 2) {
    bytes_ -= chunks_.front()->bytes();
    chunks_.pop_front();
    first_ += kChunkRows;
  }
}

void MemoryRecording::truncate(double time) {
  const std::lock_guard lock(mutex_);
  std::size_t end = end_;
  while (end > first_ && timeOf(end - 1) >= time) --end;
  const std::size_t kept = end - first_;
  const std::size_t chunks = (kept + kChunkRows - 1) / kChunkRows;
  for (; chunks_.size() > chunks; chunks_.pop_back())
    if (chunks_.size() > 1) bytes_ -= chunks_[chunks_.size() - 2]->bytes();
  // Readers may hold the last chunk: rows that will be written anew go into a copy.
  if (const std::size_t place = kept % kChunkRows; place != 0) {
    chunks_.back() = std::make_shared<Chunk>(*chunks_.back());
    chunks_.back()->contacts.keepRows(place);
    chunks_.back()->pushes.keepRows(place);
    chunks_.back()->ties.keepRows(place);
  }
  end_ = end;
  ++epoch_;
}

void MemoryRecording::restart(std::vector<Column> columns) {
  const std::lock_guard lock(mutex_);
  columns_ = std::move(columns);
  chunks_.clear();
  first_ = end_ = bytes_ = 0;
  ++epoch_;
}

std::size_t MemoryRecording::width() const {
  const std::lock_guard lock(mutex_);
  return columns_.size();
}

void MemoryRecording::copy(const MemoryRecording& other) {
  const std::scoped_lock lock(mutex_, other.mutex_);
  columns_ = other.columns_;
  chunks_ = other.chunks_;
  // Its owner goes on writing into the last one.
  if (!chunks_.empty()) chunks_.back() = std::make_shared<Chunk>(*chunks_.back());
  first_ = other.first_;
  end_ = other.end_;
  bytes_ = other.bytes_;
  ++epoch_;
}

void MemoryRecording::swap(MemoryRecording& other) noexcept {
  const std::scoped_lock lock(mutex_, other.mutex_);
  std::swap(columns_, other.columns_);
  std::swap(chunks_, other.chunks_);
  std::swap(first_, other.first_);
  std::swap(end_, other.end_);
  std::swap(bytes_, other.bytes_);
  ++epoch_;
  ++other.epoch_;
}

double MemoryRecording::timeOf(std::size_t index) const {
  const std::size_t row = index - first_;
  return chunks_[row / kChunkRows]->values[row % kChunkRows];
}

Extent MemoryRecording::extent() const {
  const std::lock_guard lock(mutex_);
  Extent extent{epoch_, first_, end_};
  if (first_ != end_) {
    extent.start_time = timeOf(first_);
    extent.end_time = timeOf(end_ - 1);
  }
  return extent;
}

std::size_t MemoryRecording::rowAt(double time) const {
  const std::lock_guard lock(mutex_);
  std::size_t low = first_, high = end_;
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (timeOf(middle) <= time ? low : high) = middle;
  }
  return low;
}

bool MemoryRecording::read(std::size_t index, Row& row) const {
  std::shared_ptr<const Chunk> chunk;
  std::size_t place = 0;
  {
    const std::lock_guard lock(mutex_);
    if (index < first_ || index >= end_) return false;
    chunk = chunks_[(index - first_) / kChunkRows];
    place = (index - first_) % kChunkRows;
    chunk->contacts.read(place, row.contacts);
    chunk->pushes.read(place, row.pushes);
    chunk->ties.read(place, row.ties);
  }
  row.index = index;
  row.values.resize(chunk->values.size() / kChunkRows);
  for (std::size_t c = 0; c < row.values.size(); ++c) row.values[c] = chunk->values[c * kChunkRows + place];
  return true;
}

MemoryRecording::View MemoryRecording::view(std::size_t first, std::size_t end) const {
  const std::lock_guard lock(mutex_);
  first = std::max(first, first_);
  end = std::min(end, end_);
  if (first >= end) return {};
  const std::size_t chunk = (first - first_) / kChunkRows, last = (end - 1 - first_) / kChunkRows;
  const auto begin = chunks_.begin() + static_cast<std::ptrdiff_t>(chunk);
  return {{begin, begin + static_cast<std::ptrdiff_t>(last - chunk + 1)}, first_ + chunk * kChunkRows, first, end};
}

void MemoryRecording::readColumn(int column, std::size_t first, std::size_t end, double* out) const {
  const View now = view(first, end);
  std::fill(out, out + (end - first), std::numeric_limits<double>::quiet_NaN());
  std::size_t index = now.first;
  while (index < now.end) {
    const std::size_t place = (index - now.chunks_first) % kChunkRows;
    const std::size_t count = std::min(kChunkRows - place, now.end - index);
    const std::vector<double>& values = now.chunks[(index - now.chunks_first) / kChunkRows]->values;
    const std::size_t begin = static_cast<std::size_t>(column) * kChunkRows;
    if (begin < values.size()) std::copy_n(values.data() + begin + place, count, out + (index - first));
    index += count;
  }
}

bool MemoryRecording::isImpact(std::size_t index) const {
  return chunks_[(index - first_) / kChunkRows]->impact[(index - first_) % kChunkRows];
}

std::size_t MemoryRecording::nextImpact(std::size_t index) const {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = std::max(index + 1, first_); i < end_; ++i)
    if (isImpact(i)) return i;
  return npos;
}

std::size_t MemoryRecording::previousImpact(std::size_t index) const {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = std::min(index, end_); i > first_; --i)
    if (isImpact(i - 1)) return i - 1;
  return npos;
}

}  // namespace footfall::studio
