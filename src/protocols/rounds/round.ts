/** Runs one round, phases A to H. */

import type { Reply } from '../../kernel/call.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import { dropInvalidParts } from './artifact.ts';
import { askForAssessment } from './assess.ts';
import { ROLE_INFO } from './cast.ts';
import { decideByVerdicts } from './claims/bearing.ts';
import { type HandedArtifact, registerClaims } from './claims/register.ts';
import { resolveChallenges, withdrawClaims } from './claims/settle.ts';
import { absenceReportSchema, fact } from './facts.ts';
import { ARTIFACTS, renderArtifact } from './prompts/artifacts.ts';
import { CHECKS } from './prompts/checks.ts';
import { AND_CLAIMS, claimsTask } from './prompts/claims.ts';
import { formatEarlierRounds } from './prompts/earlier-rounds.ts';
import { isSince } from './prompts/order.ts';
import {
  absenceReportTask,
  driftSchema,
  driftTask,
  leadName,
  listOwnBlocks,
  PREDICTION,
  PROPOSAL_WORDS,
  predictionSchema,
  predictionTask,
  proposalTask,
  recordedDriftSchema,
  recordedPredictionSchema,
  SUPPLEMENT_WORDS,
  supplementTask,
} from './prompts/phases.ts';
import { formatStatePiece, formatVerdictsPiece } from './prompts/state.ts';
import { chooseReader, enterPhase } from './reader/exam.ts';
import { settleByReading } from './reader/reading.ts';
import type { Document } from './records/documents.ts';
import type { Role } from './records/types.ts';
import type { Piece, RoundsRun } from './rounds-run.ts';
import { chooseNextLead } from './schedule.ts';
import { explainEmptyRound } from './unsettled.ts';
import { validateRecords } from './validate-records.ts';
import { runCheck, sortByRole } from './verify.ts';
import { voteBlind, voteWithRecord } from './votes/vote.ts';

/** The original method asks for 5 to 7 new claims a round, which is one or two from each seat. */
const CLAIMS_A_SEAT = { least: 1, most: 2 } as const;

/**
 * What is special about one round: who is left out, which checks are made, and which instructions
 * seats get.
 */
export interface RoundPlan {
  readonly round: number;
  /** The role that is left out of the round, if any. */
  readonly absent: Role | undefined;
  /** Whether the round ends with a check that the deliberation still answers its question. */
  readonly driftCheck: boolean;
  /** Whether this is the last planned round, which the final vote follows. */
  readonly last: boolean;
  /**
   * How many claims each seat may raise: set by the response to a failure mode. Absent for
   * the usual limits, one or two.
   */
  readonly claims?: { readonly least: number; readonly most: number };
  /** Instructions by a person, or because of a failure mode, that every role sees. */
  readonly notes: readonly string[];
  /**
   * The failure modes to which a person asked this round to respond, each with what the round does
   * differently.
   */
  readonly answered: readonly { readonly id: string; readonly response: string }[];
}

/**
 * Runs a round to its end. Seats whose calls fail are left out. The round fails if no seat has
 * handed in an artifact, or if its records contain errors.
 * @returns the reason of the failure, or undefined
 */
export async function holdRound(
  roundsRun: RoundsRun,
  plan: RoundPlan,
): Promise<string | undefined> {
  const { round, absent } = plan;
  const before = roundsRun.view.rounds.filter((roundView) => roundView.round < round);
  const lead = chooseNextLead(
    before.map((roundView) => roundView.lead),
    absent,
    before.filter((roundView) => roundView.absent === undefined).map((roundView) => roundView.lead),
  );
  await roundsRun.record(`round-${round}/A`, [
    fact('round.started', { round, lead, ...withoutUndefined({ absent }) }),
    fact('phase.entered', { round, phase: 'A' }),
    ...plan.answered.map((mode) => fact('failure-mode.answered', { round, ...mode })),
  ]);
  await roundsRun.applyEdits(round, 'A');
  await chooseReader(roundsRun, round, 'A');
  if (round === 1) await voteBlind(roundsRun, round);
  const notes: Piece[] = [
    ...formatStatePiece(roundsRun, 'seats', 'before this round'),
    ...plan.notes.map((text) => ({ from: 'the person who asked', text })),
  ];
  if (absent !== undefined) await predictAbsence(roundsRun, round, absent, lead, notes);

  await roundsRun.enter(round, 'B');
  const proposal = await roundsRun.ask('B/proposal', roundsRun.seat(lead), round, {
    kind: 'proposal',
    heard: notes,
    task: proposalTask(round),
    about: { words: PROPOSAL_WORDS },
  });
  const said: Piece[] = [...notes, ...pieceOf(leadName(lead), proposal)];

  await roundsRun.enter(round, 'C');
  const others = roundsRun.getPresentRoles(round).filter((role) => role !== lead);
  const supplements = await Promise.all(
    others.map(async (role) => ({
      role,
      reply: await roundsRun.ask(`C/${role}`, roundsRun.seat(role), round, {
        kind: 'supplement',
        heard: said,
        task: supplementTask(),
        about: { words: SUPPLEMENT_WORDS },
      }),
    })),
  );
  const heard: Piece[] = [
    ...said,
    ...supplements.flatMap(({ role, reply }) => pieceOf(ROLE_INFO[role].title, reply)),
  ];

  await roundsRun.enter(round, 'D');
  const handed = await Promise.all(
    roundsRun.getPresentRoles(round).map((role) => handIn(roundsRun, plan, role, lead, heard)),
  );
  if (roundsRun.round(round).artifacts.length === 0) return explainEmptyRound(round);

  await enterPhase(roundsRun, round, 'E');
  await Promise.all(CHECKS.slice(0, 2).map((check) => runCheck(roundsRun, round, check)));
  for (const check of CHECKS.slice(2)) await runCheck(roundsRun, round, check, heard);

  await enterPhase(roundsRun, round, 'F');
  await settleClaims(
    roundsRun,
    plan,
    handed.filter((artifact) => artifact !== undefined),
  );
  const unsound = await validateRecords(roundsRun, round);
  if (unsound !== undefined) return unsound;

  await enterPhase(roundsRun, round, 'G');
  await askForAssessment(roundsRun, round, lead, [
    ...heard,
    ...formatVerdictsPiece(roundsRun, round),
    ...formatStatePiece(roundsRun, 'seats', 'now'),
  ]);

  if (absent !== undefined) await comparePrediction(roundsRun, round, absent);
  if (plan.driftCheck) {
    await enterPhase(roundsRun, round, 'H');
    await checkDrift(roundsRun, round);
    if (!plan.last) await voteWithRecord(roundsRun, round, 'H', roundsRun.getPresentRoles(round));
  }
  return undefined;
}

