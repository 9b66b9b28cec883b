/**
 * Keeps points about answers: which seat owes a reply, what stayed open, and what that means for the result.
 */
import { plural } from '../../text/numbers.ts';

export const POINTS = ['agrees', 'disputes', 'missing'] as const;

/** A point that a seat makes. */
export interface Point {
  readonly kind: (typeof POINTS)[number];
  /** The id of the answer that it is about. */
  readonly of: string;
  readonly quote: string;
  readonly text: string;
}

interface Answer {
  readonly id: string;
  readonly text: string;
  readonly seat: { readonly id: string; readonly title: string };
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

interface Item {
  readonly id: string;
  readonly text: string;
}

/** Converts points. A point about something missing has no quotation. */
export function readPoints(
  points: readonly Point[],
): (Omit<Point, 'quote'> & { readonly quote?: string })[] {
  return points.map(({ quote, ...rest }) =>
    rest.kind === 'missing' ? rest : { ...rest, quote: quote.trim() },
  );
}

/** Runs the turns of a debate. `A` is the debate's type of answers. */
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

  own(seat: string): readonly A[] {
    return this.#answers.filter((one) => one.seat.id === seat);
  }

  others(seat: string): readonly A[] {
    return this.#answers.filter((one) => one.seat.id !== seat);
  }

  /** Returns, by seat, the one disputed point about its answer that it has to reply to next. */
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

  /** Returns the points for a prompt, with their kind but without their authors. */
  get points(): readonly Item[] {
    const kinds = new Map(this.#ledger.entries.map(({ id, kind }) => [id, kind]));
    return this.#ledger
      .quotables()
      .map(({ id, text }) => ({ id, text: `(${kinds.get(id) ?? 'disputes'})\n${text}` }));
  }

  /**
   * Describes the turns and how far to believe the result.
   * @param unexplained titles of seats that changed without naming a reason
   */
  tell(unexplained: readonly string[]): { turns: string; belief: string } {
    const open = this.#disputes.filter(({ status }) => status === 'open' || status === 'held');
    const first = open.find(({ status }) => status === 'open') ?? open[0];
    const all = this.#ledger.entries;
    const unquoted = all.filter(({ isUnquoted }) => isUnquoted).map(({ id }) => id);
    return {
      turns:
        first === undefined
          ? 'No dispute stayed open.'
          : `Settling ${first.id}, which ${first.status === 'open' ? 'nobody answered' : 'was not given up'}: “${withoutFullStop(first.text)}”.${countOthers(open, first)}`,
      belief: [
        `${plural(all.length, 'point')} on ${plural(this.#answers.length, 'answer')}; ${this.#disputes.length} in dispute, ${open.length} of them unsettled.`,
        ...(unquoted.length === 0
          ? []
          : [
              `${unquoted.join(', ')} ${unquoted.length === 1 ? 'quotes' : 'quote'} what nobody said.`,
            ]),
        ...(unexplained.length === 0
          ? []
          : [
              `${unexplained.join(', ')} changed without naming a reason: that is yielding, not argument.`,
            ]),
      ].join(' '),
    };
  }

  get #disputes(): readonly Entry[] {
    return this.#ledger.entries.filter(({ kind }) => kind === 'disputes');
  }
}

function countOthers(open: readonly Entry[], first: Entry): string {
  const rest = open.filter((one) => one !== first).map(({ id }) => id);
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

/** Describes a poll in which all seats named the same. Seats with the same model are not called independent. */
export function tellUnanimous(poll: {
  readonly answers: readonly ModelAnswer[];
  readonly tally: { readonly heard: number; readonly winner: string | undefined };
  readonly name: (option: string) => string;
}): { result: string; first: string; turns: string; belief: string; text: string } {
  const { answers, tally, name } = poll;
  const sharesModel =
    answers.length > 1 && new Set(answers.map(({ seat }) => seat.model)).size === 1;
  return {
    result: `${name(tally.winner ?? '')}: all ${tally.heard} seats, ${sharesModel ? 'which are one model' : 'each by itself'}.`,
    first: 'The same. Nothing was in dispute, so nothing was debated.',
    turns: 'A seat of another mind.',
    belief: `${sharesModel ? 'A model that agrees with itself is one opinion. ' : ''}Agreement that nobody contradicted was not tested; the method advocate tests it.`,
    text: tellAnswers(answers),
  };
}

/** Describes the blind answers alone. */
export function tellAnswers(answers: readonly Answer[]): string {
  return answers.map(({ seat, text }) => `**${seat.title}**\n\n${text}`).join('\n\n');
}
