/**
 * Keeps the sheet of options and criteria that seats fill in: checks entries, computes the result, and
 * describes it.
 */

import { findFlips } from './flips.ts';
import type { Item } from './grouping.ts';
import { checkScores } from './scores.ts';
import type { MethodResult, SeatStatement, TableFigure } from './shown.ts';
import { countBallots } from './tally.ts';
import { type Score, type SeatWeights, type Tradeoff, weighOptions } from './tradeoff.ts';
import { type CriterionPoints, readWeights } from './weights.ts';

/** The most options that a sheet can have: seats cannot score more with care. */
export const MOST_OPTIONS = 7;
/** The most criteria that a sheet can have: seats cannot score more with care. */
export const MOST_CRITERIA = 6;

/**
 * The options and criteria of a decision, with ids. Seats weigh the criteria and score every option under
 * every criterion.
 */
export interface Sheet {
  /** Two to seven options with the ids `O1`, `O2`, … */
  readonly options: readonly Item[];
  /** One to six criteria with the ids `C1`, `C2`, … */
  readonly criteria: readonly Item[];
}

/**
 * Formats options and criteria for editing by a person, each on its own line: the options below a
 * heading, an empty line, then the criteria below another heading.
 */
export function writeSheet(options: readonly string[], criteria: readonly string[]): string {
  return ['Options:', ...options, '', 'Criteria, more is better:', ...criteria].join('\n');
}

/**
 * Parses the options and criteria of a decision from a text that a person has edited, in the form that
 * `writeSheet` writes: options, each on a line, then a line that begins with "Criteria", then criteria.
 *
 * @throws Error that says what is wrong: a missing heading, a repeated line, or too few or too many options or
 *   criteria
 */
export function readSheet(text: string): Sheet {
  const parts = text.split(/^\s*criteria\b.*$/im);
  const readLines = (part: string | undefined): string[] =>
    (part ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !/^options\b.*:$/i.test(line));
  const [options, criteria] = [readLines(parts[0]), readLines(parts[1])];
  if (parts.length !== 2)
    throw new Error('expected options, then a line "Criteria:", then criteria');
  const makeItems = (
    what: string,
    list: readonly string[],
    prefix: string,
    least: number,
    most: number,
  ): Item[] => {
    const twice = list.find(
      (text, at) => list.findIndex((other) => other.toLowerCase() === text.toLowerCase()) !== at,
    );
    if (twice !== undefined) throw new Error(`"${twice}" stands there twice`);
    if (list.length < least || list.length > most)
      throw new Error(`${list.length} ${what}: there have to be ${least} to ${most}`);
    return list.map((words, at) => ({ id: `${prefix}${at + 1}`, text: words }));
  };
  return {
    options: makeItems('options', options, 'O', 2, MOST_OPTIONS),
    criteria: makeItems('criteria', criteria, 'C', 1, MOST_CRITERIA),
  };
}

/** A seat's scores, and the options that it calls best and worst under each criterion. */
export interface ScoreAnswer {
  /** A score from 0 to 10 for each option under each criterion; more is better. */
  readonly scores: readonly {
    readonly option: string;
    readonly criterion: string;
    readonly score: number;
  }[];
  /** The best and the worst option under each criterion. */
  readonly ends: readonly {
    readonly criterion: string;
    readonly best: string;
    readonly worst: string;
  }[];
}

interface Bars {
  readonly kind: 'bars';
  readonly title: string;
  readonly whole: number;
  readonly rows: { label: string; value: number; text: string }[];
  readonly note?: string;
}
/** The last sentence to a seat that has reversed a scale. */
const TURNED = 'More is always better.';

/** The highest score; the lowest is 0. */
const MOST_SCORE = 10;

/**
 * Collects the seats' weights of criteria and scores of options, and computes which option is best.
 */
export class TradeoffSheet {
  readonly #sheet: Sheet;
  readonly #names: ReadonlyMap<string, string>;
  #weights: SeatWeights[] = [];
  #scores: Score[] = [];
  #gut: { seat: string; option: string }[] = [];
  readonly #titles = new Map<string, string>();
  readonly #turned: string[] = [];

  constructor(sheet: Sheet) {
    this.#sheet = sheet;
    this.#names = new Map([...sheet.options, ...sheet.criteria].map(({ id, text }) => [id, text]));
  }

