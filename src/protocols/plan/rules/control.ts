/**
 * A detector that finds no conflict must have shown that it can see one. Code plants a pair: a statement
 * contrary to another seat's, numbered like its own seat's. A model writes it (`written-control.ts`); where
 * none of what it wrote is fit, and in plans before the third edition, code turns the figure or the denial of
 * a statement. Whoever misses it has not examined anything, and "none" from it proves nothing.
 */
import { nonce, shuffle } from '../../../kernel/chance.ts';
import { capitalize } from '../../../text/capitalize.ts';
import type { Edition } from '../config.ts';
import { type Found, namedIn } from './conflicts.ts';
import { live, type Statement } from './statements.ts';

export interface Plant {
  /** As the detector is shown it, among the others and like them. */
  readonly statement: Statement;
  /** The statement that it contradicts. */
  readonly of: string;
}

/** Undefined where nobody said anything, or only one seat did: there is nothing to confuse. */
export function plant(
  statements: readonly Statement[],
  seed: number,
  purpose: string,
  /** Ids of statements in a conflict: whoever names that may or may not have seen the plant. */
  avoided: ReadonlySet<string> = new Set(),
  edition: Edition = 1,
): Plant | undefined {
  const standing = live(statements);
  const roles = [...new Set(standing.map(({ role }) => role))];
  if (roles.length < 2) return undefined;
  const apart = standing.filter(({ id }) => !avoided.has(id));
  const shuffled = shuffle(apart.length === 0 ? standing : apart, seed, `${purpose}/statement`);
  // A constraint is what two seats would contradict each other in.
  const constraints = shuffled.filter(({ kind }) => kind === 'constraint');
  const turned =
    turnOne(constraints, seed, edition) ?? turnOne(shuffled, seed, edition) ?? deny(shuffled);
  if (turned === undefined) return undefined;
  const { of, text } = turned;
  const [other = of.role] = shuffle(
    roles.filter((role) => role !== of.role),
    seed,
    `${purpose}/role`,
  );
  const numbered = statements.filter(({ role }) => role === other).length;
  return {
    of: of.id,
    statement: {
      id: `${other}-${numbered + 1}`,
      role: other,
      kind: of.kind,
      text,
      ...(of.must ? { must: true } : {}),
      // Where the others give a ground, one without would be told by that.
      ...(of.because === undefined ? {} : { because: groundOf(of.id, seed) }),
      round: of.round,
      state: 'live',
      earlier: [],
    },
  };
}

/** All statements and the plant, in an order that tells nothing. */
export function mix(
  statements: readonly Statement[],
  { statement }: Plant,
  seed: number,
  purpose: string,
): Statement[] {
  return shuffle([...live(statements), statement], seed, `${purpose}/order`);
}

/**
 * Whether a detector saw the plant: one of its findings names both sides, and not most of what there is
 * beside them. Who pairs everything with everything has seen nothing either.
 */
export function sawPlant(
  found: readonly Found[],
  { statement, of }: Plant,
  shown: number,
): boolean {
  const all = found.map(namedIn);
  const pairs = all.filter((ids) => ids.includes(statement.id) && ids.includes(of));
  const named = new Set(all.flat());
  const sparing = pairs.some((ids) => ids.length <= Math.max(2, shown / 3));
  const everything = shown > 4 && named.size >= shown && found.length >= shown;
  return sparing && !everything;
}

interface Turned {
  readonly of: Statement;
  readonly text: string;
}

type Turn = (text: string, seed: number, edition: Edition) => string | undefined;

/** The first statement that the surest turn fits; undefined where none fits any. */
function turnOne(
  statements: readonly Statement[],
  seed: number,
  edition: Edition,
): Turned | undefined {
  for (const turn of TURNS)
    for (const of of statements) {
      const text = turn(of.text, seed, edition);
      if (text !== undefined) return { of, text };
    }
  return undefined;
}

function deny([of]: readonly Statement[]): Turned | undefined {
  return of === undefined ? undefined : { of, text: `It is not so that ${lower(of.text)}` };
}

/** Such as any domain could have. */
const GROUNDS = [
  'Whoever works with it has relied on this so far.',
  'Anything else costs more than it gives.',
  'It was tried the other way, and had to be taken back.',
];

function groundOf(id: string, seed: number): string {
  return shuffle(GROUNDS, seed, id)[0] ?? '';
}

/**
 * Returns the text with its first figure replaced by a larger one: `30 seconds` → `240 seconds`. Undefined if
 * there is no figure. From the fourth edition on a figure of 1 is not replaced, because `1 second` would also
 * have to become a plural.
 */
function turnFigure(text: string, seed: number, edition: Edition): string | undefined {
  // Ids, versions and places are figures that nobody can contradict.
  const figure = /(?<![\w.#/-])\d{1,9}(?![\w.#/-]|\s*-)/u;
  const found = figure.exec(text);
  if (found === null || (edition >= 4 && Number(found[0]) === 1)) return undefined;
  const times = 4 + (Number.parseInt(nonce(seed, text).slice(0, 2), 16) % 6);
  return text.replace(figure, String(Math.max(2, Number(found[0])) * times));
}

/** Words whose other is as common, so that the sentence stays one: the plainest first. */
const PAIRS: readonly (readonly [RegExp, string])[] = [
  [/\bnever\b/iu, 'always'],
  [/\balways\b/iu, 'never'],
  [/\bat most\b/iu, 'at least'],
  [/\bat least\b/iu, 'at most'],
  [/\bwithout\b/iu, 'with'],
  [/\bnobody\b/iu, 'everybody'],
  [/\bevery\b/iu, 'no'],
  [/\bbefore\b/iu, 'only after'],
  [/\binside\b/iu, 'outside'],
];

const DENIED = /\b(?:no|not|nothing|nobody|never|without)\b/iu;

function turnWord(text: string): string | undefined {
  for (const [word, other] of PAIRS) {
    const found = word.exec(text);
    // Turned behind a denial, the sentence may still say the same.
    if (found === null || DENIED.test(text.slice(0, found.index))) continue;
    return text.replace(word, found[0] === lower(found[0]) ? other : capitalize(other));
  }
  return undefined;
}

const DENIALS: readonly (readonly [RegExp, string])[] = [
  [/\b(must|should|may|can|will|shall|do|does|is|are) not\b/iu, '$1'],
  [/\b(?:must|may|can|should|will|shall) /iu, '$&not '],
  [/\b(?:is|are) /iu, '$&not '],
];

/** Of a clause below another one, the denial denies nothing that anybody said. */
const BELOW = /^(?:where|if|when|while|as|once|until|unless|who|whoever|whatever|what)\b/iu;
const CLAUSE_END =
  /[,;:.]|\b(?:that|which|who|whose|where|when|while|if|until|as|so|and|or|but)\b/iu;

function turnDenial(text: string): string | undefined {
  if (BELOW.test(text)) return undefined;
  const end = CLAUSE_END.exec(text)?.index ?? text.length;
  const clause = text.slice(0, end);
  for (const [denial, turned] of DENIALS)
    if (denial.test(clause)) return clause.replace(denial, turned) + text.slice(end);
  return undefined;
}

/** A figure is the plainest of denials. */
const TURNS: readonly Turn[] = [turnFigure, turnWord, turnDenial];

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
