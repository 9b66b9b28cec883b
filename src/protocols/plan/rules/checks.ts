/**
 * Checks a finished spec: whether each part follows from the statements it cites, and whether parts
 * contradict one another or withdrawn statements. A reader's result counts only if it has found what code
 * planted.
 */

import { shuffleItems } from '../../../kernel/chance.ts';
import { formatCount } from '../../../text/numbers.ts';
import { withoutFalse } from '../../../text/without-undefined.ts';
import { plainWords } from '../../../text/words/quotation.ts';
import { makePlant } from './control.ts';
import { taskText } from './marks.ts';
import {
  type CitedPart,
  findMustsLeft,
  formatConverged,
  type NotCarried,
  openConflicts,
  type Spec,
  type SpecBasis,
} from './spec.ts';
import type { Statement } from './statements.ts';

/**
 * A decision, task or other part of a spec, or a withdrawn statement, in the form in which it is shown to a reader
 * who looks for contradictions among all of them.
 */
export interface Part {
  /** A label such as `D-1` or `T-2`; for a withdrawn statement its own id. */
  readonly id: string;
  readonly text: string;
  /** The ids of the statements that the part cites. */
  readonly from: readonly string[];
  /** True for a withdrawn statement. */
  readonly isGivenUp?: true;
  /**
   * For a withdrawn statement: the statement chosen in its place, if it is a single one. Undefined before
   * edition 4 of the rules.
   */
  readonly taken?: string | undefined;
}

/**
 * A built-in sentence and a statement from which it does not follow, to test whether a reader of the spec
 * notices that. The first reader is tested with a pair made from the spec, and with this pair only if no other
 * can be made. A second reader is always tested with this pair, since a text from the spec may follow by chance.
 */
export const HOUSE_PAIR = {
  text: 'Requests that fail are sent again until they succeed.',
  statement: 'A request that fails is sent once more after a second, and then given up.',
} as const;

/** Returns those parts of a spec that have to follow from the statements they cite. */
export function citedParts({
  decisions,
  interfaces,
  data,
}: Pick<Spec, 'decisions' | 'interfaces' | 'data'>): CitedPart[] {
  return [...decisions, ...interfaces, ...data];
}

/**
 * Makes a part that does not follow from what it cites, to test whether a reader notices. It has the
 * text of one part and the citations of another, chosen so that the smallest share of the text's words stands in the
 * cited statements.
 * Returns undefined if there are no two parts with different texts and without a common citation.
 */
export function plantCitation(
  parts: readonly CitedPart[],
  statements: readonly Statement[],
  seed: number,
): CitedPart | undefined {
  const texts = new Map(statements.map(({ id, text }) => [id, text]));
  const collectWords = (from: readonly string[]): Set<string> =>
    new Set(from.flatMap((id) => plainWords(texts.get(id) ?? '')));
  const pairs = shuffleItems(parts, seed, 'citation').flatMap((part) =>
    parts
      .filter(
        (other) => !other.from.some((id) => part.from.includes(id)) && other.text !== part.text,
      )
      .map((other) => {
        const otherWords = collectWords(other.from);
        const own = new Set(plainWords(part.text));
        const shared = [...own].filter((word) => otherWords.has(word)).length;
        return { planted: { text: part.text, from: other.from }, share: shared / (own.size || 1) };
      }),
  );
  return pairs.sort((one, other) => one.share - other.share)[0]?.planted;
}

/**
 * Returns the texts among which a reader is to look for contradictions: the decisions, interfaces, changes of data
 * and tasks of a spec, and the options that were given up because of a question, since the spec may still follow one
 * of them.
 */
