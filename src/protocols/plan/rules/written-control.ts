/**
 * Checks a control that a model wrote: a statement attributed to one seat that contradicts another's. Code
 * checks length, title, language, and that no words are copied. An unfit control is not planted.
 */
import { shuffleItems } from '../../../kernel/chance.ts';
import { toLine } from '../../../text/line.ts';
import { plainWords } from '../../../text/words/quotation.ts';
import type { ControlStatement } from './control.ts';
import { findLiveStatements, type Statement } from './statements.ts';

/**
 * The most words in a row that a control (a planted statement) may share with another statement.
 */
export const MAX_SHARED_RUN = 5;
/** The largest share of a control's different words that may come from the statement it contradicts. */
const MAX_SHARED = 0.7;
/**
 * The smallest share of a control's words that occur in other statements if both are of the same language.
 */
const MIN_KNOWN = 0.2;
/** The number of statements from which the writer chooses the one to contradict. */
const CHOICE = 6;
/** The longest run of characters that may be shared, in a language without spaces between words. */
const MAX_SHARED_CHARACTERS = 8;
/** If words are longer than this on average, the language has no spaces between words. */
const LONGEST_MEAN = 14;

/**
 * The instructions to a model that writes a control (a planted statement):
 * the seat to which the control is attributed, and the statements that it may contradict.
 */
export interface ControlInstructions {
  readonly role: string;
  /** The seat's own statements, whose style the control imitates. */
  readonly own: readonly Statement[];
  /** The statements of other seats, one of which the control has to contradict. */
  readonly candidates: readonly Statement[];
  /**
   * The statement of the seat that the control should resemble; undefined before edition 5 of the rules.
   */
  readonly like?: Statement | undefined;
}

/**
 * A control (a planted statement) as a model hands it in. `of` is the id of
 * the statement it contradicts.
 */
export interface WrittenControl {
  /** The id of the statement that it contradicts. */
  readonly of: string;
  readonly title: string;
  readonly text: string;
  /** The reason that it gives. */
  readonly because: string;
}

/** Which seats a control may be attributed to, from edition 5 of the rules on. */
interface Authors {
  readonly isAllowed: (role: string) => boolean;
  readonly isPreferred: (role: string) => boolean;
  /**
   * Orders the statements that a seat's control may contradict, the most suitable first; absent before
   * edition 7 of the rules.
   */
  readonly order?: (statements: readonly Statement[], role: string) => readonly Statement[];
}

/**
 * Prepares the writing of a control (a planted statement). Chooses the seat to which the control is attributed, and
 * statements of other seats, of which the control has to contradict one.
 * @param purpose the name of the search, from which, with `seed`, all random choices are made
 * @param avoided ids of statements that are already in a conflict; if the control contradicted one
 * of these, a reader could name the two statements without having noticed the control
 * @param authors which seats may be chosen. If given, a statement of the chosen seat is chosen as well, as `like`,
 * which the control should resemble.
 * @returns undefined if no seat may be chosen for which another seat has a statement that is not avoided
 */
