/** What a panel agrees on by quotation, who is asked about it, and what is left of it after a verdict. */

export interface Claim {
  readonly text: string;
  readonly support: readonly { readonly of: string; readonly quote: string }[];
}

/** Finds the sentence around quoted words in the text of that id; undefined where they stand nowhere in it. */
export type FindQuoted = (quote: string, of: string) => string | undefined;

export interface Examined {
  readonly question: string;
  /** What it is about. */
  readonly claim: string;
  /** Who answers it. */
  readonly seat: string;
  /** A seat's first question, or its second. */
  readonly lap: 1 | 2;
}

/**
 * Who answers which question: a seat that carries the claim, whoever has fewest questions so far, two at
 * most. Every claim's first question goes before any second one; what nobody can be asked is left open.
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
  /** The question or reply that it quotes. */
  readonly of: string;
  readonly quote: string;
}

export interface ClaimStatus {
  readonly claim: string;
  /** `withdrawn`: given up, which refutes nothing. `unexamined`: no verdict that quotes what was said about it. */
  readonly status: 'stands' | 'weakened' | 'falls' | 'withdrawn' | 'unexamined';
  readonly why: string;
}

/**
 * By rule, as in the rounds: a verdict that quotes a question or a reply about the claim is argued, and
 * goes before a concession, which withdraws a claim and refutes nothing. But what all whom it was put to
 * have given up nobody is left to hold: it cannot stand. `about`: question or reply → claim.
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
