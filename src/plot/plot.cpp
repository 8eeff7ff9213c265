#include "footfall/plot/plot.hpp"

#include "footfall/base/plugin.hpp"

namespace footfall {

void drawPlot(const Plot& plot, const std::string& path) {
  using Draw = void (*)(const Plot&, const std::string&);
  reinterpret_cast<Draw>(pluginSymbol("plot", "cairo", "footfall_draw_plot"))(plot, path);
}

}  // namespace footfall
