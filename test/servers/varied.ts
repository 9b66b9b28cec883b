/**
 * Returns a text of the given number of words in which no word repeats. `from` is the number of the first
 * word, so that a longer text can be made in pieces.
 */
export function makeVariedText(words: number, from = 0): string {
  let text = '';
  for (let index = from; index < from + words; index += 1) text += `${toLetters(index)} `;
  return text;
}

/** Returns a number as a word of five letters; different numbers give different words. */
function toLetters(number: number): string {
  // Multiplying the number by 7,919,233 mixes the order of the words. The first 26 ** 5 numbers give all possible
  // words, each once, because 7,919,233 and 26 ** 5 have no common divisor but 1.
  let rest = (number * 7_919_233) % 26 ** 5;
  let word = '';
  for (let place = 0; place < 5; place += 1, rest = Math.floor(rest / 26))
    word += String.fromCharCode(97 + (rest % 26));
  return word;
}
