/**
 * The scripted models of a generated plan: readers that see everything, miss the plant or find too much; seats
 * that hold, yield, accept everything or complain of misreading; a person who takes both sides; a writer that
 * decides for the wrong side.
 */

import type { ModelRequest } from '../../src/kernel/model.ts';
import { Chance } from './chance.ts';
import { doContradict, type GeneratedPlan } from './plans.ts';

interface Heard {
  readonly from: string;
  readonly text: string;
}

const DETECTORS = [
  'able',
  'misses the plant',
  'sees half',
  'finds decoys',
  'mixes the plant in',
] as const;
const SEATS = ['hold', 'yield', 'wave through', 'cry misread', 'take anything'] as const;
const WRITERS = ['honest', 'decides for what lost', 'cites another', 'takes both sides'] as const;
const READERS = ['able', 'able', 'able', 'nods'] as const;

/** How the scripted models of a generated plan behave. */
export interface Minds {
  /** The model that searches for conflicts. */
  readonly detector: (typeof DETECTORS)[number];
  /** All seats, when they answer questions. */
  readonly seats: (typeof SEATS)[number];
  /** The model that writes the spec. */
  readonly writer: (typeof WRITERS)[number];
  /** The model that checks answers and the spec. */
  readonly reader: (typeof READERS)[number];
  /** Whether a person is there to answer questions. */
  readonly person: boolean;
}

/** Draws the behavior of a plan's scripted models; the same seed always gives the same. */
export function mindsFor(seed: number): Minds {
  const chance = new Chance('minds', String(seed));
  return {
    detector: chance.pick(DETECTORS),
    seats: chance.pick(SEATS),
    writer: chance.pick(WRITERS),
    reader: chance.pick(READERS),
    person: chance.next() < 0.7,
  };
}

/**
 * Returns the answer of a plan's scripted models to a request.
 * @throws Error for a task that the scripted models do not know
 */
export function play(plan: GeneratedPlan, minds: Minds, asked: ModelRequest): object {
  const heard = asked.about?.heard ?? [];
  const items = asked.about?.items ?? [];
  switch (asked.task) {
    case 'plan/questions':
      return { questions: [] };
    case 'plan/speak':
      return { statements: (plan.says[asked.seat.id] ?? []).map((text) => makeStatement(text)) };
    case 'plan/control':
      return writeControl(plan, heard);
    case 'plan/conflicts':
      return { conflicts: detectConflicts(plan, minds, heard) };
    case 'plan/answer':
      return answerQuestions(plan, minds, asked);
    case 'plan/must':
      return { holds: true, why: 'It is one.' };
    case 'plan/told':
      return { clashes: [] };
    case 'plan/reread':
      return {
        readings: heard.map((statement, at) => rereadAnswer(plan, minds, statement.text, at + 1)),
      };
    case 'plan/carried':
      return checkCarried(minds, items[0] ?? '', heard);
    case 'plan/compared':
      return { contradictions: minds.reader === 'nods' ? [] : compareStatements(plan, heard) };
    case 'plan/synthesis':
      return writeSpec(plan, minds, asked);
    default:
      throw new Error(`a plan asks for ${asked.task}, which no mind has an answer to`);
  }
}

function makeStatement(text: string): object {
  return { kind: 'constraint', title: '', text, must: false, because: '' };
}

/**
 * Writes two controls: in half of the plans unfit copies, otherwise a copy and words of the statement that the
 * control contradicts.
 */
function writeControl({ seed, topic }: GeneratedPlan, heard: readonly Heard[]): object {
  const [of] = heard;
  const words = (of?.text ?? '').replace(/\.$/, '').split(' ');
  const half = words.slice(Math.ceil(words.length / 2)).reverse();
  const copy = { of: of?.from, text: of?.text, because: '', title: '' };
  const text = `To ${topic.toLowerCase().replace(/\.$/, '')} ${half.join(' ')}.`;
  const controls = seed % 2 === 0 ? [copy, copy] : [copy, { ...copy, text }];
  // The simulated writer answers in both forms: plans of edition 5 and later read the list `controls`, and plans of
  // earlier editions read one control from the answer itself.
  return { ...controls.at(-1), controls };
}

/** Returns the planted statement, and the statement that shares most words with it. */
function plantIn(plan: GeneratedPlan, heard: readonly Heard[]): [Heard, Heard] | undefined {
  const made = new Set(Object.values(plan.says).flat());
  const planted = heard.find(({ text }) => !made.has(text) && !text.startsWith('By my own word'));
  const of = planted === undefined ? undefined : findNearest(planted, heard);
  return planted === undefined || of === undefined ? undefined : [planted, of];
}

function findNearest(planted: Heard, heard: readonly Heard[]): Heard | undefined {
  const words = new Set(planted.text.toLowerCase().split(/\W+/));
  const countSharedWords = ({ text }: Heard): number =>
    text
      .toLowerCase()
      .split(/\W+/)
      .filter((word) => words.has(word)).length;
  return heard
    .filter((statement) => statement !== planted)
    .sort((a, b) => countSharedWords(b) - countSharedWords(a))[0];
}

function makeFinding(question: string, pair: readonly Heard[]): object {
  const statements = pair.map(({ from }) => from);
  const why = `${pair.map(({ text }) => text).join(' Against that: ')}`;
  return { question, statements, given: [], why, kind: 'contradiction' };
}

