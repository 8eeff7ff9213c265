#include "studio/server/run_comparison.hpp"

#include <nlohmann/json.hpp>

#include "footfall/base/error.hpp"
#include "studio/server/first_difference.hpp"
#include "studio/server/refused.hpp"

namespace footfall::studio {
namespace {

using nlohmann::json;
using Answer = std::shared_ptr<const json>;

Answer compare(const std::string& a, const std::string& b, const std::atomic<bool>& stop) {
  json answer = {{"done", true}, {"time", nullptr}};
  if (a.empty() || b.empty()) return std::make_shared<const json>(std::move(answer));
  try {
    // Readers belong to one thread.
    if (const auto found = firstDifference(*openLog(a), *openLog(b), stop))
      answer.update({{"time", found->time}, {"column", found->column}, {"a", found->a}, {"b", found->b}});
  } catch (const std::exception& problem) {
    answer["problem"] = toldToPage(problem);
  }
  return std::make_shared<const json>(std::move(answer));
}

}  // namespace

RunComparison::RunComparison(const std::vector<std::unique_ptr<Session>>& sessions) {
  for (std::size_t k = 1; k < sessions.size(); ++k)
    results_.push_back(std::async(std::launch::async, [this, a = sessions[0]->logPath(), b = sessions[k]->logPath()] {
                         return compare(a, b, ending_);
                       }).share());
}

RunComparison::~RunComparison() {
  ending_ = true;
  for (const auto& result : results_) result.wait();
}

json RunComparison::wait(std::size_t session) const {
  if (session == 0 || session > results_.size()) throw Refused("session", "there is nothing to compare");
  return *results_[session - 1].get();
}

json RunComparison::differenceTo(std::size_t session) const {
  if (session == 0 || session > results_.size()) throw Refused("session", "there is nothing to compare");
  if (results_[session - 1].wait_for(std::chrono::seconds(0)) != std::future_status::ready) return {{"done", false}};
  return wait(session);
}

}  // namespace footfall::studio
