/** One round, phases A to H. */

import type { Reply } from '../../kernel/call.ts';
import { entryOf } from '../../kernel/entry.ts';
import { assess } from './assess.ts';
import { moveClaims } from './bearing.ts';
import { ROLE_INFO } from './cast.ts';
import { type FactBody, fact, signatureSchema } from './facts.ts';
import type { RoleName } from './fold.ts';
import { ARTIFACTS, renderArtifact } from './prompts/artifacts.ts';
import { CHECKS } from './prompts/checks.ts';
import { raisedSchema, raiseTask, recordedRaisedSchema } from './prompts/claims.ts';
import {
  driftSchema,
  driftTask,
  PREDICTION,
  PROPOSAL_WORDS,
  predictionSchema,
  predictionTask,
  proposalTask,
  recordedDriftSchema,
  recordedPredictionSchema,
  SUPPLEMENT_WORDS,
  signatureTask,
  supplementTask,
} from './prompts/phases.ts';
import { anchorsOf } from './records/anchors.ts';
import { claimId } from './records/layout.ts';
import { nextLead } from './schedule.ts';
import type { Desk, Piece } from './state.ts';
import { verdicts } from './verdicts.ts';
import { inOrder, runCheck } from './verify.ts';
import { voteBlind, voteWithRecord } from './vote.ts';

/** The method asks for 5 to 7 new claims a round: one or two from each seat. */
const CLAIMS_A_SEAT = { least: 1, most: 2 } as const;

export interface RoundPlan {
  readonly round: number;
  readonly absent: RoleName | undefined;
  readonly driftCheck: boolean;
  /** The last one of the budget: the vote at the end follows at once. */
  readonly last: boolean;
  /** How many claims each seat may raise: narrower where inflation or starvation is suspected. */
  readonly claims?: { readonly least: number; readonly most: number };
  /** What failure modes or a person ask of this round, put before every seat. */
  readonly notes: readonly string[];
  /** Failure modes that this round answers because a person asked for it. */
  readonly answered: readonly { readonly id: string; readonly response: string }[];
}

/**
 * Runs a round to its end. Seats that fail are missing from it; it goes on without them, but not where
 * nobody has handed anything in: there is nothing then that could be checked, claimed or decided.
 */
export async function holdRound(desk: Desk, plan: RoundPlan): Promise<void> {
  const { round, absent } = plan;
  const lead = nextLead(
    desk.view.rounds
      .filter((one) => one.absent === undefined && one.round < round)
      .map((one) => one.lead),
    absent,
  );
  await desk.record(`round-${round}/A`, [
    fact('round.started', { round, lead, ...(absent === undefined ? {} : { absent }) }),
    fact('phase.entered', { round, phase: 'A' }),
    ...plan.answered.map((one) => fact('failure-mode.answered', { round, ...one })),
  ]);
  await desk.amend(round, 'A');
  if (round === 1) await voteBlind(desk, round);
  const notes: Piece[] = plan.notes.map((text) => ({ from: 'the person who asked', text }));
  if (absent !== undefined) await predict(desk, round, absent, lead, notes);

  await desk.enter(round, 'B');
  const proposal = await desk.ask('B/proposal', desk.seat(lead), round, {
    kind: 'proposal',
    pieces: notes,
    task: proposalTask(round, lead),
    about: { words: PROPOSAL_WORDS },
  });
  const said: Piece[] = [...notes, ...spoken(`the lead, ${ROLE_INFO[lead].title}`, proposal)];

  await desk.enter(round, 'C');
  const others = desk.present(round).filter((role) => role !== lead);
  const supplements = await Promise.all(
    others.map(async (role) => ({
      role,
      reply: await desk.ask(`C/${role}`, desk.seat(role), round, {
        kind: 'supplement',
        pieces: said,
        task: supplementTask(),
        about: { words: SUPPLEMENT_WORDS },
      }),
    })),
  );
  const heard: Piece[] = [
    ...said,
    ...supplements.flatMap(({ role, reply }) => spoken(ROLE_INFO[role].title, reply)),
  ];

  await desk.enter(round, 'D');
  await Promise.all(desk.present(round).map((role) => handIn(desk, round, role, heard)));
  if (desk.round(round).artifacts.length === 0) return;

  await desk.enter(round, 'E');
  await Promise.all(CHECKS.slice(0, 2).map((check) => runCheck(desk, round, check)));
  for (const check of CHECKS.slice(2)) await runCheck(desk, round, check);

  await desk.enter(round, 'F');
  await raiseClaims(desk, plan, heard);
  await moveClaims(desk, round);

  await desk.enter(round, 'G');
  await assess(desk, round, lead, [...heard, ...verdicts(desk, round)]);

  if (absent !== undefined) await compare(desk, round, absent);
  if (plan.driftCheck) {
    await desk.enter(round, 'H');
    await checkDrift(desk, round);
    if (!plan.last) await voteWithRecord(desk, round, 'H', desk.present(round));
  }
}

function spoken(from: string, reply: Reply): Piece[] {
  return reply.status === 'done' ? [{ from, text: reply.text }] : [];
}

