/**
 * Makes controls by code. A reader that finds no conflict has to show that it can see one, so a statement
 * is planted that contradicts another seat's. A model usually writes it (`written-control.ts`); if none
 * that it wrote is fit, and in plans before edition 3 of the rules, code changes a figure or a denial in a
 * statement. A reader that misses the control has proved nothing.
 */
import { makeNonce, shuffleItems } from '../../../kernel/chance.ts';
import { capitalize } from '../../../text/capitalize.ts';
import type { Edition } from '../config.ts';
import { type FoundConflict, listNamedStatements } from './conflicts.ts';
import { findLiveStatements, type Statement } from './statements.ts';

/**
 * A statement that is planted among the others, to test whether a reader finds what it contradicts.
 */
export interface ControlStatement {
  /** The statement as it is shown among the others, with an id like theirs. */
  readonly statement: Statement;
  /** The id of the statement that it contradicts. */
  readonly of: string;
}

/**
 * Makes a statement to be planted among the others, to test a reader. It is a copy of one seat's statement,
 * changed so that it contradicts the original, and is attributed to another seat. Returns undefined if fewer than
 * two seats have statements that are not withdrawn.
 * @param purpose the name of the search, from which, with `seed`, all random choices are made
 */
export function makePlant(
  statements: readonly Statement[],
  seed: number,
  purpose: string,
  /**
   * Ids of statements that are in a conflict already, so that naming them would not show that the control
   * was found.
   */
  avoided: ReadonlySet<string> = new Set(),
  edition: Edition = 1,
): ControlStatement | undefined {
  const standing = findLiveStatements(statements);
  const roles = [...new Set(standing.map(({ role }) => role))];
  if (roles.length < 2) return undefined;
  const apart = standing.filter(({ id }) => !avoided.has(id));
  const shuffled = shuffleItems(
    apart.length === 0 ? standing : apart,
    seed,
    `${purpose}/statement`,
  );
  // If possible, the planted statement contradicts a constraint: real conflicts are mostly about constraints.
  const constraints = shuffled.filter(({ kind }) => kind === 'constraint');
  const turned =
    turnOne(constraints, seed, edition) ??
    turnOne(shuffled, seed, edition) ??
    denyStatement(shuffled);
  if (turned === undefined) return undefined;
  const { of, text } = turned;
  const [other = of.role] = shuffleItems(
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
      // If a seat's statement has a reason, the planted statement that contradicts it gets a general reason, too.
      // Without a reason, the planted statement would stand out.
      ...(of.because === undefined ? {} : { because: groundOf(of.id, seed) }),
      round: of.round,
      state: 'live',
      earlier: [],
    },
  };
}

/**
 * Mixes the planted statement with all others that are not withdrawn, in a random order that does not give it away.
 * The order depends on `seed` and on `purpose`, the name of the search.
 */
export function mixWithPlant(
  statements: readonly Statement[],
  { statement }: ControlStatement,
  seed: number,
  purpose: string,
): Statement[] {
  return shuffleItems([...findLiveStatements(statements), statement], seed, `${purpose}/order`);
}

/** A function that swaps two ids. Other ids are returned unchanged. */
export type IdSwap = (id: string) => string;

/**
 * Returns a function that swaps the id of the planted statement with the id of a statement of the same seat.
 * Chance decides which statement that is, and it may be the planted statement itself, so that nothing is
 * swapped. Without the swap, the planted statement always has the last number of its seat. When readers were
 * tried without it, nearly all picked the planted statement because of its number.
 * @param kept ids that are shown elsewhere in the prompt and must not change
 */
export function swapPlanted(
  statements: readonly Statement[],
  { statement: { id, role } }: ControlStatement,
  kept: ReadonlySet<string>,
  seed: number,
  purpose: string,
): IdSwap {
  const same = findLiveStatements(statements).filter(
    (statement) => statement.role === role && !kept.has(statement.id),
  );
  const [other = id] = shuffleItems(
    [id, ...same.map((statement) => statement.id)],
    seed,
    `${purpose}/id`,
  );
  return (candidate) => (candidate === id ? other : candidate === other ? id : candidate);
}

/**
 * Returns a conflict with the ids of its statements swapped, in its lists and in its sentences. A reader who was
 * shown the planted statement under another id names conflicts by the ids that it was shown.
 */
