"""The headings of tables in different languages, and the abbreviations of programs and sites."""

import re
from unicodedata import normalize

WORDS: dict[str, str] = {
    "number": (
        "number no nr n num tnr tlnnr teilnehmernr snr sno sn startno startnr startnumber startnummer"
        " startingrank rangnummer numéro nºini ninic rini número numero numer nrst стартномер стномер стном"
        " номер № #"
    ),
    "label": (
        "place rank rk rg pl plaats rang pos position platz место м puesto posición lugar clas clasificación"
        " posizione classifica classement cl miejsce msc mce lp posição poř pořadí por poradie sıra sira"
        " placering plac hely helyezés rbr plasman"
    ),
    "points": (
        "points pts pt total totaal punten punkte pkt pnt ptn score mp очки очков оч puntos ptos punti"
        " punkty pontos pkte body bodů bodov puan poäng poeng poeni bodovi pont"
    ),
    "name": (
        "name player naam nom spieler speler joueur team club ploeg mannschaft équipe competitor имя фио"
        " фамилия фамилияимя участник игрок команда nombre jugador equipo nome giocatore squadra cognome"
        " nominativo nazwisko nazwiskoimię nazwiskoiimię imięinazwisko zawodnik drużyna teilnehmer jogador"
        " equipe nomeprénom nomprénom apellidosynombre jméno meno příjmení isim adsoyad oyuncu takım namn"
        " equipa navn név játékos csapat hráč družstvo ime prezimeime igrač ekipa lag spelare spiller"
        " fullname lastname surname familyname nachname achternaam"
    ),
    "given_name": "firstname givenname forename vorname voornaam",
    "code": (
        "code fed federation federatie country land nat fédération страна fédé federación país federazione"
        " nazione federacja kraj federação föderation verband фед федерация fede federace federácia stát štát"
        " ülke ország feder naz"
    ),
    "flag": "flag vlag",
    "title": "title titel tite titre cat звание titolo título tytuł tít tit tyt титул зв",
    "rating": (
        "rating rtg elo fmjd ratingi rtgi rtgn rtgint rtgnat eloi elon eloint elonat nwz dwz twz эло рейтинг"
        " рейт рейтр рейтм élő ukd rapide rtng"
    ),
    "rating_class": "ratingclass",
    "outside": "outside hc horsconcours",
    "withdrawn_after": "withdrawnafter",
    "board": "board bo bord brett br échiquier ech tablero m scacchiera sc szachownica szach доска tabuleiro",
    "player": "player",
    "player_title": "playertitle",
    "player_rating": "playerrating",
    "fide_id": "fideid idfide intlid",
    "club": "club verein vereniging клуб circolo società klub clube clubcity clubort vereinort",
    "city": "city stad woonplaats wohnort ville город ciudad città miasto cidade",
    "sex": "sex gender geslacht geschlecht sexe пол sexo sesso płeć mv mw mf",
    "born": (
        "born birth birthday bday birthdate dateofbirth birthyear yearofbirth byear dob geboren geboortedatum"
        " geboortejaar geburtsdatum geburtsjahr naissance geb gebjahr jahrgang nacimiento fechanacimiento"
        " fnac añonacimiento nascita annonascita datanascita urodzony rokur rokurodzenia dataur dataurodzenia"
        " datenaissance datedenaissance nascimento рожд годрожд датарождения годрождения датарожд гр др"
    ),
    "fmjd_id": "fmjdid idfmjd",
    "categories": (
        "categories category categorie categorieën catégorie kategorie категория categoría categoria"
        " kategoria"
    ),
    "round": "round rd rnd ronde runde тур ronda turno runda rodada rda",
    "date": "date datum дата fecha data",
    "table": "table tafel tisch mesa tavolo stół стол ст",
    "first_number": "firstnumber whitenumber",
    "first": (
        "first white wit home thuis weiss weiß blancs белые blancas bianco białe brancas heim domicile casa"
    ),
    "second_number": "secondnumber blacknumber",
    "second": (
        "second black zwart away uit schwarz noirs чёрные черные negras nero czarne pretas gast extérieur"
    ),
    "result": (
        "result uitslag resultaat ergebnis erg résultat rés score res результат рез resultado risultato ris"
        " esito wynik wyn výsledek výsl sonuç eredmény resultat uitsl"
    ),
    "first_score": "firstscore whitescore",
    "second_score": "secondscore blackscore",
    "first_player": "firstplayer",
    "second_player": "secondplayer",
    "kind": "kind",
    "white": "white",
    "advantage": "advantage voordeel",
    "games_played": "gamesplayed",
    "moves": "moves movetext zetten züge zuege coups ходы",
    "note": "note remark opmerking",
}
"""Words of headings by field, without blanks and points.

Words are unique in a kind of table, except `club`: a team's name if no other column has it.
"""

