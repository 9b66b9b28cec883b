/**
 * One check by the verifier. Code looks whether the places it cites exist and come from both sides of
 * what is compared; if not, it is asked once more with the list of what does exist. A verdict that still
 * cannot stand is recorded as not applicable, with the reason, and is evidence of nothing.
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
import { anchorsOf, differentRefs, resolveRef, tellingIn } from './records/anchors.ts';
import { artifactAt, DECISIONS_FILE, verificationId } from './records/layout.ts';
import type { Role } from './records/types.ts';
import type { Piece, RoundsRun } from './rounds-run.ts';

/** Checks 1, 3 and 4 look at the critic's attack, and 1 and 4 then at the traces. */
const ORDER: readonly Role[] = ['critic', 'action', 'guardian', 'observer'];

/** Artifacts as the verifier is always shown them: what came first in one check is first in the next. */
export function inOrder<T extends { readonly role: Role }>(artifacts: readonly T[]): T[] {
  return artifacts.toSorted((left, right) => ORDER.indexOf(left.role) - ORDER.indexOf(right.role));
}

/** The fewest different places a verdict must cite. */
const LEAST_REFS = 2;

/** Places of an artifact that a verdict may rest on: not its title, and not what it says of itself. */
function placesIn(markdown: string): string[] {
  return [...anchorsOf(markdown)].filter(tellingIn(markdown));
}

