/** A claim, and the passages of the seats' answers that contain the claim. */
export interface Claim {
  readonly text: string;
  /** The quotations: `of` is the id of the quoted answer. */
  readonly support: readonly { readonly of: string; readonly quote: string }[];
}

/**
 * Returns the sentence around quoted words in the text with the id `of`; undefined if the text does
 * not contain the words.
 */
export type FindQuoted = (quote: string, of: string) => string | undefined;

/** A question and the seat that has to answer it. */
export interface SeatQuestion {
  /** The id of the question. */
  readonly question: string;
  /** The id of the claim that the question is about. */
  readonly claim: string;
  /** The id of the seat that answers. */
  readonly seat: string;
  /** Whether this is the seat's first or second question; no seat gets more than two. */
  readonly lap: 1 | 2;
}

/**
 * Chooses for each question the seat that has to answer it: one of the seats that made the claim
 * that the question is about. Among these seats, the seat with the fewest questions so far is
 * chosen. No seat gets more than two questions. A question for which no seat is left is omitted. The first
 * questions about each claim are assigned before the second ones, and the result has the same order.
 *
 * @param questions the questions; `of` is the id of the claim that a question is about
 * @param carriers for each claim's id, the ids of the seats that made the claim
 */
export function assignQuestions(
  questions: readonly { readonly id: string; readonly of?: string | undefined }[],
  carriers: ReadonlyMap<string, readonly string[]>,
): SeatQuestion[] {
  const counts = new Map<string, number>();
  const rankQuestion = (at: number): number =>
    questions.slice(0, at).filter((question) => question.of === questions[at]?.of).length;
  const order = questions
    .map((question, at) => ({ question, rank: rankQuestion(at) }))
    .toSorted((left, right) => left.rank - right.rank)
    .map(({ question }) => question);
  return order.flatMap(({ id, of = '' }): SeatQuestion[] => {
    const [seat] = (carriers.get(of) ?? [])
      .filter((carrier) => (counts.get(carrier) ?? 0) < 2)
      .toSorted((left, right) => (counts.get(left) ?? 0) - (counts.get(right) ?? 0));
    if (seat === undefined) return [];
    const count = counts.get(seat) ?? 0;
    counts.set(seat, count + 1);
    return [{ question: id, claim: of, seat, lap: count === 0 ? 1 : 2 }];
  });
}

/** A judge's verdict on a claim, with a quotation as its reason. */
export interface Verdict {
  /** The id of the claim. */
  readonly claim: string;
  readonly verdict: 'stands' | 'weakened' | 'falls';
  /** The id of the question that the verdict quotes, or whose reply it quotes. */
  readonly of: string;
  /** The quoted words. */
  readonly quote: string;
}

/** The status of a claim after its examination. */
export interface ClaimStatus {
  readonly claim: string;
  /**
   * `withdrawn`: all seats that were asked have given the claim up, which does not refute it.
   * `unexamined`: no verdict on the claim is valid, or valid verdicts differ. Any other value is the judge's
   * verdict.
   */
  readonly status: 'stands' | 'weakened' | 'falls' | 'withdrawn' | 'unexamined';
  /** The reason for the status, in a phrase. */
  readonly why: string;
}

/**
 * Computes the status of each claim. A verdict counts only if it quotes a question or reply about
 * the claim. A claim that all questioned seats have given up is `withdrawn`, unless the valid verdicts
 * agree that it falls. Any other claim with no valid verdict, or with verdicts that differ, is `unexamined`.
 *
 * @param claims the ids of the claims
 * @param about for the id of each question, the id of the claim that the question is about
 * @param conceded the ids of claims that all questioned seats have given up
 * @param find looks up the verdicts' quotations in the questions and replies
 */
export function readVerdicts(
  claims: readonly string[],
  verdicts: readonly Verdict[],
  about: ReadonlyMap<string, string>,
  conceded: ReadonlySet<string>,
  find: FindQuoted,
): ClaimStatus[] {
  return claims.map((claim): ClaimStatus => {
    const own = verdicts.filter((verdict) => verdict.claim === claim);
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