export function listComparedTexts(spec: Spec, basis: SpecBasis): Part[] {
  const { statements, conflicts, edition = 1 } = basis;
  const numberParts = (letter: string, parts: readonly CitedPart[]): Part[] =>
    parts.map(({ text, from }, at) => ({ id: `${letter}-${at + 1}`, text, from }));
  const asked = new Set(conflicts.flatMap(({ options }) => options));
  const lost = statements.filter(
    ({ id, state, withdrawal }) =>
      state === 'withdrawn' && asked.has(id) && withdrawal?.conflict !== undefined,
  );
  return [
    ...numberParts('D', spec.decisions),
    ...numberParts('I', spec.interfaces),
    ...numberParts('C', spec.data),
    ...numberParts(
      'T',
      spec.tasks.map((task) => ({ text: taskText(task), from: task.from })),
    ),
    ...lost.map(({ id, text, withdrawal }): Part => {
      const taken = edition < 4 ? undefined : findChosen(withdrawal?.conflict, basis)?.text;
      const known = taken === undefined ? {} : { taken };
      return { id, text, from: [id], isGivenUp: true, ...known };
    }),
  ];
}

/**
 * The least share of the words of a given-up statement that a part has to repeat, and the least share of its
 * own words that have to be among them, to count as saying the same.
 */
const REPEATED = { lost: 0.9, part: 0.8 };

/**
 * Returns the parts that repeat a given-up statement almost word for word. A part is left out if one of the
 * statements that it cites says the same. Code compares the words, without a reader.
 */
export function findRestated(
  parts: readonly CitedPart[],
  statements: readonly Statement[],
): NotCarried[] {
  const lost = statements.filter(({ state }) => state === 'withdrawn');
  return parts.flatMap(({ text, from }) => {
    const cited = statements.filter(({ id }) => from.includes(id));
    if (cited.some((statement) => isRestatement(text, statement.text))) return [];
    const again = lost.find((statement) => isRestatement(text, statement.text));
    return again === undefined
      ? []
      : [{ text, from: [...from], why: `it says again what was given up, ${again.id}` }];
  });
}

function isRestatement(text: string, other: string): boolean {
  const [words, otherWords] = [new Set(plainWords(text)), new Set(plainWords(other))];
  const shared = [...otherWords].filter((word) => words.has(word)).length;
  return (
    otherWords.size > 0 &&
    shared >= otherWords.size * REPEATED.lost &&
    shared >= words.size * REPEATED.part &&
    // One word such as "not" makes nearly equal sentences say the opposite, so both must have the same such words.
    DENIALS.every((word) => words.has(word) === otherWords.has(word))
  );
}

const DENIALS = [
  'no',
  'not',
  'never',
  'nothing',
  'nobody',
  'without',
  'only',
  'kein',
  'nicht',
  'nie',
];

/** Returns the statement that a question was settled on; undefined if no single one was chosen. */
function findChosen(
  asked: string | undefined,
  { standings, statements }: SpecBasis,
): Statement | undefined {
  const { outcome } = standings.find(({ conflict }) => conflict === asked) ?? {};
  const option = outcome !== undefined && 'option' in outcome ? outcome.option : undefined;
  return statements.find(({ id }) => id === option);
}

/**
 * A part that contradicts other parts of a spec, to test whether a reader finds the contradiction.
 */
export interface PlantedPart {
  readonly part: Part;
  /** Ids of parts, each of which the planted part contradicts. */
  readonly against: readonly string[];
}

/**
 * Makes a part that contradicts others, to test whether a reader finds the contradiction. The planted part repeats
 * an option that was given up in a question, and so contradicts the parts that cite the chosen option. If no
 * question has two such options, the planted part is a copy of another part, changed to its opposite. Returns
 * undefined if no such copy can be made either.
 *
 * From edition 4 of the rules on:
 * - Neither of the two options may have been proposed as a compromise in that question, because a compromise may
 *   agree with the other option.
 * - The second reader (`attempt` 2) gets a changed copy if one can be made.
 */
export function plantPart(
  parts: readonly Part[],
  basis: SpecBasis,
  seed: number,
  attempt = 1,
): PlantedPart | undefined {
  const made = parts.filter(({ isGivenUp }) => isGivenUp === undefined);
  const lost = lostPart(made, basis, seed);
  if ((basis.edition ?? 1) < 4) return lost ?? turnedPart(made, basis, seed, 'part');
  if (attempt > 1) return turnedPart(made, basis, seed, `part-${attempt}`) ?? lost;
  return lost ?? turnedPart(made, basis, seed, 'part');
}

