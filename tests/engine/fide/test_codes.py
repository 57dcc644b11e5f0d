"""The grammar of FIDE's codes."""

import pytest

from standings.engine import Scale, UnknownCriterionError, all_criteria, get_criterion
from standings.engine.fide.codes import Modifiers

FIDE = [found for found in all_criteria() if found.is_fide]


@pytest.mark.parametrize(
    ("given", "code", "printed"),
    [
        ("BH", "BH", "BH"),
        ("BH-C1", "BH/C1", "BH-C1"),
        ("bh:mp/p/c1", "BH:MP/C1/P", "BH:MP-C1-P"),
        ("KS/L60", "KS/L60", "KS-L60"),
        ("KS-L-1", "KS/L-1", "KS-L-1"),
        ("KS/L+1", "KS/L+1", "KS-L+1"),
        ("SSSC-F-K4-P", "SSSC/K4/P/F", "SSSC-K4-P-F"),
        ("mpvgp", "MPvGP", "MPvGP"),
        ("TPN/R", "TPN/R", "TPN-R"),
        ("edebt/P", "EDEBT/P", "EDEBT-P"),
    ],
)
def test_codes_with_slashes_or_hyphens_have_the_same_canonical_form(
    given: str, code: str, printed: str
) -> None:
    found = get_criterion(given)
    assert (found.code, found.abbr, found.address) == (code, printed, printed)
    assert get_criterion(found.address) is found


@pytest.mark.parametrize(
    ("code", "modifiers"),
    [
        ("SB/C2", Modifiers(low=2)),
        ("BH/M2/P", Modifiers(low=2, high=2, as_paired=True)),
        ("BH:GP", Modifiers(scale=Scale.GAME)),
        ("KS/L60", Modifiers(limit=60)),
        ("KS/L+3", Modifiers(steps=3)),
        ("KS/L-1", Modifiers(steps=-1)),
        ("SSSC/K4/F", Modifiers(divisor=4, fore=True)),
        ("RTNG/R", Modifiers(reverse=True)),
    ],
)
def test_modifiers_of_a_code(code: str, modifiers: Modifiers) -> None:
    assert get_criterion(code).modifiers == modifiers


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("BH/F", "no criterion 'BH/F': BH does not take /F. BH takes :MP, :GP, /Cn, /Mn, /P"),
        ("DE-C1", "DE does not take /C. DE takes :MP, :GP, /P"),
        ("EMGSB:MP", "EMGSB does not take :MP. EMGSB takes /Cn, /P"),
        ("BC/C1", "BC does not take /C. BC takes no modifier"),
        ("BH/C0", "C0 is no modifier. There are: /Cn, /Mn, /Lnn, L\\+n or L-n, /Kn, /P, /F, /R"),
        ("BH/C", "C is no modifier"),
        ("BH/C1/C2", "C2 is no modifier"),
        ("BH/P1", "P1 is no modifier"),
        ("BH/C1/M1", "one of C, M, L and K goes with a name, not two"),
        ("BH:XP", "no criterion 'BH:XP'. A score is :MP or :GP"),
        ("BHX", "no criterion 'BHX'. There are: .*direct-encounter.* BH, "),
        ("BH/", "no criterion 'BH/'. There are: "),
        ("BH@game", "no criterion 'BH@game'. FIDE's codes ask for a score by :MP or :GP"),
        ("solkoff/C1", "no criterion 'solkoff/C1'. There are: "),
    ],
)
def test_unknown_modifiers_are_refused(code: str, message: str) -> None:
    with pytest.raises(UnknownCriterionError, match=message):
        get_criterion(code)


@pytest.mark.parametrize("found", FIDE, ids=lambda found: found.code)
def test_criteria_have_article_and_type(found) -> None:  # type: ignore[no-untyped-def]  # of the parameters
    assert found.source == f"C.07 {found.article}"
    assert set(found.kind) <= set("ABCD")
    assert found.within_tie is (found.kind == "A")
    assert found.plain_code == found.code


def test_plain_code_has_no_modifiers() -> None:
    assert get_criterion("BH:MP/C1").plain_code == "BH"
    assert get_criterion("BH:MP/C1").name == "Buchholz (match points) Cut 1"
    assert get_criterion("SB/M2/P").name == "Sonneborn-Berger Median 2 forfeits as games"


def test_criteria_by_edition() -> None:
    newest = {found.code for found in FIDE if found.since == "2026"}
    assert newest == {"STD", "TPN", "RTNG", "EDEBT", "EDEBB", "EDET", "EDEB"}
