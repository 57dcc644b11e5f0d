// Texts as the site's search compares them (tournaments/search/folding.py), for a search in the browser.

const LETTERS = {ł: "l", ø: "o", đ: "d", ð: "d", þ: "th", æ: "ae", œ: "oe", ı: "i", ħ: "h", ŧ: "t", ß: "ss", ς: "σ"};

/** Latin letters for Greek, Cyrillic, Armenian and Georgian ones: for each key and the characters after it, as in anyascii. */
const LATIN = {
  "α": "a v g d e z i th i k l m n x o p r s s t y f ch ps o",
  "а": "a b v g d e zh z i y k l m n o p r s t u f kh ts ch sh shch ' y ' e yu ya e e dj g ie dz i i j lj nj c k i u dzh",
  "Ґ": "g g gh gh gh gh j j z z q q g g q q q q ng ng ng ng ph ph w w s s th th u u u u h h ts ts j j c c h h ch ch ch ch h gi gi q q lh lh ng ng nh nh dzh dzh mh mh h a a a a ae ae e e a a e e dzh dzh j j dz dz i i i i o o o o",
  "ա": "a b g d e z e y t' zh i l kh ts k h dz gh ch m y n sh o ch' p j rr s v t r ts' w p' k' o f ev",
  "ა": "a b g d e v z t i k' l m n o p' zh r s t' u p k gh q' sh ch ts dz ts' ch' kh j h",
};

const latin = new Map(Object.entries(LATIN).flatMap(([first, letters]) =>
  letters.split(" ").map((each, at) => [String.fromCodePoint(first.codePointAt(0) + at), each])));

const SHORTEST = 4;
const LONGEST = 24;

/** Return a text in small Latin letters without diacritics, with single spaces between words. */
export function folded(text) {
  const marked = text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
  const letters = marked.replace(/[^ -~]/gu, sign => LETTERS[sign] ?? sign).replace(/[^ -~]/gu, sign => latin.get(sign) ?? sign);
  return letters.replace(/['’‘ʼ`ʹ]/g, "").replace(/[^\p{L}\p{N}_]+/gu, " ").trim();
}

/** Return the word and its forms without one letter; none if it is too short or has other characters than letters. */
export function spellingsOf(word) {
  if (word.length < SHORTEST || word.length > LONGEST || !/^\p{L}+$/u.test(word)) return [];
  return [word, ...Array.from(word, (_letter, at) => word.slice(0, at) + word.slice(at + 1))];
}
