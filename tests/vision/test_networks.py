"""How the networks are run: on one thread, and without a word to the runtime's maker."""

from __future__ import annotations

import importlib

import onnxruntime
import pytest

from vision import networks
from vision.detector import MODELS


@pytest.mark.parametrize("sizes_vary", [False, True])
def test_a_network_has_one_thread_and_keeps_memory_only_for_sizes_that_stay(sizes_vary: bool) -> None:
    options = networks.opened(MODELS / "detector.onnx", sizes_vary=sizes_vary).get_session_options()
    assert options.intra_op_num_threads == options.inter_op_num_threads == 1
    assert options.enable_cpu_mem_arena is not sizes_vary


def test_the_runtime_is_told_to_tell_nobody_where_it_would(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[bool] = []
    monkeypatch.setattr(onnxruntime, "disable_telemetry_events", lambda: told.append(True), raising=False)
    importlib.reload(networks)
    assert told == [True]
    monkeypatch.delattr(onnxruntime, "disable_telemetry_events")
    importlib.reload(networks)  # a build without it needs no telling
    assert told == [True]
