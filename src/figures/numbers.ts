/** A number that was found in a text, in digits or in words. */
export interface WrittenNumber {
  /** The number as it is written, without a minus sign: `1,200`, `40k`, `twenty-five`, `27` in "27 %". */
  readonly written: string;
  readonly value: number;
  /** Whether the number is a percentage. The `value` of "27 %" is 27. */
  readonly percent: boolean;
  /** Whether the number counts as part of a name: `v16`, `ipv6`, `Q-3`, `#12`, also the 5 in `3-5`. */
  readonly named: boolean;
  /** Whether the number is the end of a range in digits: the 5 in `3-5 weeks`, but no part of `2026-11-05`. */
  readonly endsRange: boolean;
  /** The offset of the number's first character. */
  readonly start: number;
  /** The offset after the number's last character. */
  readonly end: number;
}

const SMALL = numberWords(
  'zero|null two|zwei three|drei four|vier five|fünf six|sechs seven|sieben eight|acht nine|neun ten|zehn eleven|elf twelve|zwölf',
  [0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
);
const TEENS = numberWords(
  'thirteen|dreizehn fourteen|vierzehn fifteen|fünfzehn sixteen|sechzehn seventeen|siebzehn eighteen|achtzehn nineteen|neunzehn dozen|dutzend half|halb|halbe|hälfte',
  [13, 14, 15, 16, 17, 18, 19, 12, 0.5],
);
const TENS = numberWords(
  'twenty|zwanzig thirty|dreißig forty|vierzig fifty|fünfzig sixty|sechzig seventy|siebzig eighty|achtzig ninety|neunzig',
  [20, 30, 40, 50, 60, 70, 80, 90],
);
const TIMES = numberWords(
  'hundred|hundert thousand|tausend million|millionen billion|milliarden',
  [1e2, 1e3, 1e6, 1e9],
);

/** The largest value; "million million million …" stops here. */
const MOST = 1e30;

/** Matches a figure with its parts, or a word. Whole runs are matched, so that no position is tried twice. */
const TOKEN = /(?:(?<![\p{L}\p{Nd}.])\.)?\p{Nd}[\p{Nd}.,_]*(?:[kK](?!\p{L}))?|\p{L}+/gu;
/** Matches the text before a range's end: a hyphen after figures that are no part of a name, date or version. */
const RANGE_START = /(?:^|[^\p{L}\p{N}_#@/\\.,:-])\p{Nd}[\p{Nd}.,]*-$/u;
/** How many characters before a number may belong to the range that it ends. */
const MOST_RANGE = 20;
/** Matches text that makes the figures after it part of a name. */
const NAMING = /[\p{L}_#@/\\]$|[\p{L}\p{N}][-.:]$/u;

/**
 * Finds the numbers in a text, in digits and in common English and German words, in the order of the text.
 * "one" is found only after tens, as in "twenty-one", and "ein" never: they are usually no numbers. Never
 * throws. The time grows only in proportion to the length of the text.
 */
export function readNumbers(text: string): WrittenNumber[] {
  const found: WrittenNumber[] = [];
  let last: Mutable | undefined;
  for (const match of text.matchAll(TOKEN)) {
    const [written] = match;
    const [start, end] = [match.index, match.index + match[0].length];
    const between = last === undefined ? undefined : text.slice(last.end, start);
    const word = written.toLowerCase();
    const times = TIMES.get(word);
    if (last !== undefined && !last.closed && isJoint(between) && continuesNumber(last, word)) {
      last.value =
        times === undefined ? last.value + (SMALL.get(word) ?? oneOf(word)) : last.value * times;
      last.written = text.slice(last.start, end);
      last.end = end;
      last.tens = false;
      continue;
    }
    if (last !== undefined) found.push(finishNumber(last, text));
    last = undefined;
    const value = /^\.?\p{Nd}/u.test(written) ? readDigits(written) : worthOf(word);
    if (value === undefined) continue;
    const digits = /^\.?\p{Nd}/u.test(written);
    // Cut off full stops, commas and underscores after the digits: they do not belong to the number.
    const own = digits ? written.replace(/(?<![.,_])[.,_]+$/, '') : written;
    last = {
      written: own,
      value: digits && isNegative(text, start) ? -value : value,
      start,
      end: start + own.length,
      named: digits && NAMING.test(text.slice(Math.max(0, start - 3), start)),
      tens: TENS.has(word),
      closed: own.length < written.length,
    };
  }
  if (last !== undefined) found.push(finishNumber(last, text));
  return found;
}

interface Mutable {
  written: string;
  value: number;
  start: number;
  end: number;
  named: boolean;
  /** Whether ones may follow, as in "twenty-five". */
  tens: boolean;
  closed: boolean;
}

function finishNumber({ written, value, start, end, named }: Mutable, text: string): WrittenNumber {
  const percent = /^\s?(?:%|percent|per cent|prozent)/i.test(text.slice(end, end + 10));
  const endsRange =
    named &&
    RANGE_START.test(text.slice(Math.max(0, start - MOST_RANGE), start)) &&
    !/^[-:/_\p{L}\p{N}]/u.test(text.slice(end, end + 2));
  return { written, value, percent, named, endsRange, start, end };
}

function isJoint(between: string | undefined): boolean {
  return between === ' ' || between === '-';
}

/** Returns whether a word continues a number: "forty two", "two hundred", "1.5 million". */
function continuesNumber(last: Mutable, word: string): boolean {
  const times = TIMES.get(word);
  if (times !== undefined) return !last.named && last.value * times <= MOST;
  const ones = SMALL.get(word) ?? oneOf(word);
  return last.tens && ones >= 1 && ones <= 9;
}

/**
 * Returns 1 for "one" and 0 for other words. "one" is a number only after tens, as in "twenty-one".
 */
function oneOf(word: string): number {
  return word === 'one' ? 1 : 0;
}

function worthOf(word: string): number | undefined {
  return SMALL.get(word) ?? TEENS.get(word) ?? TENS.get(word) ?? TIMES.get(word);
}

/** Parses figures: `1,200` and `1_200` are 1200, `1,5` is 1.5, and of `1.2.3` the first part. */
function readDigits(written: string): number | undefined {
  const plain = written
    .normalize('NFKC')
    .replace(/^\./, '0.')
    .replace(/(?<![.,_])[.,_]+$/, '');
  const thousand = /k$/i.test(plain) ? 1000 : 1;
  const figures = plain.replace(/k$/i, '');
  const whole = /^\d{1,3}(?:[,_]\d{3})+(?:\.\d+)?$/.test(figures)
    ? figures.replace(/[,_]/g, '')
    : (/^\d+(?:[.,]\d+)?/.exec(figures)?.[0] ?? '').replace(',', '.');
  const value = Number(whole) * thousand;
  return whole !== '' && Number.isFinite(value) ? value : undefined;
}

/** Returns whether a minus sign belongs to the number: nothing directly before it. */
function isNegative(text: string, start: number): boolean {
  return /(?:^|[^\p{L}\p{Nd}])[-−]$/u.test(text.slice(Math.max(0, start - 2), start));
}

function numberWords(forms: string, values: readonly number[]): Map<string, number> {
  return new Map(
    forms
      .split(' ')
      .flatMap((all, index) => all.split('|').map((word) => [word, values[index] ?? 0])),
  );
}
