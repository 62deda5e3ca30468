"""What both trainings share: averaged weights, schedule, checkpoints that survive a kill, a log line now and then."""

from __future__ import annotations

import copy
import json
import math
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn


class Average:
    """An exponential average of a network's weights and statistics: what is exported."""

    def __init__(self, net: nn.Module, keep: float = 0.999) -> None:
        self.net = copy.deepcopy(net).eval().requires_grad_(False)
        self.keep, self.seen = keep, 0

    @torch.no_grad()
    def update(self, net: nn.Module) -> None:
        """Take in *net*; early on the average follows faster."""
        self.seen += 1
        keep = min(self.keep, (1 + self.seen) / (20 + self.seen))
        for mine, other in zip(self.net.state_dict().values(), net.state_dict().values(), strict=True):
            if mine.dtype.is_floating_point:
                mine.lerp_(other, 1 - keep)
            else:
                mine.copy_(other)


class Run:
    """One training run: *total* samples, a cosine from *peak* to a hundredth of it, a checkpoint every minute."""

    def __init__(self, net: nn.Module, folder: Path, name: str, total: int, peak: float, seed: int) -> None:
        self.net = net.to(memory_format=torch.channels_last)
        self.folder, self.name, self.total, self.peak, self.seed = folder, name, total, peak, seed
        plain = [p for p in net.parameters() if p.ndim < 2]
        heavy = [p for p in net.parameters() if p.ndim >= 2]
        groups: list[dict[str, Any]] = [{"params": heavy, "weight_decay": 0.02}, {"params": plain, "weight_decay": 0.0}]
        self.optimizer = torch.optim.AdamW(groups, lr=peak)
        self.average = Average(net)
        self.samples, self.spent, self.steps = 0, 0.0, 0
        self._losses: dict[str, float] = {}
        self._began = self._saved = self._told = time.monotonic()
        folder.mkdir(parents=True, exist_ok=True)
        if self.path.exists():
            self._load()
        self.rng = np.random.default_rng([seed, self.samples])

    @property
    def path(self) -> Path:
        return self.folder / f"{self.name}.pt"

    def _load(self) -> None:
        state = torch.load(self.path, weights_only=True)
        self.net.load_state_dict(state["net"])
        self.average.net.load_state_dict(state["average"])
        self.average.seen = state["averaged"]
        self.optimizer.load_state_dict(state["optimizer"])
        self.samples, self.spent, self.steps = state["samples"], state["spent"], state["steps"]
        print(f"{self.name}: resumed at {self.samples} samples", flush=True)

    def save(self) -> None:
        """Write the checkpoint; the one before stays whole until this one is."""
        state = {
            "net": self.net.state_dict(), "average": self.average.net.state_dict(), "averaged": self.average.seen,
            "optimizer": self.optimizer.state_dict(), "samples": self.samples, "steps": self.steps,
            "spent": self.spent + time.monotonic() - self._began,
        }  # fmt: skip
        part = self.path.with_suffix(".part")
        torch.save(state, part)
        part.rename(self.path)
        self._saved = time.monotonic()

    @property
    def done(self) -> bool:
        return self.samples >= self.total

    def step(self, loss: Tensor, samples: int, **shown: Tensor) -> None:
        """One optimiser step on *loss*; logs *shown* averaged, saves each minute."""
        progress = min(self.samples / self.total, 1.0)
        rate = self.peak * min((self.steps + 1) / 200, 1.0) * (0.01 + 0.99 * (1 + math.cos(math.pi * progress)) / 2)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimizer.step()
        self.average.update(self.net)
        self.samples += samples
        self.steps += 1
        for key, value in {"loss": loss.detach(), **{k: v.detach() for k, v in shown.items()}}.items():
            before = self._losses.get(key, float(value))
            self._losses[key] = 0.98 * before + 0.02 * float(value)
        now = time.monotonic()
        if now - self._told > 20:
            each = {key: round(value, 4) for key, value in self._losses.items()}
            speed = samples * (self.steps - getattr(self, "_told_steps", self.steps - 1)) / (now - self._told)
            state = {"t": time.strftime("%H:%M:%S"), "samples": self.samples, "per_s": round(speed, 1)}
            print(json.dumps({**state, "lr": round(rate, 6), **each}), flush=True)
            self._told, self._told_steps = now, self.steps
        if now - self._saved > 60 or self.done:
            self.save()
