/**
 * Lets the doctor give a model the reader's entrance exam, with the same request and marking as in a run of
 * rounds.
 */
import { randomInt } from 'node:crypto';
import { failureLabel } from '../kernel/errors.ts';
import { NO_USAGE, type Usage } from '../kernel/model.ts';
import type { Entrance } from '../kernel/protocol.ts';
import type { ModelGateway } from '../models/gateway.ts';
import type { Verdict } from '../models/probe/verdicts.ts';
import { EXAM, isPass, makeExam, markExam } from '../protocols/entrance/entrance.ts';
import { answersSchema, ENTRANCE_LIMITS, makeEntranceTask } from '../protocols/entrance/task.ts';

/** The most output tokens of a paid model's answer, including thinking. */
const PAID_ANSWER = 4_000;
/**
 * The most calls that an entrance test of a paid model makes, and the most tokens of each call. The
 * second call is made only if the first answer has a wrong form.
 */
export const PAID_ENTRANCE: { readonly calls: number; readonly each: Usage } = {
  calls: 2,
  each: { ...NO_USAGE, input: 5_000, output: PAID_ANSWER },
};

/** The result of an exam. `entrance` is undefined if the answer could not be marked. */
interface Examined {
  readonly entrance: Entrance | undefined;
  readonly verdict: Verdict;
}

/**
 * Gives a model the entrance test (a reading test that decides whether it may check claims against
 * documents), and counts its errors.
 *
 * @param spec the model
 * @param isPaid whether the model costs money, so that the answer's length is limited
 * @returns the verdict to print, and the result of the test as `entrance`, which is undefined if the
 *   model gave no answer that can be marked
 */
export async function giveEntranceExam(
  models: ModelGateway,
  spec: string,
  isPaid: boolean,
): Promise<Examined> {
  const seed = randomInt(2 ** 31);
  const exam = makeExam(seed);
  const items = exam.items.map(({ text }) => text);
  const result = await models.call(
    {
      task: 'doctor/entrance',
      about: { items },
      seat: { id: 'doctor', role: 'doctor', title: 'Doctor', model: spec, brief: '' },
      messages: [{ role: 'user', parts: [{ text: makeEntranceTask(exam.text, items) }] }],
      schema: answersSchema,
      limits: ENTRANCE_LIMITS,
      ...(isPaid ? { maxTokens: PAID_ANSWER } : {}),
      seed,
    },
    { signal: new AbortController().signal, onEvent: () => undefined },
  );
  const read = answersSchema.safeParse(result.status === 'done' ? result.value : undefined);
  if (!read.success) {
    const why = result.status === 'failed' ? failureLabel(result.code) : undefined;
    return { entrance: undefined, verdict: unknownVerdict(spec, why) };
  }
  const { passed: _passed, ...count } = markExam(exam, read.data.answers);
  const entrance = { model: spec, at: new Date().toISOString(), ...count };
  return { entrance, verdict: readerVerdict(entrance) };
}

function readerVerdict(entrance: Omit<Entrance, 'at'>): Verdict {
  const { model: subject, items, errors, calledTrue } = entrance;
  const score = `${items - errors} of ${items}`;
  if (isPass(entrance))
    return { mark: 'ok', subject, says: `reads: passed, ${score}; may settle claims` };
  return {
    mark: 'warn',
    subject,
    says: `reads: failed, ${score}, ${calledTrue} of ${EXAM.false + EXAM.undecided} wrongly called true; may verify, but not settle claims`,
    next: 'In rounds, name another --verifier',
  };
}

function unknownVerdict(subject: string, why = 'no usable answer'): Verdict {
  return {
    mark: 'warn',
    subject,
    says: `cannot tell whether it may settle claims: ${why}`,
    next: 'Try again; rounds test their reader in any case',
  };
}
