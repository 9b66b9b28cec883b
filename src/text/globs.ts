/**
 * Matches paths with globs, and decides whether two globs can match the same path. Leases, guards and
 * boundaries depend on both, so both use one comparison, in which a path is a glob without special
 * characters. Globs come from models, so they are not turned into regular expressions, and unknown syntax
 * is reported.
 *
 * The syntax: `*` and `?` within a name, `**` for any folders, `[a-z]`, `{a,b}`, `?(a|b)`, `@(a|b)`. A text
 * without special characters means a file, or a folder with everything in it. Names such as `[id]` also
 * match literally. Names with a leading dot are ordinary names, and case matters.
 */

/**
 * One position in a name: a character, any one character, one of a set, or any number of characters
 * (`any`).
 */
type Token = string | 'one' | 'any' | Class;

interface Class {
  readonly not: boolean;
  readonly ranges: readonly (readonly [from: string, to: string])[];
}

const FOLDERS = Symbol('**');
type Segment = typeof FOLDERS | readonly Token[];
type Pattern = readonly Segment[];

/** The most characters of a glob. A longer glob counts as one with unsupported syntax. */
const MOST_CHARACTERS = 400;
/** The most alternatives that a glob may expand to; with more, its syntax counts as unsupported. */
const MOST_PATTERNS = 64;

/**
 * Returns whether a path matches one of the globs. A glob without special characters also matches
 * every path in a folder of that name. A glob with unsupported syntax only matches literally.
 */
export function matchesGlob(path: string, globs: readonly string[]): boolean {
  const wanted = toLiteral(path);
  return globs.some((glob) => patternsOf(glob).some((pattern) => canMeet(wanted, pattern)));
}

/**
 * Returns whether a file could match both globs; true if a glob has unsupported syntax. A glob
 * without special characters may name a folder, and then matches everything in it. But if the other
 * glob is a pattern, a name with an extension such as `src/a.ts` counts as a file only.
 */
export function canOverlap(leftGlob: string, rightGlob: string): boolean {
  if (!isSupportedGlob(leftGlob) || !isSupportedGlob(rightGlob)) return true;
  const others = patternsOf(rightGlob, !isPattern(leftGlob) || !isFile(rightGlob));
  return patternsOf(leftGlob, !isPattern(rightGlob) || !isFile(leftGlob)).some((left) =>
    others.some((right) => canMeet(left, right)),
  );
}

