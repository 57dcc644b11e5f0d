"""Detection of undeclared encodings in short lists of names, with evidence."""

import pytest

from tournaments.interchange.formats.encodings import CODE_PAGES, ENCODINGS, decode_text

FRENCH = "Étienne Beaulieu;Joël Laurier;Hélène Lefèvre;François Moulière;Benoît Chéron;Anaïs Noël"
GERMAN = "Jürgen Müller;Günter Schäfer;Käthe Groß;Jörg Köhler;Björn Strauß;Uwe Böhm"
SPANISH = "José Peña;Begoña Núñez;Ángel Muñoz;Iván Lópiz;María Gómez;Andrés Ibáñez"
DANISH = "Søren Bækhus;Jørgen Østerby;Åge Kjærsen;Mads Bøghø;Lærke Nørby;Bjørn Åsen"
POLISH = "Łukasz Wójcik;Radosław Błasz;Paweł Żmuda;Grażyna Śliwa;Michał Kość;Jędrzej Gęsicki"
CZECH = "Jiří Štoch;Zbyněk Hráč;Přemysl Žďár;Tomáš Pešek;Ondřej Černý;Šárka Dvořák"
RUSSIAN = "Иванов Сергей;Петрова Анна;Кузнецов Алексей;Жуков Юрий;Щербакова Мария;Цыганов Илья"
UKRAINIAN = "Іванчук Василь;Анікєєв Юрій;Їжакова Ганна;Мотрічко Віктор;Єфімов Ігор;Гудзь Олег"
TURKISH = "Barış Esenler;Emre Şahin;Kübra Öztürk;Betül Yıldız;Gökçe Çağlar;Oğuz Güneş"
LITHUANIAN = "Šarūnas Šulskas;Tomas Žalys;Darius Ružėlis;Rūta Juškaitė;Jūratė Žukienė;Ąžuolas Bičkus"
LATVIAN = "Jānis Bērziņš;Ilze Bērziņa;Kārlis Kalniņš;Ģirts Ķepītis;Pēteris Zariņš;Līga Āboliņa"
GREEK = "Γιώργος Παππάς;Βασίλης Κότρας;Σταύρος Γεωργίου;Ιωάννης Νικολάου;Μαρία Δημητρίου;Ηλίας Κούρος"

WRITTEN = {
    FRENCH: ("cp1252", "cp850", "cp437", "mac-roman"),
    GERMAN: ("cp1252", "cp850", "mac-roman"),
    SPANISH: ("cp1252", "cp850", "mac-roman"),
    DANISH: ("cp1252", "cp850", "mac-roman"),
    POLISH: ("cp1250", "iso-8859-2", "cp852", "mac-latin2"),
    CZECH: ("cp1250", "iso-8859-2", "cp852", "mac-latin2"),
    RUSSIAN: ("cp1251", "koi8-r", "cp866", "iso-8859-5", "mac-cyrillic"),
    UKRAINIAN: ("cp1251", "koi8-u", "iso-8859-5", "mac-cyrillic"),
    TURKISH: ("cp1254", "cp857"),
    LITHUANIAN: ("cp1257", "iso-8859-13", "cp775"),
    LATVIAN: ("cp1257", "iso-8859-13", "cp775"),
    GREEK: ("cp1253", "iso-8859-7"),
}


def listed(names: str) -> str:
    """Return a list of competitors as programs save it."""
    return "Nr;Name;Fed;Elo\n" + "".join(
        f"{at};{name};XXX;2000\n" for at, name in enumerate(names.split(";"), 1)
    )


@pytest.mark.parametrize(
    ("names", "encoding"),
    [(names, encoding) for names, encodings in WRITTEN.items() for encoding in encodings],
)
def test_six_names_are_enough_to_detect_encoding(names: str, encoding: str) -> None:
    text = listed(names)
    read, (finding,) = decode_text(text.encode(encoding))

    assert read == text
    assert (finding.code, finding.where) == ("not-utf-8", "line 2")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_declared_encoding_needs_no_detection(encoding: str) -> None:
    assert decode_text(listed(RUSSIAN).encode(encoding)) == (listed(RUSSIAN), [])


def test_evidence_names_letters_lines_and_other_encodings() -> None:
    _, (finding,) = decode_text(listed(RUSSIAN).encode("koi8-r"))

    assert finding.message.startswith(
        "The file is not UTF-8, so it was read as KOI8-R, Russian (koi8-r). Beyond ASCII"
    )
    assert "“Иванов Сергей” (line 2), “Петрова Анна” (line 3)" in finding.message
    assert "The first would be “йЧБОПЧ уЕТЗЕК” in cp1251, “" in finding.message


@pytest.mark.parametrize("encoding", ["cp1252", "cp850", "mac-roman"])
def test_half_next_to_name_is_no_letter(encoding: str) -> None:
    text = "1;Jörg Müller;2w½;3b1\n2;Käthe Böhm;1b½;4w½\n".replace(
        "½", "=" if encoding == "mac-roman" else "½"
    )
    assert decode_text(text.encode(encoding))[0] == text


def page(text: str, charset: str) -> str:
    """Return a page that declares its encoding."""
    return f'<html><head><meta http-equiv="Content-Type" content="text/html; charset={charset}"></head>{text}'


def test_declared_encoding_is_used_if_it_decodes() -> None:
    for charset, encoding in (("ibm850", "cp850"), ("windows-1251", "utf-8"), ("ISO-8859-1", "cp1252")):
        text = page("Müller" if encoding == "cp850" else "Müller €", charset)
        assert decode_text(text.encode(encoding)) == (text, [])
    for nothing in ("utf-8", "rot13", "none-such"):
        assert decode_text(page("Müller", nothing).encode("cp850"))[1][0].code == "not-utf-8"


def test_all_encodings_can_be_chosen() -> None:
    for encoding in ENCODINGS:
        assert decode_text("Name;1".encode(encoding), encoding) == ("Name;1", [])
    assert set(CODE_PAGES) == {each for each in ENCODINGS if not each.startswith("utf")}
    text, (finding,) = decode_text(b"a\n\x81", "cp1252")
    assert (text, finding.code, finding.where) == ("", "wrong-encoding", "line 2")


def test_any_bytes_can_be_decoded() -> None:
    text, (finding,) = decode_text(bytes(range(128, 256)))
    assert len(text) == 128
    assert finding.code == "not-utf-8"


@pytest.mark.parametrize("page", ["cp437", "cp850", "cp1252", "mac-roman"])
def test_half_after_colour_identifies_code_page(page: str) -> None:
    sign = "½" if page != "mac-roman" else "é"
    text = f"Nr;Name;1;2;3\n1;Bo Arends;2w{sign};3b1;4w{sign}\n2;Andr\u00e9 Brill;1b{sign};4w0;3b{sign}\n"
    read, _ = decode_text(text.encode(page))

    assert read == text
