"""Checkpoints again from models that were exported: ``python -m vision.training.restore --models DIR --cache DIR``.

A training can so go on from the models that ship. In an exported graph each batch norm is folded into its convolution;
here it is unfolded by the statistics of training crops and patches, so that the network says the same as before and
trains as one that never was exported.
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from vision.training import detector_data, export, reader_data
from vision.training.loop import Run
from vision.training.models import DetectorNet, ReaderNet
from vision.training.store import SceneStore


def folded(path: Path) -> tuple[list[tuple[Tensor, Tensor]], dict[str, Tensor]]:
    """An exported graph's weights: (weight, bias) of the convolutions with a batch norm folded into them, in the order
    in which they run, and by name those of the layers that have none."""
    graph = onnx.load(path).graph
    values = {each.name: torch.from_numpy(numpy_helper.to_array(each).copy()) for each in graph.initializer}
    convolutions = [node.input for node in graph.node if node.op_type == "Conv"]
    own = {name.removeprefix("net."): value for name, value in values.items() if name.startswith("net.")}
    return [(values[each[1]], values[each[2]]) for each in convolutions if not each[1].startswith("net.")], own


def normed(net: nn.Module, pictures: Tensor) -> list[tuple[nn.Conv2d, nn.BatchNorm2d]]:
    """Every convolution with the batch norm behind it, in the order in which they run on *pictures*."""
    order: list[nn.Module] = []

    def note(module: nn.Module, _: object, __: object) -> None:
        order.append(module)

    hooks = [m.register_forward_hook(note) for m in net.modules() if isinstance(m, nn.Conv2d | nn.BatchNorm2d)]
    with torch.no_grad():
        net(pictures)
    for hook in hooks:
        hook.remove()
    return [(a, b) for a, b in pairwise(order) if isinstance(a, nn.Conv2d) and isinstance(b, nn.BatchNorm2d)]


def unfold(net: nn.Module, path: Path, pictures: Tensor) -> None:
    """Give *net* the weights in *path*; its batch norms get the statistics that *pictures* (n, 3, h, w) cause."""
    net.eval()
    weights, own = folded(path)
    net.load_state_dict(own, strict=False)
    seen: dict[nn.BatchNorm2d, tuple[Tensor, Tensor]] = {}

    def measure(norm: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        assert isinstance(norm, nn.BatchNorm2d)
        seen[norm] = inputs[0].mean((0, 2, 3)), inputs[0].var((0, 2, 3), unbiased=False)

    hooks = []
    for (convolution, norm), (weight, bias) in zip(normed(net, pictures[:1]), weights, strict=True):
        convolution.weight.data = weight
        norm.bias.data = bias.clone()
        norm.weight.data.fill_(1.0)
        norm.running_mean, norm.running_var = torch.zeros_like(bias), torch.full_like(bias, 1.0 - norm.eps)
        hooks.append(norm.register_forward_pre_hook(measure))
    with torch.no_grad():
        net(pictures)
    for hook in hooks:
        hook.remove()
    for norm, (mean, variance) in seen.items():
        norm.running_mean, norm.running_var = mean, variance
        norm.weight.data = torch.sqrt(variance + norm.eps)
        norm.bias.data = norm.bias.data + mean


def furthest(path: Path, net: DetectorNet | ReaderNet, pictures: np.ndarray) -> float:
    """The largest difference between what the exported model and *net* say of uint8 *pictures* (n, h, w, 3); outputs
    that a newer network has besides are left out."""
    session = onnxruntime.InferenceSession(str(path))
    graph = export.DetectorGraph(net) if isinstance(net, DetectorNet) else export.ReaderGraph(net)
    with torch.no_grad():
        mine = graph.eval()(torch.from_numpy(pictures))
    theirs = session.run(None, {session.get_inputs()[0].name: pictures})
    ours = mine if isinstance(mine, tuple) else (mine,)
    return max(float(np.abs(a - b.numpy()).max()) for a, b in zip(theirs, ours, strict=False))


def main() -> None:
    """Write ``detector.pt`` and ``reader.pt`` from which the trainings go on, counting their samples from nought."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--scenes", type=Path, nargs="+", required=True)
    parser.add_argument("--cache", type=Path, required=True)
    args = parser.parse_args()
    if any(args.cache.glob("*.pt")):
        parser.error(f"{args.cache} holds checkpoints already: name another folder")
    store, rng = SceneStore(args.scenes), np.random.default_rng(4)
    crops = detector_data.batch(rng, store, 24)[0]
    patches = reader_data.PatchPool(rng, store, 1500).patches.transpose(0, 3, 1, 2)
    for kind, net, pictures in (("detector", DetectorNet(), crops), ("reader", ReaderNet(), patches)):
        path = args.models / f"{kind}.onnx"
        unfold(net, path, torch.from_numpy(np.ascontiguousarray(pictures)).float())
        few = np.ascontiguousarray(pictures[: 1 if kind == "detector" else 64].transpose(0, 2, 3, 1))
        print(f"{kind}: says the same to {furthest(path, net, few):.1g}", flush=True)
        Run(net, args.cache, kind, 1, 0.0, 0).save()


if __name__ == "__main__":
    main()
