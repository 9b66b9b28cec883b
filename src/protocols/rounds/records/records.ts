/**
 * The records of a deliberation together, as they are read from a run or from a folder, and counts of leads and
 * absences in them.
 */
import type {
  Claim,
  Decision,
  LeadEntry,
  ReadingRecord,
  RefusedEntry,
  Role,
  SourceRecord,
  Verification,
} from './types.ts';

/** What the lead wrote at the end of a round. */
interface Closing {
  readonly round: number;
  readonly tensions: readonly string[];
  /** The answer to the question so far. Absent if the lead wrote none, as in older runs. */
  readonly answer?: string | undefined;
}

/** The target and the hypothesis of a Critic's attack. */
export interface Attack {
  readonly round: number;
  readonly target: string;
  readonly hypothesis: string;
}

/** The result of a drift check: whether the deliberation still answers its question. */
export interface DriftCheck {
  readonly round: number;
  readonly verdict: 'PASS' | 'FAIL' | 'PARTIAL';
  /** The deviation from the question, from 1 (none) to 5. Absent if the record of the check does not state it. */
  readonly deviation_score?: number | undefined;
  readonly notes: string;
}

/** A stress round, and the role that is left out. */
export interface StressPlan {
  readonly round: number;
  readonly role: Role;
}

/** The records of a deliberation, from which validation, signals and failure modes are computed. */
export interface Records {
  /** The claims; every id occurs once. */
  readonly claims: readonly Claim[];
  readonly verifications: readonly Verification[];
  readonly decisions: readonly Decision[];
  /** Which role led each round. */
  readonly leads: readonly LeadEntry[];
  /** The results of the drift checks: whether the deliberation still answered its question. */
  readonly drifts: readonly DriftCheck[];
  /** The roles of the panel. */
  readonly roles: readonly Role[];
  /** The paths of the artifacts. Absent if they are unknown. */
  readonly artifacts?: readonly string[] | undefined;
  /** The number of planned rounds, without the synthesis. Absent if it is unknown. */
  readonly budget?: number | undefined;
  /** The planned stress rounds. Absent if no plan is known. */
  readonly stressSchedule?: readonly StressPlan[] | undefined;
  /** The number of rounds between drift checks. */
  readonly driftEvery?: number | undefined;
  /**
   * The round number of entries that were made for the synthesis: one more than the last round's. It does not count
   * as a round.
   */
  readonly synthesisRound?: number | undefined;
  readonly question?: string | undefined;
  /** The number 2 if the records follow edition 2 of the rules or any later edition. Absent for older records. */
  readonly rules?: 2 | undefined;
  /**
   * Set to 2 if signal 1 requires fewer status changes than half of the peak. If absent, exactly
   * half is enough.
   */
  readonly signals?: 2 | undefined;
  /** Whether there is a text by which claims can be decided. Absent if this is unknown. */
  readonly documents?: boolean | undefined;
  /** Reading tests, findings and controls. Absent if they are unknown. */
  readonly readings?: readonly ReadingRecord[] | undefined;
  /** Entries that code refused. Absent if they are unknown. */
  readonly refusals?: readonly RefusedEntry[] | undefined;
  /** The tool results that seats can cite. Absent if there are none. */
  readonly sources?: readonly SourceRecord[] | undefined;
  /** What the leads wrote at the end of rounds. Absent in records that were read from a folder. */
  readonly closings?: readonly Closing[] | undefined;
  /** The Critic's attacks. Absent if their pages are unknown. */
  readonly attacks?: readonly Attack[] | undefined;
  /**
   * The roles that were asked for an objection in a round and named none. Absent in records that were
   * read from a folder.
   */
  readonly unobjecting?: readonly { readonly round: number; readonly role: Role }[] | undefined;
  /**
   * The numbers of the finished rounds. Absent if they are unknown; then all rounds from the
   * first to the last that has entries count as finished.
   */
  readonly completed?: readonly number[] | undefined;
}

/**
 * Returns for each role how many rounds it has led, in the order of the roles. The lead of a round proposes first and
 * decides at the end.
 * @param withStress whether to count rounds from which a role was left out on purpose
 */
export function countLeads({ leads, roles }: Records, withStress: boolean): number[] {
  const led = leads.filter(({ is_stress }) => withStress || !is_stress).map(({ lead }) => lead);
  return roles.map((role) => led.filter((lead) => lead === role).length);
}

/** Returns the roles that were left out of a stress round, in the order of the roles. */
export function findStressedRoles({ leads, roles }: Records): Role[] {
  const absent = new Set(
    leads.filter(({ is_stress }) => is_stress).map((lead) => lead.absent_agent),
  );
  return roles.filter((role) => absent.has(role));
}

/**
 * Returns how many different roles should each be absent from some stress round, so that it shows what is missing
 * without the role. The number is one less than that of the roles, but at least 1.
 */
export function countStressTarget({ roles }: Records): number {
  return Math.max(1, roles.length - 1);
}
