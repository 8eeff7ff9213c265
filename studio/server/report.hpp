#pragma once

#include <memory>
#include <string>
#include <vector>

#include "studio/server/session.hpp"

namespace footfall::studio {

struct ReportLimits {
  std::size_t row_bytes = std::size_t{24} << 20;  ///< of the rows of each run; more rows are thinned out
};

/// One html file that shows some runs anywhere: the page, the robots with their meshes, and the rows.
std::string reportHtml(const std::vector<std::unique_ptr<Session>>& sessions, const ReportLimits& limits = {});

}  // namespace footfall::studio
