// The page lies in the program as it is: the build puts the path of the bundle here.

#include "studio/server/studio.hpp"

asm(R"(
  .section .rodata
  .balign 16
footfall_studio_page_begin:
  .incbin ")" FOOTFALL_STUDIO_PAGE R"("
footfall_studio_page_end:
  .previous
)");

// Hidden, so that their addresses are computed and not looked up in a table: on 64-bit ARM the linker's table has one
// entry for all local names of a section, and the page would be empty.
extern const char page_begin[] asm("footfall_studio_page_begin") __attribute__((visibility("hidden")));
extern const char page_end[] asm("footfall_studio_page_end") __attribute__((visibility("hidden")));

namespace footfall::studio {

std::shared_ptr<const std::string> pageHtml() {
  static const auto page = std::make_shared<const std::string>(page_begin, page_end);
  return page;
}

}  // namespace footfall::studio