async function handIn(
  desk: Desk,
  round: number,
  role: RoleName,
  heard: readonly Piece[],
): Promise<void> {
  const { name, schema, task } = ARTIFACTS[role];
  await desk.ask(
    `D/${role}`,
    desk.seat(role),
    round,
    {
      kind: `artifact/${role}`,
      pieces: heard,
      schema,
      task: `Hand in your ${name}, at most 600 words in all.\n\n${task}`,
    },
    (reply, step) =>
      reply.status !== 'done'
        ? []
        : [
            fact('artifact.produced', {
              round,
              role,
              path: `artifacts/round_${round}/${role}.md`,
              markdown: renderArtifact(role, reply.value),
              step,
            }),
          ],
  );
}

async function raiseClaims(desk: Desk, plan: RoundPlan, heard: readonly Piece[]): Promise<void> {
  const { round, claims: { least, most } = CLAIMS_A_SEAT } = plan;
  const pieces = [...heard, ...verdicts(desk, round)];
  const roles = desk.present(round);
  const replies = await Promise.all(
    roles.map((role) =>
      desk.ask(`F/${role}`, desk.seat(role), round, {
        kind: 'claims',
        pieces,
        schema: raisedSchema,
        task: raiseTask(least, most),
        about: { count: { least, most } },
      }),
    ),
  );
  const facts: FactBody[] = [];
  replies.forEach((reply, index) => {
    const role = roles[index];
    const parsed =
      reply.status === 'done' ? recordedRaisedSchema.safeParse(reply.value) : undefined;
    if (role === undefined || !parsed?.success) return;
    const artifact = desk.round(round).artifacts.find((one) => one.role === role);
    for (const { text, testable_as, supersedes } of parsed.data.claims.slice(0, most)) {
      const old = supersedes === undefined ? undefined : entryOf(desk.view.claims, supersedes);
      // A pending claim cannot be superseded: it would vanish untested.
      const replaced = old !== undefined && old.status !== 'pending' && old.status !== 'superseded';
      const raised = facts.filter(({ type }) => type === 'claim.raised').length;
      const id = claimId(round, raised + 1);
      facts.push(
        fact('claim.raised', {
          id,
          round,
          raised_by: role,
          text,
          testable_as,
          step: `round-${round}/F/${role}`,
          ...(replaced ? { supersedes: old.id } : {}),
          ...(artifact === undefined ? {} : { raised_at_artifact: artifact.path }),
        }),
      );
      if (replaced)
        facts.push(
          fact('claim.moved', {
            claim: old.id,
            round,
            from: old.status,
            to: 'superseded',
            superseded_by: id,
            why: `superseded by ${id}`,
          }),
        );
    }
  });
  await desk.record(`round-${round}/F/claims`, facts);
}

async function predict(
  desk: Desk,
  round: number,
  absent: RoleName,
  lead: RoleName,
  pieces: readonly Piece[],
): Promise<void> {
  await desk.ask(
    'A/prediction',
    desk.seat(lead),
    round,
    { kind: 'prediction', pieces, schema: predictionSchema, task: predictionTask(absent) },
    (reply) => {
      const parsed = recordedPredictionSchema.safeParse(
        reply.status === 'done' ? reply.value : undefined,
      );
      return [
        fact('stress.predicted', {
          round,
          absent,
          signature: parsed.success ? parsed.data.signature : [],
        }),
      ];
    },
  );
}

async function compare(desk: Desk, round: number, absent: RoleName): Promise<void> {
  const predicted = desk.round(round).predicted ?? [];
  const pieces = [
    ...inOrder(desk.round(round).artifacts).map(({ path, markdown }) => ({
      from: path,
      text: markdown,
    })),
    ...verdicts(desk, round),
    { from: PREDICTION, text: predicted.map((one) => `- ${one}`).join('\n') },
  ];
  await desk.ask(
    'G/signature',
    desk.verifier,
    round,
    {
      kind: 'signature',
      pieces,
      schema: signatureSchema,
      task: signatureTask(absent),
      about: { items: predicted },
    },
    (reply) => {
      const parsed = signatureSchema.safeParse(reply.status === 'done' ? reply.value : undefined);
      return parsed.success ? [fact('stress.compared', { round, absent, ...parsed.data })] : [];
    },
  );
}

async function checkDrift(desk: Desk, round: number): Promise<void> {
  const pieces: Piece[] = desk.round(round).decisions.map(({ id, text }) => ({ from: id, text }));
  await desk.ask(
    'H/drift',
    desk.verifier,
    round,
    { kind: 'drift', pieces, schema: driftSchema, task: driftTask(desk.settings.question) },
    (reply) => {
      const parsed = recordedDriftSchema.safeParse(
        reply.status === 'done' ? reply.value : undefined,
      );
      return parsed.success ? [fact('drift.checked', { round, ...parsed.data })] : [];
    },
  );
}

/** Every place of this round that evidence may cite. */
export function places(desk: Desk, round: number): string[] {
  return desk
    .round(round)
    .artifacts.flatMap(({ path, markdown }) =>
      [...anchorsOf(markdown)].map((anchor) => `${path}#${anchor}`),
    );
}
