#include "footfall/log/mcap_log.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <optional>
#include <thread>

#include "log/log_file.hpp"
#include "log/mcap_file.hpp"
#include "log/mcap_groups.hpp"
#include "log/message_layout.hpp"

namespace footfall {
namespace {

using mcap::Opcode;

constexpr std::size_t kChunkSize = 1 << 19;     ///< of the largest bus, before compression [bytes]
constexpr std::size_t kBlocks = 4;              ///< one is filled while the others wait to be written
constexpr std::size_t kLargeMessage = 4 << 20;  ///< memory for more than this is given back [bytes]

std::uint64_t nanoseconds(double seconds) {
  return seconds > 0.0 ? static_cast<std::uint64_t>(std::llround(seconds * 1e9)) : 0;
}

void appendMessage(std::string& out, std::uint16_t channel, std::uint32_t sequence, std::uint64_t time,
                   std::string_view data) {
  mcap::Writer(out).record(Opcode::message, [&](mcap::Writer& w) {
    w.number(channel).number(sequence).number(time).number(time).raw(data);
  });
}

/// The messages of one bus: a row is a copy of `blank` with its numbers filled in.
struct GroupTemplate {
  std::string blank;                 ///< a whole message record
  std::vector<std::size_t> offsets;  ///< of the numbers in it
  std::vector<int> columns;          ///< of the row, where they come from
};

/// Rows on their way into the file: for each bus, its message records.
struct Block {
  std::vector<std::string> groups;  ///< as long as a full block; `rows` says how much of it counts
  std::vector<std::string> lists;   ///< message records of the entries of each list
  std::string others;               ///< messages that are no rows
  std::size_t rows = 0;
  mcap::Extent extent;

  bool empty() const { return rows == 0 && others.empty(); }
};

}  // namespace

class McapLog::Writer {
 public:
  explicit Writer(const std::string& path) : path_(path), file_(path) {}

  ~Writer() {
    try {
      close();
    } catch (const LogError&) {  // whoever wants to know calls close()
    }
  }

  int addTopic(const Topic& topic) {
    topics_.push_back(topic);
    return static_cast<int>(topics_.size()) - 1;
  }

  void begin(const LogNotes& notes, const std::vector<Channel>& channels, const std::vector<EntryList>& lists,
             const std::vector<Attachment>& attachments) {
    if (!channels.empty()) time_channel_ = channels.front();
    mcap::FileHead head{notes, {}, {}, attachments};
    for (const mcap::Group& group : mcap::groupsOf(channels)) groups_.push_back(addGroup(group, {}, head));
    for (const EntryList& list : lists)
      lists_.push_back(addGroup({list.name, list.channels, {}}, {mcap::kListMark, list.name}, head));
    first_topic_ = static_cast<std::uint16_t>(head.channels.size());
    for (const Topic& topic : topics_)
      addChannel({0, topic.schema_name, topic.schema_encoding, topic.schema},
                 {0, 0, topic.name, topic.message_encoding, {}}, head);
    try {
      file_.writeHead(head);
    } catch (const mcap::WriteFailure& failure) {
      closed_ = true;
      throw cannotWrite(path_, failure.error_number, "it has no complete row");
    }
    makeBlocks();
    thread_ = std::thread([this] { writeBlocks(); });
  }

  void writeRow(const std::vector<double>& values) {
    Block& block = currentBlock();
    const std::uint64_t time = timeOf(values);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const GroupTemplate& group = groups_[g];
      char* record = block.groups[g].data() + block.rows * group.blank.size();
      startRecord(group, time, record);
      for (std::size_t i = 0; i < group.offsets.size(); ++i)
        std::memcpy(record + group.offsets[i], &values[static_cast<std::size_t>(group.columns[i])], sizeof(double));
    }
    ++block.rows;
    block.extent = {++rows_, values.empty() ? 0.0 : values.front()};
    const auto is_full = [](const std::string& list) { return list.size() >= kChunkSize; };
    if (block.rows == rows_per_block_ || std::any_of(block.lists.begin(), block.lists.end(), is_full)) handOver();
  }

