/**
 * Formats the outcome of a run in the same order for every protocol: the sentences that a reader needs
 * first.
 */
import { findInventedFigures } from '../../figures/prose.ts';
import type { AnyBody } from '../../kernel/vocabulary.ts';
import { capitalize } from '../../text/capitalize.ts';
import type { Conclusion, Outcome } from '../define.ts';
import { SDK } from '../facts.ts';
import type { TooFew } from '../no-answer.ts';

/** A call that ended without an answer, and the reason. */
export interface Silence {
  readonly seat: string;
  readonly title: string;
  /** The key of the step. */
  readonly key: string;
  readonly reason: string;
}

interface Told {
  /** Markdown. */
  readonly text: string;
  /** Numbers in a model's prose that do not occur in `known`. */
  readonly unknown: readonly string[];
}

/**
 * Formats the outcome of a run.
 * @param asked the number of seats that were asked
 * @param silences the calls without an answer
 * @param known all texts of the run; if a model wrote the outcome's `text`, the numbers in it that are neither in
 * `known` nor in the result are returned as unknown
 */
export function formatOutcome(
  outcome: Outcome,
  asked: number,
  silences: readonly Silence[],
  known: readonly string[],
): Told {
  const { result, first, moved, turns, belief, text = '', isProse = false } = outcome;
  const unknown = isProse
    ? findInventedFigures(text, { texts: [...known, result], figures: [] }).map(
        (number) => number.written,
      )
    : [];
  const lines = [
    `**${toSentence(result)}**`,
    ...labelSentence('At first', first),
    `Heard: ${heardOf(asked, silences)}`,
    ...labelSentence('What moved it', moved),
    ...labelSentence('What would turn it', turns),
    ...labelSentence('How far to believe it', belief),
    ...(text.trim() === '' ? [] : [text.trim()]),
    ...(unknown.length === 0
      ? []
      : [`Figures in this text that stand nowhere else in the run: ${unknown.join(', ')}.`]),
  ];
  return { text: lines.join('\n\n'), unknown };
}

function labelSentence(label: string, text: string | undefined): string[] {
  return text === undefined || text.trim() === '' ? [] : [`${label}: ${toSentence(text)}`];
}

function heardOf(asked: number, silences: readonly Silence[]): string {
  const silent = new Set(silences.map(({ seat }) => seat));
  if (silent.size === 0) return asked === 1 ? 'The one seat.' : `All ${asked} seats.`;
  const why = silences.map(
    ({ title, key, reason }) => `${title} had no answer at ${key} (${reason})`,
  );
  return `${asked - silent.size} of ${asked} seats throughout. ${why.join('; ')}.`;
}

/**
 * Makes a text begin with a capital letter and end with a full stop, unless it ends with one of `.!?…:)”"`. The
 * beginning stays unchanged if the first letters contain a capital or are followed by a digit.
 */
export function toSentence(text: string): string {
  const trimmed = text.trim().replace(/(?<!\.)\.\.(?!\.)/g, '.');
  const first = /^\p{L}*/u.exec(trimmed)?.[0] ?? '';
  const begun =
    first !== '' && first === first.toLowerCase() && !/^\d/.test(trimmed.slice(first.length))
      ? capitalize(trimmed)
      : trimmed;
  return begun === '' || /[.!?…:)”"]$/.test(begun) ? begun : `${begun}.`;
}

/**
 * Returns the outcome of a run that ended because too few seats answered: only these answers,
 * without a result.
 */
export function makeOutcomeOfAnswers({ message, heard }: TooFew): Outcome {
  return {
    result: `No result: ${message}.`,
    text: heard.map(({ title, text }) => `**${title}**\n\n${text}`).join('\n\n'),
  };
}

/**
 * Makes the fact that records an outcome.
 * @param unknown the numbers in the outcome's text that occur nowhere else in the run, as `formatOutcome`
 * returns them
 */
export function makeOutcomeFact(outcome: Outcome, unknown: readonly string[]): AnyBody {
  const toOptionalSentence = (text: string | undefined) =>
    text === undefined ? undefined : toSentence(text);
  const { first, moved, turns, belief } = outcome;
  const parts = {
    first: toOptionalSentence(first),
    moved: toOptionalSentence(moved),
    turns: toOptionalSentence(turns),
    belief: toOptionalSentence(belief),
  };
  return SDK.make('outcome.reached', {
    step: 'conclusion',
    result: toSentence(outcome.result),
    ...(JSON.parse(JSON.stringify(parts)) as Partial<typeof parts>),
    unknown: [...unknown],
  });
}

/**
 * Replaces escaped line ends in JSON by spaces, so that a number after a line end is not mistaken
 * for a part of a word.
 */
export function withoutEscapedLineEnds(json: string): string {
  return json.replaceAll('\\n', ' ');
}

/** The value that a protocol returns at its end. Only `conclude` creates such a value. */
export class Concluded implements Conclusion {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
