#pragma once

#include <memory>
#include <string>

#include "footfall/block/block.hpp"

namespace footfall {

/// What a plug-in threw while it made a block: at the line of the block, with its name.
Error blockFault(const Parameters& parameters, const std::string& from, const std::string& problem);

/// A block of a plug-in: what it throws becomes an Error that says which plug-in it came from, and where the block
/// stands.
/// @param from the file of the plug-in
std::unique_ptr<Block> watchBlock(std::unique_ptr<Block> made, const Parameters& parameters, const std::string& from);

}  // namespace footfall
