"""Texts of the engine: English as they are, and with what another language needs."""

import pickle

from standings.engine.said import said, said_of


def test_a_text_is_its_english_and_keeps_its_template() -> None:
    text = said("%(why)s at step %(step)s", why="cut", step=2)
    assert text == "cut at step 2"
    assert (text.template, dict(text.parts)) == ("%(why)s at step %(step)s", {"why": "cut", "step": 2})


def test_a_text_without_parts_may_hold_any_sign() -> None:
    assert said("100 %") == "100 %"


def test_the_count_chooses_the_form() -> None:
    one, many = "%(points)s from %(count)s game", "%(points)s from %(count)s games"
    assert [said_of(one, many, games, points="½") for games in (0, 1, 2)] == [
        "½ from 0 games",
        "½ from 1 game",
        "½ from 2 games",
    ]


def test_what_is_kept_in_a_cache_keeps_its_template() -> None:
    kept = pickle.loads(pickle.dumps(said_of("%(count)s game", "%(count)s games", 3)))  # noqa: S301 - our own
    assert (kept, kept.template, kept.plural, kept.number) == (
        "3 games",
        "%(count)s game",
        "%(count)s games",
        3,
    )
