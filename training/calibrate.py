"""How large each channel gets that enters a projection, on a few dozen pairs of running text.

The large channels of a transformer are the same whatever it reads, so a small text is enough; it was written
for this purpose, so that the export needs no data set.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnx import TensorProto, helper

from training.graph import Array, Graph, Network, Weights, build, float_linear, float_lookup

PAIRS = (
    ("The ferry to Holm leaves at 7.40 and 16.15 except on Sundays.", "There are two ferries on a weekday."),
    ("A woman in a red coat is pushing a bicycle up a steep street.", "Somebody is riding a bicycle."),
    (
        "Revenue rose by 12.4% to $3,871 million in the third quarter, while operating costs fell slightly. "
        "The board expects margins between 8% and 9% for the year as a whole.",
        "Operating costs increased in the third quarter.",
    ),
    ("Two boys, one with a ball under his arm, wait at the gate.", "Nobody is at the gate."),
    (
        "Patients were given 20 mg daily (n = 148) or placebo (n = 151) for twelve weeks. Nausea was reported by 9 and "
        "7 patients respectively; no serious adverse event was attributed to the drug.",
        "More than half of the patients who took the drug reported nausea.",
    ),
    ('"I never said that," she replied. "He did, and you know it."', "She denied having said it."),
    (
        "The old town hall, built between 1611 and 1619 by Anders Vreeland, burned down in the winter of 1702. Its "
        "bell, which had been cast in Lubeck, was saved and now hangs in the church of St. Anne.",
        "The bell of the town hall hangs in a church. It was made in Lubeck.",
    ),
    ("Users may export their data at any time; see section 4.2(b).", "Users must export their data every month."),
    ("def area(r): return 3.14159 * r ** 2  # square metres", "The function returns an area in square metres."),
    ("Who wrote the score? It was composed by Ilse Marten and orchestrated by P. Devi.", "Who wrote the score? Devi"),
    ("Only a few of the 56 islands are inhabited all year round.", "All of the islands are inhabited all year."),
    (
        "Photosynthesis converts light into chemical energy. In the first stage, light is absorbed by chlorophyll and "
        "water is split, releasing oxygen; in the second, carbon dioxide is fixed into sugars. Most of the enzymes of "
        "the second stage work in the dark as well, although some are activated by light. Plants in dry regions often "
        "take up carbon dioxide at night and store it as malic acid until the morning.",
        "Some plants take up carbon dioxide during the night.",
    ),
    ("yeah uh-huh well i guess so we used to go there every summer you know", "They went there each summer."),
    ("It was neither the cheapest nor the fastest, but it did not break.", "It was unreliable."),
    ("東京 (Tokyo) and Zürich signed the accord; Kraków did not.", "Kraków has signed the accord."),
    ("Not one of the witnesses had seen the driver.", "A witness identified the driver."),
)


def channel_peaks(
    weights: Weights, network: Network, encoded: Sequence[Sequence[int]]
) -> dict[str, NDArray[np.float32]]:
    """Largest absolute value of each input channel of each projection.

    Args:
        weights: The state of the cross-encoder.
        network: Its sizes.
        encoded: Token ids of each pair to read.
    """
    taps: dict[str, str] = {}

    def tapped(graph: Graph, name: str, x: str, weight: Array, bias: Array) -> str:
        first = graph.constant("axes.0", np.array([0], np.int64))
        taps[name] = graph.add("ReduceMax", graph.add("Abs", x), first, keepdims=0)
        return float_linear(graph, name, x, weight, bias)

    model = build(weights, network, linear=lambda _: tapped, lookup=float_lookup)
    model.graph.output.extend(helper.make_tensor_value_info(tap, TensorProto.FLOAT, None) for tap in taps.values())
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    peaks: list[NDArray[np.float32]] = []
    for ids in encoded:
        inputs = {"input_ids": np.array([ids], np.int64), "attention_mask": np.ones((1, len(ids)), np.int64)}
        found = session.run(list(taps.values()), inputs)
        peaks = [np.maximum(a, b) for a, b in zip(peaks, found, strict=True)] if peaks else found
    return dict(zip(taps, peaks, strict=True))
