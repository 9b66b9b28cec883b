/**
 * How the stand-in debates: it takes one of three positions, disputes the first sentence that it can quote, and
 * estimates by the seed. It demonstrates the method and is not meant to be right.
 */
import { cutFragment, findQuotableSentences, INVENTED } from './quoting.ts';
import { fillText, fillWords, type Scene } from './scene.ts';
import { OPTIONS } from './words/board.ts';
import {
  ANSWERED,
  ASSUMPTIONS,
  BUILT,
  CRITERIA,
  DISPUTES,
  IDEAS,
  REPLIES,
} from './words/debate.ts';

/** Makes the stand-in's answer to the task of answering, with a ballot, before seeing any other answer. */
export function answer(scene: Scene): unknown {
  const [option, course] = scene.chance.pick(OPTIONS);
  const reasons = fillWords(scene, ANSWERED, { course: fillText(scene, course) });
  return { answer: reasons, choice: option, confidence: scene.chance.between(50, 90) };
}

/**
 * Makes the stand-in's answer to the task of finding wordings of the same choice: none, because code
 * has already grouped options with equal words.
 */
export function findNoEqualWordings(): unknown {
  return { same: [] };
}

/**
 * Makes the stand-in's answer to the task of criticizing other answers: a point about each of them, with a quotation
 * unless the point says that something is missing.
 */
export function dispute(scene: Scene): unknown {
  const { chance, heard } = scene;
  const points = heard.map(({ from, text }) => ({
    kind: chance.pick(['disputes', 'disputes', 'agrees', 'missing']),
    of: from,
    quote: drawQuotation(scene, text),
    text: fillText(scene, chance.pick(DISPUTES)),
  }));
  return {
    points: points.map((point) => (point.kind === 'missing' ? { ...point, quote: '' } : point)),
  };
}

/** Makes the stand-in's answer to the task of replying to a criticism. */
export function reply(scene: Scene): unknown {
  const { chance } = scene;
  const stand = chance.pick(['held', 'amended', 'conceded']);
  return { stand, reply: fillText(scene, chance.pick(REPLIES)) };
}

function idsIn({ heard }: Scene, form: RegExp): string[] {
  return heard.flatMap(({ from }) => (form.test(from) ? [from] : []));
}

/**
 * Makes the stand-in's answer to the task of stating a last position. The position is one of the shown options, drawn
 * at random. In seven of ten cases, the answer names the first disputed point that it was shown as the reason;
 * otherwise, or if it was shown none, it names `nothing`.
 */
export function takeLastPosition(scene: Scene): unknown {
  const options = idsIn(scene, /^O\d+$/);
  const points = idsIn(scene, /^D\d+$/);
  const [first = 'none', ...more] = options;
  return {
    option: scene.chance.pick([first, ...more]),
    because: scene.chance.next() < 0.7 ? (points[0] ?? 'nothing') : 'nothing',
    confidence: scene.chance.between(50, 95),
  };
}

/** The stand-in's answer, always the same, to the task of choosing a unit for an estimate. */
export const MEASURE = { kind: 'quantity', unit: 'weeks', scale: 'linear' };

/** Makes the stand-in's answer to the task of estimating before seeing any other estimate. */
export function estimate(scene: Scene): unknown {
  const middle = scene.chance.between(6, 24);
  return {
    ...estimateAround(scene, middle),
    assumptions: [fillText(scene, scene.chance.pick(ASSUMPTIONS))],
  };
}

/**
 * Makes the stand-in's answer to the task of revising an estimate: another random estimate, which
 * names a reason that was shown and sometimes a new assumption.
 */
export function revise(scene: Scene): unknown {
  const reasons = scene.heard.map(({ from }) => from);
  const named = scene.chance.some(reasons, 1);
  return {
    ...estimateAround(scene, scene.chance.between(9, 18)),
    because: named,
    own: scene.chance.next() < 0.4 ? fillText(scene, scene.chance.pick(ASSUMPTIONS)) : '',
  };
}

function estimateAround({ chance }: Scene, middle: number): object {
  return {
    p5: Math.max(1, middle - chance.between(2, 6)),
    p50: middle,
    p95: middle + chance.between(3, 14),
    unit: 'weeks',
  };
}

/** Makes the stand-in's answer to the task of proposing options and criteria. */
export function proposeOptions(scene: Scene): unknown {
  const options = scene.chance.some(OPTIONS, 2).map(([option]) => option);
  return { options, criteria: scene.chance.some(CRITERIA, 3) };
}

/** Makes the stand-in's answer to the task of weighting criteria. */
export function weigh(scene: Scene): unknown {
  const { options, criteria } = sheetIn(scene);
  return {
    gut: scene.chance.pick([options[0] ?? 'none', ...options.slice(1)]),
    points: criteria.map((criterion) => ({ criterion, points: scene.chance.between(10, 60) })),
  };
}

/** Makes the stand-in's answer to the task of scoring options. */
export function score(scene: Scene): unknown {
  const { options, criteria } = sheetIn(scene);
  const scores = criteria.flatMap((criterion) =>
    options.map((option) => ({ option, criterion, score: scene.chance.between(2, 9) })),
  );
  const ends = criteria.map((criterion) => {
    const own = scores
      .filter((score) => score.criterion === criterion)
      .sort((left, right) => right.score - left.score);
    return { criterion, best: own[0]?.option, worst: own.at(-1)?.option };
  });
  return { scores, ends };
}

function sheetIn({ heard }: Scene): { options: string[]; criteria: string[] } {
  const ids = heard.map(({ from }) => from);
  return {
    options: ids.filter((id) => /^O\d+$/.test(id)),
    criteria: ids.filter((id) => /^C\d+$/.test(id)),
  };
}

/** Makes the stand-in's answer to the task of collecting ideas alone. */
export function collectIdeas(scene: Scene): unknown {
  return { ideas: scene.chance.some(IDEAS, 6).map((idea) => fillText(scene, idea)) };
}

/** Makes the stand-in's answer to the task of building on the ideas of others: one idea on the first that is shown. */
export function buildOnIdeas(scene: Scene): unknown {
  const [first] = scene.heard;
  return first === undefined
    ? { ideas: [] }
    : { ideas: [{ of: first.from, text: fillText(scene, BUILT) }] };
}

/** Makes the stand-in's answer to the task of rating ideas. */
export function rate({ heard, chance }: Scene): unknown {
  return {
    ratings: heard.map(({ from }) => ({
      idea: from,
      novelty: chance.between(2, 9),
      impact: chance.between(2, 9),
      feasibility: chance.between(2, 9),
    })),
  };
}

/**
 * Returns the words that the stand-in quotes from a text: the beginning of its first quotable sentence, or of the
 * text if there is none. If the model's name is `invents`, the words occur nowhere.
 */
export function drawQuotation({ model }: Scene, text: string): string {
  if (model === 'invents') return INVENTED;
  const [sentence] = findQuotableSentences(text);
  return sentence === undefined ? text.slice(0, 80) : cutFragment(sentence);
}
