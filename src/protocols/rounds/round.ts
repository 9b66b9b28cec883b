/** One round, phases A to H. */

import type { Reply } from '../../kernel/call.ts';
import { keepSound } from './artifact.ts';
import { assess } from './assess.ts';
import { moveClaims } from './bearing.ts';
import { ROLE_INFO } from './cast.ts';
import { type Handed, registerClaims } from './claims/register.ts';
import { concede, resolveChallenges } from './claims/settle.ts';
import { fact, signatureSchema } from './facts.ts';
import type { RoleName } from './fold.ts';
import { ARTIFACTS, renderArtifact } from './prompts/artifacts.ts';
import { CHECKS } from './prompts/checks.ts';
import { claimsTask } from './prompts/claims.ts';
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
import { enterPhase, seatReader } from './reader/exam.ts';
import { settleByReading } from './reader/reading.ts';
import type { Document } from './reader/text.ts';
import { recordBefore } from './record.ts';
import { nextLead } from './schedule.ts';
import { checkRecords } from './sound.ts';
import type { Desk, Piece } from './state.ts';
import { statePiece } from './state-text.ts';
import { nothingHandedIn } from './unsettled.ts';
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
 * nobody has handed anything in: there is nothing then that could be checked, claimed or decided; nor
 * where the records do not hold together. It says why.
 */
export async function holdRound(desk: Desk, plan: RoundPlan): Promise<string | undefined> {
  const { round, absent } = plan;
  const before = desk.view.rounds.filter((one) => one.round < round);
  const lead = nextLead(
    before.map((one) => one.lead),
    absent,
    before.filter((one) => one.absent === undefined).map((one) => one.lead),
  );
  await desk.record(`round-${round}/A`, [
    fact('round.started', { round, lead, ...(absent === undefined ? {} : { absent }) }),
    fact('phase.entered', { round, phase: 'A' }),
    ...plan.answered.map((one) => fact('failure-mode.answered', { round, ...one })),
  ]);
  await desk.amend(round, 'A');
  await seatReader(desk, round, 'A');
  if (round === 1) await voteBlind(desk, round);
  const notes: Piece[] = [
    ...statePiece(desk, 'seats'),
    ...plan.notes.map((text) => ({ from: 'the person who asked', text })),
  ];
  if (absent !== undefined) await predict(desk, round, absent, lead, notes);

  await desk.enter(round, 'B');
  const proposal = await desk.ask('B/proposal', desk.seat(lead), round, {
    kind: 'proposal',
    pieces: notes,
    task: proposalTask(round),
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
  const handed = await Promise.all(
    desk.present(round).map((role) => handIn(desk, plan, role, heard)),
  );
  if (desk.round(round).artifacts.length === 0) return nothingHandedIn(round);

  await enterPhase(desk, round, 'E');
  await Promise.all(CHECKS.slice(0, 2).map((check) => runCheck(desk, round, check)));
  for (const check of CHECKS.slice(2)) await runCheck(desk, round, check, heard);

  await enterPhase(desk, round, 'F');
  await settle(
    desk,
    plan,
    handed.filter((one) => one !== undefined),
  );
  const unsound = await checkRecords(desk, round);
  if (unsound !== undefined) return unsound;

  await enterPhase(desk, round, 'G');
  await assess(desk, round, lead, [
    ...heard,
    ...verdicts(desk, round),
    ...statePiece(desk, 'seats'),
  ]);

  if (absent !== undefined) await compare(desk, round, absent);
  if (plan.driftCheck) {
    await enterPhase(desk, round, 'H');
    await checkDrift(desk, round);
    if (!plan.last) await voteWithRecord(desk, round, 'H', desk.present(round));
  }
  return undefined;
}

function spoken(from: string, reply: Reply): Piece[] {
  return reply.status === 'done' ? [{ from, text: reply.text }] : [];
}

/** Asks a role for its artifact and its claims; undefined where it hands in nothing. */
async function handIn(
  desk: Desk,
  plan: RoundPlan,
  role: RoleName,
  heard: readonly Piece[],
): Promise<Handed | undefined> {
  const { round, claims: { least, most } = CLAIMS_A_SEAT } = plan;
  const { name, schema, task } = ARTIFACTS[role];
  const { attachments, question } = desk.settings;
  const material: Document[] = [
    { name: 'question', text: question },
    ...attachments,
    ...heard.map(({ from, text }) => ({ name: from, text })),
    ...recordBefore(desk.view, round).map((text) => ({ name: 'record', text })),
  ];
  const reply = await desk.ask(
    `D/${role}`,
    desk.seat(role),
    round,
    {
      kind: `artifact/${role}`,
      pieces: heard,
      schema,
      task: [
        `Hand in your ${name}, at most 600 words in all. title: what it is about, in a few words.`,
        task,
        claimsTask(least, most, attachments.length > 0),
      ].join('\n\n'),
      about: { count: { least, most } },
    },
    (one, step) => {
      if (one.status !== 'done') return [];
      const { value, refused } = keepSound(round, role, one.value, material);
      return [
        fact('artifact.produced', {
          round,
          role,
          path: `artifacts/round_${round}/${role}.md`,
          markdown: renderArtifact(role, value),
          step,
        }),
        ...refused,
      ];
    },
  );
  return reply.status === 'done' ? { role, value: reply.value } : undefined;
}

/**
 * Phase F: what was claimed is registered, then moved by what the round has shown, each step on
 * stronger grounds than the one before.
 */
async function settle(
  desk: Desk,
  { round, claims: { most } = CLAIMS_A_SEAT }: RoundPlan,
  handed: readonly Handed[],
): Promise<void> {
  const { concessions, disputes } = await registerClaims(desk, round, most, handed);
  await concede(desk, round, concessions);
  await moveClaims(desk, round);
  await settleByReading(desk, round, disputes);
  await resolveChallenges(desk, round);
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
  const pieces: Piece[] = [
    ...statePiece(desk, 'seats'),
    ...desk.round(round).decisions.map(({ id, text }) => ({ from: id, text })),
  ];
  await desk.ask(
    'H/drift',
    desk.verifier,
    round,
    { kind: 'drift', pieces, schema: driftSchema, task: driftTask(desk.settings.question) },
    (reply) => {
      const parsed = recordedDriftSchema.safeParse(
        reply.status === 'done' ? reply.value : undefined,
      );
      if (!parsed.success) return [];
      const { verdict, deviation_score: score, notes } = parsed.data;
      const lost = verdict === 'PASS' && score >= LOST;
      return [
        fact('drift.checked', {
          round,
          verdict: lost ? 'FAIL' : verdict,
          deviation_score: score,
          notes: lost ? `Said to PASS with a deviation of ${score} of 5. ${notes}` : notes,
        }),
      ];
    },
  );
}

/** From this deviation on nobody can say that the question is still answered. */
const LOST = 3;
