/** Checks T1's decision to accept or reject the work against the verdicts and evidence on record. */

import { matchesGlob } from '../../../text/globs.ts';
import { joinLines } from '../../../text/line.ts';
import type { TeamView } from '../fold.ts';
import type { Acceptance } from '../forms/work.ts';

/** A citation of evidence with fewer characters is too short to tell which evidence is meant. */
const LEAST = 4;

const PATHS_WITH = {
  T2: ['T2-T5'],
  T3: ['T2-T5', 'T3-T5'],
  T4: ['T2-T5', 'T3-T5', 'T4-T5'],
} as const;

/**
 * Returns a sentence for each reason why code refuses T1's decision to accept or reject the work; an empty
 * list means that the decision is valid. Code refuses, for example, a decision that leaves a requirement out,
 * accepts although a requirement is not met, cites unknown evidence, or sends work back to a tier, workstream
 * or task that does not exist.
 */
export function problemsInAcceptance(acceptance: Acceptance, team: TeamView): readonly string[] {
  const accepts = acceptance.decision === 'accept';
  const known = new Map(team.requirements.map((requirement) => [requirement.id, requirement]));
  const said = new Map(acceptance.requirements.map((requirement) => [requirement.id, requirement]));
  return [
    ...(accepts && known.size === 0 ? ['There is no requirement that it could meet.'] : []),
    ...[...known.values()].flatMap(({ id, state }) => {
      if (!said.has(id)) return [`${id} is left out.`];
      return accepts && state !== 'met' ? [`${id} is ${state}: it can't be accepted.`] : [];
    }),
    ...acceptance.requirements.flatMap(({ id, met, evidence }) => {
      const requirement = known.get(id);
      if (requirement === undefined) return [`There is no requirement ${id}.`];
      if (met === 'no') return accepts ? [`It accepts, and says that ${id} is not met.`] : [];
      if (requirement.state !== 'met')
        return [`${id} is said to be met and is ${requirement.state}.`];
      if (evidence.length === 0) return [`${id} is said to be met, and nothing is cited.`];
      return evidence
        .filter((citation) => citedIn(citation, requirement) === undefined)
        .map(
          (citation) => `${id}: ${JSON.stringify(citation.slice(0, 120))} is none of its evidence.`,
        );
    }),
    ...(acceptance.requirements.length > said.size ? ['It names a requirement twice.'] : []),
    ...problemsInReject(acceptance, team),
  ];
}

function problemsInReject({ decision, reject }: Acceptance, team: TeamView): string[] {
  if (decision === 'accept')
    return reject === null ? [] : ['It accepts and rejects. Leave one of the two out.'];
  if (reject === null) return ['It rejects and does not say to which tier.'];
  const { tier, workstream, tasks, reason } = reject;
  const stream = team.plan?.workstreams.find(({ id }) => id === workstream);
  if (stream === undefined) return [`There is no workstream ${workstream}.`];
  const own = new Set(
    team.tasks.filter(({ task }) => task.workstream === workstream).map(({ task }) => task.id),
  );
  const paths: readonly string[] = PATHS_WITH[tier];
  return [
    ...(paths.includes(stream.path)
      ? []
      : [`Workstream ${workstream} goes by ${stream.path} and has no ${tier}.`]),
    ...tasks
      .filter((id) => !own.has(id))
      .map((id) => `Workstream ${workstream} has no task ${id}.`),
    ...(tier === 'T4' && tasks.length === 0 ? ['It rejects to T4 and names no task.'] : []),
    ...(reason.trim() === '' ? ['It rejects and gives no reason.'] : []),
  ];
}

/**
 * Returns the id by which a decision cites a piece of evidence, such as `R1.2`.
 * @param at the position of the evidence in its requirement's list, from 0
 */
export function evidenceId(requirement: string, at: number): string {
  return `${requirement}.${at + 1}`;
}

/**
 * Returns the evidence that is cited by its id, its whole text or a part of its text; undefined if none is.
 */
function citedIn(
  cited: string,
  { id, evidence }: Pick<TeamView['requirements'][number], 'id' | 'evidence'>,
): string | undefined {
  return (
    evidence.find((_one, at) => cited.trim() === evidenceId(id, at)) ??
    evidence.find((entry) => isOf(cited, entry))
  );
}

/**
 * Replaces each citation in a decision (the id of a piece of evidence, or a part of its text) by the whole
 * text of the evidence, so that the record can be read without the prompt. Unknown citations stay.
 */
export function withEvidence(acceptance: Acceptance, team: TeamView): Acceptance {
  return {
    ...acceptance,
    requirements: acceptance.requirements.map((requirement) => {
      const known = team.requirements.find(({ id }) => id === requirement.id);
      const evidence = requirement.evidence.map(
        (cited) => (known && citedIn(cited, known)) ?? cited,
      );
      return { ...requirement, evidence };
    }),
  };
}

function isOf(cited: string, evidence: string): boolean {
  const words = joinLines(cited);
  return words.length >= LEAST && evidence.replace(/\s+/g, ' ').includes(words);
}

/**
 * Returns the changed files that count as work beyond the goal: those that no task with a requirement holds
 * (dropped tasks do not count), except acceptance tests and locked tests of verifiers.
 */
export function findFilesBeyondGoal(team: TeamView, files: readonly string[]): readonly string[] {
  const known = new Set(team.requirements.map(({ id }) => id));
  const held = team.tasks
    .filter(({ task, state }) => state !== 'dropped' && task.covers.some((id) => known.has(id)))
    .flatMap((task) => task.files);
  const tests = [
    ...team.tests.flatMap((testSet) => testSet.files),
    ...team.locked.map(({ path }) => path),
  ];
  return files.filter((file) => !matchesGlob(file, held) && !tests.includes(file));
}
