#pragma once

#include <map>
#include <memory>
#include <vector>

#include "studio/server/messages.hpp"
#include "studio/server/run_comparison.hpp"
#include "studio/server/web_server.hpp"

namespace footfall::studio {

/// The page with what it shows: the first session, and others that it is compared with.
///
///     /                  the page
///     /scene/<session>   what there is to draw, as JSON
///     /mesh/<session>/<mesh>
///
/// Clients send JSON: {"do": …} to the simulation, {"ask": "rows" | "columns" | "impact" | "difference" | "subscribe",
/// "palette" | "document" | "edit" | "edit-undo" | "edit-redo" | "yaml", …} for data. Each has a number, which it is
/// told when it comes; what one of them does the others read with that number.
class Studio : public WebHandler {
 public:
  explicit Studio(std::vector<std::unique_ptr<Session>> sessions)
      : sessions_(std::move(sessions)), comparison_(sessions_) {}

  std::optional<Resource> get(const std::string& path) override;
  void clientJoined(int client) override;
  void clientLeft(int client) override;
  std::vector<Packet> answer(int client, const std::string& text) override;
  void lookForNews() override;
  std::vector<Packet> news(int client) override;

 private:
  struct Visitor {
    Subscription subscription;
    std::size_t messages_read = 0;  ///< of all that were ever said
    bool greeted = false;           ///< it knows its number
  };

  /// Made once, for all clients that wait for the same.
  struct Frame {
    Subscription before, after;  ///< of such a client
    Packet packet;               ///< no bytes: nothing is new
  };

  const Frame& frameFor(const Subscription& subscription);
  std::vector<Packet> answerTo(int client, const nlohmann::json& message);
  std::vector<Packet> answerQuestion(int client, const nlohmann::json& message);
  std::size_t sessionNumber(const nlohmann::json& message) const;
  const Session& askedSession(const nlohmann::json& message) const;
  void sayHowManyPages();
  void gatherMessages();
  void sayOnce(const std::exception& problem);

  std::vector<std::unique_ptr<Session>> sessions_;
  RunComparison comparison_;
  std::map<int, Visitor> visitors_;
  Moment moment_;                      ///< of the first session, that clients are told about now
  std::vector<Frame> frames_;          ///< of that moment
  std::vector<std::string> messages_;  ///< said since `forgotten_`
  std::size_t forgotten_ = 0;
  bool broken_ = false;  ///< frames cannot be made, and that was said
};

/// The page itself: one file with everything in it.
std::shared_ptr<const std::string> pageHtml();

}  // namespace footfall::studio
