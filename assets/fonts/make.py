"""Makes the product's fonts: a renamed subset of Noto Sans CJK SC, regular and bold.

Needs ``fontTools`` and Debian's package ``fonts-noto-cjk``; run ``.venv/bin/python assets/fonts/make.py``.
The licence (SIL OFL 1.1, beside this file as ``OFL.txt``) allows subsets under the same licence; the name Source is
reserved by Adobe, and the subset takes a name of its own so that nobody mistakes it for the original.

What is in it: ASCII, Latin-1 and what the original has of Latin letters for names (Pinyin, Vietnamese), all of GB
2312 (6,763 hanzi and its symbols), the frequent hanzi of Big5 (5,401, for names from Hong Kong and Taiwan), hanzi of
people's names that both lack, kana and Cyrillic for guests, suits, arrows, shapes and circled numbers. Glyphs of a
screen that are missing here show as a box or as nothing at all with SDL, so a test holds every string of the
catalogues against these files.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTCollection, TTFont

HERE = Path(__file__).resolve().parent
NOTO = Path("/usr/share/fonts/opentype/noto")
SIMPLIFIED = 2  # the collection's face for simplified Chinese
FAMILY = "Guandan Table Sans SC"

SYMBOLS = (
    "♠♥♦♣♤♡♢♧▲△▶▷▼▽◀◁●○◎■□◆◇★☆✓×÷±←↑→↓↔↕•·…—–―‘’“”‹›«»„‚′″°½¼¾≤≥≠≈∞√−⚠№℃™©®€£¥①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳ⅠⅡⅢⅣⅤⅥ─│┌┐└┘├┤┬┴┼"
)
NAMES = (
    "喆堃犇翀珺祎玥镕璟昇晞旻昉玘玙珩珣珮珲琇琎琤瑄瑀瑨瑭璠璐璘璎瓒甯睿祺禛禔禤稑筠箬綦芃芈苡茜茗荃荭莜菀菁菡葳蓁蓓蕙薏藜蘅"
    "袆裴谞谌赟踔轫辚迦逄邝邬郗鄞酆钊钰钭钫铖铄铠铧锴锵镝镠闫闵闳阚隽雒霁霈靓韫韪顗颀颉颋飏飖馥骁骅骐骞骥鸢鹍麒黉龑"
    "仝仡佟佶侃侑俣倓倞偲傕僖僮儁兖兕冼凇刈劭勖勍匡卞卲厍厷叡吒吖咏哿唅唝唯啓喦嘏嘉嘒嚞囡圫圳坤垚垲埕埼堉堇塬墉壎奡妘妤姈姞姮娉娈娴婕婧婵媛嫄嫣嬿"
    "宓宥寔寯尕尧屹岑岚岱峄峘峣峥崧崟嵇嵘嵩巍帡庹廞弢彧徕忞忻怀恺惇愔愫懋戬扆抃揆旃旸昀昂昕昙昱晁晅晊晟晔晗晙晢暐暕暠暲曈曦朏杲枘柃柘栩桁桄桢梃梓棂棣棻椋楠榕榛槿樊橦欣歆毓沄沅沁沄沚沛沣泂泓泠泮洄洙洣洺浛浠浩涓涔涛涵淇淏淦淼渌渼湉湜溁溆滢滟漪漾潆潇潞潼澂澍澔濛濬瀚瀛灏炀炅炜炟炫烜烨焓焕焘煊煋煜煦熙熠燊燚爔爱牧犍狄玄玎玏玖"
    "祎祐禄秭稷穹竑竞竣筱箐篁粲綝縯繇纁纮纶纾绂绗绚绛绥绮绹缇缜缦缨缪罡羽翊翎翙翚翥耒聃聿肸肇胤脩臻舸艾苋苌茀茆荀莘莞萱蔚蕤薇虔蛮衎衠袁裔褚襄觞訚訾诜诩谡谧赉赓赪踽轩轶轸辇辰迪逯遄遹邕邰郅郜郦鄢郸鄂醴釭鈺鉴銎鋆鎏钐铉铎铭铮锜锟锳锽镒镛镡镱閟闿阊阗陟隗雎雯霂霄霖靖靳韬韶頔颍颐颢飒馗骉骋骎骧魁鲲鳌鸾鹏麟黛鼐龢䶮"
)


def wanted() -> set[int]:
    """The code points of the subset."""
    gb2312 = {bytes((high, low)).decode("gb2312", "ignore") for high in range(0xA1, 0xF8) for low in range(0xA1, 0xFF)}
    trails = [*range(0x40, 0x7F), *range(0xA1, 0xFF)]
    big5 = {bytes((high, low)).decode("big5", "ignore") for high in range(0xA4, 0xC7) for low in trails}
    text = "".join(gb2312 | big5) + SYMBOLS + NAMES
    ranges = [*range(0x20, 0x7F), *range(0xA0, 0x250), *range(0x1E00, 0x1F00), *range(0x401, 0x452)]
    # Greek and bopomofo of GB 2312 are no part of this product.
    unwanted = {*range(0x370, 0x400), *range(0x3105, 0x3130)}
    return ({ord(sign) for sign in text} | set(ranges)) - unwanted


def subset(style: str) -> TTFont:
    """One style of the subset, renamed, with kerning and digits as they are and nothing else."""
    font = TTCollection(NOTO / f"NotoSansCJK-{style}.ttc").fonts[SIMPLIFIED]
    options = Options()
    options.layout_features = ["kern"]
    options.hinting = False
    options.desubroutinize = False
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.name_languages = [0x409]
    options.drop_tables += ["VORG", "vhea", "vmtx", "BASE", "DSIG"]
    options.notdef_outline = True
    chosen = Subsetter(options)
    chosen.populate(unicodes=wanted())
    chosen.subset(font)
    postscript = FAMILY.replace(" ", "") + "-" + style
    names = {1: FAMILY, 3: f"guandan-table;{postscript}", 4: f"{FAMILY} {style}", 6: postscript}
    for record in font["name"].names:
        record.string = names.get(record.nameID, str(record))
    outlines = font["CFF "].cff
    outlines.fontNames = [postscript]
    top = outlines.topDictIndex[0]
    top.FullName, top.FamilyName = f"{FAMILY} {style}", FAMILY
    for field in ("Notice", "Copyright"):
        if hasattr(top, field):
            setattr(top, field, "See OFL.txt beside this file.")
    font["head"].modified = font["head"].created  # the same bytes at every run
    font.recalcTimestamp = False
    return font


def main() -> int:
    for style in ("Regular", "Bold"):
        path = HERE / f"GuandanTableSansSC-{style}.otf"
        subset(style).save(path)
        print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB, {len(TTFont(path).getBestCmap())} characters")
    return 0


if __name__ == "__main__":
    sys.exit(main())