  /// The entries of the row that follows.
  void writeEntries(int list, const std::vector<double>& row, std::span<const double> entries) {
    const GroupTemplate& group = lists_[static_cast<std::size_t>(list)];
    std::string& records = currentBlock().lists[static_cast<std::size_t>(list)];
    const std::uint64_t time = timeOf(row);
    for (std::size_t first = 0; first < entries.size(); first += group.offsets.size()) {
      records.resize(records.size() + group.blank.size());
      char* record = records.data() + records.size() - group.blank.size();
      startRecord(group, time, record);
      for (std::size_t i = 0; i < group.offsets.size(); ++i)
        std::memcpy(record + group.offsets[i], &entries[first + i], sizeof(double));
    }
  }

  void writeMessage(int topic, double time, std::string_view message) {
    if (currentBlock().others.size() + message.size() + mcap::kMessageHead > kChunkSize) handOver();
    appendMessage(currentBlock().others, static_cast<std::uint16_t>(first_topic_ + topic), other_messages_++,
                  nanoseconds(time), message);
  }

  /// Gives the rows that are there to the thread that writes.
  void handOver() {
    if (block_ == nullptr || block_->empty()) return;
    {
      const std::lock_guard lock(mutex_);
      full_.push_back(std::exchange(block_, nullptr));
    }
    changed_.notify_all();
  }

