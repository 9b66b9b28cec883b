/** The state of a run in rounds, as the fold of its facts gives it. */

import type { Fact, FactOf, FactType } from '../facts.ts';
import type { ClaimStatus, Role } from '../records/types.ts';
import type { SourceView } from '../sources.ts';

/** The letter of a round's phase, A to H, or `synthesis`. */
export type Phase = FactOf<'phase.entered'>['phase'];

/** A recorded fact of type `T`, with its run, its position in the log and its time. */
export type RecordedFact<T extends FactType> = Extract<Fact, { type: T }>;
type Body<T extends FactType> = Omit<RecordedFact<T>, 'v' | 'type' | 'run' | 'seq' | 'at'>;

/** An artifact (the written work of a role in one round) in the state of a deliberation. */
export type ArtifactView = Body<'artifact.produced'>;
/**
 * A verification in the state of a deliberation: the verdict of a check, a reading, a test by a
 * command, or a withdrawal.
 */
export type VerificationView = Body<'verification.recorded'>;
/** A decision that the lead of a round made, in the state of a deliberation. */
export type DecisionView = Body<'decision.made'>;
/** A recorded change of a claim's status. */
export interface ClaimMove extends Body<'claim.moved'> {
  /** True if the change was made for the synthesis, after the last round. */
  readonly settled?: true;
}
interface ClaimEdit extends Body<'claim.edited'> {
  /** How often the claim's status had changed before the edit. */
  readonly moved: number;
  /** Whether the claim had been read before the edit. */
  readonly read: boolean;
}
type EvidenceView = Body<'evidence.recorded'>;
/** The six stopping signals after a round, and whether they recommend to stop. */
export type SignalsView = Body<'signals.read'>;
/** A seat's vote on the question: its option, its reasons and its confidence. */
export type StanceView = Body<'stance.taken'>;
type VoteView = Body<'vote.counted'>;
/**
 * Whether and why a seat's last vote differs from its first, found by asking the seat once more without the
 * others' words.
 */
export type ShiftView = Body<'stance.compared'>;
/** A claim, quotation or other entry that code refused, with the reason. */
export type RefusalView = Body<'refusal.recorded'>;
/** What a reader found about a claim in the documents, and whether this decided the claim. */
export type FindingView = Body<'claim.read'>;
type ControlView = Body<'reader.controlled'>;
type ExamView = Body<'reader.examined'>;
/** A failure mode that was suspected after a round, with the reason. */
export type SuspicionView = Body<'failure-mode.suspected'>;

/** A claim with its status and history. */
export interface ClaimView extends Body<'claim.raised'> {
  readonly status: ClaimStatus;
  /** The changes of the claim's status, oldest first. */
  readonly moves: readonly ClaimMove[];
  /** The changes that a fork made to the claim's wording. Absent if there are none. */
  readonly edits?: readonly ClaimEdit[];
}

/** A round: everything that was recorded in it. */
export interface RoundView {
  readonly round: number;
  /** The role that leads the round: it proposes first and decides at the end. */
  readonly lead: Role;
  /** The role that is left out on purpose. Absent if all take part. */
  readonly absent?: Role | undefined;
  /** The phase that began last. */
  readonly phase?: Phase | undefined;
  /** What was predicted to change without the absent role. */
  readonly predicted?: readonly string[];
  /** Which of the predicted effects occurred. Absent until the verifier has compared them with the round. */
  readonly compared?: Body<'stress.compared'>;
  readonly artifacts: readonly ArtifactView[];
  readonly verifications: readonly VerificationView[];
  /** The tests that a person ran while this was the latest round. Absent if there are none. */
  readonly evidence?: readonly EvidenceView[];
  /** The ids of the claims that were raised in this round. */
  readonly raised: readonly string[];
  /** The changes of claims' statuses in this round. */
  readonly moves: readonly ClaimMove[];
  readonly decisions: readonly DecisionView[];
  /** The decisions of the lead that failed a check, with the reasons. */
  readonly refused: readonly Body<'decision.refused'>[];
  /** Claims, quotations and other entries that failed a check, and failed calls, with the reasons. */
  readonly refusals: readonly RefusalView[];
  /** What the reader found about claims in the texts. */
  readonly findings: readonly FindingView[];
  /**
   * How the reader judged its controls: statements among the claims whose right judgment the program knows.
   */
  readonly controls: readonly ControlView[];
  /** The conflicts that the lead left unresolved, one sentence for each. */
  readonly tensions: readonly string[];
  /** What the round changed in the thing under discussion, in the lead's words. */
  readonly impact: string;
  /** The answer to the question so far, as the lead wrote it. Absent if it wrote none, as in older runs. */
  readonly answer?: string | undefined;
  /** Whether the lead's assessment at the end of the round is on record, even if it failed. */
  readonly closed: boolean;
  /** Whether the deliberation still answered its question. Absent if this was not checked in the round. */
  readonly drift?: Body<'drift.checked'>;
  readonly signals?: SignalsView;
  readonly suspicions: readonly SuspicionView[];
  /** The changes that a person requested because of suspected failure modes. */
  readonly responses: readonly Body<'failure-mode.answered'>[];
  /** The roles that were asked for an objection and named none. Absent if nobody was asked. */
  readonly unobjecting?: readonly Role[];
  readonly stances: readonly StanceView[];
  /**
   * The counted votes, one of each kind at most: a blind vote, and a vote by seats that know the panel's records.
   */
  readonly votes: readonly VoteView[];
  /** Whether and why votes changed, found by asking seats a last time without the others' words. */
  readonly shifts: readonly ShiftView[];
}

/** The state of a deliberation in rounds: everything that its facts say. */
export interface RoundsView {
  readonly rounds: readonly RoundView[];
  readonly claims: Readonly<Record<string, ClaimView>>;
  /** The models that took the reading test, in the order of the tests. */
  readonly exams: readonly ExamView[];
  /** The results of tools that seats used, in the order of their ids. */
  readonly sources: readonly SourceView[];
}

/** The state of a deliberation in rounds that has no facts yet. */
export const EMPTY_ROUNDS: RoundsView = { rounds: [], claims: {}, exams: [], sources: [] };
