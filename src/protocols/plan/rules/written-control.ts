/**
 * A control that a model writes: one more statement of a seat, contrary to what another seat said. A sentence
 * of somebody else with one word turned is recognized by its words alone, so code checks what code can: the
 * length, the title, the language, and that no run of words is taken over. What is unfit is not planted.
 */
import { shuffle } from '../../../kernel/chance.ts';
import { line } from '../../../text/line.ts';
import { plainWords } from '../../../text/words/quotation.ts';
import type { Plant } from './control.ts';
import { live, type Statement } from './statements.ts';

/** So many words in a row may be those of another statement. */
export const MAX_SHARED_RUN = 5;
/** Of its different words, so many may be those of the statement that it contradicts. */
const MAX_SHARED = 0.7;
/** Of its words, so many stand in other statements where both are of one language: articles, prepositions. */
const MIN_KNOWN = 0.2;
/** Statements of which the writer chooses the one to contradict. */
const CHOICE = 6;
/** Characters in a row of a language that puts no spaces between words. */
const MAX_SHARED_CHARACTERS = 8;
/** Words that are longer than this in the mean are sentences of such a language. */
const LONGEST_MEAN = 14;

/** What a model is asked to write: for whom, and against which of these. */
export interface Commission {
  readonly role: string;
  /** What that seat said itself, by whose manner the control is written. */
  readonly own: readonly Statement[];
  readonly candidates: readonly Statement[];
  /** From the fifth edition on: the statement of the seat that the control is to look like. */
  readonly like?: Statement | undefined;
}

export interface WrittenControl {
  readonly of: string;
  readonly title: string;
  readonly text: string;
  readonly because: string;
}

/** Which seats a control may be said by, since the fifth edition. */
interface Authors {
  readonly isAllowed: (role: string) => boolean;
  readonly isPreferred: (role: string) => boolean;
}

/**
 * Chooses the seat that the control is said by, and what of others it may contradict.
 * @param avoided statements in a conflict: whoever names these may or may not have seen the control
 * @param authors if given, one statement of the seat is chosen as well, which the control is to look like
 * @returns undefined where fewer than two seats have said anything, or all of it is in a conflict
 */
export function commission(
  statements: readonly Statement[],
  seed: number,
  purpose: string,
  avoided: ReadonlySet<string>,
  authors?: Authors,
): Commission | undefined {
  const standing = live(statements);
  const roles = shuffle(
    [...new Set(standing.map(({ role }) => role))],
    seed,
    `${purpose}/written-by`,
  );
  for (const role of authors === undefined ? roles : inOrder(roles, authors)) {
    const others = standing.filter((one) => one.role !== role && !avoided.has(one.id));
    const shuffled = shuffle(others, seed, `${purpose}/candidates`);
    // A constraint is what two seats would contradict each other in.
    const candidates = [
      ...shuffled.filter(({ kind }) => kind === 'constraint'),
      ...shuffled.filter(({ kind }) => kind !== 'constraint'),
    ].slice(0, CHOICE);
    const own = standing.filter((one) => one.role === role);
    if (candidates.length > 0)
      return {
        ...{ role, own, candidates },
        ...(authors === undefined ? {} : { like: likeOf(own, seed, purpose) }),
      };
  }
  return undefined;
}

/** Returns the seats that may be chosen, the preferred ones first. */
function inOrder(roles: readonly string[], { isAllowed, isPreferred }: Authors): string[] {
  const allowed = roles.filter(isAllowed);
  return [...allowed.filter(isPreferred), ...allowed.filter((role) => !isPreferred(role))];
}

/** Returns the statement of a seat that its control is to look like: a constraint, if it has any. */
function likeOf(own: readonly Statement[], seed: number, purpose: string): Statement | undefined {
  const shuffled = shuffle(own, seed, `${purpose}/like`);
  return shuffled.find(({ kind }) => kind === 'constraint') ?? shuffled[0];
}

