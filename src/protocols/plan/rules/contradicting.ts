/** Drops a seat's answers to the same question that contradict each other. */

interface HandedAnswer {
  readonly conflict: string;
  readonly says: string;
  readonly accepts: readonly string[];
  readonly prefers: string;
}

/**
 * Removes contradicting and repeated answers of a seat. If a seat answered a question in
 * contradicting ways, all its answers to it are removed; of equal answers, the last is kept.
 */
export function withoutContradicting<A extends HandedAnswer>(answers: readonly A[]): A[] {
  const last = new Map<string, A>();
  const contradicted = new Set<string>();
  for (const answer of answers) {
    const before = last.get(answer.conflict);
    if (before !== undefined && meaningOf(before) !== meaningOf(answer))
      contradicted.add(answer.conflict);
    last.set(answer.conflict, answer);
  }
  return [...last.values()].filter(({ conflict }) => !contradicted.has(conflict));
}

function meaningOf({ says, accepts, prefers }: HandedAnswer): string {
  return says === 'compatible' || says === 'misread'
    ? says
    : JSON.stringify([says, accepts.toSorted(), prefers]);
}