function lostPart(made: readonly Part[], basis: SpecBasis, seed: number): PlantedPart | undefined {
  const { conflicts, statements, edition = 1 } = basis;
  const isNamed = (statement: Statement, asked: string): boolean =>
    edition < 4 || statement.conflict !== asked;
  const decisions = made.filter(({ id }) => id.startsWith('D-'));
  const [found] = shuffleItems(conflicts, seed, 'part').flatMap(({ id: asked, options }) => {
    const winner = findChosen(asked, basis);
    const against = made.filter(({ from }) => winner !== undefined && from.includes(winner.id));
    const loser = statements.find(
      (statement) =>
        options.includes(statement.id) &&
        statement.id !== winner?.id &&
        statement.state === 'withdrawn' &&
        isNamed(statement, asked),
    );
    if (winner === undefined || loser === undefined || against.length === 0) return [];
    return isNamed(winner, asked) ? [{ loser, against }] : [];
  });
  if (found === undefined) return undefined;
  const { loser, against } = found;
  return {
    part: { id: `D-${decisions.length + 1}`, text: loser.text, from: [loser.id] },
    against: against.map((part) => part.id),
  };
}

function turnedPart(
  made: readonly Part[],
  { edition }: SpecBasis,
  seed: number,
  purpose: string,
): PlantedPart | undefined {
  const decisions = made.filter(({ id }) => id.startsWith('D-'));
  const turned = makePlant(
    made.map((part) => ({
      id: part.id,
      role: part.id,
      kind: 'constraint',
      text: part.text,
      round: 1,
      state: 'live',
      earlier: [],
    })),
    seed,
    purpose,
    new Set(),
    edition,
  );
  return turned === undefined
    ? undefined
    : {
        part: { id: `D-${decisions.length + 1}`, text: turned.statement.text, from: [] },
        against: [turned.of],
      };
}

/**
 * Returns phrases that say why a plan has not converged (some question or check is still open);
 * empty if it has.
 * @param isExamined whether the last reader who looked for conflicts found the planted
 * contradiction
 */
export function listOpenPoints(spec: Spec, basis: SpecBasis, isExamined: boolean): string[] {
  const open = openConflicts(basis);
  const musts = findMustsLeft(spec, basis.statements);
  const {
    carried = 'none',
    notCarried = [],
    notRead = [],
    compared = 'none',
    contradictions = [],
  } = spec.checks ?? {};
  return withoutFalse([
    !isExamined &&
      'nobody who looked for conflicts in the statements as they stand showed that they can see one',
    open.length !== 0 &&
      `${formatCount(open.length, 'conflict')} nobody has settled (${open.map(({ id }) => id).join(', ')})`,
    musts.length !== 0 && `not carried, although a must: ${musts.join(', ')}`,
    carried === 'missed' &&
      'nobody who read what the parts cite showed that they can tell what does not carry them',
    notCarried.length !== 0 &&
      `${formatCount(notCarried.length, 'part')} not carried by what ${notCarried.length === 1 ? 'it cites' : 'they cite'}`,
    carried !== 'missed' &&
      notRead.length !== 0 &&
      `${formatCount(notRead.length, 'part')} that nobody read against what ${notRead.length === 1 ? 'it cites' : 'they cite'}`,
    compared === 'missed' &&
      'nobody who compared the parts showed that they can see a contradiction',
    contradictions.length !== 0 &&
      `${formatCount(contradictions.length, 'contradiction')} between parts of this plan`,
  ]);
}

/** Formats in a sentence how a plan ended: converged (nothing is open), or why it has not. */
export function formatEndState(
  { state, spec }: { readonly state: 'converged' | 'unexamined' | 'open'; readonly spec: Spec },
  basis: SpecBasis,
): string {
  if (state === 'converged') return `${formatConverged(spec)}.`;
  return `${state === 'open' ? 'Open' : 'Unexamined'}: ${listOpenPoints(spec, basis, state !== 'unexamined').join('; ')}.`;
}
