/**
 * The reading test ("entrance") of models that shall decide claims by reading: a short built-in
 * text, with statements whose answers are known. Names, numbers and the choice of statements are
 * drawn by the seed, so that answers learnt from one run are wrong in another.
 */
import { shuffleItems } from '../../kernel/chance.ts';
import { computeDigest } from '../../kernel/digest.ts';

/** Whether the text makes a statement true, makes it false, or leaves it open. */
type ExamKey = 'true' | 'false' | 'undecided';

interface ExamItem {
  readonly text: string;
  readonly key: ExamKey;
}

/** A test of whether a model reads carefully: a text, and statements to be judged by this text. */
export interface Exam {
  readonly text: string;
  /** The statements in the order in which they are shown, numbered from 1. */
  readonly items: readonly ExamItem[];
}

/** How many statements of each kind a test has, and how many errors it allows. */
interface ExamForm extends Readonly<Record<ExamKey, number>> {
  /** The most wrong answers with which a model still passes. */
  readonly mostErrors: number;
  /** The most statements that a passing model may wrongly call true. */
  readonly mostCalledTrue: number;
  /** True for tests of older runs, whose wording left some statements debatable. */
  readonly earlierWords?: boolean;
}

/**
 * The present form of the reading test: 28 statements, half of which the text leaves open, because
 * careless readers take plausible statements for written ones. Computed chance of passing, by the
 * share of right answers: 99 % if 95 % are right, 85 % if 90 % are right, 31 % if 80 % are right, 0
 * if 60 % are right. A reader that always gives the same answer never passes.
 */
export const EXAM: ExamForm = {
  true: 7,
  false: 7,
  undecided: 14,
  mostErrors: 4,
  mostCalledTrue: 3,
};
/**
 * The form of the reading test with an older wording, in which four statements were ambiguous. Runs
 * that used this wording still need it for replay.
 */
export const EARLIER_EXAM: ExamForm = { ...EXAM, earlierWords: true };
/**
 * An older form of the reading test, with 24 statements. It was easier to pass by luck: a reader
 * that is right in 80 % of its answers passed it in 38 % of the tests.
 */
export const SHORTER_EXAM: ExamForm = {
  true: 6,
  false: 6,
  undecided: 12,
  mostErrors: 4,
  mostCalledTrue: 2,
  earlierWords: true,
};

/** Returns the number of statements in a test. */
function lengthOf(form: ExamForm): number {
  return form.true + form.false + form.undecided;
}

/**
 * Returns the form of the reading test with this number of statements (28 or 24), always with the present
 * wording for 28. Undefined for any other number.
 */
export function findExamForm(items: number): ExamForm | undefined {
  return [EXAM, SHORTER_EXAM].find((form) => lengthOf(form) === items);
}

/**
 * The most errors that a model may make in the reading test if it replaces a model that failed the test. Such a
 * model must also call no statement true that the text does not make true. This is stricter than for the first
 * model that is tested, because each further test makes it more likely that a careless reader passes by luck.
 */
export const MOST_ERRORS_OF_A_SUBSTITUTE = 1;

interface Figures {
  readonly boats: number;
  readonly spare: number;
  readonly days: number;
  readonly hours: number;
  readonly fee: number;
  readonly late: number;
  readonly keys: number;
  readonly limit: number;
  readonly years: number;
  readonly crew: number;
  readonly head: string;
  readonly deputy: string;
  readonly day: string;
  readonly other: string;
}

const PEOPLE = ['Maren', 'Tomas', 'Ilse', 'Kofi', 'Nadia', 'Pieter', 'Rosa', 'Anton'];
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'];

function figuresOf(seed: number): Figures {
  const drawNumber = (what: string, least: number, most: number): number =>
    least +
    (Number.parseInt(computeDigest({ seed, exam: what }).slice(0, 8), 16) % (most - least + 1));
  const [head = '', deputy = ''] = shuffleItems(PEOPLE, seed, 'exam people');
  const [day = '', other = ''] = shuffleItems(DAYS, seed, 'exam days');
  return {
    boats: drawNumber('boats', 14, 29),
    spare: drawNumber('spare', 2, 5),
    days: drawNumber('days', 3, 9),
    hours: drawNumber('hours', 4, 8),
    fee: drawNumber('fee', 12, 38),
    late: drawNumber('late', 5, 11),
    keys: drawNumber('keys', 3, 6),
    limit: drawNumber('limit', 21, 33),
    years: drawNumber('years', 2, 4),
    crew: drawNumber('crew', 5, 9),
    head,
    deputy,
    day,
    other,
  };
}

