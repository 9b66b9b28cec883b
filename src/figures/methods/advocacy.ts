/** Keeps the state of an examination: what is agreed on, who is asked, and what remains. */

import { formatCount } from '../../text/numbers.ts';
import { findConsensus, rankDissent, type SharedClaim } from '../consensus.ts';
import type { Item } from '../grouping.ts';
import type { SeatName, ToldWithText } from '../shown.ts';
import type { Tally } from '../tally.ts';
import {
  assignQuestions,
  type Claim,
  type ClaimStatus,
  type FindQuoted,
  readVerdicts,
  type SeatQuestion,
  type Verdict,
} from './examination.ts';
import { formatAnswers } from './turns.ts';

interface Answer {
  readonly id: string;
  readonly text: string;
  readonly seat: SeatName;
}

interface Entry {
  readonly id: string;
  readonly text: string;
  readonly of?: string;
  readonly status: string;
  /** For a question: what was replied. */
  readonly why: string;
}

interface FirstPoll {
  readonly answers: readonly Answer[];
  readonly tally: Tally;
  readonly tell: (tally: Tally) => string;
}

/** Returns the quotations that support the claims, in the order of the claims. */
export function readSupport(claims: readonly Claim[]): Claim['support'][number][] {
  return claims.flatMap(({ support }) => support);
}

/**
 * Keeps the state of a debate in which one seat, the advocate, questions the claims on which most
 * answers agree.
 */
export class Examination {
  readonly #answers: readonly Answer[];
  /** The proposed claims; undefined if the seat that proposes them was not heard. */
  readonly #proposed: readonly Claim[] | undefined;
  readonly #find: (quote: string, text: string) => string | undefined;
  readonly #shared: readonly SharedClaim[];
  readonly #first: string;
  /**
   * The seat that asks the questions; undefined until it is chosen. It is asked no questions
   * itself.
   */
  advocate: SeatName | undefined;
  #entries: readonly Entry[] = [];
  #open: readonly Entry[] = [];
  #isJudged = false;

  /**
   * Finds the claims that most answers share.
   *
   * @param proposed the claims that a seat has found in the answers; undefined if that seat did not
   *   answer
   * @param find looks up a quotation in a text and returns the sentence around it; undefined if the
   *   text does not contain the quotation
   */
  constructor(
    { answers, tally, tell }: FirstPoll,
    proposed: readonly Claim[] | undefined,
    find: (quote: string, text: string) => string | undefined,
  ) {
    this.#answers = answers;
    this.#proposed = proposed;
    this.#find = find;
    this.#first = `${tell(tally)}.`;
    const seatOf = new Map(answers.map(({ id, seat }) => [id, seat.id]));
    const quoted = this.#finder(answers);
    const carried = (proposed ?? []).map(({ support }, at) => ({
      id: String(at),
      seats: support.flatMap(({ of, quote }) =>
        quoted(quote, of) === undefined ? [] : [seatOf.get(of) ?? ''],
      ),
    }));
    this.#shared = findConsensus(carried, [...seatOf.values()]);
  }

  /**
   * The claims that at least two thirds of the answers, and at least two, contain. Only claims count that are
   * quoted from the answers.
   */
  get claims(): { readonly text: string }[] {
    return this.#shared.map(({ id }) => ({ text: this.#proposed?.[Number(id)]?.text ?? '' }));
  }

  /**
   * Sorts seats by how many of the shared claims they make, the fewest first. The first of them
   * replaces an advocate that does not answer.
   */
  rank<S extends SeatName>(seats: readonly S[]): S[] {
    const order = rankDissent(
      this.#shared,
      seats.map(({ id }) => id),
    );
    return order.flatMap(({ seat }) => seats.find(({ id }) => id === seat) ?? []);
  }

  /** Returns a seat's own first answer, to be repeated in the seat's prompt. */
  own(seat: string): { readonly from: string; readonly text: string }[] {
    return this.#answers
      .filter((answer) => answer.seat.id === seat)
      .map(({ text }) => ({ from: 'Your answer', text }));
  }

