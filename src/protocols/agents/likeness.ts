/** How much two messages say the same: for discussions that go round in circles. */

/** From here on two messages are near-identical: a word or two in a paragraph may differ. */
const NEAR = 0.85;

export function nearIdentical(left: string, right: string): boolean {
  return likeness(left, right) >= NEAR;
}

/** 0 to 1: the share of three-word runs that both have, of all there are. Case and marks do not count. */
export function likeness(left: string, right: string): number {
  const a = runsOf(left);
  const b = runsOf(right);
  if (a.size === 0 && b.size === 0) return 1;
  let shared = 0;
  for (const run of a) if (b.has(run)) shared += 1;
  return shared / (a.size + b.size - shared);
}

function runsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  // Shorter messages than a run are one run.
  const last = Math.max(1, words.length - 2);
  return new Set(
    words.length === 0
      ? []
      : Array.from({ length: last }, (_, at) => words.slice(at, at + 3).join(' ')),
  );
}
