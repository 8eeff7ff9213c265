#include "footfall/contact/contact_model.hpp"

#include <fmt/format.h>

#include "contact/compliant.hpp"
#include "contact/gauss.hpp"
#include "contact/rigid.hpp"
#include "contact/watched_model.hpp"
#include "footfall/base/error.hpp"
#include "footfall/base/plugin.hpp"

namespace footfall {

std::unique_ptr<ContactModel> makeContactModel(const ContactSettings& settings) {
  if (settings.model == "rigid") return std::make_unique<RigidContact>(settings);
  if (settings.model == "gauss") return std::make_unique<GaussContact>(settings);
  if (settings.model == "compliant") return std::make_unique<CompliantContact>(settings);
  if (hasPlugin("contact", settings.model))
    return watchModel(makeFromPlugin<ContactModel>("contact", settings.model, "footfall_make_contact_model", settings),
                      settings.model);
  throw Error("physics.contact", fmt::format("there is no contact model '{}'", settings.model),
              "choose rigid, gauss or compliant, or a plug-in: `footfall doctor` lists them");
}

}  // namespace footfall