/** Returns whether a glob has special characters, so that it can match several files. */
export function isPattern(glob: string): boolean {
  return /[*?{}[\]]|@\(/.test(glob);
}

/** Returns whether a glob contains only syntax that this module supports. */
export function isSupportedGlob(glob: string): boolean {
  return (
    glob.length <= MOST_CHARACTERS &&
    namesIn(glob).length > 0 &&
    !/^!|[!+*]\(|\\|\[:/.test(glob) &&
    expandGlob(glob) !== undefined
  );
}

function isFile(path: string): boolean {
  return /[^/]\.[a-z0-9]{1,8}$/i.test(path);
}

/**
 * Returns all interpretations of a glob: literal, as a pattern, and with its brackets as part of a name.
 */
function patternsOf(glob: string, folder = true): Pattern[] {
  const own = toLiteral(glob);
  if (own.length === 0) return [];
  const readings: Pattern[] = [own];
  if (folder && !/[*?{]|@\(/.test(glob)) readings.push([...own, FOLDERS]);
  if (!isPattern(glob) || !isSupportedGlob(glob)) return readings;
  for (const text of expandGlob(glob) ?? []) {
    readings.push(patternOf(text, true));
    if (text.includes('[')) readings.push(patternOf(text, false));
  }
  return readings;
}

function toLiteral(path: string): Pattern {
  return namesIn(path).map((name) => [...name]);
}

function patternOf(text: string, classes: boolean): Pattern {
  const segments = namesIn(text).map((name) => (name === '**' ? FOLDERS : tokensOf(name, classes)));
  return text.endsWith('/') ? [...segments, FOLDERS] : segments;
}

function namesIn(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

function tokensOf(name: string, classes: boolean): Token[] {
  const tokens: Token[] = [];
  const characters = [...name];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? '';
    if (character === '*') {
      if (tokens.at(-1) !== 'any') tokens.push('any');
    } else if (character === '?') tokens.push('one');
    else {
      const end = character === '[' && classes ? characters.indexOf(']', at + 2) : -1;
      if (end < 0) tokens.push(character);
      else {
        tokens.push(classOf(characters.slice(at + 1, end)));
        at = end;
      }
    }
  }
  return tokens;
}

function classOf(characters: readonly string[]): Class {
  const not = characters[0] === '!' || characters[0] === '^';
  const ranges: [string, string][] = [];
  const inside = not ? characters.slice(1) : characters;
  for (let at = 0; at < inside.length; at += 1) {
    const from = inside[at] ?? '';
    const to = inside[at + 1] === '-' ? inside[at + 2] : undefined;
    ranges.push([from, to ?? from]);
    if (to !== undefined) at += 2;
  }
  return { not, ranges };
}

/** Expands a glob's alternatives; undefined if there are too many, or one is not closed. */
function expandGlob(glob: string): string[] | undefined {
  const open = /\{|[?@]\(/.exec(glob);
  if (open === null) return [glob];
  const round = open[0].endsWith('(');
  const from = open.index + open[0].length;
  const parts: string[] = [];
  let depth = 1;
  let at = from;
  let begin = from;
  for (; at < glob.length && depth > 0; at += 1) {
    const character = glob[at];
    if (character === '{' || character === '(') depth += 1;
    else if (character === '}' || character === ')') depth -= 1;
    if (depth === 0 || (depth === 1 && character === (round ? '|' : ','))) {
      parts.push(glob.slice(begin, at));
      begin = at + 1;
    }
  }
  // A brace or parenthesis that is not closed, or a brace without a comma as in `{a}` and `{1..3}`, counts as
  // unsupported syntax: programs disagree on what it means.
  if (depth > 0 || (!round && parts.length < 2)) return undefined;
  if (open[0] === '?(') parts.push('');
  const all: string[] = [];
  for (const part of parts) {
    const texts = expandGlob(glob.slice(0, open.index) + part + glob.slice(at));
    if (texts === undefined || all.length + texts.length > MOST_PATTERNS) return undefined;
    all.push(...texts);
  }
  return all;
}

/** Returns whether a path exists that both patterns match. */
function canMeet(left: Pattern, right: Pattern): boolean {
  return canMatch(left, right, (segment) => segment === FOLDERS, sameName);
}

function sameName(left: Segment, right: Segment): boolean {
  if (left === FOLDERS || right === FOLDERS) return true;
  return canMatch(left, right, (token) => token === 'any', sameCharacter);
}

function sameCharacter(left: Token, right: Token): boolean {
  if (left === 'one' || right === 'one') return true;
  if (typeof left === 'string')
    return typeof right === 'string' ? left === right : isIn(left, right);
  // A token of a glob may be a set of characters, such as `[a-c]`. If both globs have a set here, assume that
  // some character is in both sets, without comparing them.
  return typeof right === 'string' ? isIn(right, left) : true;
}

function isIn(character: string, { not, ranges }: Class): boolean {
  return ranges.some(([from, to]) => from <= character && character <= to) !== not;
}

/**
 * Returns whether two sequences can match, where some items stand for any number of others. Computed row by
 * row, in time proportional to the product of both lengths.
 */
function canMatch<T>(
  leftItems: readonly T[],
  rightItems: readonly T[],
  isMany: (item: T) => boolean,
  same: (left: T, right: T) => boolean,
): boolean {
  if (!leftItems.some(isMany) && !rightItems.some(isMany))
    return (
      leftItems.length === rightItems.length &&
      leftItems.every((left, at) => same(left, rightItems[at] as T))
    );
  let row = [true];
  for (const [at, right] of rightItems.entries()) row.push(row[at] === true && isMany(right));
  for (const left of leftItems) {
    const many = isMany(left);
    const next = [many && row[0] === true];
    for (const [at, right] of rightItems.entries()) {
      const either = row[at + 1] === true || next[at] === true;
      next.push(many ? either : isMany(right) ? either : row[at] === true && same(left, right));
    }
    row = next;
  }
  return row.at(-1) === true;
}
