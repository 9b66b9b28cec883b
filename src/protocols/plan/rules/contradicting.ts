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
