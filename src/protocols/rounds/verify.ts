/**
 * One check by the verifier. Code looks whether the places it cites exist and are different; if not, it
 * is asked once more with the list of what does exist, and then its verdict becomes UNCLEAR, with a note.
 */

import type { Reply } from '../../kernel/call.ts';
import type { Message } from '../../kernel/model.ts';
import { type FactBody, fact } from './facts.ts';
import {
  type Check,
  type CheckAnswer,
  checkSchema,
  checkTask,
  looseCheckSchema,
} from './prompts/checks.ts';
import { anchorsOf, differentRefs, resolveRef } from './records/anchors.ts';
import { verificationId } from './records/layout.ts';
import type { Role } from './records/types.ts';
import type { Desk, Piece } from './state.ts';

/** Checks 1, 3 and 4 look at the critic's attack, and 1 and 4 then at the traces. */
const ORDER: readonly Role[] = ['critic', 'action', 'guardian', 'observer'];

/** Artifacts as the verifier is always shown them: what came first in one check is first in the next. */
export function inOrder<T extends { readonly role: Role }>(artifacts: readonly T[]): T[] {
  return artifacts.toSorted((left, right) => ORDER.indexOf(left.role) - ORDER.indexOf(right.role));
}

/** The fewest different places a verdict must cite. */
const LEAST_REFS = 2;

export async function runCheck(desk: Desk, round: number, check: Check): Promise<void> {
  const id = verificationId(round, check.name);
  const { artifacts, absent } = desk.round(round);
  const missing = check.between.find((role) => !artifacts.some((one) => one.role === role));
  const decisions = desk.view.rounds.flatMap((one) => one.decisions);
  const nothing =
    missing !== undefined
      ? missing === absent
        ? `stress round: the ${missing} is absent`
        : `the ${missing} handed nothing in`
      : check.number === 4 && decisions.length === 0
        ? 'there is no decision yet'
        : artifacts.length === 0
          ? 'nothing was handed in'
          : undefined;
  if (nothing !== undefined) {
    await desk.record(`round-${round}/E/${check.number}`, [
      fact('verification.recorded', {
        id,
        round,
        check: check.name,
        result: 'NOT_APPLICABLE',
        evidence_refs: [],
        notes: nothing,
      }),
    ]);
    return;
  }
  const shown = inOrder(artifacts).filter(
    ({ role }) => check.between.length === 0 || check.between.includes(role),
  );
  const folder = folderOf(desk, shown);
  const refs = shown.flatMap(({ path, markdown }) =>
    [...anchorsOf(markdown)].map((anchor) => `${path}#${anchor}`),
  );
  const pieces: Piece[] = shown.map(({ path, markdown }) => ({ from: path, text: markdown }));
  // An attachment's lines cannot be listed one by one, so only code can tell whether they exist.
  const schema = desk.settings.attachments.length > 0 ? looseCheckSchema : checkSchema(refs);
  const task = [
    checkTask(check, refs),
    ...(desk.settings.attachments.length > 0
      ? ['Lines of an attachment are cited like attachments/plan.md#L10-L12.']
      : []),
  ].join('\n\n');
  const problemsOf = (reply: Reply): string[] => {
    const answer = answerOf(reply);
    if (answer === undefined) return ['there is no usable verdict'];
    // In one spelling, as the records will have them: a place that is named twice is one place.
    const different = differentRefs(answer.evidence_refs);
    const wrong = different.filter((ref) => resolveRef(folder, ref) !== 'ok');
    return [
      ...wrong.map((ref) => `${ref} does not exist`),
      ...(different.length < LEAST_REFS ? ['fewer than two different places are cited'] : []),
    ];
  };
  /** Facts of a verdict that may stand; nothing while it may still be corrected. */
  const verdict = (reply: Reply, step: string, last: boolean): FactBody[] => {
    const problems = problemsOf(reply);
    if (problems.length > 0 && !last) return [];
    const answer = answerOf(reply);
    const real = differentRefs(answer?.evidence_refs ?? []).filter(
      (ref) => resolveRef(folder, ref) === 'ok',
    );
    const degraded = problems.length > 0 ? problems.join('; ') : undefined;
    // The records ask for two places of every verdict: the first two that were laid before it.
    const cited =
      degraded === undefined
        ? real
        : [...new Set([...real, ...refs])].slice(0, Math.max(LEAST_REFS, real.length));
    // What was handed in may hold fewer: then there is nothing to check it by.
    const checked = cited.length >= LEAST_REFS;
    return [
      fact('verification.recorded', {
        id,
        round,
        check: check.name,
        result: checked
          ? degraded === undefined
            ? (answer?.result ?? 'UNCLEAR')
            : 'UNCLEAR'
          : 'NOT_APPLICABLE',
        evidence_refs: checked ? cited : [],
        notes: [
          ...(degraded === undefined
            ? []
            : [`The verifier's answer could not stand: ${degraded}.`]),
          answer?.notes.trim() || answer?.reasoning.trim() || 'No answer.',
        ].join(' '),
        step,
        ...(degraded === undefined ? {} : { degraded }),
      }),
    ];
  };
  const key = `E/${check.number}`;
  const about = { turn: check.number, items: refs };
  const prompt = { kind: 'check', pieces, task, schema, about };
  const reply = await desk.ask(key, desk.verifier, round, prompt, (one, step) =>
    verdict(one, step, one.status === 'failed'),
  );
  if (reply.status !== 'done' || problemsOf(reply).length === 0) return;
  const more: Message[] = [
    { role: 'assistant', parts: [{ text: reply.text }] },
    {
      role: 'user',
      parts: [
        {
          text: `That cannot stand: ${problemsOf(reply).join('; ')}. Answer again. These places exist, and nothing else:\n${refs.map((ref) => `- ${ref}`).join('\n')}`,
        },
      ],
    },
  ];
  await desk.ask(`${key}/again`, desk.verifier, round, { ...prompt, more }, (one, step) =>
    verdict(one, step, true),
  );
}

function answerOf(reply: Reply): CheckAnswer | undefined {
  if (reply.status !== 'done') return undefined;
  const parsed = looseCheckSchema.safeParse(reply.value);
  return parsed.success ? parsed.data : undefined;
}

function folderOf(
  desk: Desk,
  artifacts: readonly { path: string; markdown: string }[],
): Map<string, string> {
  return new Map([
    ...artifacts.map(({ path, markdown }): [string, string] => [path, markdown]),
    ...desk.settings.attachments.map(({ name, text }): [string, string] => [
      `attachments/${name}`,
      text,
    ]),
  ]);
}
