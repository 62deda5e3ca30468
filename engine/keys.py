"""The keys of a ruleset: their section, type and meaning in both languages. One line a rule, one place for all."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Final

from engine.cards import RANKS

OFFENCES: Final = (
    "out_of_turn", "not_a_combination", "does_not_beat", "third_copy", "too_many_cards", "count_mismatch",
    "exposed_card", "report_missed", "turn_time", "tribute_overdue", "tribute_violated", "return_violated",
    "resist_violated", "looked_back", "camera_covered", "call", "match_limit", "laying_order", "conduct",
)  # fmt: skip
"""The kinds of alerts; each has a route and may have a ladder of penalties."""
SEEN_BY_REFEREE: Final = ("gesture", "asking", "signals", "cards_not_held", "late", "leaving")
"""Kinds of conduct with ladders of their own, which only a referee can see."""
ROUTES: Final = ("referee", "both", "count")
EFFECTS: Final = (
    "warning", "foul", "take_back", "cards_stay", "lose_trick", "miss_round", "bar_kind", "opponents_gain", "own_drop",
    "hand_void", "match_lost", "disqualified", "annulled", "corrected",
)  # fmt: skip
"""What a penalty can do; ``opponents_gain`` and ``own_drop`` take a number of levels: ``own_drop 1``."""
_WITH_LEVELS: Final = ("opponents_gain", "own_drop")


def is_effect(text: Any) -> bool:
    """Whether *text* names an effect, with a number of levels where it takes one."""
    if not isinstance(text, str):
        return False
    word, space, number = text.partition(" ")
    if word not in EFFECTS:
        return False
    return not space or (word in _WITH_LEVELS and number in map(str, range(len(RANKS))))


def key(section: str, zh: str, en: str, *, choices: tuple[str, ...] = (), least: int = 0, each: str = "") -> Any:
    """A ruleset key: *choices* of a word, *least* of a number, *each* what every item of a list must be."""
    return field(metadata={"section": section, "zh": zh, "en": en, "choices": choices, "least": least, "each": each})


@dataclass(frozen=True, slots=True)
class Ladder:
    """What an offence costs: who counts it, how long it is remembered, and a step of effects for each time."""

    counts: str = "player"
    """``player``, or ``side`` (``pair`` says the same)."""
    within: str = "match"
    """``trick``, ``deal`` or ``match``."""
    steps: tuple[tuple[str, ...], ...] = ()
    before_play: tuple[str, ...] | None = None
    """The effects while no card of the deal has been played, where they differ."""
    late: tuple[str, ...] | None = None
    """The effects once the offender has acted ``late_after`` times since."""
    late_after: int = 0
    together: tuple[str, ...] = ()
    """Other kinds whose offences this ladder counts as well."""
    repeat: bool = False
    """Whether the steps start again after the last; otherwise the last one stays."""
    automatic: bool = False
    """Whether the effects take place at once, without a ruling."""
    ruled_by: str = "table"
    """``table`` or ``chief`` referee."""
    choices: tuple[str, ...] = ()
    """Effects that a ruling may choose instead."""
    source: str = ""
    zh: str = ""
    """The article in Chinese, as an alert shows it."""
    en: str = ""
    """The article in English."""


@dataclass(frozen=True, slots=True)
class Total:
    """Offences of several kinds that are counted together."""

    kinds: tuple[str, ...]
    at: int
    effects: tuple[str, ...]
    counts: str = "player"
    ruled_by: str = "table"
    """``table``: the effects follow at once; ``chief``: an alert waits for the chief referee's ruling."""
    source: str = ""
    zh: str = ""
    en: str = ""