function pieceOf(from: string, reply: Reply): Piece[] {
  return reply.status === 'done' ? [{ from, text: reply.text }] : [];
}

/**
 * Asks a role for its artifact and its claims. Resolves to undefined if the role hands in nothing.
 */
async function handIn(
  roundsRun: RoundsRun,
  plan: RoundPlan,
  role: Role,
  lead: Role,
  heard: readonly Piece[],
): Promise<HandedArtifact | undefined> {
  const { round, claims: { least, most } = CLAIMS_A_SEAT } = plan;
  const { name, schema, task } = ARTIFACTS[role];
  const { attachments, question, prompts } = roundsRun.settings;
  let answered = `round-${round}/D/${role}`;
  const material: Document[] = [
    { name: 'question', text: question },
    ...attachments,
    ...heard.map(({ from, text }) => ({ name: from, text })),
    ...formatEarlierRounds(roundsRun.view, round).map((text) => ({ name: 'record', text })),
  ];
  const reply = await roundsRun.ask(
    `D/${role}`,
    roundsRun.seat(role),
    round,
    {
      kind: `artifact/${role}`,
      heard,
      schema,
      task: [
        `Hand in your ${name}, at most 600 words in all. title: what it is about, in a few words.`,
        task,
        ...(isSince(prompts, 3) ? [AND_CLAIMS, ...listOwnBlocks(role, lead, heard)] : []),
      ].join('\n\n'),
      rules: claimsTask(
        least,
        most,
        { attachments: attachments.length > 0, results: roundsRun.looks },
        prompts,
      ),
      about: { count: { least, most } },
      looks: true,
    },
    (reply, step, known) => {
      answered = step;
      if (reply.status !== 'done') return [];
      const results = roundsRun.looks ? known : undefined;
      const { value, refused } = dropInvalidParts(round, role, reply.value, material, results);
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
  return reply.status === 'done' ? { role, value: reply.value, step: answered } : undefined;
}

/**
 * Phase F: registers the claims and decides them by what the round has shown, the weakest basis
 * first.
 */
async function settleClaims(
  roundsRun: RoundsRun,
  { round, claims: { most } = CLAIMS_A_SEAT }: RoundPlan,
  handed: readonly HandedArtifact[],
): Promise<void> {
  const { concessions, disputes } = await registerClaims(roundsRun, round, most, handed);
  await withdrawClaims(roundsRun, round, concessions);
  await decideByVerdicts(roundsRun, round);
  await settleByReading(roundsRun, round, disputes);
  await resolveChallenges(roundsRun, round);
}

async function predictAbsence(
  roundsRun: RoundsRun,
  round: number,
  absent: Role,
  lead: Role,
  heard: readonly Piece[],
): Promise<void> {
  await roundsRun.ask(
    'A/prediction',
    roundsRun.seat(lead),
    round,
    { kind: 'prediction', heard, schema: predictionSchema, task: predictionTask(absent) },
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

async function comparePrediction(roundsRun: RoundsRun, round: number, absent: Role): Promise<void> {
  const predicted = roundsRun.round(round).predicted ?? [];
  const pieces = [
    ...sortByRole(roundsRun.round(round).artifacts).map(({ path, markdown }) => ({
      from: path,
      text: markdown,
    })),
    ...formatVerdictsPiece(roundsRun, round),
    { from: PREDICTION, text: predicted.map((prediction) => `- ${prediction}`).join('\n') },
  ];
  await roundsRun.ask(
    'G/signature',
    roundsRun.verifier,
    round,
    {
      kind: 'signature',
      pieces,
      schema: absenceReportSchema,
      task: absenceReportTask(absent),
      about: { items: predicted },
    },
    (reply) => {
      const parsed = absenceReportSchema.safeParse(
        reply.status === 'done' ? reply.value : undefined,
      );
      return parsed.success ? [fact('stress.compared', { round, absent, ...parsed.data })] : [];
    },
  );
}

async function checkDrift(roundsRun: RoundsRun, round: number): Promise<void> {
  const pieces: Piece[] = [
    ...formatStatePiece(roundsRun, 'seats'),
    ...roundsRun.round(round).decisions.map(({ id, text }) => ({ from: id, text })),
  ];
  await roundsRun.ask(
    'H/drift',
    roundsRun.verifier,
    round,
    { kind: 'drift', pieces, schema: driftSchema, task: driftTask(roundsRun.settings.question) },
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

/**
 * The deviation in a drift check at or above which the deliberation counts as no longer answering
 * its question.
 */
const LOST = 3;
