/** Computes who is asked about an agreed claim, and its status after a verdict. */

export interface Claim {
  readonly text: string;
  readonly support: readonly { readonly of: string; readonly quote: string }[];
}

/** Returns the sentence around quoted words in the text with that id; undefined if the words are not in it. */
export type FindQuoted = (quote: string, of: string) => string | undefined;

export interface Examined {
  readonly question: string;
  /** The id of the claim that it is about. */
  readonly claim: string;
  /** The id of the seat that answers. */
  readonly seat: string;
  /** Whether it is the seat's first or second question. */
  readonly lap: 1 | 2;
}

/**
 * Assigns each question to a seat that shares the claim, preferring seats with fewest questions, at most two
 * for each. First questions about all claims come before second ones; a question that nobody can answer stays
 * open.
 */
export function assignQuestions(
  questions: readonly { readonly id: string; readonly of?: string | undefined }[],
  carriers: ReadonlyMap<string, readonly string[]>,
): Examined[] {
  const counts = new Map<string, number>();
  const rank = (at: number): number =>
    questions.slice(0, at).filter((one) => one.of === questions[at]?.of).length;
  const order = questions
    .map((one, at) => ({ one, rank: rank(at) }))
    .toSorted((left, right) => left.rank - right.rank)
    .map(({ one }) => one);
  return order.flatMap(({ id, of = '' }): Examined[] => {
    const [seat] = (carriers.get(of) ?? [])
      .filter((one) => (counts.get(one) ?? 0) < 2)
      .toSorted((left, right) => (counts.get(left) ?? 0) - (counts.get(right) ?? 0));
    if (seat === undefined) return [];
    const count = counts.get(seat) ?? 0;
    counts.set(seat, count + 1);
    return [{ question: id, claim: of, seat, lap: count === 0 ? 1 : 2 }];
  });
}

export interface Verdict {
  readonly claim: string;
  readonly verdict: 'stands' | 'weakened' | 'falls';
  /** The id of the question or reply that it quotes. */
  readonly of: string;
  readonly quote: string;
}

export interface ClaimStatus {
  readonly claim: string;
  /**
   * `withdrawn`: conceded, which does not refute it. `unexamined`: no verdict quotes what was said about it.
   */
  readonly status: 'stands' | 'weakened' | 'falls' | 'withdrawn' | 'unexamined';
  readonly why: string;
}

/**
 * Computes the statuses by rule: a verdict that quotes a question or a reply about the claim counts and has
 * precedence over a concession, which only withdraws the claim. A claim that all seats asked about it have
 * conceded cannot stand.
 * @param about the claim of each question or reply
 */
export function readVerdicts(
  claims: readonly string[],
  verdicts: readonly Verdict[],
  about: ReadonlyMap<string, string>,
  conceded: ReadonlySet<string>,
  find: FindQuoted,
): ClaimStatus[] {
  return claims.map((claim): ClaimStatus => {
    const own = verdicts.filter((one) => one.claim === claim);
    const argued = own.flatMap(({ verdict, of, quote }) => {
      const why = about.get(of) === claim ? find(quote, of) : undefined;
      return why === undefined ? [] : [{ verdict, why: `${of}: ${why}` }];
    });
    const [first] = argued;
    const isOne = new Set(argued.map(({ verdict }) => verdict)).size === 1;
    const isGivenUp = conceded.has(claim);
    if (first !== undefined && isOne && !(isGivenUp && first.verdict !== 'falls'))
      return { claim, status: first.verdict, why: first.why };
    if (isGivenUp)
      return { claim, status: 'withdrawn', why: 'everybody whom it was put to gave it up' };
    const why =
      own.length === 0
        ? 'no verdict'
        : first === undefined
          ? 'the verdict quotes nothing that was said about it'
          : 'two verdicts that differ';
    return { claim, status: 'unexamined', why };
  });
}