/** `heard`: what check 4 holds against the decisions beside the artifacts. */
export async function runCheck(
  roundsRun: RoundsRun,
  round: number,
  check: Check,
  heard: readonly Piece[] = [],
): Promise<void> {
  const id = verificationId(round, check.name);
  const { artifacts, absent } = roundsRun.round(round);
  const missing = check.between.find((role) => !artifacts.some((one) => one.role === role));
  const decisions = roundsRun.view.rounds.flatMap((one) => one.decisions);
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
    await roundsRun.record(`round-${round}/E/${check.number}`, [
      fact('verification.recorded', {
        ...{ id, round, check: check.name, result: 'NOT_APPLICABLE', evidence_refs: [] },
        notes: nothing,
      }),
    ]);
    return;
  }
  const shown = inOrder(artifacts).filter(
    ({ role }) => check.between.length === 0 || check.between.includes(role),
  );
  const folder = folderOf(roundsRun, shown);
  const cited = check.number === 4 ? decisions.map((one) => one.id) : [];
  const refs = [
    ...shown.flatMap(({ path, markdown }) => placesIn(markdown).map((at) => `${path}#${at}`)),
    ...cited,
  ];
  // An attachment's lines cannot be listed one by one, so only code can tell whether they exist.
  const schema = roundsRun.settings.attachments.length > 0 ? looseCheckSchema : checkSchema(refs);
  const task = [
    checkTask(check, refs),
    ...(roundsRun.settings.attachments.length > 0
      ? [
          `Besides these, lines of an attachment can be cited, like attachments/${roundsRun.settings.attachments[0]?.name}#L10-L12.`,
        ]
      : []),
  ].join('\n\n');
  /** A decision is cited by its id, and stands in the records on its own line. */
  const placed = (ref: string): string =>
    cited.includes(ref.trim())
      ? `${DECISIONS_FILE}#L${decisions.findIndex((one) => one.id === ref.trim()) + 1}`
      : ref;
  const isPlace = (ref: string): boolean =>
    ref.startsWith(`${DECISIONS_FILE}#L`) || resolveRef(folder, ref) === 'ok';
  const problemsOf = (reply: Reply): string[] => {
    const answer = answerOf(reply);
    if (answer === undefined) return ['there is no usable verdict'];
    if (answer.result === 'NOT_APPLICABLE') return [];
    // In one spelling, as the records will have them: a place that is named twice is one place.
    const different = differentRefs(answer.evidence_refs.map(placed));
    const real = different.filter(isPlace);
    const titles = real.filter((ref) => isNoEvidence(ref, refs));
    const sides = check.between.filter(
      (role) => !real.some((ref) => artifactAt(ref.split('#')[0] ?? '')?.role === role),
    );
    return [
      ...different.filter((ref) => !isPlace(ref)).map((ref) => `${ref} does not exist`),
      ...titles.map((ref) => `${ref} shows nothing: it is a title, or a verdict on itself`),
      ...(different.length < LEAST_REFS ? ['fewer than two different places are cited'] : []),
      ...sides.map((role) => `no place of the ${role} is cited`),
    ];
  };
  /** Facts of a verdict that may stand; nothing while it may still be corrected. */
  const verdict = (reply: Reply, step: string, last: boolean): FactBody[] => {
    const problems = problemsOf(reply);
    if (problems.length > 0 && !last) return [];
    const answer = answerOf(reply);
    const common = { id, round, check: check.name, step };
    if (answer === undefined || problems.length > 0) {
      const degraded = problems.join('; ');
      return [
        fact('verification.recorded', {
          ...common,
          result: 'NOT_APPLICABLE',
          evidence_refs: [],
          notes: `The verifier's answer could not stand: ${degraded}.`,
          degraded,
        }),
        fact('refusal.recorded', {
          ...{ round, kind: 'verdict', by: 'verifier', id, why: degraded },
          text: answer === undefined ? 'no verdict' : `${answer.result}: ${answer.notes}`.trim(),
        }),
      ];
    }
    const { result, notes, reasoning } = answer;
    return [
      fact('verification.recorded', {
        ...common,
        result,
        evidence_refs:
          result === 'NOT_APPLICABLE'
            ? []
            : differentRefs(answer.evidence_refs.map(placed)).filter(isPlace),
        notes: notes.trim() || reasoning.trim() || 'It gives no reason.',
        ...(reasoning.trim() === '' ? {} : { reasoning }),
      }),
    ];
  };
  const key = `E/${check.number}`;
  const about = { turn: check.number, items: refs };
  const prompt = {
    kind: 'check',
    heard: check.number === 4 ? heard : [],
    pieces: shown.map(({ path, markdown }) => ({ from: path, text: markdown })),
    ...{ task, schema, about },
  };
  const reply = await roundsRun.ask(key, roundsRun.verifier, round, prompt, (one, step) =>
    verdict(one, step, one.status === 'failed'),
  );
  if (reply.status !== 'done' || problemsOf(reply).length === 0) return;
  const more: Message[] = [
    { role: 'assistant', parts: [{ text: reply.text }] },
    {
      role: 'user',
      parts: [
        {
          text: [
            'That cannot stand, for these reasons:',
            roundsRun.quoted('what was wrong with your answer', problemsOf(reply).join('\n')),
            `Answer again. These places exist, and nothing else:\n${refs.map((ref) => `- ${ref}`).join('\n')}`,
          ].join('\n\n'),
        },
      ],
    },
  ];
  await roundsRun.ask(`${key}/again`, roundsRun.verifier, round, { ...prompt, more }, (one, step) =>
    verdict(one, step, true),
  );
}

/** A place of an artifact that is none of those a verdict may rest on. */
function isNoEvidence(ref: string, refs: readonly string[]): boolean {
  return artifactAt(ref.split('#')[0] ?? '') !== undefined && !refs.includes(ref);
}

function answerOf(reply: Reply): CheckAnswer | undefined {
  if (reply.status !== 'done') return undefined;
  const parsed = looseCheckSchema.safeParse(reply.value);
  return parsed.success ? parsed.data : undefined;
}

function folderOf(
  roundsRun: RoundsRun,
  artifacts: readonly { path: string; markdown: string }[],
): Map<string, string> {
  return new Map([
    ...artifacts.map(({ path, markdown }): [string, string] => [path, markdown]),
    ...roundsRun.settings.attachments.map(({ name, text }): [string, string] => [
      `attachments/${name}`,
      text,
    ]),
  ]);
}
