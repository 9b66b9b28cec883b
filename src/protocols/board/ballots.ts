/**
 * The ballot at the end of an advisor's answer: three lines, parsed leniently because small models deviate. A
 * seat casts it before it has seen any other answer.
 */
import { isPlaceholder, repeatsForm } from '../../text/form-words.ts';
import { explainRefusedOption } from '../common/voting/refused-option.ts';
import { shortenOption } from '../common/voting/votes.ts';

/** What every advisor is told above the instructions for its ballot. */
export const ADVISOR_TASK =
  'Answer from your own role, and only from it. The other advisors answer at the same time; you will not see what they say.';

/** The instructions for each line of a ballot. A value that only repeats them is no answer. */
const ASKED = {
  position: 'one line that somebody could act on',
  option: 'the same in at most six words, as it would stand on a ballot',
  confidence: 'from 0 to 1, how likely you think it is that this is the right choice',
} as const;

const BALLOT = `
## Ballot
- **Position:** ${ASKED.position}
- **Option:** ${ASKED.option}
- **Confidence:** ${ASKED.confidence}`;

const LEAVING_THE_ROLE =
  'End with your ballot, leaving your role: not the case you had to make, but what you would choose yourself, knowing all that you know. Write it under this heading and in these three lines:';
const UNDER_THIS_HEADING = 'End with your ballot, under this heading and in these three lines:';

/**
 * The instructions for a seat to vote by its own opinion and not in its role, because otherwise a
 * devil's advocate would vote against its own belief.
 */
export const OWN_BALLOT_TASK = `
${LEAVING_THE_ROLE}
${BALLOT}`;

/**
 * The instructions to vote, for a model that answers without a role. Older boards used them for
 * every seat.
 */
export const BALLOT_TASK = `
${UNDER_THIS_HEADING}
${BALLOT}`;

/** What the program itself writes into an advisor's prompt. */
const TOLD = [ADVISOR_TASK, OWN_BALLOT_TASK];
const INSTRUCTIONS = [...Object.values(ASKED), LEAVING_THE_ROLE, UNDER_THIS_HEADING];

/** The rule by which two options on a board's ballots are the same choice. */
export const SAME_CHOICE = 'the person who asked would do the same thing next on either of them';

/** The vote at the end of an answer. */
export interface Ballot {
  /** What should be done, in one line. */
  readonly position: string;
  /** The same choice in at most six words. */
  readonly option: string;
  /** How likely the seat thinks the choice is right, from 0 to 1. */
  readonly confidence: number;
}

type Label = 'position' | 'option' | 'confidence';

