/** Drops a seat's answers to the same question that contradict each other. */

interface HandedAnswer {
  readonly conflict: string;
  readonly says: string;
  readonly accepts: readonly string[];
  readonly prefers: string;
}

/**
 * Returns one answer to each question, the last where several say the same. A question to which a seat gave
 * contradicting answers is left out: the seat has not answered it.
 */
export function withoutContradicting<A extends HandedAnswer>(answers: readonly A[]): A[] {
  const last = new Map<string, A>();
  const contradicted = new Set<string>();
  for (const one of answers) {
    const before = last.get(one.conflict);
    if (before !== undefined && meaningOf(before) !== meaningOf(one))
      contradicted.add(one.conflict);
    last.set(one.conflict, one);
  }
  return [...last.values()].filter(({ conflict }) => !contradicted.has(conflict));
}

function meaningOf({ says, accepts, prefers }: HandedAnswer): string {
  return says === 'compatible' || says === 'misread'
    ? says
    : JSON.stringify([says, accepts.toSorted(), prefers]);
}
