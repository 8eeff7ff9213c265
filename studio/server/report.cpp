#include "studio/server/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "studio/server/json_fields.hpp"
#include "studio/server/messages.hpp"
#include "studio/server/page_places.hpp"
#include "studio/server/run_comparison.hpp"
#include "studio/server/studio.hpp"

namespace footfall::studio {
namespace {

using nlohmann::json;

std::string base64(const char* bytes, std::size_t size) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((size + 2) / 3 * 4);
  for (std::size_t i = 0; i < size; i += 3) {
    const auto byte = [&](std::size_t k) {
      return k < size ? static_cast<unsigned>(static_cast<unsigned char>(bytes[k])) : 0u;
    };
    const unsigned bits = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    text += kDigits[bits >> 18 & 63];
    text += kDigits[bits >> 12 & 63];
    text += i + 1 < size ? kDigits[bits >> 6 & 63] : '=';
    text += i + 2 < size ? kDigits[bits & 63] : '=';
  }
  return text;
}

/// How many rows fit: a row has its columns and about eight contacts.
std::size_t mostRows(const Session& session, const ReportLimits& limits) {
  const std::size_t numbers = 2 + session.recording().columns().size() + 8 * kContactNumbers;
  return std::max<std::size_t>(2, limits.row_bytes / (numbers * sizeof(double)));
}

json impactsOf(const Recording& recording) {
  json times = json::array();
  Row row;
  for (std::size_t i = recording.nextImpact(0); i != Recording::npos; i = recording.nextImpact(i))
    if (recording.read(i, row)) times.push_back(row.values[0]);
  return times;
}

/// Meshes of all runs: what several of them have is in the report once.
class MeshShelf {
 public:
  /// Its number.
  std::size_t put(const std::string& mesh) {
    const auto [found, fresh] = numbers_.emplace(mesh, numbers_.size());
    if (fresh) meshes_.push_back(base64(mesh.data(), mesh.size()));
    return found->second;
  }
  const json& meshes() const { return meshes_; }

 private:
  std::map<std::string, std::size_t> numbers_;
  json meshes_ = json::array();
};

json runJson(const Session& session, const ReportLimits& limits, MeshShelf& shelf) {
  const Extent extent = session.recording().extent();
  const std::size_t rows = extent.end - extent.first, most = std::min(rows, mostRows(session, limits));
  json scene = session.describe();
  scene["live"] = false;
  scene["decimated"] = most == rows ? "all rows" : fmt::format("{} of {} rows", most, rows);
  const Message message = rowsMessage(session, {0.0, extent.start_time, extent.end_time, static_cast<int>(most)});
  json meshes = json::array();
  const std::shared_ptr<const SceneDescription> description = session.scene();
  for (int i = 0; i < description->meshes(); ++i) meshes.push_back(shelf.put(*description->mesh(i)));
  return {{"scene", std::move(scene)},
          {"meshes", std::move(meshes)},
          {"rows", base64(reinterpret_cast<const char*>(message.data()), message.size() * sizeof(double))},
          {"impacts", impactsOf(session.recording())}};
}

/// JSON in which nothing can begin or end an element or a comment of the page that it lies in: in JSON a `<` is always
/// part of a text, where \u003c means the same.
std::string scriptSafe(const std::string& data) {
  std::string safe;
  safe.reserve(data.size());
  for (const char c : data) {
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  }
  return safe;
}

/// A report needs nothing from anywhere, and whatever is in it asks nobody.
constexpr const char* kPolicy =
    R"(<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-report'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'">)";

}  // namespace

std::string reportHtml(const std::vector<std::unique_ptr<Session>>& sessions, const ReportLimits& limits) {
  const RunComparison comparison(sessions);
  MeshShelf shelf;
  json runs = json::array();
  for (std::size_t k = 0; k < sessions.size(); ++k) {
    runs.push_back(runJson(*sessions[k], limits, shelf));
    if (k > 0) runs.back()["difference"] = comparison.wait(k);
  }
  const json report = {{"meshes", shelf.meshes()}, {"runs", std::move(runs)}};
  std::string page = *pageHtml();
  fillIn(page, kNoncePlace, "report");
  fillIn(page, kDataPlace,
         "<script id=\"footfall-report\" type=\"application/json\">" + scriptSafe(jsonText(report)) + "</script>");
  fillIn(page, kHeadPlace, kPolicy);
  return page;
}

}  // namespace footfall::studio
