"""The two networks, as torch modules: what is trained here and run by onnxruntime in the product.

Dense 3x3 convolutions where the map is small, depthwise separable ones where it is large: with bf16 on a desktop
processor that trains fastest, and at inference the large maps are what costs.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from vision.reader import PATCH_HEIGHT, PATCH_WIDTH

RANK_CLASSES, SUIT_CLASSES, POSE = 15, 6, 4


def conv(
    inputs: int, outputs: int, stride: int = 1, kernel: int = 3, groups: int = 1, act: bool = True
) -> nn.Sequential:
    """Convolution, batch norm and (with *act*) ReLU."""
    layers: list[nn.Module] = [
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outputs),
    ]
    return nn.Sequential(*layers, nn.ReLU(inplace=True)) if act else nn.Sequential(*layers)


class Dense(nn.Module):
    """x + one dense 3x3."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.body = conv(width, width, act=False)

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(x + self.body(x))


class Separable(nn.Module):
    """Depthwise *kernel* then pointwise; with a shortcut where the widths agree."""

    def __init__(self, inputs: int, outputs: int, kernel: int = 3) -> None:
        super().__init__()
        self.shortcut = inputs == outputs
        each = conv(inputs, inputs, 1, kernel, groups=inputs, act=False)
        self.body = nn.Sequential(each, conv(inputs, outputs, 1, 1, act=False))

    def forward(self, x: Tensor) -> Tensor:
        y = self.body(x)
        return F.relu(x + y if self.shortcut else y)


class DetectorNet(nn.Module):
    """Corner indices in an image: (N, 3, H, W) in 0..255 BGR, sides multiples of 16, to (N, 6, H/4, W/4).

    Channels: heat logit, offset x and y from the cell's centre in cells, direction (dx, dy) of the index's up (not
    normalised), log of the index's height over 28 px.
    """

    def __init__(self, widths: tuple[int, int, int, int] = (16, 32, 48, 64)) -> None:
        super().__init__()
        a, b, c, d = widths
        self.stem = nn.Sequential(conv(3, a, 2), conv(a, b, 2), Separable(b, b))
        self.eighth = nn.Sequential(conv(b, c, 2), Dense(c), Dense(c))
        self.sixteenth = nn.Sequential(conv(c, d, 2), Dense(d), Dense(d), Dense(d))
        self.lateral16, self.lateral8 = conv(d, c, 1, 1, act=False), conv(c, c, 1, 1, act=False)
        self.merge8 = nn.Sequential(Separable(c, c), conv(c, b, 1, 1, act=False))
        self.lateral4 = conv(b, b, 1, 1, act=False)
        self.merge4 = nn.Sequential(Separable(b, b), Separable(b, b))
        self.heat = nn.Conv2d(b, 1, 1)
        self.shape = nn.Sequential(Separable(b, b), nn.Conv2d(b, 5, 1))
        nn.init.constant_(self.heat.bias, -4.6)

    def forward(self, image: Tensor) -> Tensor:
        x = (image - 127.5) * (1 / 64)
        quarter = self.stem(x)
        eighth = self.eighth(quarter)
        sixteenth = self.sixteenth(eighth)
        up = F.interpolate(self.lateral16(sixteenth), scale_factor=2.0, mode="nearest")
        eighth = self.merge8(F.relu(self.lateral8(eighth) + up))
        up = F.interpolate(eighth, scale_factor=2.0, mode="nearest")
        quarter = self.merge4(F.relu(self.lateral4(quarter) + up))
        return torch.cat([self.heat(quarter), self.shape(quarter)], 1)


class ReaderNet(nn.Module):
    """Rank, suit and pose of upright patches: (N, 3, 56, 40) in 0..255 BGR to rank logits (N, 15), suit logits (N, 6)
    and how the patch lies off its index (N, 4).

    Ranks: 2 … A, joker, reject. Suits: S H C D, black joker, red joker. Pose: as in ``reader_data.residual``. Each
    patch is normalised by its own mean per channel and one deviation, so that a colour cast or a dim corner of the
    table costs nothing.
    """

    def __init__(self, widths: tuple[int, int, int, int] = (16, 32, 64, 96)) -> None:
        super().__init__()
        a, b, c, d = widths
        self.body = nn.Sequential(conv(3, a), conv(a, b, 2), Dense(b), conv(b, c, 2), Dense(c), conv(c, d, 2), Dense(d))
        cells = (PATCH_HEIGHT // 8) * (PATCH_WIDTH // 8)
        self.squeeze = nn.Sequential(conv(d, 32, 1, 1), nn.Flatten(), nn.Dropout(0.1))
        self.rank = nn.Sequential(nn.Linear(cells * 32, 96), nn.ReLU(inplace=True), nn.Linear(96, RANK_CLASSES))
        self.suit = nn.Sequential(nn.Linear(cells * 32, 48), nn.ReLU(inplace=True), nn.Linear(48, SUIT_CLASSES))
        self.pose = nn.Sequential(nn.Linear(cells * 32, 48), nn.ReLU(inplace=True), nn.Linear(48, POSE))

    def features(self, patch: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """What rank (n, 96), suit (n, 48) and pose (n, 48) are told by: the layer before the answers."""
        centred = patch - patch.mean((2, 3), keepdim=True)
        deviation = (centred * centred).mean((1, 2, 3), keepdim=True).sqrt()
        x = self.squeeze(self.body(centred / (deviation + 4.0)))
        return self.rank[:2](x), self.suit[:2](x), self.pose[:2](x)

    def forward(self, patch: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        rank, suit, pose = self.features(patch)
        return self.rank[2](rank), self.suit[2](suit), self.pose[2](pose)


def count(net: nn.Module) -> int:
    """Trainable numbers of *net*."""
    return sum(p.numel() for p in net.parameters())
