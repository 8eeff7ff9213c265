#pragma once

#include <string>
#include <vector>

#include "footfall/spatial/pose.hpp"

namespace footfall {

/// A small network of full layers, as learned policies are: out = clip(f(… f(W x + b))), x = clip((in − mean) · scale).
struct PolicyNetwork {
  enum class Activation { none, tanh, relu, elu };
  struct Layer {
    MatrixXd weights;  ///< (outputs × inputs)
    VectorXd bias;
    Activation activation = Activation::none;
  };

  VectorXd mean, scale;       ///< of the inputs
  double input_limit = 0.0;   ///< of x, after mean and scale
  double output_limit = 0.0;  ///< of the outputs
  std::vector<Layer> layers;  ///< one or more

  int inputs() const { return static_cast<int>(mean.size()); }
  int outputs() const { return static_cast<int>(layers.back().bias.size()); }

  /// What lies between the layers: a vector for the inputs, and one for each layer.
  std::vector<VectorXd> makeScratch() const;
  /// The last vector of `values` is the result; the scratch of makeScratch(), its first one is overwritten.
  void evaluate(const Eigen::Ref<const VectorXd>& in, std::vector<VectorXd>& values) const;
};

/// Reads a policy file; docs/learning.md describes it. Throws Error with the line. @param where the name of the file
PolicyNetwork parsePolicy(const std::string& content, const std::string& where);

}  // namespace footfall