@dataclass(frozen=True, kw_only=True)
class Keys:
    """Every key. None has a default here: ``base.toml`` gives them all."""

    # combinations
    plain_straight_of_suited_wild_run: bool = key(
        "combinations",
        "同花的五张带逢人配，也可当普通顺子",
        "a suited run with a wild may count as a plain straight too",
    )
    full_house_of_five_level_cards: bool = key(
        "combinations", "三张级牌带两张逢人配可作三带二", "three level cards and both wilds may be a full house"
    )
    joker_pair_in_full_house: bool = key(
        "combinations", "三带二可带一对小王或一对大王", "a full house may hold a pair of equal jokers"
    )
    undeclared_wild: str = key(
        "combinations",
        "逢人配未声明时按大或按小",
        "what an undeclared wild is taken for",
        choices=("larger", "smaller"),
    )
    place_declares_wild: bool = key(
        "combinations", "逢人配摆放的位置即为声明", "the place where a wild is laid declares it"
    )
    # levels
    start_level: str = key("levels", "从几打起", "the level both sides start on", choices=tuple(RANKS))
    gains: tuple[int, ...] = key("levels", "双下、1-3、1-4 各升几级", "levels gained for 1-2, 1-3, 1-4", each="count")
    must_play: tuple[str, ...] = key("levels", "必打的级", "levels that must be played and won on", each="rank")
    goal: str = key(
        "levels", "过A为胜，或到A为胜", "what wins: passing A, or reaching it", choices=("pass_A", "reach_A")
    )
    passing_A: tuple[str, ...] = key("levels", "过A所需的名次", "orders that pass A", each="order")
    A_tries: int = key("levels", "打A几次不过降级，0不限", "failed tries at A before the fall; 0 any number")
    A_falls: tuple[str, ...] = key(
        "levels",
        "第一次、第二次……降到哪里",
        "where the first, second … fall goes: a level, stay, opponents",
        each="fall",
    )
    win_after_fall: str = key(
        "levels", "降级后下一次赢升到几，空为照常", "the level of the next win after a fall; empty: the usual gain"
    )
    streak_bonus: int = key(
        "levels", "同一人连得三次头游起多升几级", "levels more from one player's third first in a row"
    )
    streak_malus: int = key("levels", "同一人连得三次末游起降几级", "levels less from one player's third last in a row")
    stage: int = key("levels", "比赛阶段，套用 [stage.N]", "stage of the event: [stage.N] is laid on top", least=1)
    # dealing
    dealing_machine: bool = key("dealing", "可用发牌机", "dealing machines are allowed")
    first_shuffle: str = key("dealing", "首副谁洗牌", "who shuffles first", choices=("any", "N", "E", "higher_draw"))
    first_cut: str = key("dealing", "首副谁切牌", "who cuts first", choices=("opponent", "W", "before_first_drawer"))
    first_draw: str = key(
        "dealing", "首副谁先摸牌", "who draws first in the first deal", choices=("pips", "mod4", "turned_card", "any")
    )
    first_lead: str = key("dealing", "首副谁先出", "who leads the first deal", choices=("turned_card", "highest_draw"))
    later_shuffle: str = key("dealing", "以后谁洗牌", "who shuffles later", choices=("first", "last"))
    later_cut: str = key("dealing", "以后谁切牌", "who cuts later", choices=("first", "last", "any"))
    later_draw: str = key("dealing", "以后谁先摸牌", "who draws first later", choices=("last",))
    draw_after_double: str = key(
        "dealing", "双下后谁先摸牌", "who draws first after a double down", choices=("after_first", "either_loser")
    )
    least_shuffles: int = key("dealing", "至少洗几次", "least number of shuffles")
    # tribute
    resist_single: bool = key("tribute", "单下两张大王可抗贡", "last may resist with both red jokers")
    resist_double: bool = key("tribute", "双下两家共有两张大王可抗贡", "both losers may resist with both between them")
    return_single: str = key(
        "tribute", "单下还贡给对手", "returned to an opponent after 1-3", choices=("ten_or_lower", "any")
    )
    return_partner: str = key(
        "tribute", "还贡给对家", "returned to the partner after 1-4", choices=("ten_or_lower", "any")
    )
    return_double: str = key("tribute", "双下还贡", "returned after a double down", choices=("ten_or_lower", "any"))
    return_level_card: bool = key("tribute", "级牌算10以下可还", "a level card may count as 10 or lower")
    return_nothing_low: str = key(
        "tribute", "没有 10 以下的牌时还什么", "what is returned from a hand with nothing low",
        choices=("lowest", "any"),
    )  # fmt: skip
    returns_shown_together: str = key(
        "tribute",
        "还贡扣着，一起亮",
        "returns lie face down and are shown together",
        choices=("never", "equal", "double"),
    )
    equal_double: str = key(
        "tribute", "双下贡牌一样大给谁", "who gets which of two equal tributes", choices=("clockwise", "winners_choose")
    )
    equal_return: str = key(
        "tribute", "贡牌一样大还给谁", "who gets which return then", choices=("payer", "losers_choose")
    )
    equal_lead: str = key(
        "tribute", "贡牌一样大谁先出", "who leads after equal tributes",
        choices=("payer_to_first", "took_lower_return", "after_first"),
    )  # fmt: skip
    # reports
    report_at: int = key("reports", "剩几张报牌，0不报", "cards left at which a player reports; 0 never")
    report_duty: bool = key("reports", "由牌手报牌", "the player must report; otherwise the table shows the count")
    report_once: bool = key("reports", "只报一次，之后不得问答", "reported once; nobody may ask or answer afterwards")
    # clocks (seconds; 0 off)
    turn_seconds: int = key("clocks", "每手时间", "seconds a turn")
    turn_warning: int = key("clocks", "多少秒起警告", "seconds at which the warning comes")
    turn_foul: int = key("clocks", "多少秒犯规", "seconds at which it is a foul")
    turn_starts: str = key("clocks", "计时从何时起", "what starts a turn's clock", choices=("settled", "touch"))
    turn_ends: str = key("clocks", "计时到何时止", "what ends a turn's clock", choices=("touch", "settled"))
    opening_seconds: int = key("clocks", "首攻时间", "seconds for the opening lead of a deal")
    tribute_seconds: int = key("clocks", "进贡时间", "seconds for the tribute")
    return_seconds: int = key("clocks", "还贡时间", "seconds for the return")
    tribute_grace: int = key("clocks", "贡还超时多少秒犯规", "seconds over tribute or return time that are a foul")
    # limits
    match_seconds: int = key("limits", "每局限时（秒），0不限", "seconds of a match; 0 no limit")
    match_deals: int = key("limits", "限打几副，0不限", "deals of a match; 0 no limit")
    deal_at_limit: str = key(
        "limits", "到时正在打的一副", "a deal in progress at the limit", choices=("stop", "finish", "finish_if_drawn")
    )
    equal_at_limit: str = key(
        "limits", "到时同级", "equal levels at the limit",
        choices=("draw", "extra_deal", "play_on", "first_to_reach", "on_stage", "off_stage"),
    )  # fmt: skip
    knockout: bool = key("limits", "淘汰赛必须分胜负：同级加赛一副", "a knock-out: equal levels play one more deal")
    reminders: tuple[int | str, ...] = key(
        "limits", "剩多少秒提醒，half 为时间过半", "seconds left at which to remind, or half", each="reminder"
    )
    late_seconds: int = key("limits", "迟到多少秒弃权，0无", "seconds late that forfeit; 0 none")
    late_seconds_with_leave: int = key("limits", "请假者迟到多少秒弃权", "the same with leave")
    # points
    best_of: int = key("points", "几局几胜的局数", "games in a match: 1, or best of 3", least=1)
    points: tuple[int, ...] = key(
        "points", "胜、平、负各几分；可加第四个数：弃权、判负几分",
        "points for a win, a draw, a loss; a fourth for a forfeit or a match lost by a ruling", each="count",
    )  # fmt: skip
    small_points: str = key("points", "小分", "small points", choices=("none", "level_difference", "26"))
    substitutes: bool = key("points", "比赛中可换人", "players may be replaced during a match")
    # table
    implied_passes: bool = key("table", "下家出牌即视为过", "playing on implies that those before passed")
    known_passes: tuple[str, ...] = key(
        "table", "哪些过牌算确知：越序只有在此之上才算确定",
        "passes that are certain: only over these is a play out of turn proved", each="pass",
    )  # fmt: skip
    running_count: bool = key("table", "屏幕显示剩牌数", "the screen shows counts at the threshold")
    hints: bool = key("table", "提示", "hints for beginners")
    confirm: str = key("table", "每副怎样确认", "how a deal is confirmed", choices=("both_sides", "after_10_seconds"))
    players_correct: str = key("table", "牌手可改到哪里", "how far back players may correct", choices=("trick", "deal"))
    pictures: str = key("table", "留存画面", "pictures kept", choices=("none", "alerts"))
    clip_seconds: int = key("table", "录像长度", "seconds of a clip")
    clip_hours: int = key("table", "录像保留小时", "hours a clip is kept after the results are final")
    turn_clock_shown: bool = key("table", "显示每手时间", "the turn clock is shown")
    sound: bool = key("table", "声音", "sound")
    show_remaining: bool = key("table", "副末亮出余牌", "players show their remaining cards after a deal")
    # law
    route: dict[str, str] = key("route", "各类提示送给谁", "where each kind of alert goes")  # noqa: RUF009
    offence: dict[str, Ladder] = key("offence", "各类违规的处罚", "what each kind of offence costs")  # noqa: RUF009
    total: dict[str, Total] = key("total", "合并计算的违规", "offences that are counted together")  # noqa: RUF009