  /** Returns a sentence on what is wrong with a seat's points for criteria; undefined if they are valid. */
  readonly checkPoints = ({
    points,
  }: {
    readonly points: readonly CriterionPoints[];
  }): string | undefined => {
    const read = readWeights(this.#criteria, points);
    return read.ok ? undefined : read.why;
  };

  /**
   * Returns a sentence on what is wrong with a seat's scores: a missing score, no best and worst option,
   * or scores that contradict these. Returns undefined if the scores are valid.
   */
  readonly checkScores = ({ scores, ends }: ScoreAnswer): string | undefined => {
    for (const criterion of this.#criteria) {
      const column = new Map(
        scores
          .filter((score) => score.criterion === criterion)
          .map((score) => [score.option, score.score]),
      );
      const empty = this.#options.find((option) => !column.has(option));
      if (empty !== undefined) return `${empty} has no score under ${criterion}.`;
      const end = ends.find((candidate) => candidate.criterion === criterion);
      if (end === undefined) return `No best and worst are named under ${criterion}.`;
      const { finding } = checkScores({
        criterion,
        scores: column,
        best: end.best,
        worst: end.worst,
      });
      if (finding === 'turned')
        return `Under ${criterion} you name ${end.best} best and ${end.worst} worst, but score ${end.best} lower. ${TURNED}`;
      if (finding === 'differs')
        return `Under ${criterion} the scores disagree with ${end.best} as best and ${end.worst} as worst.`;
    }
    return undefined;
  };

  /**
   * Adds the seats' points for criteria, from which weights are computed, and for each seat the option that
   * it prefers before it has scored any (`gut`). Points that `checkPoints` refuses are left out.
   */
  takePoints(
    answers: readonly SeatStatement<{
      readonly gut: string;
      readonly points: readonly CriterionPoints[];
    }>[],
  ): void {
    for (const { seat, value } of answers) {
      this.#titles.set(seat.id, seat.title);
      const read = readWeights(this.#criteria, value.points);
      if (read.ok) this.#weights.push({ seat: seat.id, weights: read.value });
      this.#gut.push({ seat: seat.id, option: value.gut });
    }
  }

  /** Adds the seats' scores, and drops the weights of all other seats. */
  takeScores(answers: readonly SeatStatement<ScoreAnswer>[]): void {
    for (const { seat, value } of answers) {
      if (this.checkScores(value)?.endsWith(TURNED) === true) this.#turned.push(seat.title);
      this.#scores.push(...value.scores.map((score) => ({ seat: seat.id, ...score })));
    }
    // The weights of a seat count only if the seat has given scores.
    const scored = new Set(answers.map(({ seat }) => seat.id));
    this.#weights = this.#weights.filter(({ seat }) => scored.has(seat));
  }

  /**
   * Returns charts and tables of totals, weights and scores; empty if no seat gave both weights and
   * scores.
   */
  figures(): (Bars | TableFigure)[] {
    const made = this.#weigh();
    if (made === undefined) return [];
    const { totals, matrix } = made;
    return [
      {
        kind: 'bars',
        title: 'Totals',
        whole: MOST_SCORE,
        rows: totals.map(({ option, total }) => ({
          label: `${option} ${this.#name(option)}`,
          value: Number(formatRounded(total)),
          text: formatRounded(total),
        })),
        note: 'The mean weight of each criterion times the mean score under it, summed; at most 10.',
      },
      {
        kind: 'table',
        title: 'Weights and scores',
        // This table names its columns by the options' ids: seven full names would not fit the screen. The chart
        // "Totals" shows each option's id with its name.
        columns: ['criterion', 'weight', ...matrix.options],
        rows: matrix.criteria.map((criterion) => [
          this.#name(criterion),
          formatShare(matrix.weights.get(criterion) ?? 0),
          ...matrix.options.map((option) =>
            formatRounded(matrix.scores.get(criterion)?.get(option) ?? 0),
          ),
        ]),
      },
      {
        kind: 'table',
        title: 'What would turn it',
        columns: ['criterion', 'weight', 'turns at', 'then first'],
        rows: this.#flips(made).map(({ criterion, from, to, winner }) => [
          this.#name(criterion),
          formatShare(from),
          to === undefined ? 'nowhere' : formatShare(to),
          to === undefined ? '' : `${winner} ${this.#name(winner)}`,
        ]),
        note: 'One weight is moved, and the others keep their proportions.',
      },
      {
        kind: 'table',
        title: 'Each seat by itself',
        columns: ['seat', 'by gut', 'by its own figures'],
        rows: made.seats.map(({ seat, winner, totals: own }) => [
          this.#titles.get(seat) ?? seat,
          this.#name(this.#gut.find((choice) => choice.seat === seat)?.option ?? ''),
          winner === undefined ? (own.length === 0 ? 'no figures' : 'a tie') : this.#name(winner),
        ]),
      },
    ];
  }

