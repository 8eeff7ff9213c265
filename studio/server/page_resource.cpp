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

extern const char page_begin[] asm("footfall_studio_page_begin");
extern const char page_end[] asm("footfall_studio_page_end");

namespace footfall::studio {

std::shared_ptr<const std::string> pageHtml() {
  static const auto page = std::make_shared<const std::string>(page_begin, page_end);
  return page;
}

}  // namespace footfall::studio
