#pragma once

#include <string>
#include <vector>

namespace footfall::fuzz {

// Files that are read without an Error: our own models and scenes, and small ones of the kinds that we have none of.

std::vector<std::string> urdfSeeds();
std::vector<std::string> sdfSeeds();
std::vector<std::string> sceneSeeds();
std::vector<std::string> diagramSeeds();
std::vector<std::string> meshSeeds();
std::vector<std::string> logSeeds();
std::vector<std::string> stateSeeds();
std::vector<std::string> fmuSeeds();
std::vector<std::string> heightsSeeds();
std::vector<std::string> formulaSeeds();
std::vector<std::string> policySeeds();

/// The robot that the states of stateSeeds() belong to.
std::string seedRobot();

}  // namespace footfall::fuzz
