/**
 * A detector that finds no conflict must have shown that it can see one. Code plants a pair: a statement
 * with its figure or its denial turned, under another seat's name, numbered like that seat's own. Whoever
 * misses it has not examined anything, and "none" from it proves nothing. The plant is dropped with
 * everything that touches it.
 */
import { nonce, shuffle } from '../../../kernel/chance.ts';
import type { Found } from './conflicts.ts';
import { live, type Statement } from './statements.ts';

export interface Plant {
  /** As the detector is shown it, among the others and like them. */
  readonly statement: Statement;
  /** The statement that it turns. */
  readonly of: string;
}

/** Undefined where nobody said anything, or only one seat did: there is nothing to confuse. */
export function plant(
  statements: readonly Statement[],
  seed: number,
  purpose: string,
): Plant | undefined {
  const standing = live(statements);
  const roles = [...new Set(standing.map(({ role }) => role))];
  if (roles.length < 2) return undefined;
  const shuffled = shuffle(standing, seed, `${purpose}/statement`);
  // A constraint is what two seats would contradict each other in; a figure is the plainest of denials.
  const of =
    shuffled.find(
      ({ kind, text }) => kind === 'constraint' && turnFigure(text, seed) !== undefined,
    ) ??
    shuffled.find(({ kind }) => kind === 'constraint') ??
    shuffled[0];
  if (of === undefined) return undefined;
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
      text: turn(of.text, seed),
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
  const pairs = found.filter(
    ({ statements }) => statements.includes(statement.id) && statements.includes(of),
  );
  const named = new Set(found.flatMap(({ statements }) => statements));
  const sparing = pairs.some(
    ({ statements }) => new Set(statements).size <= Math.max(2, shown / 3),
  );
  const everything = shown > 4 && named.size >= shown && found.length >= shown;
  return sparing && !everything;
}

/** The sentence turned into what cannot stand beside it. */
function turn(text: string, seed: number): string {
  return turnFigure(text, seed) ?? turnDenial(text) ?? `It is not so that ${lower(text)}`;
}

/** Another figure of the same form: `30 seconds` → `240 seconds`. Undefined where there is none. */
function turnFigure(text: string, seed: number): string | undefined {
  // Ids, versions and places are figures that nobody can contradict.
  const figure = /(?<![\w.#/-])\d{1,9}(?![\w.#/-]|\s*-)/u;
  const found = figure.exec(text);
  if (found === null) return undefined;
  const times = 4 + (Number.parseInt(nonce(seed, text).slice(0, 2), 16) % 6);
  return text.replace(figure, String(Math.max(2, Number(found[0])) * times));
}

const DENIALS: readonly (readonly [RegExp, string])[] = [
  [/\b(must|should|may|can|will|shall|do|does|is|are) not\b/iu, '$1'],
  [/\b(?:must|may|can)(?: |$)(?!not)/iu, '$&not '],
  [/\b(?:should|will|shall|is|are)(?: |$)(?!not)/iu, '$&not '],
  [/\bnever\b/iu, 'always'],
  [/\balways\b/iu, 'never'],
  [/\bwithout\b/iu, 'with'],
];

function turnDenial(text: string): string | undefined {
  for (const [denial, turned] of DENIALS)
    if (denial.test(text)) return text.replace(denial, turned);
  return undefined;
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