export function chooseCommission(
  statements: readonly Statement[],
  seed: number,
  purpose: string,
  avoided: ReadonlySet<string>,
  authors?: Authors,
): ControlInstructions | undefined {
  const standing = findLiveStatements(statements);
  const roles = shuffleItems(
    [...new Set(standing.map(({ role }) => role))],
    seed,
    `${purpose}/written-by`,
  );
  for (const role of authors === undefined ? roles : inOrder(roles, authors)) {
    const others = standing.filter(
      (statement) => statement.role !== role && !avoided.has(statement.id),
    );
    const random = shuffleItems(others, seed, `${purpose}/candidates`);
    const shuffled = authors?.order?.(random, role) ?? random;
    // Among the statements that the control may contradict, put constraints first: seats contradict each other in
    // constraints more than in wishes.
    const candidates = [
      ...shuffled.filter(({ kind }) => kind === 'constraint'),
      ...shuffled.filter(({ kind }) => kind !== 'constraint'),
    ].slice(0, CHOICE);
    const own = standing.filter((statement) => statement.role === role);
    if (candidates.length > 0)
      return {
        role,
        own,
        candidates,
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
  const shuffled = shuffleItems(own, seed, `${purpose}/like`);
  return shuffled.find(({ kind }) => kind === 'constraint') ?? shuffled[0];
}

/**
 * Returns why a control (a planted statement) cannot be used, in words for
 * its writer. Undefined if it can be used.
 */
export function whyUnfit(
  { of, title, text, because }: WrittenControl,
  asked: ControlInstructions,
  statements: readonly Statement[],
): string | undefined {
  const { own, candidates } = asked;
  const target = candidates.find(({ id }) => id === of);
  if (target === undefined) return `${toLine(of)} is none of the statements to choose from`;
  const words = plainWords(text);
  const lengths = own.map((statement) => measureLength(statement.text));
  const [least, most] = [Math.min(...lengths) * 0.6, Math.max(...lengths) * 1.4];
  if (words.length === 0 || measureLength(text) < least || measureLength(text) > most)
    return `it is ${measureLength(text) > most ? 'longer' : 'shorter'} than what the seat says elsewhere`;
  const known = statements.filter(({ text: statementText }) => statementText !== '');
  if (known.some(({ id }) => text.includes(id) || because.includes(id)))
    return 'it names the number of a statement';
  const copied = known.find((statement) => hasSharedRun(text, statement.text));
  if (copied !== undefined)
    return `more than ${MAX_SHARED_RUN} words in a row stand in ${copied.id} as well`;
  const targetWords = new Set(plainWords(target.text));
  const different = [...new Set(words)];
  if (different.filter((word) => targetWords.has(word)).length / different.length > MAX_SHARED)
    return `nearly all of its words are those of ${of}`;
  if (wantsGround(asked) && because.trim() === '') return 'it has no ground, and the others do';
  if (
    because.trim() !== '' &&
    known.some((statement) => hasSharedRun(because, statement.because ?? ''))
  )
    return 'its ground is copied from another statement';
  if (wantsTitle(asked) && title.trim() === '') return 'it has no title, and the others do';
  if (!isOfTheirLanguage(text, known)) return 'it is not written in the language of the others';
  return undefined;
}

/**
 * Converts a control that a model wrote to a statement of the seat to which the control is attributed, with the
 * seat's next number. The title is kept only if the control needs one (`wantsTitle`), and so is the reason
 * (`wantsGround`).
 */
export function toPlant(
  { of, title, text, because }: WrittenControl,
  asked: ControlInstructions,
  statements: readonly Statement[],
): ControlStatement {
  const { role, own, like } = asked;
  const kind =
    like?.kind ??
    (own.some((statement) => statement.kind === 'constraint') ? 'constraint' : 'section');
  const numbered = statements.filter((statement) => statement.role === role).length;
  return {
    of,
    statement: {
      id: `${role}-${numbered + 1}`,
      role,
      kind,
      text: toLine(text),
      ...(like?.must === true ? { must: true } : {}),
      ...(wantsTitle(asked) ? { title: toLine(title) } : {}),
      ...(wantsGround(asked) ? { because: toLine(because) } : {}),
      round: Math.max(...own.map(({ round }) => round)),
      state: 'live',
      earlier: [],
    },
  };
}

/**
 * Returns whether a control (a planted statement) needs a title so as not to stand out. If the control should
 * resemble the statement `like`, that statement decides. Otherwise more than half of the constraints of its seat
 * must have a title, or more than half of all the seat's statements if none is a constraint.
 */
export function wantsTitle({ own, like }: Pick<ControlInstructions, 'own' | 'like'>): boolean {
  if (like !== undefined) return isGiven(like.title);
  const alike = own.filter(({ kind }) => kind === 'constraint');
  return isUsual(alike.length === 0 ? own : alike, ({ title }) => title);
}

/**
 * Returns whether a control (a planted statement) needs a reason so as not to stand out. If the control should
 * resemble the statement `like`, that statement decides. Otherwise more than half of the statements of its seat
 * must have a reason.
 */
export function wantsGround({ own, like }: Pick<ControlInstructions, 'own' | 'like'>): boolean {
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
  return own.filter((statement) => isGiven(of(statement))).length * 2 > own.length;
}

/** Returns whether two texts share a longer run of words than two people would write by chance. */
function hasSharedRun(text: string, other: string): boolean {
  const [textUnits, otherUnits] = [unitsOf(text), unitsOf(other)];
  const { units, most } = textUnits;
  const runs = new Set<string>();
  for (let at = 0; at + most < otherUnits.units.length; at += 1)
    runs.add(otherUnits.units.slice(at, at + most + 1).join(' '));
  for (let at = 0; at + most < units.length; at += 1)
    if (runs.has(units.slice(at, at + most + 1).join(' '))) return true;
  return plainWords(text).join(' ') === plainWords(other).join(' ') && units.length > 0;
}

/** Splits a text into words, or into characters if the language has no spaces. */
function unitsOf(text: string): { units: readonly string[]; most: number } {
  const words = plainWords(text);
  return isUnspaced(words)
    ? { units: [...words.join('')], most: MAX_SHARED_CHARACTERS }
    : { units: words, most: MAX_SHARED_RUN };
}

/** Returns whether words belong to a language without spaces between words, by their average length. */
export function isUnspaced(words: readonly string[]): boolean {
  return words.reduce((sum, word) => sum + [...word].length, 0) > words.length * LONGEST_MEAN;
}

/**
 * Returns the length of a text in words, or in characters if the text has no spaces between words.
 */
export function measureLength(text: string): number {
  return unitsOf(text).units.length;
}

function isOfTheirLanguage(text: string, known: readonly Statement[]): boolean {
  const knownUnits = new Set(known.flatMap((statement) => unitsOf(statement.text).units));
  const { units } = unitsOf(text);
  return units.filter((word) => knownUnits.has(word)).length / units.length >= MIN_KNOWN;
}
