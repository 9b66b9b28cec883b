/**
 * The ballot at the end of an advisor's answer: asked for in three lines, and read leniently, as small
 * models wander. It is cast before the seat has seen anybody else's word.
 */
import { ballotOption } from '../common/votes.ts';

/** What stands behind each label where the ballot is asked for. */
const HINTS = {
  position: 'one line that somebody could act on',
  option: 'the same in at most six words, as it would stand on a ballot',
  confidence: 'from 0 to 1, how likely you think it is that this is the right choice',
} as const;

const BALLOT = `
## Ballot
- **Position:** ${HINTS.position}
- **Option:** ${HINTS.option}
- **Confidence:** ${HINTS.confidence}`;

/**
 * Leaving the role: it decides what is argued, and a devil's advocate who voted by it would vote against
 * what it believes.
 */
export const OWN_BALLOT_TASK = `
End with your ballot, leaving your role: not the case you had to make, but what you would choose yourself, knowing all that you know. Write it under this heading and in these three lines:
${BALLOT}`;

/** For who has no role. Boards from before there was the other one asked every seat in these words. */
export const BALLOT_TASK = `
End with your ballot, under this heading and in these three lines:
${BALLOT}`;

/** What makes two options of a board one choice; see `common/same-choice.ts`. */
export const SAME_CHOICE = 'the person who asked would do the same thing next on either of them';

export interface Ballot {
  readonly position: string;
  /** At most six words. */
  readonly option: string;
  /** 0 to 1. */
  readonly confidence: number;
}

type Label = 'position' | 'option' | 'confidence';

/** A label at the beginning of a line, behind whatever marks of a list, a heading, a table or a quotation. */
const LABELLED =
  /^(?:\s|#{1,6}\s|>|[-+*•]\s|\d+[.)]\s|\|)*(?:[*_`"]{1,3}\s*)?(position|option|confidence)(?:\s*[*_`"]{1,3})?\s*(?:\([^)]*\)\s*)?(?:[:：=|]|[-–—]\s|$|(?<=\*\*|__)\s)\s*(.*)$/is;
/**
 * A label in the middle of a line, where all three were put on one. Runs of marks are tried from their
 * beginning only, here and below: models repeat themselves, and each place tried would cost the rest.
 */
const INLINE =
  /(?<![ \t|;,·–—-])[ \t|;,·–—-]+(?=[*_`]{0,3}(?:Position|Option|Confidence)[*_`]{0,3}\s*[:：=])/g;
const TO_CONFIDENCE = /(?<![ \t|;,·–—*+_`-])[ \t|;,·–—*+_`-]*confidence\b.*$/i;
const HEADING = /^[\s#*_>]*(?:my |final )?(?:ballot|stance|vote)\b[^\n]{0,24}$/i;
/** Lines with words that are looked at where no heading announces the ballot. */
const TAIL_LINES = 14;
const MAX_POSITION = 300;
/** Characters behind the label "Confidence" in which its number is looked for. */
const MAX_BEFORE_NUMBER = 60;

/** A position as it was kept, marked where it was longer than that. */
export function shownPosition(position: string): string {
  return [...position].length < MAX_POSITION ? position : `${position.trimEnd()}…`;
}

/** The ballot with which a text ends; undefined where none can be read. */
export function parseBallot(text: string): Ballot | undefined {
  const lines = text.split('\n');
  const heading = lines.findLastIndex((line) => HEADING.test(line));
  return (
    (heading < 0 ? undefined : ballotIn(sectionBelow(lines, heading), 'first')) ??
    ballotIn(lines.filter((line) => line.trim() !== '').slice(-TAIL_LINES), 'last')
  );
}

/** Up to the next heading: what stands below that one is no part of this ballot. */
function sectionBelow(lines: readonly string[], heading: number): readonly string[] {
  const below = lines.slice(heading + 1);
  const next = below.findIndex((line) => /^\s*#{1,6}\s/.test(line) && !LABELLED.test(line));
  return next < 0 ? below : below.slice(0, next);
}

/**
 * The text without the number. How sure a model says it is tells little of how right it is, and a
 * synthesizer that read it would weigh voices by their loudness: it sees positions and reasons only.
 */
export function withoutConfidence(text: string): string {
  if (parseBallot(text) === undefined) return text;
  const lines = text.split('\n');
  const at = lines.findLastIndex((line) => /\bconfidence\b/i.test(line));
  return lines
    .flatMap((line, index) => {
      if (index !== at) return [line];
      const rest = line.replace(TO_CONFIDENCE, '').trimEnd();
      return rest.trim() === '' ? [] : [rest];
    })
    .join('\n');
}

/**
 * @param which of several lines with one label: below its heading a ballot comes first, and what follows may
 *   speak of confidence again; without one it is what the text ends with
 */
function ballotIn(lines: readonly string[], which: 'first' | 'last'): Ballot | undefined {
  const found = new Map<Label, string>();
  const split = lines.flatMap((line) => line.replace(INLINE, '\n').split('\n'));
  split.forEach((line, index) => {
    const [, label, value = ''] = LABELLED.exec(line) ?? [];
    if (label === undefined) return;
    let next = index + 1;
    while (split[next]?.trim() === '') next += 1;
    const below = split[next] ?? '';
    const words = clean(value) || (LABELLED.test(below) ? '' : clean(below));
    const name = label.toLowerCase() as Label;
    if (words === '' || isHint(name, words) || (which === 'first' && found.has(name))) return;
    found.set(name, words);
  });
  const option = ballotOption((found.get('option') ?? '').replace(/(?<![.;,])[.;,]+$/, ''));
  const confidence = share(found.get('confidence') ?? '');
  if (option === '' || confidence === undefined) return undefined;
  const position = [...(found.get('position') ?? option)].slice(0, MAX_POSITION).join('');
  return { position, option, confidence };
}

/** Letters of a hint from which on a text that begins like it is the hint, copied. */
const COPIED = 16;

/** Whether a model has copied what it was told to write there. */
function isHint(label: Label, words: string): boolean {
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const [hint, said] = [plain(HINTS[label]), plain(words)];
  return said.length >= COPIED ? said.startsWith(hint.slice(0, COPIED)) : said === 'from0to1';
}

/** `0.7`, `70 %`, `7/10` and `about 0,7 (fairly sure)` as a share; undefined where it is none. */
function share(text: string): number | undefined {
  // In a sentence a number far from the label is something else, such as a time of day.
  const start = text.slice(0, MAX_BEFORE_NUMBER);
  const match =
    /(?<![\d:])(\d+(?:[.,]\d+)?|[.,]\d+)(?!\d*:\d)\s*(%|percent|(?:\/|out of)\s*(\d+))?/i.exec(
      start,
    );
  if (match === null) return undefined;
  const value = Number((match[1] ?? '').replace(',', '.'));
  const whole = match[3] !== undefined ? Number(match[3]) : match[2] !== undefined ? 100 : 1;
  // A bare 70 can only be a percentage; what a bare 7 is, nobody knows.
  const read = whole === 1 && value > 10 ? value / 100 : value / whole;
  return read >= 0 && read <= 1 ? read : undefined;
}

function clean(value: string): string {
  return value
    .replace(/^[\s*_`"'“”‘’#>|:-]+|(?<![\s*_`"'“”‘’|])[\s*_`"'“”‘’|]+$/g, '')
    .replace(/["”],$/, '')
    .replace(/\s+/g, ' ')
    .trim();
}
