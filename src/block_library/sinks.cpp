#include "footfall/block_library/sinks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "block_library/groups.hpp"
#include "block_library/shapes.hpp"
#include "footfall/base/error.hpp"
#include "footfall/block/finishing_scratch.hpp"
#include "footfall/log/log.hpp"

namespace footfall {
namespace {

constexpr const char* kCategory = "sinks";

/// A block that looks at signals, called by the names of its inputs.
class Sink : public Block {
 public:
  explicit Sink(const Parameters& p) : names_(p.has("inputs") ? p.texts("inputs") : std::vector<std::string>{"in"}) {
    if (names_.empty()) throw p.error("inputs", "is empty, expected at least one name");
  }
  void declare(BlockInterface& io) const override {
    for (const std::string& name : names_) io.input(name);
  }
  void outputs(Evaluation&) const override {}

 protected:
  int count() const { return static_cast<int>(names_.size()); }
  static ParameterDescription inputsDescription() { return {"inputs", "names of the inputs", "in", "", false}; }
  static PortDescription portDescription() { return {"one per name", "any signal with numbers"}; }
  std::vector<std::string> names_;
};

int widthOf(const Evaluation& e, int inputs) {
  std::size_t width = 0;
  for (int k = 0; k < inputs; ++k) width += e.in(k).size();
  return static_cast<int>(width);
}

template <class Iterator>
void copyInputs(const Evaluation& e, int inputs, Iterator to) {
  for (int k = 0; k < inputs; ++k) to = std::copy(e.in(k).begin(), e.in(k).end(), to);
}

class Scope : public Sink {
 public:
  explicit Scope(const Parameters& p) : Sink(p), capacity_(sizeParameter(p, "capacity", 10000)) {}
  static BlockDescription description() {
    return {"Scope",
            kCategory,
            "keeps the newest samples in memory",
            {inputsDescription(), {"capacity", "how many samples it keeps", "10000", "-", false}},
            {portDescription()},
            {},
            "Read them with scopeSamples(). They are no part of the state: a restored run begins with none."};
  }
  std::unique_ptr<BlockScratch> makeScratch() const override { return std::make_unique<ScopeSamples>(capacity_); }
  void update(Evaluation& e) const override { e.scratch<ScopeSamples>().add(e, count()); }

 private:
  int capacity_;
};

class Viewer : public Sink {
 public:
  using Sink::Sink;
  static BlockDescription description() {
    return {"Viewer",
            kCategory,
            "shows signals live in the studio",
            {inputsDescription()},
            {portDescription()},
            {},
            "Keeps the newest values: read them with viewedValues()."};
  }
  std::unique_ptr<BlockScratch> makeScratch() const override { return std::make_unique<ViewedValues>(); }
  void update(Evaluation& e) const override {
    auto& viewed = e.scratch<ViewedValues>();
    viewed.time = e.time();
    viewed.values.resize(widthOf(e, count()));
    copyInputs(e, count(), viewed.values.begin());
  }
};

// --- Log -------------------------------------------------------------------------------------------------------------

struct OpenLog : FinishingScratch {
  std::unique_ptr<Log> log;
  ChannelHandle time;
  struct Part {
    int input, offset, size;  ///< a field of an input
    ChannelHandle channel;
  };
  std::vector<Part> parts;

  ~OpenLog() override {
    try {
      OpenLog::finish();
    } catch (const LogError&) {
      // Rows that were written stay; that the last ones are missing can no longer be told to anybody.
    }
  }

  void flush() override {
    if (log) log->flush();
  }

