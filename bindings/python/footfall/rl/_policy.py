"""Learned policies as plain files: the block `Policy` of diagrams reads them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np
import numpy.typing as npt

import footfall

Floats = npt.NDArray[np.float64]
_ACTIVATIONS = ("none", "tanh", "relu", "elu")


@dataclass
class Layer:
    """x → f(W x + b)."""

    weights: Floats  # (outputs, inputs)
    bias: Floats
    activation: str  # none, tanh, relu or elu


@dataclass
class Policy:
    """A network of full layers: actions from observations, with the normalisation that it was learned with.

        policy = Policy.load("walk.policy")
        actions = policy(observations)              # rows
    """

    mean: Floats
    scale: Floats  # 1 / deviation
    layers: list[Layer]
    input_limit: float = 10.0  # of normalised observations
    output_limit: float = 1.0
    about: str = ""

    def __post_init__(self) -> None:
        width = len(self.mean)
        if len(self.scale) != width or not self.layers:
            raise ValueError("a policy needs as many scales as means, and a layer")
        for number, layer in enumerate(self.layers):
            if layer.weights.shape != (len(layer.bias), width):
                raise ValueError(f"the weights of layer {number} have the shape {layer.weights.shape}, expected ({len(layer.bias)}, {width})")
            if layer.activation not in _ACTIVATIONS:
                raise ValueError(f"there is no activation {layer.activation!r}, expected one of {', '.join(_ACTIVATIONS)}")
            width = len(layer.bias)

    @classmethod
    def of(cls, weights: Iterable[tuple[npt.ArrayLike, npt.ArrayLike]], *, activation: str = "elu", mean: npt.ArrayLike | None = None,
           deviation: npt.ArrayLike | None = None, about: str = "") -> Policy:
        """From (W, b) of each layer, first to last; the last one has no activation."""
        pairs = [(np.asarray(w, dtype=np.float64), np.asarray(b, dtype=np.float64)) for w, b in weights]
        layers = [Layer(w, b, "none" if k + 1 == len(pairs) else activation) for k, (w, b) in enumerate(pairs)]
        inputs = pairs[0][0].shape[1]
        centre = np.zeros(inputs) if mean is None else np.asarray(mean, dtype=np.float64)
        scale = np.ones(inputs) if deviation is None else 1.0 / np.asarray(deviation, dtype=np.float64)
        return cls(centre, scale, layers, about=about)

    def __call__(self, observations: npt.ArrayLike) -> Floats:
        seen = np.asarray(observations, dtype=np.float64)
        if seen.ndim == 0 or seen.shape[-1] != len(self.mean):
            raise ValueError(f"the observations have the shape {seen.shape}, expected {len(self.mean)} numbers in each row")
        x = np.clip((seen - self.mean) * self.scale, -self.input_limit, self.input_limit)
        for layer in self.layers:
            x = x @ layer.weights.T + layer.bias
            if layer.activation == "tanh":
                x = np.tanh(x)
            elif layer.activation == "relu":
                x = np.maximum(x, 0.0)
            elif layer.activation == "elu":
                x = np.where(x > 0.0, x, np.expm1(np.minimum(x, 0.0)))
        return np.clip(x, -self.output_limit, self.output_limit)

    def save(self, path: str | PathLike[str]) -> None:
        def line(key: str, numbers: Floats) -> str:
            return " ".join([key, *(format(number, ".9g") for number in numbers)])

        lines = ["footfall_policy 1", *(f"# {text}" for text in self.about.splitlines()), f"inputs {len(self.mean)}",
                 line("mean", self.mean), line("scale", self.scale), f"input_limit {self.input_limit!r}"]
        for layer in self.layers:
            lines += [f"layer {len(layer.bias)} {layer.activation}", line("bias", layer.bias)]
            lines += [line("weights", row) for row in layer.weights]
        lines.append(f"output_limit {self.output_limit!r}")
        Path(path).write_text("\n".join(lines) + "\n")

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Policy:
        """Reads what save() wrote. What the block `Policy` refuses is refused here, with the same words."""
        footfall.DiagramBuilder().add("policy", "Policy", file=str(path))
        rows = [line.split() for line in Path(path).read_text().splitlines() if line.strip() and not line.lstrip().startswith("#")]
        values: dict[str, Floats] = {}
        layers: list[tuple[str, Floats, list[Floats]]] = []
        for key, *rest in rows[1:]:
            if key == "layer":
                layers.append((rest[1], np.empty(0), []))
            elif key == "bias":
                layers[-1] = (layers[-1][0], np.array(rest, dtype=np.float64), layers[-1][2])
            elif key == "weights":
                layers[-1][2].append(np.array(rest, dtype=np.float64))
            else:
                values[key] = np.array(rest, dtype=np.float64)
        made = [Layer(np.array(weights), bias, activation) for activation, bias, weights in layers]
        return cls(values["mean"], values["scale"], made, float(values["input_limit"][0]), float(values["output_limit"][0]))