/** A sentence of the text, with what it makes true and what it makes false. */
interface Passage {
  readonly says: string;
  readonly true: string;
  readonly false: string;
}

function passagesOf(figures: Figures, { earlierWords = false }: ExamForm): Passage[] {
  return [
    {
      says: `The school keeps ${figures.boats} dinghies, of which ${figures.spare} are held back as spares and are not hired out.`,
      true: `${figures.boats - figures.spare} dinghies can be hired out at most.`,
      false: `All ${figures.boats} dinghies can be on hire at the same time.`,
    },
    {
      says: `A hull that has touched ground is taken out of use for ${figures.days} days, also where nobody can see any damage.`,
      true: 'A dinghy that has touched ground rests even if it looks undamaged.',
      false: 'A hull without visible damage goes back into use at once after touching ground.',
    },
    {
      says: `Hire costs ${figures.fee} for the first hour and half of that for each further hour.`,
      true: `Three hours of hire cost ${figures.fee * 2}.`,
      false: `Three hours of hire cost ${figures.fee * 3}.`,
    },
    {
      says: `The workshop is open ${figures.hours} hours on every weekday except ${figures.day}, when it is closed.`,
      true: `The workshop is open for ${figures.hours * 4} hours from Monday to Friday.`,
      false: `Somebody can be found in the open workshop on a ${figures.day}.`,
    },
    {
      says: `${figures.head} signs every repair; while ${figures.head} is away, ${figures.deputy} signs in their place, and nobody else does.`,
      true: `A repair can be signed while ${figures.head} is away.`,
      false: 'Any instructor may sign a repair.',
    },
    {
      says: `There are ${figures.keys} keys to the fuel store; one of them lies in a sealed envelope and has not been used so far.`,
      true: `${figures.keys - 1} of the keys to the fuel store are not in the sealed envelope.`,
      false: 'The key in the envelope has been used before.',
    },
    {
      says: `No boat leaves the harbor when the wind is stronger than ${figures.limit} knots; rescue boats are exempt.`,
      true: `A rescue boat may leave the harbor in ${figures.limit + 4} knots of wind.`,
      false: `A dinghy may leave the harbor in ${figures.limit + 4} knots of wind.`,
    },
    {
      says: `Life vests are replaced after ${figures.years} years or after they have inflated, whichever comes first.`,
      true: 'A new life vest that has inflated once is replaced.',
      false: `A life vest that has inflated is kept until it is ${figures.years} years old.`,
    },
    {
      says: `Whoever brings a boat back late pays ${figures.late} for each half hour that has begun.`,
      true: `Forty minutes late costs ${figures.late * 2}.`,
      false: `Forty minutes late costs ${figures.late}.`,
    },
    {
      // The earlier words leave open whether a course with three bookings can be called off.
      says: earlierWords
        ? `A course has ${figures.crew} places; a course that fewer than three people have booked is called off on the evening before.`
        : `A course has ${figures.crew} places; it is called off on the evening before where fewer than three people have booked it, and for no other reason.`,
      true: 'A course with two bookings is called off.',
      false: 'A course with three bookings is called off.',
    },
    {
      says: `Sails are washed on ${figures.other}s${earlierWords ? '' : ' and on no other day'}, first the spares, then those that were used last.`,
      true: 'Spare sails are washed before those that were used last.',
      false: `Sails are washed on ${figures.day}s.`,
    },
    {
      says: 'The logbook of a boat stays on board; only when the boat is sold does it go to the office.',
      true: 'The logbook of a boat that is out on the water is on board.',
      false: 'Logbooks are kept in the office while boats are in use.',
    },
    {
      says: 'Paint is ordered in spring. An order that has not arrived by June is cancelled, and no second one is placed in that year.',
      // The earlier statement is debatable, since the text does not rule out two orders in spring.
      true: earlierWords
        ? 'At most one order of paint is placed in a year.'
        : 'Paint that has not arrived by June is not ordered again in that year.',
      false: 'A second order of paint is placed in July if the first one has not arrived.',
    },
    {
      says: `Instructors renew their radio certificate every ${figures.years + 1} years. ${figures.deputy} has none, since it is not asked of those who only work ashore.`,
      true: `${figures.deputy} does not teach on the water.`,
      false: `${figures.deputy} holds a radio certificate.`,
    },
  ];
}

