/**
 * Keeps points about answers: which seat owes a reply, what stayed open, and what that means for the result.
 */

import { formatCount } from '../../text/numbers.ts';
import { withoutFalse } from '../../text/without-undefined.ts';
import type { Item } from '../grouping.ts';
import type { SeatName, ToldWithText } from '../shown.ts';

/**
 * What a seat may say of another seat's answer: that it agrees, disputes something, or misses
 * something.
 */
export const POINTS = ['agrees', 'disputes', 'missing'] as const;

/** A remark of one seat about another seat's answer. */
export interface Point {
  readonly kind: (typeof POINTS)[number];
  /** The id of the answer that the remark is about. */
  readonly of: string;
  /** The words of the answer that the remark is about; empty for something that is missing. */
  readonly quote: string;
  readonly text: string;
}

interface Answer {
  readonly id: string;
  readonly text: string;
  readonly seat: SeatName;
}

interface Entry {
  readonly id: string;
  readonly by: string;
  readonly text: string;
  readonly kind?: string;
  readonly of?: string;
  readonly isUnquoted: boolean;
  readonly status: string;
}

/** Returns the remarks with trimmed quotations. A remark on something missing loses its quotation. */
export function readPoints(
  points: readonly Point[],
): (Omit<Point, 'quote'> & { readonly quote?: string })[] {
  return points.map(({ quote, ...rest }) =>
    rest.kind === 'missing' ? rest : { ...rest, quote: quote.trim() },
  );
}

/**
 * Reads the recorded remarks of seats about each other's answers, and tells which of them still need a reply.
 * A remark of the kind `disputes` is called a dispute. `A` is the type of the answers.
 */
export class Turns<A extends Answer> {
  readonly #ledger: {
    readonly entries: readonly Entry[];
    readonly quotables: () => readonly Item[];
  };
  readonly #answers: readonly A[];

  constructor(
    ledger: { readonly entries: readonly Entry[]; readonly quotables: () => readonly Item[] },
    answers: readonly A[],
  ) {
    this.#ledger = ledger;
    this.#answers = answers;
  }

  /** The seats that answered. */
  get seats(): A['seat'][] {
    return this.#answers.map(({ seat }) => seat);
  }

  /** Returns the answers of one seat. */
  own(seat: string): readonly A[] {
    return this.#answers.filter((answer) => answer.seat.id === seat);
  }

  /** Returns the answers of all other seats. */
  others(seat: string): readonly A[] {
    return this.#answers.filter((answer) => answer.seat.id !== seat);
  }

  /**
   * Returns, for each of the seats that owes a reply, the id of the remark that it has to reply to next: the
   * oldest open dispute of its answer by another seat. Seats that owe no reply are not in the map.
   */
  due(seats: readonly { readonly id: string }[]): Map<string, string> {
    const open = this.#disputes.filter(({ status }) => status === 'open');
    return new Map(
      seats.flatMap(({ id }) => {
        const answer = this.own(id)[0]?.id;
        const at = open.find(({ of, by }) => of === answer && by !== id);
        return at === undefined ? [] : [[id, at.id] as const];
      }),
    );
  }

  /** The remarks for a prompt, with their kind but without their authors. */
  get points(): readonly Item[] {
    const kinds = new Map(this.#ledger.entries.map(({ id, kind }) => [id, kind]));
    return this.#ledger
      .quotables()
      .map(({ id, text }) => ({ id, text: `(${kinds.get(id) ?? 'disputes'})\n${text}` }));
  }

  /**
   * Describes the result in sentences. `turns` names the disputes (remarks that dispute an answer) that are
   * not settled, since settling them could change the result. `belief` says how much trust the result
   * deserves.
   *
   * @param unexplained titles of seats that changed their answer without naming a reason
   * @param critics the number of seats whose criticism was heard; absent if every seat was heard
   */
  tell(
    unexplained: readonly string[],
    critics: number = this.#answers.length,
  ): { turns: string; belief: string } {
    const open = this.#disputes.filter(({ status }) => status === 'open' || status === 'held');
    const first = open.find(({ status }) => status === 'open') ?? open[0];
    const all = this.#ledger.entries;
    const unquoted = all.filter(({ isUnquoted }) => isUnquoted).map(({ id }) => id);
    return {
      turns:
        first === undefined
          ? this.#explainNoDispute(critics)
          : `Settling ${first.id}, which ${first.status === 'open' ? 'nobody answered' : 'was not given up'}: “${withoutFullStop(first.text)}”.${countOthers(open, first)}`,
      belief: withoutFalse([
        `${formatCount(all.length, 'point')} on ${formatCount(this.#answers.length, 'answer')}; ${this.#disputes.length} in dispute, ${open.length} of them unsettled.`,
        unquoted.length !== 0 &&
          `${unquoted.join(', ')} ${unquoted.length === 1 ? 'quotes' : 'quote'} what nobody said.`,
        unexplained.length !== 0 &&
          `${unexplained.join(', ')} changed without naming a reason: that is yielding, not argument.`,
      ]).join(' '),
    };
  }

  /** Says that no dispute is open, and how far that means anything. */
  #explainNoDispute(critics: number): string {
    const seats = this.#answers.length;
    if (critics === 0)
      return 'Unknown: no seat’s criticism was heard, so nobody has disputed anything.';
    return critics < seats
      ? `No dispute stayed open, but the criticism of only ${critics} of ${seats} seats was heard.`
      : 'No dispute stayed open.';
  }

  get #disputes(): readonly Entry[] {
    return this.#ledger.entries.filter(({ kind }) => kind === 'disputes');
  }
}

function countOthers(open: readonly Entry[], first: Entry): string {
  const rest = open.filter((entry) => entry !== first).map(({ id }) => id);
  return rest.length === 0 ? '' : ` Also unsettled: ${rest.join(', ')}.`;
}

/** Removes the final full stop, for use within a sentence. */
function withoutFullStop(text: string): string {
  return text.trim().replace(/\.$/, '');
}

/** An answer with its model; undefined if the protocol does not tell the model. */
interface ModelAnswer extends Answer {
  readonly seat: Answer['seat'] & { readonly model?: string };
}

/**
 * Describes a poll in which all seats chose the same option. If all seats use the same model, the
 * description says that this counts as one opinion.
 *
 * @param poll the answers, the count of the votes, and `name`, which returns the text of an option
 * @returns `result`: the chosen option; `first`: what was chosen at first; `turns`: what would change
 *   the result; `belief`: how far to trust the result; `text`: the answers
 */
export function describeUnanimous(poll: {
  readonly answers: readonly ModelAnswer[];
  readonly tally: { readonly heard: number; readonly winner: string | undefined };
  readonly name: (option: string) => string;
}): Omit<ToldWithText, 'moved'> {
  const { answers, tally, name } = poll;
  const models = new Set(answers.map(({ seat }) => seat.model));
  const sharesModel = answers.length > 1 && models.size === 1 && !models.has(undefined);
  return {
    result: `${name(tally.winner ?? '')}: all ${tally.heard} seats, ${sharesModel ? 'which are one model' : 'each by itself'}.`,
    first: 'The same. Nothing was in dispute, so nothing was debated.',
    turns: 'A seat of another mind.',
    belief: `${sharesModel ? 'A model that agrees with itself is one opinion. ' : ''}Agreement that nobody contradicted was not tested; the method advocate tests it.`,
    text: formatAnswers(answers),
  };
}

/** Formats the answers as Markdown, each below the seat's title. */
export function formatAnswers(answers: readonly Answer[]): string {
  return answers.map(({ seat, text }) => `**${seat.title}**\n\n${text}`).join('\n\n');
}
