/** The name that somebody probably meant. */

/** Of `names` the one nearest to `wrong`, if it is near enough to be a slip of the hand. */
export function nearest(wrong: string, names: readonly string[]): string | undefined {
  // A third of the word may differ: `modle` is model, `preset` is not reset_all.
  const most = Math.max(1, Math.floor(wrong.length / 3));
  let best: string | undefined;
  let least = most + 1;
  for (const name of names) {
    if (Math.abs(name.length - wrong.length) > most) continue;
    const apart = edits(wrong.toLowerCase(), name.toLowerCase());
    if (apart < least) {
      best = name;
      least = apart;
    }
  }
  return best;
}

/** `Did you mean critic? `, where a name is near enough; else nothing. */
export function meant(wrong: string, names: readonly string[]): string {
  const near = nearest(wrong, names);
  return near === undefined ? '' : `Did you mean ${near}? `;
}

/** How many letters to put in, leave out, exchange, or swap with their neighbour. */
function edits(left: string, right: string): number {
  let last: number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const same = left[i - 1] === right[j - 1] ? 0 : 1;
      let cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1])
        cost = Math.min(cost, (last[j - 2] ?? 0) + 1);
      next.push(cost);
    }
    last = row;
    row = next;
  }
  return row[right.length] ?? 0;
}
