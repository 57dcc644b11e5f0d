"""Selection of mutants by tools/mutants.py."""

from pathlib import Path

from tools.mutants import GROUPS, mutants_of, sample

SCORING = "standings/engine/scoring.py"


def test_listed_modules_and_tests_exist() -> None:
    for modules in GROUPS.values():
        for module, tests in modules.items():
            for name in (module, *tests):
                assert Path(name.removeprefix("--ignore=")).exists(), name


def test_every_mutant_changes_one_place_and_compiles() -> None:
    text = Path(SCORING).read_text()

    mutants = mutants_of(SCORING)

    assert len({mutant.text for mutant in mutants}) == len(mutants) > 100
    for mutant in mutants:
        first, last = mutant.line - 1, mutant.line - 1 + mutant.text.count("\n") - text.count("\n")
        assert mutant.text.splitlines()[:first] == text.splitlines()[:first]
        assert last <= first  # mutants add no lines


def test_annotations_and_texts_for_readers_have_none(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('def times(number: int | None) -> str | None:\n    return _("again") * number\n')

    assert [mutant.after for mutant in mutants_of(str(module))] == ['return _("again") / number']


def test_sample_has_one_mutant_per_place_and_does_not_depend_on_other_code(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(Path(SCORING).read_text())
    drawn = sample(mutants_of(str(module)), 12)

    module.write_text(module.read_text().replace('"""What a won', 'FIRST_LINE = ""\n"""What a won'))
    again = sample(mutants_of(str(module)), 13)

    assert len({(mutant.line, mutant.column) for mutant in drawn}) == len(drawn) == 12
    assert {mutant.row for mutant in drawn} <= {mutant.row for mutant in again}
