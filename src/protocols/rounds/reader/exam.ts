/**
 * Chooses the model that may decide claims. The verifier takes the reading test. If it fails, the
 * next configured model takes the test. A model that fails decides nothing, and if all fail,
 * nothing is decided by reading or argument.
 */

import { KERNEL } from '../../../kernel/facts.ts';
import type { Entrance } from '../../../kernel/protocol.ts';
import { isRehearsal } from '../../../kernel/providers/spec.ts';
import type { AnyFact } from '../../../kernel/vocabulary.ts';
import {
  EARLIER_EXAM,
  EXAM,
  findExamForm,
  isPassAsSubstitute,
  MOST_ERRORS_OF_A_SUBSTITUTE,
  makeExam,
  markExam,
  SHORTER_EXAM,
} from '../../entrance/entrance.ts';
import { answersSchema, makeEntranceTask } from '../../entrance/task.ts';
import type { Phase } from '../claims/rounds-view.ts';
import type { RecordedExam } from '../config.ts';
import { type FactBody, fact, ROUNDS } from '../facts.ts';
import { seatAt } from '../fork-changes.ts';
import type { RoundsRun } from '../rounds-run.ts';

/** The form of the reading test, by the edition of the run's prompts. */
const FORMS = { 1: SHORTER_EXAM, 2: EARLIER_EXAM, 3: EXAM, 4: EXAM } as const;

/**
 * The most models that are tested: the verifier, and one more as its substitute or for second
 * looks.
 */
const MOST_CANDIDATES = 2;

/**
 * Begins a phase of a round. If a fork gives the verifier another model from this phase on, the
 * model that reads documents is chosen again.
 */
export async function enterPhase(roundsRun: RoundsRun, round: number, phase: Phase): Promise<void> {
  await roundsRun.enter(round, phase);
  if (verifierAt(roundsRun, round, phase) !== roundsRun.seatedFor)
    await chooseReader(roundsRun, round, phase);
}

function verifierAt(roundsRun: RoundsRun, round: number, phase: Phase): string {
  const { changes } = roundsRun.settings;
  return seatAt(roundsRun.verifierSeat, `round-${round}/${phase}/exam-0`, changes).model;
}

/**
 * Chooses the reader: the model that decides claims by reading from this phase on. If seats have documents or tools,
 * also chooses another model for second looks, if possible. Both models must pass the reading test. At most two
 * models are tested.
 */
export async function chooseReader(
  roundsRun: RoundsRun,
  round: number,
  phase: Phase,
): Promise<void> {
  const { seats, attachments, changes } = roundsRun.settings;
  const verifier = verifierAt(roundsRun, round, phase);
  const others = seats.map((seat) => seatAt(seat, `round-${round}/${phase}/exam-0`, changes).model);
  const needsSecond = attachments.length > 0 || roundsRun.looks;
  const candidates = [...new Set([verifier, ...others])].slice(0, MOST_CANDIDATES);
  let chair: string | undefined;
  let second: string | undefined;
  for (const [turn, model] of candidates.entries()) {
    if (chair !== undefined && (second !== undefined || !needsSecond)) break;
    const standsIn = chair === undefined && turn > 0;
    if (!(await examineModel(roundsRun, round, phase, model, turn, standsIn))) continue;
    if (chair === undefined) chair = model;
    else second = model;
  }
  roundsRun.chooseReader(verifier, chair, second);
}

/**
 * Returns whether a model may decide claims, and tests it if its result is unknown. `standsIn` is
 * true if the model replaces one that has failed. It must then make fewer errors.
 */
async function examineModel(
  roundsRun: RoundsRun,
  round: number,
  phase: Phase,
  model: string,
  turn: number,
  standsIn: boolean,
): Promise<boolean> {
  const isEnough = (exam: RecordedExam): boolean =>
    exam.passed && (!standsIn || isPassAsSubstitute({ ...exam, calledTrue: exam.called_true }));
  const known = roundsRun.view.exams.find((exam) => exam.model === model);
  if (known !== undefined) return isEnough(known);
  const before = roundsRun.settings.exams.find((exam) => exam.model === model);
  if (before !== undefined) {
    const { held_on: on, ...result } = before;
    await roundsRun.record(`round-${round}/${phase}/exam-known-${turn}`, [
      fact('reader.examined', {
        ...result,
        passed: isEnough(before),
        source: 'profile',
        why: wordsOf(before, `known from an earlier entrance${on === undefined ? '' : `, ${on}`}`),
      }),
    ]);
    return isEnough(before);
  }
  const { seed, prompts } = roundsRun.settings;
  const exam = makeExam(seed, FORMS[prompts ?? 1]);
  const markAnswers = (value: unknown): FactBody[] => {
    const read = answersSchema.safeParse(value);
    const { passed, items, errors, calledTrue } = markExam(
      exam,
      read.success ? read.data.answers : [],
    );
    const result = { model, passed, items, errors, called_true: calledTrue };
    const stand = isRehearsal(model) ? 'a stand-in that knows the key' : '';
    return [
      fact('reader.examined', {
        ...result,
        passed: isEnough(result),
        source: 'held',
        why: wordsOf(result, standsIn ? SUBSTITUTE : stand),
      }),
    ];
  };
  await roundsRun.askBare(
    `${phase}/exam-${turn}`,
    { ...roundsRun.verifierSeat, model },
    round,
    {
      kind: 'exam',
      task: makeEntranceTask(
        exam.text,
        exam.items.map(({ text }) => text),
      ),
      schema: answersSchema,
      about: { items: exam.items.map(({ text }) => text) },
    },
    (reply) =>
      reply.status === 'done'
        ? markAnswers(reply.value)
        : reply.status === 'failed'
          ? [
              fact('reader.examined', {
                model,
                passed: false,
                items: exam.items.length,
                errors: exam.items.length,
                called_true: 0,
                source: 'held',
                why: NO_ANSWER,
              }),
            ]
          : [],
  );
  return roundsRun.view.exams.some((exam) => exam.model === model && exam.passed);
}

/** The reason for a test without an answer, which says nothing about how the model reads. */
const NO_ANSWER = 'it gave no usable answer';

/**
 * Returns the results of the reading tests that models took in a run. Left out are results of the stand-in, results of
 * failed calls, and results that were known from an earlier run or copied from the parent of a fork.
 */
export function findEntrances(facts: readonly AnyFact[]): readonly Entrance[] {
  const held: Entrance[] = [];
  let isInherited = false;
  for (const fact of facts) {
    // In the log, the call of a reading test is followed by the test's result. If a fork copied the call from the
    // parent run, the result is a copy too and is left out.
    if (KERNEL.is('call.completed')(fact)) isInherited = fact.inherited === true;
    if (!ROUNDS.is('reader.examined')(fact) || isInherited) continue;
    const { model, at, items, errors, called_true: calledTrue, source, why } = fact;
    if (source !== 'held' || why === NO_ANSWER || isRehearsal(model)) continue;
    held.push({ model, at, items, errors, calledTrue });
  }
  return held;
}

const SUBSTITUTE = `in another one's stead at most ${MOST_ERRORS_OF_A_SUBSTITUTE} wrong, and none called true`;

function wordsOf({ items, errors, called_true }: RecordedExam, more: string): string {
  const { mostErrors, mostCalledTrue } = findExamForm(items) ?? EXAM;
  return `${errors} of ${items} wrong (at most ${mostErrors}), ${called_true} called true that are not (at most ${mostCalledTrue})${more === '' ? '' : `; ${more}`}`;
}
