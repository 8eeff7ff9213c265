#pragma once

// Everything that is needed to write blocks, in this project or in a plug-in of your own.

#include "footfall/base/error.hpp"
#include "footfall/base/plugin_identity.hpp"
#include "footfall/block/block.hpp"
#include "footfall/block/diagram.hpp"
#include "footfall/block/named_file.hpp"
#include "footfall/block/parameters.hpp"
#include "footfall/block/registry.hpp"
#include "footfall/block/signal.hpp"
