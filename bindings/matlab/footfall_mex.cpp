// One MEX function for MATLAB and Octave: footfall_mex(command, handle, arguments…). People use the classes of
// +footfall.

#include <mex.h>

#include <algorithm>
#include <exception>
#include <string>

#include "footfall/base/error.hpp"
#include "footfall/base/version.hpp"
#include "mex_call.hpp"

namespace footfall::matlab {

namespace {

std::string textOfTruth(const mxArray* value) {
  if (mxGetNumberOfElements(value) != 1) throw Error("value of a change", "expected one true or false");
  return mxIsLogicalScalarTrue(value) ? "true" : "false";
}

/// A number, or a row or column of them as YAML has it; a matrix has no key that takes it.
std::string textOfNumbers(const mxArray* value) {
  const auto count = static_cast<int>(mxGetNumberOfElements(value));
  if (count == 1) return exactText(toNumber(value, "value of a change"));
  std::string text;
  for (const double number : toVector(value, count, "value of a change"))
    text += (text.empty() ? "[" : ", ") + exactText(number);
  return text.empty() ? "[]" : text + "]";
}

std::string textOfChange(const mxArray* value) {
  if (value != nullptr && mxIsLogical(value)) return textOfTruth(value);
  if (value != nullptr && mxIsDouble(value)) return textOfNumbers(value);
  return toText(value, "value of a change");
}

}  // namespace

std::vector<SceneOverride> toOverrides(const mxArray* cell) {
  std::vector<SceneOverride> overrides;
  if (cell == nullptr || mxGetNumberOfElements(cell) == 0) return overrides;
  if (!mxIsCell(cell) || mxGetNumberOfElements(cell) % 2 != 0)
    throw Error("footfall", "changes of the scene come in pairs: 'physics.step', '0.5 ms'");
  const auto count = static_cast<mwIndex>(mxGetNumberOfElements(cell));
  for (mwIndex i = 0; i < count; i += 2) {
    const mxArray* value = mxGetCell(cell, i + 1);
    overrides.emplace_back(toText(mxGetCell(cell, i), "name of a change"), textOfChange(value));
  }
  return overrides;
}

namespace {

mxArray* versionText(const Call&) { return fromText(version()); }

Actions allActions() {
  Actions all = robotActions();
  all.merge(diagramActions());
  all.merge(logActions());
  all.emplace("version", versionText);
  return all;
}

mxArray* act(const std::string& command, const Call& call) {
  static const Actions actions = allActions();
  const auto action = actions.find(command);
  if (action == actions.end()) throw Error("footfall_mex", "there is no command '" + command + "'");
  return action->second(call);
}

}  // namespace
}  // namespace footfall::matlab

extern "C" __attribute__((visibility("default"))) void mexFunction(int outputs, mxArray* output[], int inputs,
                                                                   const mxArray* input[]) {
  // The error call of MATLAB does not come back: no object with a destructor may be alive when it is made.
  static char message[4096];
  bool good = false;
  {
    std::string problem;
    try {
      using namespace footfall::matlab;
      const std::string command = toText(inputs > 0 ? input[0] : nullptr, "command");
      mxArray* result = act(command, {inputs - 1, input + 1});
      if (outputs > 0 || result != nullptr) output[0] = result != nullptr ? result : mxCreateDoubleMatrix(0, 0, mxREAL);
      good = true;
    } catch (const std::exception& error) {
      problem = error.what();
    } catch (...) {
      problem = "something that is no std::exception was thrown";
    }
    problem.copy(message, sizeof message - 1);
    message[std::min(problem.size(), sizeof message - 1)] = '\0';
  }
  if (!good) mexErrMsgIdAndTxt("footfall:error", "%s", message);
}