MEANINGS: dict[str, list[str]] = {}  # the possible fields of each term

for _field, _words in WORDS.items():
    for _each in _words.split():
        MEANINGS.setdefault(_each, []).append(_field)

# words for a team in the headings of names
TEAM = frozenset(
    "team mannschaft ploeg club équipe equipe equipo squadra drużyna команда takım equipa csapat družstvo"  # noqa: SIM905 - as WORDS
    " ekipa lag".split()
)

_OF_ROUNDS = "|".join(
    "r x rd rda rnd round ronde ronda runde runda rodada rond turno tur t kolo omgang forduló тур т".split()  # noqa: SIM905 - as WORDS
)
# the heading of a round: `1.Rd`, `Rda.1`, `R1`, `тур 1`, or the number
ROUND = re.compile(rf"(?:{_OF_ROUNDS})?\.?(\d{{1,3}})\.?(?:{_OF_ROUNDS})?\.?")


def word_of(heading: str) -> str:
    """Return a heading as in WORDS: lower case, without blanks and points, with composed accents."""
    # The capital of the Turkish `i` decomposes into `i` and a dot.
    folded = normalize("NFC", heading.casefold().replace("i\u0307", "i"))
    return re.sub(r"[\s.,_:'’()/-]+", "", folded)


def names_a_column(word: str) -> bool:
    """Return whether a word is enough for a heading. `n` and `m` are also colours and sexes."""
    return word in MEANINGS and not (len(word) == 1 and word.isascii() and word.isalpha())


# --- languages --------------------------------------------------------------------------------------------

_LANGUAGES = {
    "French": (
        "nom joueur équipe fédération fédé titre catégorie classement blancs noirs résultat rés naissance"
    ),
    "Spanish": (
        "nombre jugador equipo federación país título puesto posición puntos ptos ronda blancas negras"
        " resultado nacimiento fnac nºini"
    ),
    "Italian": (
        "nome giocatore squadra federazione titolo posizione classifica punti turno bianco nero risultato"
        " nascita"
    ),
    "Portuguese": "jogador federação pontos posição brancas pretas nascimento rodada clube",
    "Polish": (
        "nazwisko zawodnik drużyna federacja tytuł miejsce msc punkty runda białe czarne wynik klub płeć lp"
    ),
    "Russian": "имя фио фамилия участник игрок команда страна фед звание место очки белые чёрные черные тур",
    "German": "spieler teilnehmer mannschaft platz punkte pkt verein weiss weiß schwarz ergebnis geburtsjahr",
    "Dutch": "naam speler ploeg plaats punten wit zwart uitslag vereniging woonplaats geboren",
    "Turkish": "isim sıra puan oyuncu takım ülke",
    "English": "player team place rank points white black result born birth score country",
}
"""Terms that identify the language of a heading, without those of several languages."""

_LANGUAGE_OF = {word: name for name, words in _LANGUAGES.items() for word in words.split()}


def languages_of(headings: tuple[str, ...]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for heading in headings:
        word = word_of(heading)
        numbered = ROUND.fullmatch(word)
        name = _LANGUAGE_OF.get(word) or (_LANGUAGE_OF.get(word.strip("0123456789")) if numbered else None)
        if name:
            found.setdefault(name, []).append(heading)
    return found