function openStatements(figures: Figures, { earlierWords = false }: ExamForm): string[] {
  return [
    'The spare dinghies are older than the others.',
    // Older runs use the statement that members pay less for hire than guests. A model might call this statement
    // false, because the text of the reading test names only one price.
    earlierWords
      ? 'Members of the school pay less for hire than guests.'
      : 'Members of the school hire a boat more often than guests.',
    `${figures.head} has run the workshop for longer than ${figures.deputy} has worked there.`,
    'The fuel store is inspected once a year.',
    'More boats touch ground in summer than in spring.',
    'The rescue boat can carry a whole course at once.',
    'Late fees bring in more than courses do.',
    `The workshop is closed on ${figures.day}s because nobody wants to work then.`,
    'The school insures its dinghies against theft.',
    'Wet sails are dried indoors.',
    'The harbor belongs to the town.',
    'Most courses are fully booked.',
    `${figures.deputy} would like to become an instructor.`,
    'The envelope with the key is kept in the office.',
    'Life vests are checked before every trip.',
    'Paint has become more expensive in recent years.',
    'Children may only sail with an adult on board.',
    'A boat that is sold is replaced within the same year.',
    'The logbooks are read when a repair is planned.',
    `A repair takes ${figures.days} days on average.`,
    'The school plans to buy an electric rescue boat.',
    'Beginners bring boats back late more often than others.',
  ];
}

/** Makes the reading test for a seed. The same seed always gives the same text and statements. */
export function makeExam(seed: number, form: ExamForm = EXAM): Exam {
  const figures = figuresOf(seed);
  const passages = passagesOf(figures, form);
  const asked = shuffleItems(passages, seed, 'exam passages');
  const items: ExamItem[] = [
    ...asked.slice(0, form.true).map((passage) => ({ text: passage.true, key: 'true' as const })),
    ...asked
      .slice(form.true, form.true + form.false)
      .map((passage) => ({ text: passage.false, key: 'false' as const })),
    ...shuffleItems(openStatements(figures, form), seed, 'exam open')
      .slice(0, form.undecided)
      .map((text) => ({ text, key: 'undecided' as const })),
  ];
  return {
    text: shuffleItems(passages, seed, 'exam text')
      .map(({ says }) => says)
      .join('\n'),
    items: shuffleItems(items, seed, 'exam items'),
  };
}

interface ExamResult extends ExamCount {
  readonly passed: boolean;
}

interface ExamCount {
  readonly items: number;
  readonly errors: number;
  /** How many statements the model called true that are not true. */
  readonly calledTrue: number;
}

/**
 * Returns whether a model's result in the reading test is good enough for the model to decide claims: neither
 * the errors nor the statements wrongly called true exceed what the form of the test allows. False if no form
 * of the test has this number of items.
 */
export function isPass({ items, errors, calledTrue }: ExamCount): boolean {
  const form = findExamForm(items);
  return form !== undefined && errors <= form.mostErrors && calledTrue <= form.mostCalledTrue;
}

/**
 * Returns whether a result in the reading test is good enough for a model that replaces a model which failed
 * the test: a pass with at most one error, and no statement wrongly called true.
 */
export function isPassAsSubstitute(count: ExamCount): boolean {
  return isPass(count) && count.errors <= MOST_ERRORS_OF_A_SUBSTITUTE && count.calledTrue === 0;
}

/**
 * Counts the errors in a model's answers to the reading test. An item without an answer counts as an error, and
 * so does an item with two different answers. Findings other than `true_in_text` and `false_in_text` all count
 * as the same answer: the text leaves the statement open.
 * @param answers the model's findings, by the numbers of the items from 1
 */
export function markExam(
  { items }: Exam,
  answers: readonly { readonly item: number; readonly finding: string }[],
): ExamResult {
  let errors = 0;
  let calledTrue = 0;
  items.forEach(({ key }, index) => {
    const said = new Set(
      answers.filter(({ item }) => item === index + 1).map(({ finding }) => keyOf(finding)),
    );
    const [answer] = said;
    if (said.size !== 1 || answer !== key) errors += 1;
    if (key !== 'true' && said.has('true')) calledTrue += 1;
  });
  const count = { items: items.length, errors, calledTrue };
  return { passed: isPass(count), ...count };
}

function keyOf(finding: string): ExamKey {
  if (finding === 'true_in_text') return 'true';
  return finding === 'false_in_text' ? 'false' : 'undecided';
}