  void finish() override {
    const std::unique_ptr<Log> closing = std::move(log);
    if (closing) closing->close();
  }
};

/// Adds a channel, or one for each field of a bus.
void addChannels(OpenLog& open, int input, const std::string& name, const SignalType& type, int offset) {
  if (type.kind == SignalType::Kind::bus) {
    for (const BusField& field : type.fields) {
      addChannels(open, input, name + "." + field.name, field.type, offset);
      offset += field.type.size();
    }
    return;
  }
  std::vector<std::string> components;
  if (type.size() != 1)
    for (int i = 0; i < type.size(); ++i) components.push_back(std::to_string(i));
  const Channel channel{name, type.unit.empty() ? "-" : type.unit, components, ""};
  open.parts.push_back({input, offset, type.size(), open.log->add(channel)});
}

class LogBlock : public Sink {
 public:
  explicit LogBlock(const Parameters& p) : Sink(p), file_(p.text("file")) {}
  static BlockDescription description() {
    return {
        "Log",
        kCategory,
        "writes signals to a file",
        {{"file", "its ending chooses the format: .csv, .mcap, .mat …; written where the command runs", "", "", true,
          "file"},
         inputsDescription()},
        {portDescription()},
        {},
        "One row for each of its samples: set `sample` to write fewer. The file is begun when the run is, also when "
        "that goes on from a saved context."};
  }
  std::unique_ptr<BlockScratch> makeScratch() const override { return std::make_unique<OpenLog>(); }
  void update(Evaluation& e) const override {
    auto& open = e.scratch<OpenLog>();
    if (!open.log) begin(e, open);
    open.log->set(open.time, e.time());
    for (const OpenLog::Part& part : open.parts)
      open.log->set(part.channel, e.vector(part.input).segment(part.offset, part.size));
    open.log->endRow();
  }

 private:
  void begin(const Evaluation& e, OpenLog& open) const {
    open.log = makeLog(file_);
    open.time = open.log->add({"time", "s", {}, ""});
    for (int k = 0; k < count(); ++k) addChannels(open, k, names_[static_cast<std::size_t>(k)], e.inputType(k), 0);
    open.log->begin();
  }
  std::string file_;
};

// --- ends of a run ---------------------------------------------------------------------------------------------------

class StopWhen : public Block {
 public:
  explicit StopWhen(const Parameters& p) : reason_(p.text("reason", "the condition of a StopWhen block is true")) {}
  static BlockDescription description() {
    return {"StopWhen",
            kCategory,
            "ends the run when a condition is true",
            {{"reason", "what the run says at its end", "that it was this block", "", false}},
            {{"in", "boolean"}},
            {},
            ""};
  }
  void declare(BlockInterface& io) const override { io.input("in", SignalType::boolean()); }
  void outputs(Evaluation& e) const override {
    if (e.flag(0)) e.stop(reason_);
  }

 private:
  std::string reason_;
};

class Assert : public Block {
 public:
  explicit Assert(const Parameters& p) : message_(p.text("message", "the condition does not hold")) {}
  static BlockDescription description() {
    return {"Assert",
            kCategory,
            "an error when a condition is not true",
            {{"message", "of the error", "the condition does not hold", "", false}},
            {{"in", "boolean"}},
            {},
            ""};
  }
  void declare(BlockInterface& io) const override { io.input("in", SignalType::boolean()); }
  void outputs(Evaluation& e) const override {
    if (!e.flag(0)) throw Error("", message_);
  }

 private:
  std::string message_;
};

template <class Scratch>
const Scratch& scratchOf(const Diagram& diagram, Context& context, const std::string& path, const char* kind) {
  const auto* scratch = dynamic_cast<const Scratch*>(context.scratch(diagram.block(path)));
  if (scratch == nullptr) throw Error("", fmt::format("the block '{}' is no {}", path, kind));
  return *scratch;
}

}  // namespace

void ScopeSamples::add(Evaluation& e, int inputs) {
  if (numbers_.empty()) {
    width_ = widthOf(e, inputs);
    numbers_.resize(capacity_ * static_cast<std::size_t>(width_ + 1));
  }
  double* sample = numbers_.data() + next_ * static_cast<std::size_t>(width_ + 1);
  *sample = e.time();
  copyInputs(e, inputs, sample + 1);
  next_ = (next_ + 1) % capacity_;
  count_ = std::min(count_ + 1, capacity_);
}

const double* ScopeSamples::at(std::size_t sample) const {
  const std::size_t oldest = count_ < capacity_ ? 0 : next_;
  return numbers_.data() + (oldest + sample) % capacity_ * static_cast<std::size_t>(width_ + 1);
}

const ScopeSamples& scopeSamples(const Diagram& diagram, Context& context, const std::string& path) {
  return scratchOf<ScopeSamples>(diagram, context, path, "Scope");
}

const ViewedValues& viewedValues(const Diagram& diagram, Context& context, const std::string& path) {
  return scratchOf<ViewedValues>(diagram, context, path, "Viewer");
}

void addSinks(BlockRegistry& registry) {
  registry.add<Scope>();
  registry.add<Viewer>();
  registry.add<LogBlock>();
  registry.add<StopWhen>();
  registry.add<Assert>();
}

}  // namespace footfall
