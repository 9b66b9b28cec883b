/** Asks the person to answer the questions that a spec left open, before T1 plans. */
import { type Run, readAnswer } from '../../../kernel/handle.ts';
import type { TeamSpec } from '../rules/spec.ts';

const OWN_WORDS = 'own';
/** The default, also for `--yes`: nobody decides the question, and the run ends. */
const LEAVE_OPEN = 'open';

/**
 * Asks the person each open question of the spec (the written plan that the team starts from).
 * @returns the goal with the answers added, or `why` the team does not begin
 */
export async function answerSpec(
  run: Run,
  goal: string,
  spec: TeamSpec | undefined,
): Promise<{ readonly goal: string } | { readonly why: string }> {
  const answers: string[] = [];
  for (const { id, question, options } of spec?.questions ?? []) {
    const { answer } = await run.decide(`spec/${id}`, {
      prompt: [
        `${id}: ${question}`,
        'The plan has not settled it. Nobody begins before you do.',
        ...options.map((option) => `${option.id}: ${option.text}`),
      ].join('\n'),
      options: [
        ...options.map((option) => ({ value: option.id, label: `${option.id} ${option.text}` })),
        { value: OWN_WORDS, label: 'decide in my own words', words: 'What is to hold?' },
        { value: LEAVE_OPEN, label: 'leave it open, and stop' },
      ],
      default: LEAVE_OPEN,
    });
    const { value, words } = readAnswer(answer);
    const chosen = options.find((option) => option.id === value)?.text ?? words.trim();
    if (value === LEAVE_OPEN || chosen === '')
      return { why: `${id} of the spec is open, and a team takes no side: ${question}` };
    answers.push(`- ${question} Decided by the person: ${chosen}`);
  }
  if (answers.length === 0) return { goal };
  const decided = 'Questions that the plan left open, as they were decided:';
  return { goal: `${goal}\n\n${decided}\n${answers.join('\n')}` };
}
