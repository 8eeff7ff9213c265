#include "studio/server/studio.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>

#include "studio/server/json_fields.hpp"
#include "studio/server/refused.hpp"

namespace footfall::studio {
namespace {

using nlohmann::json;

constexpr int kMostRows = 2000;             ///< in one answer
constexpr int kMostBuckets = 20000;         ///< in one answer
constexpr std::size_t kMostMessages = 256;  ///< kept for clients that have not read them
constexpr std::size_t kMostAtOnce = 32;     ///< of these that a client is told with a frame

Packet text(std::string message) { return {false, std::make_shared<const std::string>(std::move(message))}; }
Packet text(const json& message) { return text(jsonText(message)); }

json errorJson(double id, const std::string& problem) { return {{"type", "error"}, {"id", id}, {"text", problem}}; }

/// What is refused has a place: a field of a form.
json errorJson(double id, const std::exception& error) {
  json out = errorJson(id, toldToPage(error));
  if (const auto* refused = dynamic_cast<const Refused*>(&error)) {
    out["where"] = refused->where();
    out["problem"] = refused->hint().empty() ? refused->problem() : refused->problem() + "\n" + refused->hint();
  }
  return out;
}

Packet binary(const Message& message) {
  std::string bytes(message.size() * sizeof(double), '\0');
  std::memcpy(bytes.data(), message.data(), bytes.size());
  return {true, std::make_shared<const std::string>(std::move(bytes))};
}

/// "/mesh/0/12" → {0, 12}; nothing when it is not exactly that.
std::optional<std::vector<int>> numbersAfter(const std::string& prefix, const std::string& path) {
  if (path.rfind(prefix, 0) != 0) return {};
  std::vector<int> numbers;
  const char* next = path.data() + prefix.size();
  const char* const end = path.data() + path.size();
  while (next != end) {
    int number = 0;
    const auto [stop, error] = std::from_chars(next, end, number);
    if (error != std::errc() || number < 0 || (stop != end && *stop != '/')) return {};
    numbers.push_back(number);
    next = stop == end ? stop : stop + 1;
  }
  return numbers;
}

/// Time of the first impact after a time, or of the last one before it; null when there is none.
json impactTime(const Recording& recording, const json& message) {
  const bool back = message.contains("before");
  const double time = numberField(message, back ? "before" : "after");
  if (recording.extent().empty()) return {};
  const std::size_t from = recording.rowAt(time);
  const std::size_t index = back ? recording.previousImpact(from) : recording.nextImpact(from);
  Row row;
  return index != Recording::npos && recording.read(index, row) ? json(row.values[0]) : json();
}

int countField(const json& message, const char* key, int most) {
  return static_cast<int>(std::clamp(numberField(message, key), 1.0, static_cast<double>(most)));
}

}  // namespace

std::optional<Resource> Studio::get(const std::string& path) {
  if (path == "/") return Resource{"text/html; charset=utf-8", pageHtml(), true};
  const auto known = [this](int session) { return session < static_cast<int>(sessions_.size()); };
  if (const auto scene = numbersAfter("/scene/", path); scene && scene->size() == 1 && known((*scene)[0])) {
    json description = sessions_[static_cast<std::size_t>((*scene)[0])]->describe();
    description["sessions"] = sessions_.size();
    return Resource{"application/json", std::make_shared<const std::string>(jsonText(description))};
  }
  if (const auto mesh = numbersAfter("/mesh/", path); mesh && mesh->size() == 2 && known((*mesh)[0])) {
    const auto scene = sessions_[static_cast<std::size_t>((*mesh)[0])]->scene();
    if ((*mesh)[1] < scene->meshes()) return Resource{"application/octet-stream", scene->mesh((*mesh)[1])};
  }
  return {};
}

void Studio::clientJoined(int client) {
  gatherMessages();
  visitors_[client].messages_read = forgotten_ + messages_.size();
  sayHowManyPages();
}

void Studio::clientLeft(int client) {
  visitors_.erase(client);
  sayHowManyPages();
  for (const auto& session : sessions_) session->clientLeft(client);
}

/// Who is not alone should know.
void Studio::sayHowManyPages() { messages_.push_back(jsonText({{"type", "pages"}, {"count", visitors_.size()}})); }

std::vector<Packet> Studio::answer(int client, const std::string& message) {
  double id = -1.0;
  try {
    const json parsed = json::parse(message);
    if (parsed.is_object() && parsed.contains("id") && parsed["id"].is_number()) id = parsed["id"].get<double>();
    return answerTo(client, parsed);
  } catch (const json::exception&) {
    return {text(errorJson(id, "this message is not JSON"))};
  } catch (const std::exception& error) {
    return {text(errorJson(id, error))};
  }
}

std::vector<Packet> Studio::answerTo(int client, const json& message) {
  if (message.is_object() && message.contains("ask")) return answerQuestion(client, message);
  sessions_[sessionNumber(message)]->command(client, message);
  return {};
}

std::size_t Studio::sessionNumber(const json& message) const {
  const double number = message.is_object() && message.contains("session") ? numberField(message, "session") : 0.0;
  if (!(number >= 0.0 && number < static_cast<double>(sessions_.size())))
    throw Refused("session", "there is no session with this number");
  return static_cast<std::size_t>(number);
}

/// With {"former": true} the rows of it that were taken back.
const Session& Studio::askedSession(const json& message) const {
  const Session& session = *sessions_[sessionNumber(message)];
  if (!message.contains("former")) return session;
  const Session* former = session.former();
  if (former == nullptr) throw Refused("former", "nothing was taken back");
  return *former;
}

std::vector<Packet> Studio::answerQuestion(int client, const json& message) {
  const Session& session = askedSession(message);
  const std::string question = textField(message, "ask");
  const std::size_t columns = session.recording().width();
  if (question == "subscribe") {
    // Frames are of the first session: others have other columns.
    if (&session != sessions_[0].get()) throw Refused("session", "only the first session has frames to subscribe to");
    visitors_[client].subscription.columns = columnsField(message, "columns", columns);
    return {};
  }
  const double id = numberField(message, "id");
  if (question == "rows")
    return {binary(rowsMessage(session, {id, numberField(message, "from"), numberField(message, "to"),
                                         countField(message, "most", kMostRows)}))};
  if (question == "row") return {binary(rowMessage(session, id, numberField(message, "index")))};
  if (question == "columns")
    return {
        binary(columnsMessage(session, {id, columnsField(message, "columns", columns), numberField(message, "from"),
                                        numberField(message, "to"), countField(message, "buckets", kMostBuckets)}))};
  if (question == "impact")
    return {text({{"type", "impact"}, {"id", id}, {"time", impactTime(session.recording(), message)}})};
  if (question == "difference") {
    json answer = comparison_.differenceTo(sessionNumber(message));
    answer.update({{"type", "difference"}, {"id", id}});
    return {text(answer)};
  }
  json answer = sessions_[sessionNumber(message)]->answer(client, question, message);
  answer["id"] = id;
  return {text(answer)};
}

void Studio::gatherMessages() {
  for (const auto& session : sessions_)
    for (std::string message = session->takeMessage(); !message.empty(); message = session->takeMessage())
      messages_.push_back(std::move(message));
  while (messages_.size() > kMostMessages) {
    messages_.erase(messages_.begin());
    ++forgotten_;
  }
}

void Studio::lookForNews() {
  gatherMessages();
  frames_.clear();
  moment_ = {};
  try {
    moment_ = momentOf(*sessions_[0]);
    broken_ = false;
  } catch (const std::exception& problem) {  // a log whose last rows are damaged
    sayOnce(problem);
  }
}

/// Frames come many times a second: what keeps them from being made is said the first time only.
void Studio::sayOnce(const std::exception& problem) {
  if (!broken_) messages_.push_back(jsonText(errorJson(-1.0, toldToPage(problem))));
  broken_ = true;
}

const Studio::Frame& Studio::frameFor(const Subscription& subscription) {
  const auto same = [&](const Frame& frame) { return frame.before == subscription; };
  const auto made = std::find_if(frames_.begin(), frames_.end(), same);
  if (made != frames_.end()) return *made;
  Frame frame{subscription, subscription, {}};
  const Message message = frameMessage(*sessions_[0], moment_, frame.after);
  if (!message.empty()) frame.packet = binary(message);
  return frames_.emplace_back(std::move(frame));
}

std::vector<Packet> Studio::news(int client) {
  Visitor& visitor = visitors_[client];
  std::vector<Packet> packets;
  if (!visitor.greeted) packets.push_back(text({{"type", "welcome"}, {"client", client}}));
  visitor.greeted = true;
  const std::size_t end = forgotten_ + messages_.size();
  std::size_t& next = visitor.messages_read = std::max(visitor.messages_read, forgotten_);
  for (; next < end && packets.size() < kMostAtOnce; ++next) packets.push_back(text(messages_[next - forgotten_]));
  try {
    const Frame& frame = frameFor(visitor.subscription);
    visitor.subscription = frame.after;
    if (frame.packet.bytes) packets.push_back(frame.packet);
  } catch (const std::exception& problem) {
    sayOnce(problem);
  }
  return packets;
}

}  // namespace footfall::studio
