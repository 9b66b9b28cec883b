/**
 * How the stand-in plays examinations and contests: it questions, answers, concedes and votes at random, with
 * ids that it was shown.
 */
import { drawQuotation } from './debate.ts';
import { fillText, type Scene } from './scene.ts';
import {
  ARGUED,
  CLAIMS,
  DEFINITIONS,
  QUESTIONS,
  REPLIES,
  REWORDED,
  THESES,
} from './words/debate.ts';

/**
 * Makes the stand-in's answer to the task of finding shared claims, with a quotation from every
 * answer; see `drawQuotation`.
 */
export function findClaims(scene: Scene): unknown {
  const support = scene.heard.map(({ from, text }) => ({
    of: from,
    quote: drawQuotation(scene, text),
  }));
  return { claims: CLAIMS.map((text) => ({ text: fillText(scene, text), support })) };
}

/** Makes the stand-in's answer to the advocate's task of questioning claims. */
export function questionClaims(scene: Scene): unknown {
  const { chance } = scene;
  return {
    questions: idsIn(scene, 'C').map((of) => ({
      of,
      text: fillText(scene, chance.pick(QUESTIONS)),
    })),
  };
}

/** Makes the stand-in's answer to the task of defending claims against the advocate's questions. */
export function defend(scene: Scene): unknown {
  const { chance } = scene;
  const stand = chance.pick(['answered', 'answered', 'amended', 'conceded']);
  return { stand, text: fillText(scene, chance.pick(REPLIES)) };
}

/**
 * Makes the stand-in's answer to the judge's task: a random verdict on each claim, with a quotation from a question.
 * The first claim gets the first question, the second claim the second, and so on; a claim for which no question is
 * left gets no verdict.
 */
export function decide(scene: Scene): unknown {
  const { chance, heard } = scene;
  const questions = heard.filter(({ from }) => from.startsWith('Q'));
  const verdicts = idsIn(scene, 'C').flatMap((claim, at) => {
    const question = questions[at];
    if (question === undefined) return [];
    const quote = question.text.split('\n')[0] ?? '';
    return [
      { claim, verdict: chance.pick(['stands', 'weakened', 'falls']), of: question.from, quote },
    ];
  });
  return { verdicts };
}

/** Makes the stand-in's answer to the task of stating a thesis. */
export function stateThesis(scene: Scene): unknown {
  const { chance } = scene;
  return {
    statements: [
      ...THESES.map((text) => ({ kind: 'thesis', text: fillText(scene, text) })),
      { kind: 'definition', text: fillText(scene, chance.pick(DEFINITIONS)) },
    ],
  };
}

/**
 * Makes the stand-in's answer to the task of questioning a thesis. Sometimes an earlier question is
 * repeated, to show that repetitions are refused.
 */
export function questionThesis(scene: Scene): unknown {
  const { chance } = scene;
  const [first = 'none', ...more] = idsIn(scene, 'S');
  return {
    of: chance.pick([first, ...more]),
    kind: chance.pick(['definition', 'evidence', 'implication', 'counter-example']),
    text: fillText(scene, chance.pick(QUESTIONS)),
  };
}

/** Makes the stand-in's answer to the task of replying to a question about the thesis. */
export function answerQuestion(scene: Scene): unknown {
  const { chance } = scene;
  const asked = scene.heard.find(({ from }) => from.startsWith('Q'))?.text ?? '';
  const course = chance.pick(['holds', 'holds', 'amends', 'concedes', 'impasse']);
  return {
    answer: fillText(scene, chance.pick(REPLIES)),
    revises: course === 'amends' ? (asked.split(',')[0] ?? 'none') : 'none',
    wording: course === 'amends' ? fillText(scene, REWORDED) : '',
    concedes: course === 'concedes',
    impasse: course === 'impasse',
  };
}

/** Makes the stand-in's answer to the question whether the examination is at an impasse. */
export function agreeToImpasse({ chance }: Scene): unknown {
  return { agrees: chance.pick([true, false, false]) };
}

/** Makes the stand-in's answer to the jurors' task of voting before the debate. */
export function voteBefore({ chance }: Scene): unknown {
  return { vote: chance.pick(['for', 'against', 'undecided', 'undecided']) };
}

/** Makes the stand-in's answer to the task of arguing for or against a motion. */
export function argue(scene: Scene): unknown {
  return { arguments: scene.chance.some(ARGUED, 3).map((text) => fillText(scene, text)) };
}

/** Makes the stand-in's answer to the task of replying to the other side. */
export function rebut(scene: Scene): unknown {
  const { chance } = scene;
  const all = [...idsIn(scene, 'A'), ...idsIn(scene, 'B')];
  return {
    answers: chance.some(all, 4).map((of) => ({ of, text: fillText(scene, chance.pick(REPLIES)) })),
  };
}

/**
 * Makes the stand-in's answer to the jurors' task of voting after the debate. A vote is drawn at random and is for
 * the motion in three of four cases, so that some rehearsals have a winner; chance gives others a draw.
 */
export function voteAfter(scene: Scene): unknown {
  const { chance } = scene;
  const all = [...idsIn(scene, 'A'), ...idsIn(scene, 'B')];
  return { vote: chance.pick(['for', 'for', 'for', 'against']), moved_by: chance.some(all, 1) };
}

function idsIn({ heard }: Scene, letter: string): string[] {
  const form = new RegExp(`^${letter}\\d+$`);
  return heard.flatMap(({ from }) => (form.test(from) ? [from] : []));
}