BY_NAME: Final = {entry.name: entry for entry in fields(Keys)}
"""Each key's field, with its type and what it may be."""

SOURCES: Final = {
    "plain_straight_of_suited_wild_run": "settled cases 16, 19",
    "full_house_of_five_level_cards": "settled case 24",
    "joker_pair_in_full_house": "settled case 26",
    "undeclared_wild": "text A; 004 part 1, section 3.3",
    "place_declares_wild": "text A; 004 part 1, section 3.3",
    "start_level": "000 art. 13; 001 part 1, section 7.2",
    "gains": "text A; 000 art. 2, 5 to 7, 9 to 11, 13; 001 part 1; 002; 004 part 1",
    "must_play": "text A; 000 art. 13; 004 part 1, section 5.1",
    "goal": "000 art. 4",
    "passing_A": "text A; 000 art. 2, 5, 10, 13; 001 part 1; 002; 004 part 1, section 6.2",
    "A_tries": "000 art. 2, 5, 7, 10, 13; 001 part 1; 004 part 1, section 6.3",
    "A_falls": "000 art. 2, 5, 7, 10, 13; 001 part 1; 004 part 1, section 6.3",
    "win_after_fall": "000 art. 13, part 3",
    "streak_bonus": "000 art. 9, annex 2",
    "streak_malus": "000 art. 9, annex 2",
    "stage": "000 art. 4, 12",
    "dealing_machine": "text A",
    "first_shuffle": "text A; 000 art. 2, 5, 6; 004 part 1, section 4.1",
    "first_cut": "text A; 000 art. 2, 5, 6; 004 part 1, section 4.1",
    "first_draw": "text A; 000 art. 13, part 5",
    "first_lead": "text A; 000 art. 2, 4 to 7; 004 part 1, section 4.1",
    "later_shuffle": "text A; 000 art. 2, 5, 6, 13; 004 part 1, section 1.3",
    "later_cut": "text A; 000 art. 2, 5, 6, 13",
    "later_draw": "text A; 000 art. 2, 5, 6, 13",
    "draw_after_double": "text A; 000 art. 13, part 5",
    "least_shuffles": "004 part 1, section 1.3",
    "resist_single": "text B; 000 art. 2, 7, 9 to 11, 13; 001 part 1; 002; 004 part 1",
    "resist_double": "text B; 000 art. 2, 7, 9 to 11, 13; 001 part 1; 002; 004 part 1",
    "return_single": "texts A, B; 000 art. 7, 10, 11, 13; 001 part 1; 002; 004 part 1",
    "return_partner": "texts A, B; 000 art. 7, 10, 11, 13; 001 part 1; 002; 004 part 1",
    "return_double": "texts A, B; 000 art. 10, 13; 001 part 1; 002; 004 part 1",
    "return_level_card": "text B; settled case 49",
    "return_nothing_low": "text B; settled case 50",
    "returns_shown_together": "text B; 004 part 1, section 4.4",
    "equal_double": "text B; 000 art. 13, part 4; 001 part 1, section 4; 004 part 1, section 4.4",
    "equal_return": "000 art. 13, part 4; 001 part 1, section 4; 004 part 1, section 4.4",
    "equal_lead": "texts A, B; 000 art. 13; 001 part 1, section 4; 004 part 1, section 4.4",
    "report_at": "text A; 000 art. 11, 13; 001 part 1, section 3; 004 part 1, section 6.6",
    "report_duty": "text A",
    "report_once": "text A",
    "turn_seconds": "text A; 000 art. 2, 13; 001 part 1, section 4; 004 part 1, section 10.4",
    "turn_warning": "text A; 000 art. 13; 004 part 1, section 10.4",
    "turn_foul": "text A; 000 art. 2; 001 part 1, section 4; 004 part 1, section 10.4",
    "turn_starts": "004 part 1, section 10.4",
    "turn_ends": "the profiles",
    "opening_seconds": "001 part 1, section 4; 004 part 1, section 10.4",
    "tribute_seconds": "text A; 004 part 1, section 6.4",
    "return_seconds": "text A; 004 part 1, section 10.4",
    "tribute_grace": "text A",
    "match_seconds": "text A; 000 art. 2, 4, 5, 10, 12, 13; 001 part 1; 004 part 1, section 6.1",
    "match_deals": "000 art. 6",
    "deal_at_limit": "text A; 001 part 1, section 7.3",
    "equal_at_limit": "text A; 000 art. 2, 4, 10, 12, 13; 001 part 1, section 7.2; 004 part 1, section 6.1",
    "knockout": "text A; 000 art. 2, 4 to 6, 10",
    "reminders": "001 part 3",
    "late_seconds": "000 art. 6, 10, 11; 001 part 1, section 6.1; 004 part 1, section 10",
    "late_seconds_with_leave": "004 part 1, section 10.3",
    "best_of": "000 art. 7, 9",
    "points": "text A",
    "small_points": "text A; 000 art. 3, 12",
    "substitutes": "000 art. 2, 5 to 7, 9, 10; 004 part 1, section 11",
    "implied_passes": "the profiles",
    "known_passes": "the profiles",
    "running_count": "the profiles",
    "hints": "the profiles",
    "confirm": "the profiles",
    "players_correct": "the profiles",
    "pictures": "the profiles",
    "clip_seconds": "the profiles",
    "clip_hours": "the profiles",
    "turn_clock_shown": "the profiles",
    "sound": "the profiles",
    "show_remaining": "the audit",
    "route": "the profiles",
    "offence": "texts A, F; 000 art. 2, 5, 6, 10, 11, 13; 001 part 1, section 6; 004 part 1, sections 6 to 10",
    "total": "004 part 1, section 9.4",
}
"""The articles that each key comes from. Text A is the competition rules of 2017, B the trial rules of 2022, F a
competition's chapter on penalties; settled cases are those of ``tests/engine/test_cases.py`` by their number."""