/** Returns why a control cannot be planted, as its writer is told; undefined where it can. */
export function whyUnfit(
  { of, title, text, because }: WrittenControl,
  asked: Commission,
  statements: readonly Statement[],
): string | undefined {
  const { own, candidates } = asked;
  const target = candidates.find(({ id }) => id === of);
  if (target === undefined) return `${line(of)} is none of the statements to choose from`;
  const words = plainWords(text);
  const lengths = own.map((one) => sizeOf(one.text));
  const [least, most] = [Math.min(...lengths) * 0.6, Math.max(...lengths) * 1.4];
  if (words.length === 0 || sizeOf(text) < least || sizeOf(text) > most)
    return `it is ${sizeOf(text) > most ? 'longer' : 'shorter'} than what the seat says elsewhere`;
  const known = statements.filter(({ text: theirs }) => theirs !== '');
  if (known.some(({ id }) => text.includes(id) || because.includes(id)))
    return 'it names the number of a statement';
  const copied = known.find((one) => hasSharedRun(text, one.text));
  if (copied !== undefined)
    return `more than ${MAX_SHARED_RUN} words in a row stand in ${copied.id} as well`;
  const theirs = new Set(plainWords(target.text));
  const different = [...new Set(words)];
  if (different.filter((word) => theirs.has(word)).length / different.length > MAX_SHARED)
    return `nearly all of its words are those of ${of}`;
  if (wantsGround(asked) && because.trim() === '') return 'it has no ground, and the others do';
  if (because.trim() !== '' && known.some((one) => hasSharedRun(because, one.because ?? '')))
    return 'its ground is copied from another statement';
  if (wantsTitle(asked) && title.trim() === '') return 'it has no title, and the others do';
  if (!isOfTheirLanguage(text, known)) return 'it is not written in the language of the others';
  return undefined;
}

/** The control as it stands among the other statements: what others of its seat lack, it lacks as well. */
export function toPlant(
  { of, title, text, because }: WrittenControl,
  asked: Commission,
  statements: readonly Statement[],
): Plant {
  const { role, own, like } = asked;
  const kind =
    like?.kind ?? (own.some((one) => one.kind === 'constraint') ? 'constraint' : 'section');
  const numbered = statements.filter((one) => one.role === role).length;
  return {
    of,
    statement: {
      ...{ id: `${role}-${numbered + 1}`, role, kind, text: line(text) },
      ...(like?.must === true ? { must: true } : {}),
      ...(wantsTitle(asked) ? { title: line(title) } : {}),
      ...(wantsGround(asked) ? { because: line(because) } : {}),
      ...{ round: Math.max(...own.map(({ round }) => round)), state: 'live', earlier: [] },
    },
  };
}

/** Whether most of what the seat says has a title; of a section it always has. */
export function wantsTitle({ own, like }: Pick<Commission, 'own' | 'like'>): boolean {
  if (like !== undefined) return isGiven(like.title);
  const alike = own.filter(({ kind }) => kind === 'constraint');
  return isUsual(alike.length === 0 ? own : alike, ({ title }) => title);
}

/** Whether most of what the seat says gives a ground. */
export function wantsGround({ own, like }: Pick<Commission, 'own' | 'like'>): boolean {
  if (like !== undefined) return isGiven(like.because);
  return isUsual(own, ({ because }) => because);
}

function isGiven(text: string | undefined): boolean {
  return (text ?? '').trim() !== '';
}

function isUsual(
  own: readonly Statement[],
  of: (statement: Statement) => string | undefined,
): boolean {
  return own.filter((one) => isGiven(of(one))).length * 2 > own.length;
}

/** Whether one text has a longer run of words of the other than two people would come by. */
function hasSharedRun(text: string, other: string): boolean {
  const [mine, theirs] = [unitsOf(text), unitsOf(other)];
  const { units, most } = mine;
  const runs = new Set<string>();
  for (let at = 0; at + most < theirs.units.length; at += 1)
    runs.add(theirs.units.slice(at, at + most + 1).join(' '));
  for (let at = 0; at + most < units.length; at += 1)
    if (runs.has(units.slice(at, at + most + 1).join(' '))) return true;
  return plainWords(text).join(' ') === plainWords(other).join(' ') && units.length > 0;
}

/** Words, or characters where nothing is put between words. */
function unitsOf(text: string): { units: readonly string[]; most: number } {
  const words = plainWords(text);
  return isUnspaced(words)
    ? { units: [...words.join('')], most: MAX_SHARED_CHARACTERS }
    : { units: words, most: MAX_SHARED_RUN };
}

/** Returns whether words are those of a language that puts no spaces between them. */
export function isUnspaced(words: readonly string[]): boolean {
  return words.reduce((sum, word) => sum + [...word].length, 0) > words.length * LONGEST_MEAN;
}

export function sizeOf(text: string): number {
  return unitsOf(text).units.length;
}

function isOfTheirLanguage(text: string, known: readonly Statement[]): boolean {
  const theirs = new Set(known.flatMap((one) => unitsOf(one.text).units));
  const { units } = unitsOf(text);
  return units.filter((word) => theirs.has(word)).length / units.length >= MIN_KNOWN;
}
