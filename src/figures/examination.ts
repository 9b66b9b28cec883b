/** What a panel agrees on by quotation, who is asked about it, and what is left of it after a verdict. */

export interface Claim {
  readonly text: string;
  readonly support: readonly { readonly of: string; readonly quote: string }[];
}

export interface SharedClaim {
  readonly text: string;
  /** Ids of the answers in which it was found. */
  readonly carried: readonly string[];
}

/** Finds the sentence around quoted words in the text of that id; undefined where they stand nowhere in it. */
export type FindQuoted = (quote: string, of: string) => string | undefined;

/** Claims that two thirds of those heard make, each support looked up (methods.md). */
export function findShared(
  claims: readonly Claim[],
  heard: number,
  find: FindQuoted,
): SharedClaim[] {
  return claims
    .map(({ text, support }) => ({
      text,
      carried: [
        ...new Set(
          support.filter(({ of, quote }) => find(quote, of) !== undefined).map(({ of }) => of),
        ),
      ],
    }))
    .filter(({ carried }) => carried.length * 3 >= heard * 2);
}

export interface Examined {
  readonly question: string;
  /** Who answers it. */
  readonly seat: string;
  /** A seat's first question, or its second. */
  readonly lap: 1 | 2;
}

/**
 * Who answers which question: a seat that carries the claim, whoever has fewest questions so far, two at
 * most. A question about a claim whose seats have two each is left open.
 */
export function assignQuestions(
  questions: readonly { readonly id: string; readonly of?: string | undefined }[],
  carriers: ReadonlyMap<string, readonly string[]>,
): Examined[] {
  const counts = new Map<string, number>();
  return questions.flatMap(({ id, of = '' }): Examined[] => {
    const [seat] = (carriers.get(of) ?? [])
      .filter((one) => (counts.get(one) ?? 0) < 2)
      .toSorted((left, right) => (counts.get(left) ?? 0) - (counts.get(right) ?? 0));
    if (seat === undefined) return [];
    const count = counts.get(seat) ?? 0;
    counts.set(seat, count + 1);
    return [{ question: id, seat, lap: count === 0 ? 1 : 2 }];
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
  /** `unexamined`: no verdict, or none that quotes what was said about this claim. */
  readonly status: 'stands' | 'weakened' | 'falls' | 'conceded' | 'unexamined';
  readonly why: string;
}

/**
 * By rule: what a defender conceded is conceded, whatever the judge says. A verdict counts where it quotes
 * a question or a reply about that claim. `about`: question or reply → claim. `conceded`: claims.
 */
export function readVerdicts(
  claims: readonly string[],
  verdicts: readonly Verdict[],
  about: ReadonlyMap<string, string>,
  conceded: ReadonlySet<string>,
  find: FindQuoted,
): ClaimStatus[] {
  return claims.map((claim): ClaimStatus => {
    if (conceded.has(claim)) return { claim, status: 'conceded', why: 'a defender gave it up' };
    const own = verdicts.filter((one) => one.claim === claim);
    const kinds = new Set(own.map(({ verdict }) => verdict));
    if (kinds.size > 1) return { claim, status: 'unexamined', why: 'two verdicts that differ' };
    for (const { verdict, of, quote } of own) {
      const sentence = about.get(of) === claim ? find(quote, of) : undefined;
      if (sentence !== undefined) return { claim, status: verdict, why: sentence };
    }
    const why =
      own.length === 0 ? 'no verdict' : 'the verdict quotes nothing that was said about it';
    return { claim, status: 'unexamined', why };
  });
}

export function tellExamination(
  statuses: readonly ClaimStatus[],
  texts: ReadonlyMap<string, string>,
  open: readonly string[],
): { result: string; moved: string; turns: string; belief: string } {
  const of = (status: ClaimStatus['status']): ClaimStatus[] =>
    statuses.filter((one) => one.status === status);
  const list = (some: readonly ClaimStatus[]): string =>
    some.map(({ claim }) => `${claim} ${texts.get(claim) ?? ''}`).join('; ');
  const stands = of('stands');
  const gone = [...of('falls'), ...of('conceded'), ...of('weakened')];
  const unexamined = of('unexamined');
  return {
    result: `Of ${statuses.length} shared claims ${stands.length} stand${stands.length === 0 ? '' : `: ${list(stands)}`}.`,
    moved:
      gone.length === 0
        ? 'no claim fell, was conceded or was weakened.'
        : `${gone.map(({ claim, status }) => `${claim} ${status}`).join(', ')}: ${list(gone)}.`,
    turns:
      open.length === 0
        ? 'every question was answered.'
        : `what stayed unanswered: ${open.join(', ')}.`,
    belief:
      unexamined.length === 0
        ? 'one advocate and one judge; each verdict quotes what decided it.'
        : `${unexamined.map(({ claim }) => claim).join(', ')} unexamined (${[...new Set(unexamined.map(({ why }) => why))].join('; ')}).`,
  };
}
