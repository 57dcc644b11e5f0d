"""Published results as drawings: FIDE's exercises and a real tournament."""

FIDE_SWISS = """
 1 Alyx      2200  9w:1-0   13b:½-½  2w:½-½   15b:1-0  4w:½-½
 2 Bruno     2150  10b:1-0  7w:1-0   1b:½-½   16w:1-0  3b:½-½
 3 Charline  2100  11w:½-½  6b:1-0   8w:1-0   4b:½-½   2w:½-½
 4 David     2050  12b:1-0  ½bye     13w:1-0  3w:½-½   1b:½-½
 5 Helene    2000  13w:0-1  15b:0-1  11w:1-0  7b:½-½   10w:1-0
 6 Franck    1950  14b:0-1  3w:0-1   bye      10w:1-0  8b:1-0
 7 Genevieve 1900  15w:1-0  2b:0-1   16b:0-1  5w:½-½   11b:0-1
 8 Irina     1850  16b:½-½  14w:1-0  3b:0-1   13w:1-0  6w:0-1
 9 Jessica   1800  1b:0-1   10w:0-1  ½bye     11b:-    bye
10 Lais      1750  2w:0-1   9b:1-0   15w:0-1  6b:0-1   5b:0-1
11 Maria     1700  3b:½-½   16w:0-1  5b:0-1   9w:+     7w:1-0
12 Nick      1650  4w:0-1   bye      14w:+    0bye     0bye
13 Opal      1600  5b:1-0   1w:½-½   4b:0-1   8b:0-1   14w:0-1
14 Paul      1550  6w:1-0   8b:0-1   12b:-    0bye     13b:1-0
15 Reine     1500  7b:0-1   5w:1-0   10b:1-0  1w:0-1   16b:0-1
16 Stephan   1450  8w:½-½   11b:1-0  7w:1-0   2b:0-1   15w:1-0
"""
"""Five rounds with all kinds of unplayed rounds.

Source of this and the next two: IA Mario Held, "Exercises in Tie-Breaking", FIDE Technical Commission, March
2024 (C.07 of 2023).
"""

FIDE_ROUND_ROBIN = """
1 Alyx     2200  5w:½-½  2w:1-0  3b:1-0  4w:0-1  6b:1-0
2 Bruno    2150  6w:1-0  1b:0-1  5w:1-0  3w:½-½  4b:1-0
3 Charline 2100  4w:1-0  6b:1-0  1w:0-1  2b:½-½  5w:1-0
4 David    2050  3b:0-1  5b:0-1  6w:½-½  1b:1-0  2w:0-1
5 Franck   1950  1b:½-½  4w:1-0  2b:0-1  6w:-    3b:0-1
6 Helene   2000  2b:0-1  3w:0-1  4b:½-½  5b:+    1w:0-1
"""
"""A round robin with one forfeit."""

FIDE_TEAMS = """
 1 Antelopes   8w:2½-1½/wwdl  4b:1½-2½/lldw   7w:3-1/wwwl    2b:2½-1½/ldww   5w:1½-2½/wdll  6b:+            3b:2½-1½/ldww
 2 Bonobos     9b:3-1/lwww    3w:4-0/wwww     5b:0-4/llll    1w:1½-2½/wdll   13w:3-1/wwwl   4b:2½-1½/ldww   10b:3-1/lwww
 3 Cougars     10w:2½-1½/wwdl 2b:0-4/llll     9w:3-1/wwwl    6b:2½-1½/ldww   4w:3-1/wwwl    5b:3½-½/dwww    1w:1½-2½/wdll
 4 Deer        11b:3-1/lwww   1w:2½-1½/wwdl   13b:3-1/lwww   5w:3½-½/wwwd    3b:1-3/lllw    2w:1½-2½/wdll   9b:2½-1½/ldww
 5 Elephants   12w:4-0/wwww   6b:3-1/lwww     2w:4-0/wwww    4b:½-3½/llld    1b:2½-1½/ldww  3w:½-3½/dlll    13b:3½-½/dwww
 6 Falcons     13b:2-2/llww   5w:1-3/wlll     8b:3-1/lwww    3w:1½-2½/wdll   11b:2½-1½/ldww 1w:-            12w:2½-1½/wwdl
 7 Giraffes    14w:2-2/wwll   8b:2-2/llww     1b:1-3/lllw    10w:2½-1½/wwdl  9b:2-2/llww    13w:2-2/wwll    0bye
 8 Hippopotami 1b:1½-2½/lldw  7w:2-2/wwll     6w:1-3/wlll    12b:3½-½/dwww   10b:2-2/llww   9w:2-2/wwll     11w:3-1/wwwl
 9 Iguanas     2w:1-3/wlll    12b:4-0/wwww    3b:1-3/lllw    14w:3-1/wwwl    7w:2-2/wwll    8b:2-2/llww     4w:1½-2½/wdll
10 Jackals     3b:1½-2½/lldw  11w:1½-2½/wdll  12b:2½-1½/ldww 7b:1½-2½/lldw   8w:2-2/wwll    14b:3-1/lwww    2w:1-3/wlll
11 Koalas      4w:1-3/wlll    10b:2½-1½/ldww  14w:2-2/wddl   13b:1½-2½/lldw  6w:1½-2½/wdll  12w:2-2/wwll    8b:1-3/lllw
12 Lynxes      5b:0-4/llll    9w:0-4/llll     10w:1½-2½/wdll 8w:½-3½/dlll    bye=2          11b:2-2/llww    6b:1½-2½/lldw
13 Moose       6w:2-2/wwll    14b:2½-1½/ldww  4w:1-3/wlll    11w:2½-1½/wwdl  2b:1-3/lllw    7b:2-2/llww    5w:½-3½/dlll
14 Narwhals    7b:2-2/llww    13w:1½-2½/wdll  11b:2-2/lddw   9b:1-3/lllw     ½bye           10w:1-3/wlll    bye=2
"""  # noqa: E501 - a crosstable is as wide as its rounds
"""Seven rounds on four boards. A pairing-allocated bye gives 1 match point and 2 game points."""

