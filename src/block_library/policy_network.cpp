#include "block_library/policy_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "footfall/base/error.hpp"
#include "footfall/base/suggest.hpp"
#include "footfall/base/text_number.hpp"

namespace footfall {
namespace {

constexpr int kMostNeurons = 1 << 16;  ///< of a layer
constexpr std::size_t kMostLayers = 64;

double activated(double x, PolicyNetwork::Activation activation) {
  switch (activation) {
    case PolicyNetwork::Activation::none:
      return x;
    case PolicyNetwork::Activation::tanh:
      return std::tanh(x);
    case PolicyNetwork::Activation::relu:
      return std::max(x, 0.0);
    case PolicyNetwork::Activation::elu:
      return x > 0.0 ? x : std::expm1(x);
  }
  return x;
}

/// Lines of a key and what belongs to it.
class PolicyReader {
 public:
  PolicyReader(const std::string& content, const std::string& where) : rest_(content), where_(where) {}

  PolicyNetwork read() {
    expectFirstLine();
    PolicyNetwork network;
    const int inputs = count(line("inputs"), 1);
    network.mean = row(line("mean"), inputs);
    network.scale = row(line("scale"), inputs);
    network.input_limit = limit(line("input_limit"));
    for (int width = inputs; true; width = network.outputs()) {
      const Words words = next();
      if (words.empty() || words[0] != "layer") {
        if (network.layers.empty()) throw error("there is no layer", "layer 64 tanh, and rows of weights after it");
        expectKey(words, "output_limit");
        network.output_limit = limit(words);
        break;
      }
      if (network.layers.size() == kMostLayers) throw error(fmt::format("there are more than {} layers", kMostLayers));
      network.layers.push_back(layer(words, width));
    }
    if (const Words words = next(); !words.empty()) throw error(fmt::format("'{}' comes after the end", words[0]));
    return network;
  }

 private:
  using Words = std::vector<std::string_view>;

  /// The words of the next line that has some; none at the end. Lines that begin with # are comments.
  Words next() {
    while (!rest_.empty()) {
      const std::size_t end = rest_.find('\n');
      const std::string_view text = rest_.substr(0, end);
      rest_ = end == rest_.npos ? std::string_view() : rest_.substr(end + 1);
      ++line_;
      Words words = splitWords(text);
      if (!words.empty() && words[0][0] != '#') return words;
    }
    ++line_;
    return {};
  }

  Error error(const std::string& what, const std::string& hint = {}) const {
    return Error(fmt::format("{}:{}", where_, line_), what, hint);
  }

  void expectFirstLine() {
    if (next() != Words{"footfall_policy", "1"})
      throw error("this is no policy file: its first line is not 'footfall_policy 1'",
                  "footfall.rl.Policy.save() writes one; docs/learning.md describes it");
  }

  void expectKey(const Words& words, std::string_view key) const {
    if (words.empty()) throw error(fmt::format("the file ends where '{}' is expected", key));
    if (words[0] != key) throw error(fmt::format("the line begins with '{}', expected '{}'", words[0], key));
  }

  Words line(std::string_view key) {
    Words words = next();
    expectKey(words, key);
    return words;
  }

  double number(std::string_view word) const {
    const std::optional<double> value = parseNumber(word);
    if (!value || !std::isfinite(*value)) throw error(fmt::format("'{}' is not a finite number", word));
    return *value;
  }

  int count(const Words& words, std::size_t at) const {
    const double value = words.size() > at ? number(words[at]) : 0.0;
    if (!(value >= 1.0 && value <= kMostNeurons) || value != std::floor(value))
      throw error(fmt::format("'{}' has no whole number from 1 to {}", words[0], kMostNeurons));
    return static_cast<int>(value);
  }

  double limit(const Words& words) const {
    const double value = words.size() == 2 ? number(words[1]) : 0.0;
    if (!(value > 0.0)) throw error(fmt::format("'{}' has no number above zero", words[0]));
    return value;
  }

  /// The numbers after the key: as many as expected, before any memory is taken for them.
  VectorXd row(const Words& words, int size) const {
    if (static_cast<int>(words.size()) != size + 1)
      throw error(fmt::format("'{}' has {} numbers, expected {}", words[0], words.size() - 1, size));
    VectorXd values(size);
    for (int i = 0; i < size; ++i) values[i] = number(words[i + 1]);
    return values;
  }

  PolicyNetwork::Activation activation(std::string_view name) const {
    static const std::vector<std::string> names = {"none", "tanh", "relu", "elu"};
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw error(fmt::format("there is no activation '{}'", name), suggestOrList(name, names));
    return static_cast<PolicyNetwork::Activation>(found - names.begin());
  }

  /// Rows are read one by one: memory grows with what is really there.
  PolicyNetwork::Layer layer(const Words& words, int width) {
    if (words.size() != 3) throw error("a layer has not two words", "layer 64 tanh");
    PolicyNetwork::Layer layer;
    const int outputs = count(words, 1);
    layer.activation = activation(words[2]);
    layer.bias = row(line("bias"), outputs);
    std::vector<VectorXd> rows;
    for (int i = 0; i < outputs; ++i) rows.push_back(row(line("weights"), width));
    layer.weights.resize(outputs, width);
    for (int i = 0; i < outputs; ++i) layer.weights.row(i) = rows[i].transpose();
    return layer;
  }

  std::string_view rest_;
  const std::string& where_;
  int line_ = 0;
};

}  // namespace

std::vector<VectorXd> PolicyNetwork::makeScratch() const {
  std::vector<VectorXd> values{VectorXd::Zero(inputs())};
  for (const Layer& layer : layers) values.push_back(VectorXd::Zero(layer.bias.size()));
  return values;
}

void PolicyNetwork::evaluate(const Eigen::Ref<const VectorXd>& in, std::vector<VectorXd>& values) const {
  values[0] = (in - mean).cwiseProduct(scale).cwiseMax(-input_limit).cwiseMin(input_limit);
  for (std::size_t k = 0; k < layers.size(); ++k) {
    const Layer& layer = layers[k];
    values[k + 1] = layer.bias;
    values[k + 1].noalias() += layer.weights * values[k];
    for (double& x : values[k + 1]) x = activated(x, layer.activation);
  }
  values.back() = values.back().cwiseMax(-output_limit).cwiseMin(output_limit);
}

PolicyNetwork parsePolicy(const std::string& content, const std::string& where) {
  return PolicyReader(content, where).read();
}

}  // namespace footfall
