"""How the two networks are run: one thread of the processor, and not a word to anybody."""

from __future__ import annotations

from pathlib import Path

import onnxruntime

# Some builds of the runtime tell its maker what is run where; a table tells nobody.
getattr(onnxruntime, "disable_telemetry_events", lambda: None)()


def opened(path: Path, threads: int = 1, sizes_vary: bool = False) -> onnxruntime.InferenceSession:
    """The network in the ONNX file *path*; with *sizes_vary* it keeps no memory for the largest input it ever had."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.log_severity_level = 3
    options.enable_cpu_mem_arena = not sizes_vary
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
