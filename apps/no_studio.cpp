// The verbs of the studio in a build without it.
#include "missing_part.hpp"
#include "view.hpp"

namespace footfall::command {

int view(ViewOptions) { missingStudio(); }  // NOLINT(performance-unnecessary-value-param): the other one moves from it
int report(const ReportOptions&) { missingStudio(); }

}  // namespace footfall::command
