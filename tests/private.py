"""Files with e-mail addresses and telephone numbers in addition to the values of fields."""

from pathlib import Path

CASES = Path(__file__).parent / "cases"
TORNELO = (CASES / "tornelo-dat.trfx").read_text()
MAIL, PHONE = "parent.arends@example.org", "+31 6 1234 5678"
PRIVATE = (MAIL, PHONE, "Harbour Primary School", "12345678", "mum.ames@example.org")

GAMES = f"""\
[Event "Harbour Masters"]
[Site "Port NED"]
[Date "2021.05.01"]
[Round "1.1"]
[White "Arends, Bo"]
[Black "Brill, Cas"]
[Result "1-0"]
[WhiteNA "{MAIL}"]
[BlackNA "{PHONE}"]
[Annotator "{MAIL}"]
[Opening "{MAIL}"]
[ECO "C20"]

1. e4 {{[%clk 0:01:02] {MAIL}}} e5 {MAIL} 2. Qh5 ; {PHONE}
Ke7 (2... Nc6 {{{PHONE}}}) 3. Qxe5# 1-0
"""