export function swapIds(found: FoundConflict, swap: IdSwap): FoundConflict {
  // Match whole ids only: in `security-12`, neither `security-1` nor `12` may be replaced.
  const inText = (text: string): string =>
    text.replace(/(?<![\p{L}\p{N}-])[\p{L}\p{N}][\p{L}\p{N}-]*-\d+(?![\p{L}\p{N}])/gu, swap);
  return {
    ...found,
    question: inText(found.question),
    why: inText(found.why),
    statements: found.statements.map(swap),
    ...(found.given === undefined ? {} : { given: found.given.map(swap) }),
  };
}

/**
 * So many statements, the control among them, may be named beside a control even if few are shown.
 */
const MIN_NAMED_WITH_PLANT = 3;

/**
 * Returns whether a reader found the planted contradiction: one conflict that it reports names the planted statement
 * together with the statement that it contradicts, and at most a third of all statements. False if the reader pairs
 * the planted statement with more than a third of all statements, because such a reader may only find it odd. False
 * as well if the reader seems to pair everything with everything. Few statements are always allowed: two in one
 * conflict, three over all conflicts with the planted statement.
 * @param shown the number of statements that the reader was shown
 */
export function hasFoundPlant(
  found: readonly FoundConflict[],
  { statement, of }: ControlStatement,
  shown: number,
): boolean {
  const all = found.map(listNamedStatements);
  const sparing = all.filter((ids) => ids.length <= Math.max(2, shown / 3));
  const beside = sparing.filter((ids) => ids.includes(statement.id));
  const isStar = new Set(beside.flat()).size > Math.max(MIN_NAMED_WITH_PLANT, shown / 3);
  const named = new Set(all.flat());
  const everything = shown > 4 && named.size >= shown && found.length >= shown;
  return beside.some((ids) => ids.includes(of)) && !everything && !isStar;
}

interface Turned {
  readonly of: Statement;
  readonly text: string;
}

type Turn = (text: string, seed: number, edition: Edition) => string | undefined;

/**
 * Changes the first statement that the most reliable change fits; undefined if no change fits any
 * statement.
 */
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

function denyStatement([of]: readonly Statement[]): Turned | undefined {
  return of === undefined
    ? undefined
    : { of, text: `It is not so that ${lowerFirstLetter(of.text)}` };
}

/** Reasons that fit every domain. */
const GROUNDS = [
  'Whoever works with it has relied on this so far.',
  'Anything else costs more than it gives.',
  'It was tried the other way, and had to be taken back.',
];

function groundOf(id: string, seed: number): string {
  return shuffleItems(GROUNDS, seed, id)[0] ?? '';
}

/**
 * Returns the text with its first figure replaced by a larger one: `30 seconds` → `240 seconds`. Undefined if
 * there is no figure. Numbers in ids, versions and places are no figures. From the fourth edition on a figure of 1
 * is not replaced, because `1 second` would also have to become a plural.
 */
function turnFigure(text: string, seed: number, edition: Edition): string | undefined {
  const figure = /(?<![\w.#/-])\d{1,9}(?![\w.#/-]|\s*-)/u;
  const found = figure.exec(text);
  if (found === null || (edition >= 4 && Number(found[0]) === 1)) return undefined;
  const times = 4 + (Number.parseInt(makeNonce(seed, text).slice(0, 2), 16) % 6);
  return text.replace(figure, String(Math.max(2, Number(found[0])) * times));
}

/** Words and their opposites that keep a sentence grammatical, the most reliable first. */
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

/** Matches a denial. In a denied clause, a word and its opposite can be true together. */
const DENIED = /\b(?:no|not|nothing|nobody|never|without)\b/iu;

function turnWord(text: string): string | undefined {
  for (const [word, other] of PAIRS) {
    const found = word.exec(text);
    if (found === null || DENIED.test(text.slice(0, found.index))) continue;
    return text.replace(word, found[0] === lowerFirstLetter(found[0]) ? other : capitalize(other));
  }
  return undefined;
}

const DENIALS: readonly (readonly [RegExp, string])[] = [
  [/\b(must|should|may|can|will|shall|do|does|is|are) not\b/iu, '$1'],
  [/\b(?:must|may|can|should|will|shall) /iu, '$&not '],
  [/\b(?:is|are) /iu, '$&not '],
];

/**
 * Matches the first word of a subordinate clause. Denying such a clause would not contradict what the
 * sentence says.
 */
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

/** The changes, the most reliable first: a figure, a word, a denial. */
const TURNS: readonly Turn[] = [turnFigure, turnWord, turnDenial];

function lowerFirstLetter(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
