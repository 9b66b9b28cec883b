/** Which cast a question is for, by the words they share. A guess that the walk begins with, no more. */

interface Fitted {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly topics?: readonly string[] | undefined;
}

/** Words that stand in any question. */
const COMMON: ReadonlySet<string> = new Set(
  'about after before could does exist exists from have into made make over should some something than that their them then there they this what when where whether which will with would your'.split(
    ' ',
  ),
);
/** Shorter words are only like themselves: `API`. */
const LEAST = 4;

/** The cast for a question that none of the others is for. */
export const NEUTRAL = 'any-decision';

/** The index of the cast that shares most words with the text, and those words; without any, that of `neutral`, else 0. */
export function fittingCast(
  casts: readonly Fitted[],
  text: string,
  neutral: string,
): { readonly at: number; readonly shared: readonly string[] } {
  const asked = wordsIn(text);
  const shared = casts.map(({ slug, name, description, topics = [] }) => {
    // Its own words are about no subject.
    if (slug === neutral) return [];
    const known = wordsIn([name, description, ...topics].join(' '));
    return asked.filter((word) => known.some((one) => areAlike(word, one)));
  });
  const most = Math.max(0, ...shared.map(({ length }) => length));
  const at =
    most > 0
      ? shared.findIndex(({ length }) => length === most)
      : casts.findIndex(({ slug }) => slug === neutral);
  return { at: Math.max(0, at), shared: most > 0 ? (shared[at] ?? []) : [] };
}

function wordsIn(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words)].filter((word) => word.length > 2 && !COMMON.has(word));
}

/** The same word in another form: `bake` and `baked`, `study` and `studies`. */
function areAlike(left: string, right: string): boolean {
  if (left === right) return true;
  const short = Math.min(left.length, right.length);
  let same = 0;
  while (same < short && left[same] === right[same]) same += 1;
  return same >= Math.max(LEAST, short - 1);
}