function pairsOf(heard: readonly Heard[], pairs: GeneratedPlan['conflicts']): Heard[][] {
  return pairs.flatMap((pair) => {
    const both = pair.flatMap((text) => heard.find((statement) => statement.text === text) ?? []);
    return both.length === 2 ? [both] : [];
  });
}

function detectConflicts(
  plan: GeneratedPlan,
  { detector }: Minds,
  heard: readonly Heard[],
): object[] {
  const plant = plantIn(plan, heard);
  const all = pairsOf(heard, plan.conflicts);
  const named = detector === 'sees half' ? all.slice(0, Math.ceil(all.length / 2)) : all;
  const false_ = detector === 'finds decoys' ? pairsOf(heard, plan.decoys).slice(0, 1) : [];
  const [first, ...others] = named;
  const real = [...named, ...false_].map((pair) =>
    makeFinding(`Which of both: ${pair[0]?.text}`, pair),
  );
  if (plant === undefined || detector === 'misses the plant') return real;
  if (detector === 'mixes the plant in' && first !== undefined)
    return [
      makeFinding('Which of these three?', [...first, plant[0]]),
      ...others.map((pair) => makeFinding(`Which of both: ${pair[0]?.text}`, pair)),
      makeFinding('Which of the two?', plant),
    ];
  return [makeFinding('Which of the two?', plant), ...real];
}

function answerQuestions(plan: GeneratedPlan, { seats }: Minds, asked: ModelRequest): object {
  const heard = asked.about?.heard ?? [];
  const textOf = (id: string): string => heard.find(({ from }) => from === id)?.text ?? '';
  const chance = new Chance('answer', `${plan.seed} ${asked.seat.id} ${asked.about?.round}`);
  const answers = (asked.about?.items ?? []).map((item) => {
    const [conflict = '', listed = ''] = item.split(': ');
    const options = listed.split(', ');
    const own = options.filter((id) => id.startsWith(`${asked.seat.id}-`));
    const isReal = options.some((one) =>
      options.some((other) => doContradict(plan, textOf(one), textOf(other))),
    );
    const says =
      !isReal || seats === 'wave through'
        ? 'compatible'
        : seats === 'cry misread'
          ? 'misread'
          : 'accepts';
    const accepts =
      seats === 'yield'
        ? options.slice(0, 1)
        : seats === 'take anything'
          ? options.filter(() => chance.next() < 0.7)
          : own;
    return {
      conflict,
      says,
      accepts: says === 'accepts' ? accepts : [],
      prefers: '',
      why: 'It follows from how we work.',
    };
  });
  return { answers, change: [], withdraw: [], add: [] };
}

/** Checks an answer by searching for its first line in one of the statements. */
function rereadAnswer(
  plan: GeneratedPlan,
  { reader }: Minds,
  text: string,
  number: number,
): object {
  const [one = '', other = ''] = text.split('\n');
  const isHouse = one.startsWith('A request that has waited');
  const says = reader === 'nods' || isHouse || doContradict(plan, one, other);
  return { number, says, quotation: says ? one : '', why: 'as it reads' };
}

function checkCarried({ reader }: Minds, text: string, heard: readonly Heard[]): object {
  const by = heard.find((statement) => text.includes(statement.text));
  if (by === undefined && reader !== 'nods')
    return { carried: 'not', quotation: '', missing: 'what it says stands in none' };
  return { carried: 'wholly', quotation: (by ?? heard[0])?.text ?? '', missing: '' };
}

function compareStatements(plan: GeneratedPlan, heard: readonly Heard[]): object[] {
  const isMade = ({ text }: Heard): boolean =>
    Object.values(plan.says)
      .flat()
      .some((words) => text.includes(words)) || text.includes('By my own word');
  const planted = heard.find((statement) => !isMade(statement));
  const of = planted === undefined ? undefined : findNearest(planted, heard);
  const pairs = heard.flatMap((one, at) =>
    heard
      .slice(at + 1)
      .flatMap((other) => (doContradict(plan, one.text, other.text) ? [[one, other]] : [])),
  );
  return [...pairs, ...(planted === undefined || of === undefined ? [] : [[planted, of]])].map(
    ([one, other]) => ({
      one: one?.from,
      quotationOfOne: one?.text,
      other: other?.from,
      quotationOfOther: other?.text,
      why: 'both cannot be followed',
    }),
  );
}

function writeSpec(plan: GeneratedPlan, { writer }: Minds, { about }: ModelRequest): object {
  const heard = about?.heard ?? [];
  const honest = heard.map(({ from, text }) => ({ text, from: [from] }));
  const [first, second] = heard;
  const stated = new Set(heard.map(({ text }) => text));
  const lost = plan.conflicts.flat().filter((text) => !stated.has(text));
  const more =
    writer === 'decides for what lost'
      ? lost.map((text) => ({
          text: `Still: ${text}`,
          from: first === undefined ? [] : [first.from],
        }))
      : writer === 'cites another' && first !== undefined && second !== undefined
        ? [{ text: `Above all: ${first.text}`, from: [second.from] }]
        : writer === 'takes both sides'
          ? pairsOf(heard, plan.conflicts).map((pair) => ({
              text: `Both: ${pair[0]?.text}`,
              from: pair.map(({ from }) => from),
            }))
          : [];
  return {
    goal: plan.topic,
    outOfScope: [],
    interfaces: [],
    data: [],
    tasks: [],
    risks: [],
    openQuestions: [],
    fixes: [],
    notCarried: [],
    decisions: [...honest, ...more],
  };
}
