/**
 * Simulated seats of a team: a naive worker, a T1 that approves everything, and verifiers of several qualities.
 */
import { makeNonce } from '../../src/kernel/chance.ts';
import type { ModelRequest } from '../../src/kernel/model.ts';
import { textOf } from '../../test/kernel/scripted-models.ts';
import type { Script } from '../../test/team/harness.ts';
import {
  CHECK,
  DONE_REPORT,
  makeAcceptance,
  makeOneTaskPlan,
  makeTask,
  makeWriter,
} from '../../test/team/harness.ts';
import { type Defect, fileOf, hiddenName, markOf, sourceOf, testOf } from './defects.ts';

/**
 * The qualities of simulated verifiers. `able` sees the defect at every look. `middling` sees half of the defects,
 * drawn anew at each look; `half-blind` sees the same half at every look. The other three never see a defect:
 * `nodding` reports a test without writing it, `easy` writes a test that passes in spite of the defect, and
 * `dodging` says that no test is possible.
 */
export const QUALITIES = ['able', 'middling', 'half-blind', 'nodding', 'easy', 'dodging'] as const;
/** The quality of a verifier. */
export type Quality = (typeof QUALITIES)[number];

/** The qualities of a team's two simulated verifiers, by seat. */
export interface Verifiers {
  readonly 't5-1': Quality;
  readonly 't5-2': Quality;
}

const OWN = 'test/own.test.js';
const BLIND = 'test/r1.test.js';
/** Half of 256. */
const HALF = 128;

/**
 * Returns the script by which the simulated seats of a team answer on a repository with a defect. The worker first
 * makes the defect, and corrects it only if shown a test that fails because of it.
 */
export function makeScript(defect: Defect, verifiers: Verifiers, seed: number): Script {
  const looks = new Map<string, number>();
  const qualityOf = ({ seat }: ModelRequest): Quality =>
    seat.id === 't5-1' ? verifiers['t5-1'] : verifiers['t5-2'];
  const canSee = (asked: ModelRequest, look: string): boolean => {
    const quality = qualityOf(asked);
    if (quality === 'able') return true;
    if (quality !== 'middling' && quality !== 'half-blind') return false;
    const thrown = quality === 'middling' ? look : '';
    return throwDice(seed, defect.name, asked.seat.id, thrown) < HALF;
  };
  const nameLook = (asked: ModelRequest, kind: string): string => {
    const key = `${asked.seat.id} ${kind}`;
    looks.set(key, (looks.get(key) ?? 0) + 1);
    return `${kind} ${looks.get(key)}`;
  };
  const makeVerifier = (kind: string) => (asked: ModelRequest) => {
    const isDefective = textOf(asked).includes(markOf(defect));
    const found = isDefective && canSee(asked, nameLook(asked, kind));
    return verdictOn(defect, asked.seat.id, kind, found);
  };
  const plan = planFor(defect);
  return {
    plan: () => plan,
    critique: () => ({ found: [], plan: null }),
    tests: (asked) => writesFirst(defect, asked, qualityOf(asked), () => canSee(asked, 'tests')),
    work: (asked) => writeFix(defect, asked),
    verify: makeVerifier('verify'),
    'look-again': makeVerifier('look-again'),
    'mend-probe': () => ({ probe: null }),
    correct: ({ seat }) => ({
      brief: '',
      done_when: '',
      why: 'see what failed',
      test_changes: [],
      ...(seat.id === 't3' ? {} : { tasks: [] }),
    }),
    accept: (asked) => makeAcceptance(asked, ': yes'),
  };
}

/** Returns a number from 0 to 255, the same for the same words. */
function throwDice(seed: number, ...words: readonly string[]): number {
  return Number.parseInt(makeNonce(seed, words.join('/')).slice(0, 2), 16);
}

function planFor(defect: Defect) {
  const files = [fileOf(defect), OWN];
  return makeOneTaskPlan({
    requirements: [{ id: 'R1', text: defect.says, proof: 'test' }],
    workstreams: [
      {
        id: 'work',
        goal: defect.says,
        path: 'T4-T5',
        depends_on: [],
        covers: ['R1'],
        retry_multiplier: 1,
        task: makeTask('do', files, { workstream: 'work' }),
      },
    ],
    checks: [CHECK],
  });
}

function writesFirst(defect: Defect, asked: ModelRequest, quality: Quality, sees: () => boolean) {
  const { easy, hidden } = defect;
  const report = {
    tests: [{ requirement: 'R1', path: BLIND, shows: defect.says }],
    untestable: [],
  };
  if (quality === 'nodding') return report;
  if (quality === 'dodging')
    return { tests: [], untestable: [{ requirement: 'R1', why: 'it cannot be tested' }] };
  const text = sees()
    ? testOf(defect, hiddenName(defect), hidden)
    : testOf(defect, 'does what is asked for', easy);
  return makeWriter({ [BLIND]: text }, report)(asked);
}

/** Fixes what a failing test shows, and nothing else. */
function writeFix(defect: Defect, asked: ModelRequest) {
  const isShown = textOf(asked).includes(hiddenName(defect));
  return makeWriter(
    {
      [fileOf(defect)]: sourceOf(defect, isShown ? defect.right : defect.naive),
      [OWN]: testOf(defect, 'works', defect.easy),
    },
    DONE_REPORT,
  )(asked);
}

function verdictOn(defect: Defect, seat: string, kind: string, isFound: boolean): object {
  const quote = `export const ${defect.exported} =`;
  return {
    verdict: isFound ? 'fail' : 'pass',
    items: [
      {
        requirement: 'R1',
        met: isFound ? 'no' : 'yes',
        path: fileOf(defect),
        quote,
        why: isFound ? 'not in every case' : 'it is there',
      },
    ],
    defects: [],
    cause: isFound ? 'work' : 'none',
    drops: [],
    probe: isFound
      ? {
          requirement: 'R1',
          path: `test/${seat}-${kind}.test.js`,
          shows: defect.says,
          text: testOf(defect, hiddenName(defect), defect.hidden),
        }
      : null,
  };
}
