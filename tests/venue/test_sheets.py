"""Lists as organisers have them: encodings, delimiters, titles, merged cells, a line a player; nobody by accident."""

import io
import zipfile

import pytest

from venue.desk.entries import read_entries
from venue.desk.sheets import read_table

LIST = "姓名,搭档,单位\n张三,李四,红星\n王五,赵六,建设\n"
PAIRS = [("张三", "李四"), ("王五", "赵六")]


def read(text, *, singles=False, encoding="utf-8"):
    content = text.encode(encoding) if isinstance(text, str) else text
    made, aside = read_entries(read_table(content, "x"), singles=singles)
    return made, [(row.line, row.text or row.names, [doubt.what for doubt in doubts]) for row, doubts in aside]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "gbk", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "，"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_whoever_saved_it(encoding, delimiter, end):
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(encoding, b"")
    text = LIST.replace(",", delimiter).replace("\n", end)
    made, aside = read(mark + text.encode(encoding))
    assert [each.names for each in made] == PAIRS and not aside
    assert [each.club for each in made] == ["红星", "建设"]


@pytest.mark.parametrize(
    "text",
    [
        "2026年公开赛报名表,,\n" + LIST,
        "报名表,,\n单位：市体育局,,\n,,\n" + LIST,
        "序 号,选手A,选手B,参赛单位,联系电话\n1,张三,李四,红星,138\n2,王五,赵六,建设,139\n",
        "No.,队员（一）,队员（二）,学 校\n1,张三,李四,红星\n2,王五,赵六,建设\n",
        "编号,姓名,姓名,所属单位\n1,张三,李四,红星\n2,王五,赵六,建设\n",
        "1,张三,李四,红星\n2,王五,赵六,建设\n",
        "张三、李四,红星\n王五/赵六,建设\n",
        "姓名,单位\n张三 李四,红星\n王五 赵六,建设\n",
        "张　三,李　四,红星\n王 五,赵 六,建设\n",
        "队名,姓名,单位\n猛虎,张三,红星\n猛虎,李四,红星\n飞龙,王五,建设\n飞龙,赵六,建设\n",
        "队名,姓名,单位\n猛虎,张三,红星\n,李四,\n飞龙,王五,建设\n,赵六,\n",
        "序号,姓名,单位\n1,张三,红星\n,李四,红星\n2,王五,建设\n,赵六,建设\n",
        LIST.replace("王五", "姓名,搭档,单位\n王五"),
        "Club;Player 1;Player 2\n红星;张三;李四\n建设;王五;赵六\n",
    ],
)
def test_however_it_is_laid_out(text):
    made, aside = read(text)
    assert [each.names for each in made] == PAIRS and not aside
    assert [each.club for each in made] == ["红星", "建设"]


def test_what_is_no_pair_enters_nobody():
    made, aside = read(LIST + "\n合计,2队,\n备注：请于8点到场,,\n孙七,,\n")
    assert [each.names for each in made] == PAIRS
    assert aside == [
        (5, "合计 2队", ["no_name"]),
        (6, "备注：请于8点到场", ["no_name"]),
        (7, ("孙七",), ["no_partner"]),
    ]
    made, aside = read("队名,姓名\n猛虎,张三\n猛虎,李四\n猛虎,替补\n飞龙,王五\n")
    assert [each.names for each in made] == [("张三", "李四")]
    assert [names for _, names, _ in aside] == [("替补",), ("王五",)]


def test_names_that_are_also_words_of_headings_stay_names():
    made, aside = read("选手1\n选手2\n选手3\n", singles=True)
    assert [each.names for each in made] == [("选手1",), ("选手2",), ("选手3",)] and not aside
    made, _ = read("John Smith,Mary Ann Lee,Red Star\nAda Lovelace,Alan Turing,\n")
    assert [each.names for each in made] == [("John Smith", "Mary Ann Lee"), ("Ada Lovelace", "Alan Turing")]


SPACE = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def cells(number, *texts):
    told = "".join(
        f'<c r="{chr(65 + at)}{number}" t="inlineStr"><is><t>{text}</t></is></c>' for at, text in enumerate(texts)
        if text
    )  # fmt: skip
    return f'<row r="{number}">{told}</row>'


def book(sheets, states=None):
    """A workbook: its sheets' rows and merged cells, in the order in which they are shown."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as made:
        names = list(sheets)
        tabs = "".join(
            f'<sheet name="{name}" sheetId="{at}" r:id="r{at}"{(states or {}).get(name, "")}/>'
            for at, name in enumerate(names)
        )
        made.writestr("xl/workbook.xml", f'<workbook {SPACE} xmlns:r="{REL}"><sheets>{tabs}</sheets></workbook>')
        # the files' own order says nothing
        targets = "".join(
            f'<Relationship Id="r{at}" Target="worksheets/sheet{9 - at}.xml"/>' for at in range(len(names))
        )
        made.writestr("xl/_rels/workbook.xml.rels", f"<Relationships>{targets}</Relationships>")
        for at, (rows, merged) in enumerate(sheets.values()):
            ranges = "".join(f'<mergeCell ref="{each}"/>' for each in merged)
            content = f"<worksheet {SPACE}><sheetData>{rows}</sheetData><mergeCells>{ranges}</mergeCells></worksheet>"
            made.writestr(f"xl/worksheets/sheet{9 - at}.xml", content)
    return held.getvalue()


def test_a_sheet_with_a_title_across_and_teams_merged_over_two_lines():
    rows = (
        cells(1, "2026年掼蛋公开赛报名表") + cells(3, "序号", "队名", "姓名", "单位")
        + cells(4, "1", "猛虎", "张三", "红星") + cells(5, "", "", "李四")
        + cells(6, "2", "飞龙", "王五", "建设") + cells(7, "", "", "赵六")
    )  # fmt: skip
    merged = ["A1:D1", "A4:A5", "B4:B5", "D4:D5", "A6:A7", "B6:B7", "D6:D7"]
    made, aside = read(book({"名单": (rows, merged)}))
    assert [(each.number, each.team, each.names, each.club) for each in made] == [
        (1, "猛虎", ("张三", "李四"), "红星"),
        (2, "飞龙", ("王五", "赵六"), "建设"),
    ]
    assert not aside


def test_a_club_merged_over_its_pairs_is_the_club_of_each_and_lines_are_counted_as_shown():
    rows = cells(1, "单位", "姓名", "搭档") + cells(3, "红星", "张三", "李四") + cells(4, "", "王五", "赵六")
    made, aside = read(book({"名单": (rows + cells(9, "", "孙七"), ["A3:A4"])}))
    assert [(each.names, each.club) for each in made] == [(pair, "红星") for pair in PAIRS]
    assert [line for line, _, _ in aside] == [9]


def test_the_first_sheet_that_is_shown_and_holds_something():
    full, empty = (cells(1, "张三", "李四"), []), ("", [])
    other = (cells(1, "错", "了"), [])
    hidden = {"旧": ' state="hidden"'}
    for sheets, states in (({"名单": full, "别的": other}, {}), ({"旧": other, "空": empty, "名单": full}, hidden)):
        made, _ = read(book(sheets, states))
        assert [each.names for each in made] == [("张三", "李四")]


@pytest.mark.parametrize("merged", ["A1:A1048576", "ZZZ1:ZZZ9", "A0:A3", "A9:A2", "B1", "A3:A900"])
def test_merged_cells_that_make_no_sense_do_no_harm(merged):
    made, _ = read(book({"名单": (cells(1, "张三", "李四"), [merged])}))
    assert made[0].names == ("张三", "李四") and len(made) == 1
