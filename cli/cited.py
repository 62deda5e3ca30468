"""A ruleset's source in the reader's language: ``000 art. 4 to 7`` is 文件 000 第 4 至 7 条."""

from __future__ import annotations

import re
from typing import Final

_NUMBERS: Final = r"((?:\d+(?:\.\d+)?)(?:(?:, | to )\d+(?:\.\d+)?)*)"
_CHINESE: Final = (
    (r"\b2017 competition rules\b", "2017 年竞赛规则"),
    (r" with the tribute clause of the 2022 trial rules", "，进贡依 2022 年试行规则"),
    (rf"\bart\. {_NUMBERS}", r"第 \1 条"),
    (rf",? \bparts? {_NUMBERS}", r" 第 \1 部分"),
    (rf",? \bsections? {_NUMBERS}", r" \1 节"),
    (rf",? \bannex {_NUMBERS}", r" 附件 \1"),
    (rf"\bsettled cases? {_NUMBERS}", r"判例 \1"),
    (r"\btexts? ([A-F](?:, [A-F])*)", r"文本 \1"),
    (r"\bthe audit\b", "审核"),
    (r"\bthe profiles\b", "两种模式"),
    (r"(?<![\d.])(0\d\d)(?!\d)", r"文件 \1"),
    (r"(?<=\d) to (?=\d)", " 至 "),
    (r"; ", "；"),
    (r", ", "、"),
)


def cited(source: str, language: str) -> str:
    """*source* as a reader of ``zh`` or ``en`` is told it; what a club wrote in its own words stays as it is."""
    if language != "zh":
        return source
    for pattern, chinese in _CHINESE:
        source = re.sub(pattern, chinese, source)
    return source