  /** Describes the result in sentences. */
  tell(): MethodResult {
    const made = this.#weigh();
    const gut = countBallots(this.#gut);
    const first = `${gut.options.map(({ option, seats }) => `${this.#name(option)}: ${seats.length} of ${gut.heard}`).join('; ')}.`;
    if (made === undefined)
      return {
        result: 'No result: no seat was heard with weights and scores.',
        first,
        moved: 'nothing.',
        turns: 'nothing that is known.',
        belief: 'not at all.',
      };
    const { winner, tied, totals, holders, fewHold, dominated, seats } = made;
    const { tooClose } = findFlips(made.matrix);
    const [best, second] = totals;
    const result =
      winner === undefined
        ? `A tie: ${tied.map((option) => this.#name(option)).join(', ')}.`
        : `“${this.#name(winner)}” leads with ${formatRounded(best?.total ?? 0)} of ${MOST_SCORE}${second === undefined ? '' : `, before “${this.#name(second.option)}” with ${formatRounded(second.total)}`}${tooClose ? '; too close to call' : ''}${fewHold ? `; an average that few hold: by their own figures ${holders.length} of ${seats.length} seats would take it` : ''}.`;
    const [near] = findFlips(made.matrix).flips;
    const changed = seats.filter(
      ({ seat, winner: own }) =>
        own !== undefined && own !== this.#gut.find((choice) => choice.seat === seat)?.option,
    );
    return {
      result,
      first,
      moved:
        changed.length === 0
          ? 'nothing; each seat’s own figures name what it chose by gut.'
          : `by its own figures ${changed.map(({ seat, winner: own }) => `${this.#titles.get(seat) ?? seat} would take “${this.#name(own ?? '')}”`).join('; ')}.`,
      turns:
        near === undefined
          ? 'no single weight.'
          : `if “${this.#name(near.criterion)}” weighed ${formatShare(near.to)} instead of ${formatShare(near.from)}, “${this.#name(near.winner)}” would be first.`,
      belief: [
        winner === undefined
          ? 'the figures of all seats together name no winner'
          : `by their own figures ${holders.length} of ${seats.length} seats would take the winner`,
        ...dominated.map(
          ({ option, by }) => `“${this.#name(option)}” is nowhere better than “${this.#name(by)}”`,
        ),
        ...(this.#turned.length === 0
          ? []
          : [`${this.#turned.join(', ')} scored a criterion upside down and kept it`]),
      ]
        .join('; ')
        .concat('.'),
    };
  }

  #weigh(): Tradeoff | undefined {
    return weighOptions(this.#options, this.#criteria, this.#weights, this.#scores);
  }

  #flips({
    matrix,
    winner,
  }: Tradeoff): { criterion: string; from: number; to?: number; winner: string }[] {
    const { flips } = findFlips(matrix);
    return matrix.criteria.map(
      (criterion) =>
        flips.find((flip) => flip.criterion === criterion) ?? {
          criterion,
          from: matrix.weights.get(criterion) ?? 0,
          winner: winner ?? '',
        },
    );
  }

  #name(id: string): string {
    return this.#names.get(id) ?? id;
  }

  get #options(): string[] {
    return this.#sheet.options.map(({ id }) => id);
  }

  get #criteria(): string[] {
    return this.#sheet.criteria.map(({ id }) => id);
  }
}

function formatRounded(value: number): string {
  return String(Number(value.toFixed(2)));
}

/** Formats a weight: `31%`, `45.9%`. */
function formatShare(weight: number): string {
  return `${Number((weight * 100).toFixed(1))}%`;
}