POTSDAM = """
 1 Brunk       1960 9b:0-1  15w:1-0 8b:1-0  17w:1-0 10b:0-1 6w:0-1  4b:0-1
 2 Faust       1957 10w:0-1 14b:1-0 7w:1-0  6b:1-0  3w:1-0  18b:0-1 11w:1-0
 3 Käding      1944 11b:1-0 8w:1-0  10b:½-½ 9w:1-0  2b:0-1  4w:1-0  6b:0-1
 4 Christen    1937 12w:1-0 10b:0-1 11w:0-1 16b:1-0 5w:1-0  3b:0-1  1w:1-0
 5 Bullert     1918 13b:1-0 9w:0-1  15b:1-0 10w:0-1 4b:0-1  17w:½-½ 14b:1-0
 6 Bernhöft    1889 14w:1-0 17b:0-1 18b:1-0 2w:0-1  7w:1-0  1b:1-0  3w:1-0
 7 Stephan     1875 15b:0-1 13w:1-0 2b:0-1  14w:½-½ 6b:0-1  20w:1-0 17b:0-1
 8 Kellner     1716 16w:1-0 3b:0-1  1w:0-1  11b:0-1 19b:0-1 15w:0-1 20b:0-1
 9 Franz       1679 1w:1-0  5b:1-0  17w:1-0 3b:0-1  11w:0-1 14w:1-0 10b:0-1
10 Köchert     1574 2b:1-0  4w:1-0  3w:½-½  5b:1-0  1w:1-0  11b:½-½ 9w:1-0
11 Mecklenburg 1481 3w:0-1  16b:1-0 4b:1-0  8w:1-0  9b:1-0  10w:½-½ 2b:0-1
12 Zimmermann  1400 4b:0-1  18w:0-1 14b:0-1 19w:0-1 bye     13b:1-0 16w:1-0
13 Skorwider   1350 5w:0-1  7b:0-1  16w:0-1 bye     14b:0-1 12w:0-1 15b:0-1
14 Nguyen      1294 6b:0-1  2w:0-1  12w:1-0 7b:½-½  13w:1-0 9b:0-1  5w:0-1
15 Goeding     1200 7w:1-0  1b:0-1  5w:0-1  18b:0-1 16w:0-1 8b:1-0  13w:1-0
16 Wolf        1100 8b:0-1  11w:0-1 13b:1-0 4w:0-1  15b:1-0 19w:0-1 12b:0-1
17 Bohn        1009 bye     6w:1-0  9b:0-1  1b:0-1  18w:0-1 5b:½-½  7w:1-0
18 Klöpping    1811 –       12b:1-0 6w:0-1  15w:1-0 17b:1-0 2w:1-0  19b:½-½
19 Rahman      1700 –       –       –       12b:1-0 8w:1-0  16b:1-0 18w:½-½
20 Kramer      1583 –       –       –       –       21w:1-0 7b:0-1  8w:1-0
21 Grinman     1753 –       –       –       –       20b:0-1 bye     –
"""
"""Potsdam, 26 September 2025: seven rounds, with late entries, withdrawals and byes.

Source: github.com/Sharly-Chess/sharly-chess, docs/technical-appendices/chess-results.
"""