/** Matches a label at the beginning of a line, after marks of a list, heading, table or quotation. */
const LABELLED =
  /^(?:\s|#{1,6}\s|>|[-+*•]\s|\d+[.)]\s|\|)*(?:[*_`"]{1,3}\s*)?(position|option|confidence)(?:\s*[*_`"]{1,3})?\s*(?:\([^)]*\)\s*)?(?:[:：=|]|[-–—]\s|$|(?<=\*\*|__)\s)\s*(.*)$/is;
/**
 * Matches a label within a line, for ballots written on one line. Here and below, runs of marks are matched
 * from their beginning only; otherwise repetitive model text would take quadratic time.
 */
const INLINE =
  /(?<![ \t|;,·–—-])[ \t|;,·–—-]+(?=[*_`]{0,3}(?:Position|Option|Confidence)[*_`]{0,3}\s*[:：=])/g;
const TO_CONFIDENCE = /(?<![ \t|;,·–—*+_`-])[ \t|;,·–—*+_`-]*confidence\b.*$/i;
const HEADING = /^[\s#*_>]*(?:my |final )?(?:ballot|stance|vote)\b[^\n]{0,24}$/i;
/** The number of last non-blank lines that are searched for a ballot without a heading. */
const TAIL_LINES = 14;
const MAX_POSITION = 300;

/**
 * Returns a stored position for display. An ellipsis is added if the position has the maximum length,
 * to which longer ones are cut.
 */
export function formatPosition(position: string): string {
  return [...position].length < MAX_POSITION ? position : `${position.trimEnd()}…`;
}

/**
 * A ballot, or the reason why the lines in its place are no usable ballot: `its option repeats the
 * form`.
 */
type BallotReading = { readonly ballot: Ballot } | { readonly why: string };

/**
 * Returns the ballot (the vote) at the end of a text, or the reason why the ballot cannot be counted.
 * A line that only repeats the instructions for the ballot counts as missing. Returns undefined if there is
 * no line for an option or a confidence where a ballot may stand: below its heading, or at the end of the text.
 *
 * @param question the question of the board, whose words an option may repeat; absent if not known
 */
export function readBallot(text: string, question?: string): BallotReading | undefined {
  const said = withoutOptions(text);
  const readings = placesOf(text).map((lines) => readLines(lines, said, question));
  return (
    readings.find((reading) => reading !== undefined && 'ballot' in reading) ??
    readings.find(Boolean)
  );
}

/**
 * Returns the ballot (the vote) at the end of a text. Returns undefined if there is none, or if it cannot be counted,
 * because it has no confidence from 0 to 1 or its option is no choice.
 *
 * @param question the question of the board, whose words an option may repeat; absent if not known
 */
export function parseBallot(text: string, question?: string): Ballot | undefined {
  const read = readBallot(text, question);
  return read !== undefined && 'ballot' in read ? read.ballot : undefined;
}

/** Returns a text without the lines that name an option. */
function withoutOptions(text: string): string {
  return splitLabels(text.split('\n'))
    .filter((line) => LABELLED.exec(line)?.[1]?.toLowerCase() !== 'option')
    .join('\n');
}

/** Splits lines before each label that stands within them. */
function splitLabels(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.replace(INLINE, '\n').split('\n'));
}

/** Returns the lines that may hold a ballot, the likeliest first: below its heading, then at the end. */
function placesOf(text: string): (readonly string[])[] {
  const lines = text.split('\n');
  const heading = lines.findLastIndex((line) => HEADING.test(line));
  const tail = lines.filter((line) => line.trim() !== '').slice(-TAIL_LINES);
  return [...(heading < 0 ? [] : [sectionBelow(lines, heading)]), tail];
}

/** Returns the lines up to the next heading, which does not belong to the ballot. */
function sectionBelow(lines: readonly string[], heading: number): readonly string[] {
  const below = lines.slice(heading + 1);
  const next = below.findIndex((line) => /^\s*#{1,6}\s/.test(line) && !LABELLED.test(line));
  return next < 0 ? below : below.slice(0, next);
}

/**
 * Removes the stated confidence from the ballot in a text. The synthesizer must not see it, because
 * it would prefer confident voices, although confidence says little about who is right.
 */
export function removeConfidence(text: string): string {
  // Remove the confidence also from a ballot that cannot be counted: there it could sway the synthesizer as well.
  if (!placesOf(text).some(hasNumber)) return text;
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

interface Labelled {
  readonly label: Label;
  readonly value: string;
}

/**
 * Returns the labelled lines with their values. A value may be on the line below its label. Empty
 * values are left out.
 */
function labelledIn(lines: readonly string[]): Labelled[] {
  const split = splitLabels(lines);
  return split.flatMap((line, index) => {
    const [, label, value = ''] = LABELLED.exec(line) ?? [];
    if (label === undefined) return [];
    let next = index + 1;
    while (split[next]?.trim() === '') next += 1;
    const below = split[next] ?? '';
    const words = stripMarkup(value) || (LABELLED.test(below) ? '' : stripMarkup(below));
    return words === '' ? [] : [{ label: label.toLowerCase() as Label, value: words }];
  });
}

function hasNumber(lines: readonly string[]): boolean {
  const labels = labelledIn(lines);
  return (
    labels.some(({ label }) => label === 'option') &&
    labels.some(({ label, value }) => label === 'confidence' && /\d/.test(value))
  );
}

/**
 * Returns the last complete ballot in the lines. After a complete ballot, a line with a position or
 * an option begins another ballot. A further line with a confidence changes nothing.
 */
function readLines(
  lines: readonly string[],
  said: string,
  question: string | undefined,
): BallotReading | undefined {
  let whole: Ballot | undefined;
  let noChoice: string | undefined;
  let found = new Map<Label, string>();
  const repeated = new Set<Label>();
  const labels = labelledIn(lines);
  for (const { label, value } of labels) {
    if (whole !== undefined && found.size === 0 && label === 'confidence') continue;
    if (label === 'confidence' ? repeatsScale(value) : isForm(value)) {
      repeated.add(label);
      continue;
    }
    if (label === 'option') {
      noChoice = explainRefusedOption(value, optionOf(value), { question, told: TOLD, said });
      if (noChoice !== undefined) continue;
    }
    found.set(label, value);
    const ballot = ballotOf(found);
    if (ballot === undefined) continue;
    whole = ballot;
    found = new Map();
  }
  if (whole !== undefined) return { ballot: whole };
  if (!labels.some(({ label }) => label !== 'position')) return undefined;
  return { why: whyUnusable(found, repeated, noChoice) };
}

/** Returns whether an option, cut to its stored length, says nothing beyond the form. */
function isForm(value: string): boolean {
  return repeatsForm(value, INSTRUCTIONS) || repeatsForm(optionOf(value), INSTRUCTIONS);
}

function optionOf(value: string): string {
  return shortenOption(value.replace(/(?<![.;,])[.;,]+$/, ''));
}

function ballotOf(found: ReadonlyMap<Label, string>): Ballot | undefined {
  const option = optionOf(found.get('option') ?? '');
  const confidence = parseShare(found.get('confidence') ?? '');
  if (option === '' || confidence === undefined) return undefined;
  const position = [...(found.get('position') ?? option)].slice(0, MAX_POSITION).join('');
  return { position, option, confidence };
}

function whyUnusable(
  found: ReadonlyMap<Label, string>,
  repeated: ReadonlySet<Label>,
  noChoice = 'it names no option',
): string {
  const needed = (['option', 'confidence'] as const).filter(
    (label) => !found.has(label) || (label === 'confidence' && !isShare(found.get(label) ?? '')),
  );
  const copies = needed.filter((label) => repeated.has(label) && !found.has(label));
  const missing = needed.filter((label) => !copies.includes(label));
  return [
    ...(copies.length === 0
      ? []
      : [`its ${copies.join(' and its ')} ${copies.length === 1 ? 'repeats' : 'repeat'} the form`]),
    ...missing.map((label) =>
      label === 'confidence' ? 'it has no confidence from 0 to 1' : noChoice,
    ),
  ].join(', and ');
}

/**
 * Matches the scale of the confidence, such as `from 0 to 1` or `0–100 %`. The scale by itself is
 * no confidence.
 */
const SCALE =
  /(?<![\d.,])(?:(?:from|between)\s+)?0(?:[.,]0+)?\s*(?:to|and|-|–|—|…|\.{2,3})\s*(?:1(?:[.,]0+)?|100)\s*%?(?![\d.,]*\d)/gi;

/** Returns whether a confidence says nothing but the scale, or a placeholder. */
function repeatsScale(value: string): boolean {
  if (isPlaceholder(value)) return true;
  const rest = value.replace(SCALE, ' ');
  return rest !== value && !isShare(rest);
}

function isShare(text: string): boolean {
  return parseShare(text) !== undefined;
}

/**
 * Parses `0.7`, `70 %`, `7/10`, `0.7 (from 0 to 1)` or `about 0,7 (fairly sure)` to a number from 0 to 1;
 * undefined for other texts. Times of day are not taken for numbers.
 */
function parseShare(text: string): number | undefined {
  const match =
    /(?<![\d:])(?!\d+:\d)(\d+(?:[.,]\d+)?|[.,]\d+)\s*(%|percent|(?:\/|out of)\s*(\d+))?/i.exec(
      text.replace(SCALE, ' '),
    );
  if (match === null) return undefined;
  const value = Number((match[1] ?? '').replace(',', '.'));
  const whole = match[3] !== undefined ? Number(match[3]) : match[2] !== undefined ? 100 : 1;
  // A confidence of 70 without a unit can only be a percentage. A 7 may also mean 7 of 10, so refuse it.
  const read = whole === 1 && value > 10 ? value / 100 : value / whole;
  return read >= 0 && read <= 1 ? read : undefined;
}

function stripMarkup(value: string): string {
  return value
    .replace(/^[\s*_`"'“”‘’#>|:-]+|(?<![\s*_`"'“”‘’|])[\s*_`"'“”‘’|]+$/g, '')
    .replace(/["”],$/, '')
    .replace(/\s+/g, ' ')
    .trim();
}
