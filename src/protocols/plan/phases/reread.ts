/**
 * Checks whether a question misreads its statements, as a seat may claim. The claim holds only if a reader
 * who sees nothing but the statements agrees, and has also told apart two examples of the program's own.
 */
import { shuffleItems } from '../../../kernel/chance.ts';
import { linesOfQuotation } from '../../../text/words/quotation.ts';
import { CHAIR, editionOf } from '../config.ts';
import { type FactOf, fact } from '../facts.ts';
import type { PlanRun } from '../plan-run.ts';
import { type Reading, rereadMessages, rereadSchema } from '../prompts/reread.ts';
import { collectLastAnswers } from '../rules/settle.ts';
import { deriveStandings } from '../standings.ts';

/** An example in which the statements say what the question claims. In the example below they do not. */
const SAYS: Reading = {
  question: 'How long may a request wait?',
  why: 'one ends the waiting after five seconds, the other has no end to it',
  statements: [
    'A request that has waited for five seconds is given up.',
    'A request waits until it is answered, however long that takes.',
  ],
};
const SAYS_NOT: Reading = {
  question: 'Are answers kept on the disk?',
  why: 'the first writes every answer to the disk, the second forbids that',
  statements: [
    'Answers are kept in memory for as long as their page is open.',
    'Nothing is written to the disk before its owner has agreed.',
  ],
};

/**
 * Takes the unsettled questions that, as some seat said in this round, misread the statements, and asks a reader
 * of each whether the seat is right. Records the reader's findings. Does nothing before edition 3 of the rules.
 */
export async function rereadAll(plan: PlanRun, round: number): Promise<void> {
  if (editionOf(plan.config) < 3) return;
  const last = collectLastAnswers(plan.view.answers);
  const open = new Set(
    deriveStandings(plan.view).flatMap(({ conflict, state }) =>
      state === 'settled' ? [] : [conflict],
    ),
  );
  const called = plan.view.conflicts.filter(
    ({ id }) =>
      open.has(id) &&
      [...last.values()].some((answers) => {
        const answer = answers.get(id);
        return answer?.round === round && 'misread' in answer.answer;
      }),
  );
  if (called.length === 0) return;
  const facts = await Promise.all(called.map(({ id }) => rereadOne(plan, round, id)));
  await plan.record(
    `round-${round}/reread`,
    called.map(({ id }) => id),
    facts,
  );
}

async function rereadOne(
  plan: PlanRun,
  round: number,
  id: string,
): Promise<FactOf<'conflict.reread'>> {
  const { view, config } = plan;
  const conflict = view.conflicts.find((conflict) => conflict.id === id);
  const told = { round, conflict: id };
  const about = [...(conflict?.options ?? []), ...(conflict?.given ?? [])];
  const real: Reading = {
    question: conflict?.question ?? '',
    why: conflict?.why ?? '',
    statements: view.statements.flatMap((statement) =>
      about.includes(statement.id) && statement.state === 'live' ? [statement.text] : [],
    ),
  };
  const key = `round-${round}/reread-${id}`;
  const readings = shuffleItems([real, SAYS, SAYS_NOT], config.seed, key);
  const asked = await plan.ask(key, {
    task: 'plan/reread',
    seat: CHAIR,
    about: {
      round,
      items: readings.map(({ question }) => question),
      heard: readings.map(({ statements }, at) => ({
        from: String(at + 1),
        text: statements.join('\n'),
      })),
    },
    messages: rereadMessages(readings, config.seed),
    schema: rereadSchema,
  });
  if ('why' in asked)
    return fact('conflict.reread', {
      ...told,
      isMisread: false,
      why: `nobody read it: ${asked.why}`,
    });
  const findJudgment = (reading: Reading) =>
    asked.value.readings.find(({ number }) => number === readings.indexOf(reading) + 1);
  const isFound = (reading: Reading): boolean => {
    const judgment = findJudgment(reading);
    return (
      judgment?.says === true &&
      reading.statements.some(
        (text) => linesOfQuotation(judgment.quotation, { text }) !== undefined,
      )
    );
  };
  if (!isFound(SAYS) || findJudgment(SAYS_NOT)?.says !== false)
    return fact('conflict.reread', {
      ...told,
      isMisread: false,
      why: 'whoever read it did not tell the program’s own examples apart',
    });
  const realJudgment = findJudgment(real);
  // The reader was asked whether the statements say what the question claims. Only the answer `false` makes the
  // question a misunderstanding; a missing answer does not.
  return fact('conflict.reread', {
    ...told,
    isMisread: realJudgment?.says === false,
    why: realJudgment?.why.trim() || 'no reason was given',
  });
}