  /**
   * Chooses for each question about a claim a seat that has to answer it, among the seats that made the
   * claim; never the advocate. `assignQuestions` has the rules.
   *
   * @param claims the recorded claims, in the order of `this.claims`
   * @param questions the advocate's questions; `of` is the id of the claim
   * @param seats the seats that may be asked
   */
  assign(
    claims: readonly Entry[],
    questions: readonly Entry[],
    seats: readonly SeatName[],
  ): SeatQuestion[] {
    const here = seats.map(({ id }) => id).filter((id) => id !== this.advocate?.id);
    const carriers = claims.map(({ id }, at): [string, string[]] => [
      id,
      here.filter((seat) => this.#shared[at]?.seats.includes(seat)),
    ]);
    return assignQuestions(questions, new Map(carriers));
  }

  /**
   * Computes the status of each claim from the judge's verdicts, and keeps claims and open questions for
   * `tell`.
   *
   * @param claims the recorded claims
   * @param questions the advocate's questions with their replies; `of` is the id of the claim
   * @param verdicts the verdicts; undefined if the judge did not answer
   */
  judge(
    claims: readonly Entry[],
    questions: readonly Entry[],
    verdicts: readonly Verdict[] | undefined,
  ): ClaimStatus[] {
    this.#entries = claims;
    this.#isJudged = verdicts !== undefined;
    this.#open = questions.filter(({ status }) => status === 'open');
    const givenUp = claims.flatMap(({ id }) => {
      const put = questions.filter(({ of, status }) => of === id && status !== 'open');
      return put.length > 0 && put.every(({ status }) => status === 'conceded') ? [id] : [];
    });
    return readVerdicts(
      claims.map(({ id }) => id),
      verdicts ?? [],
      new Map(questions.map(({ id, of = '' }) => [id, of])),
      new Set(givenUp),
      this.#finder(questions.map(({ id, text, why }) => ({ id, text: `${text}\n${why}` }))),
    );
  }

  /** Describes, in sentences, an examination that found no shared claim. */
  tellNone(): Omit<ToldWithText, 'moved'> {
    return {
      result:
        this.#proposed === undefined
          ? 'Unexamined: nobody was heard who could say what the answers share.'
          : 'No claim is shared by two thirds of the answers: there is no agreement to test.',
      first: this.#first,
      turns: 'The method standard debates what is in dispute: --method standard.',
      belief:
        this.#proposed === undefined
          ? 'What is below are the answers alone.'
          : `${formatCount(this.#proposed.length, 'claim')} proposed; none could be quoted from enough answers.`,
      text: formatAnswers(this.#answers),
    };
  }

  /** Describes the result of the examination in sentences. */
  tell(statuses: readonly ClaimStatus[]): ToldWithText {
    const texts = new Map(this.#entries.map(({ id, text }) => [id, text]));
    const listWithStatus = (status: ClaimStatus['status']): ClaimStatus[] =>
      statuses.filter((claim) => claim.status === status);
    const counts = (['stands', 'weakened', 'falls', 'withdrawn', 'unexamined'] as const)
      .map((status) => ({ status, count: listWithStatus(status).length }))
      .filter(({ count }) => count > 0)
      .map(({ status, count }) => `${count} ${PLURAL[status][count === 1 ? 0 : 1]}`);
    const moved = statuses.filter(({ status }) => status !== 'stands' && status !== 'unexamined');
    const less = (this.#proposed?.length ?? 0) - statuses.length;
    const [open] = this.#open;
    return {
      result: `Of ${formatCount(statuses.length, 'shared claim')}: ${counts.join(', ')}.`,
      first: this.#first,
      moved:
        moved.length === 0
          ? 'No claim was weakened, fell or was withdrawn.'
          : moved
              .map(
                ({ claim, status, why }) =>
                  `${claim} ${PLURAL[status][0]} (${why.replace(/\.$/, '')})`,
              )
              .join('; '),
      turns:
        open === undefined
          ? 'Nothing that was asked: every question had its answer.'
          : `An answer to what nobody answered: ${open.id} ${open.text}`,
      belief: [
        this.advocate === undefined
          ? 'Unexamined: nobody was heard who questions.'
          : this.#isJudged
            ? `${this.advocate.title} questioned, one judge decided, and every verdict that counts quotes what decided it.`
            : `${this.advocate.title} questioned, and no judge was heard who decides.`,
        ...(less > 0
          ? [
              `${formatCount(less, 'further claim')} could not be quoted from two thirds of the answers.`,
            ]
          : []),
      ].join(' '),
      text: statuses
        .map(({ claim, status }) => `- ${claim} ${PLURAL[status][0]}: ${texts.get(claim) ?? ''}`)
        .join('\n'),
    };
  }

  #finder(texts: readonly Item[]): FindQuoted {
    return (quote, of) => this.#find(quote, texts.find(({ id }) => id === of)?.text ?? '');
  }
}

const PLURAL: Readonly<Record<ClaimStatus['status'], readonly [string, string]>> = {
  stands: ['stands', 'stand'],
  weakened: ['is weakened', 'are weakened'],
  falls: ['falls', 'fall'],
  withdrawn: ['was withdrawn', 'were withdrawn'],
  unexamined: ['is unexamined', 'are unexamined'],
};
