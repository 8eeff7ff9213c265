#pragma once

namespace footfall::drawing {

// Sizes that layout and drawing share [px].
inline constexpr double kNameSize = 12.0;  ///< font of a block's name
inline constexpr double kSmallSize = 9.5;  ///< font of kinds, ports and labels
inline constexpr double kHeader = 36.0;    ///< height of a block's header
inline constexpr double kRow = 18.0;       ///< height of a port
inline constexpr double kFrameHeader = 26.0;
inline constexpr double kFramePad = 12.0;
inline constexpr double kMargin = 24.0;  ///< around everything
inline constexpr double kTitleSize = 16.0;

}  // namespace footfall::drawing