  void flush() {
    handOver();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return idle() || failed_; });
    if (failed_) throwFailure();
  }

  void close() {
    if (std::exchange(closed_, true)) return;
    handOver();
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
    if (failed_) throwFailure();
  }

  double secondsWaited() const { return seconds_waited_; }

 private:
  static std::uint64_t timeOf(const std::vector<double>& row) { return row.empty() ? 0 : nanoseconds(row.front()); }

  /// A record of the row under way, whose numbers are still missing.
  void startRecord(const GroupTemplate& group, std::uint64_t time, char* record) const {
    const auto sequence = static_cast<std::uint32_t>(rows_);
    std::copy(group.blank.begin(), group.blank.end(), record);
    std::memcpy(record + mcap::kSequenceAt, &sequence, sizeof sequence);
    std::memcpy(record + mcap::kLogTimeAt, &time, sizeof time);
    std::memcpy(record + mcap::kPublishTimeAt, &time, sizeof time);
  }

  void addChannel(mcap::SchemaRecord schema, mcap::ChannelRecord channel, mcap::FileHead& head) const {
    schema.id = static_cast<std::uint16_t>(head.schemas.size() + 1);  // 0 means: no schema
    channel.id = static_cast<std::uint16_t>(head.channels.size());
    channel.schema_id = schema.id;
    head.schemas.push_back(std::move(schema));
    head.channels.push_back(std::move(channel));
  }

  GroupTemplate addGroup(const mcap::Group& group, const std::pair<std::string, std::string>& mark,
                         mcap::FileHead& head) const {
    const MessageLayout layout = layOut(group.name, group.channels);
    const auto id = static_cast<std::uint16_t>(head.channels.size());
    GroupTemplate rows{{}, layout.offsets, group.columns};
    appendMessage(rows.blank, id, 0, 0, layout.blank);
    for (std::size_t& offset : rows.offsets) offset += rows.blank.size() - layout.blank.size();
    mcap::Map metadata;
    if (!mark.first.empty()) metadata.push_back(mark);
    for (const Channel& channel : group.channels) metadata.push_back(mcap::describe(channel));
    addChannel({0, layout.schema_name, "protobuf", layout.schema},
               {0, 0, mcap::topicOf(group.name), "protobuf", metadata}, head);
    return rows;
  }

  void makeBlocks() {
    std::size_t largest = 1;
    for (const GroupTemplate& group : groups_) largest = std::max(largest, group.blank.size());
    rows_per_block_ = std::max<std::size_t>(1, kChunkSize / largest);
    blocks_.resize(kBlocks);
    full_.reserve(kBlocks);
    for (Block& block : blocks_) {
      for (const GroupTemplate& group : groups_) block.groups.emplace_back(rows_per_block_ * group.blank.size(), '\0');
      block.lists.resize(lists_.size());
      for (std::string& list : block.lists) list.reserve(kChunkSize + kChunkSize / 8);
      if (!topics_.empty()) block.others.reserve(kChunkSize);
      free_.push_back(&block);
    }
  }

  /// The block that is being filled. Waits until there is one: a disk that is too slow slows the run down.
  Block& currentBlock() {
    if (failed_) throwFailure();
    if (block_ == nullptr) {
      std::unique_lock lock(mutex_);
      if (free_.empty()) waitForBlock(lock);
      if (failed_) throwFailure();
      block_ = free_.back();
      free_.pop_back();
    }
    return *block_;
  }

  void waitForBlock(std::unique_lock<std::mutex>& lock) {
    const auto begin = std::chrono::steady_clock::now();
    changed_.wait(lock, [this] { return !free_.empty() || failed_; });
    if (rows_ == 0) return;  // meshes on their way into the file, before the run
    seconds_waited_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  bool idle() const { return free_.size() + (block_ == nullptr ? 0 : 1) == kBlocks; }

  [[noreturn]] void throwFailure() const {
    throw cannotWrite(path_, error_number_,
                      extentOf(salvaged_.rows, time_channel_.name, salvaged_.time, time_channel_.unit));
  }

  // --- the thread that writes -----------------------------------------------------------------------

  void writeBlocks() {
    try {
      while (Block* block = nextBlock()) {
        write(*block);
        giveBack(block);
      }
      file_.finish();
    } catch (const mcap::WriteFailure& failure) {
      salvaged_ = file_.salvage();
      error_number_ = failure.error_number;
      const std::lock_guard lock(mutex_);
      failed_ = true;
    }
    changed_.notify_all();
  }

  /// Null: there are no more.
  Block* nextBlock() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !full_.empty() || ending_; });
    if (full_.empty()) return nullptr;
    Block* block = full_.front();
    full_.erase(full_.begin());
    return block;
  }

  /// Entries first: a file that breaks off has those of all its rows.
  void write(const Block& block) {
    for (const std::string& list : block.lists) file_.writeChunk(list);
    for (std::size_t g = 0; g < groups_.size(); ++g)
      file_.writeChunk(std::string_view(block.groups[g]).substr(0, block.rows * groups_[g].blank.size()));
    file_.writeChunk(block.others);
    if (block.rows > 0) written_ = block.extent;
    file_.endBlock(written_);
  }

  void giveBack(Block* block) {
    block->rows = 0;
    for (std::string& list : block->lists) list.clear();
    block->others.clear();
    if (block->others.capacity() > kLargeMessage) {
      block->others.shrink_to_fit();
      block->others.reserve(kChunkSize);
    }
    {
      const std::lock_guard lock(mutex_);
      free_.push_back(block);
    }
    changed_.notify_all();
  }

  std::string path_;
  mcap::FileWriter file_;  ///< once the thread runs, only it may touch this
  Channel time_channel_;
  std::vector<Topic> topics_;
  std::uint16_t first_topic_ = 0;
  std::uint32_t other_messages_ = 0;
  std::vector<GroupTemplate> groups_, lists_;
  std::size_t rows_per_block_ = 1, rows_ = 0;
  double seconds_waited_ = 0.0;
  bool closed_ = false;
  Block* block_ = nullptr;  ///< that is being filled
  mcap::Extent written_;    ///< of the thread that writes

  std::vector<Block> blocks_;
  std::mutex mutex_;  ///< of what follows
  std::condition_variable changed_;
  std::vector<Block*> free_, full_;
  bool ending_ = false;
  std::atomic<bool> failed_ = false;  ///< set after the two below
  int error_number_ = 0;
  mcap::Extent salvaged_;

  std::thread thread_;
};

McapLog::McapLog(const std::string& path) : writer_(std::make_unique<Writer>(path)) {}
McapLog::~McapLog() = default;

int McapLog::addTopic(const Topic& topic) { return writer_->addTopic(topic); }

void McapLog::writeMessage(int topic, double time, std::string_view message) {
  writer_->writeMessage(topic, time, message);
}

void McapLog::writeHeader(const LogNotes& notes, const std::vector<Channel>& channels,
                          const std::vector<Attachment>& attachments) {
  writer_->begin(notes, channels, lists(), attachments);
}

void McapLog::writeRow(const std::vector<double>& values) { writer_->writeRow(values); }
void McapLog::writeEntries(int list, const std::vector<double>& row, std::span<const double> entries) {
  writer_->writeEntries(list, row, entries);
}
void McapLog::pushRows() { writer_->handOver(); }
void McapLog::flush() { writer_->flush(); }
void McapLog::close() { writer_->close(); }
double McapLog::secondsWaited() const { return writer_->secondsWaited(); }

}  // namespace footfall
