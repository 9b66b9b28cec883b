/**
 * Formats what a person reads beside a team's question and the question does not contain: the plan, what a
 * check printed, or how many requirements are met.
 */
import type { RunModel } from '../../../console/model/run-model.ts';
import type { GateView } from '../../../kernel/view.ts';
import { toLine } from '../../../text/line.ts';
import { estimateTiers } from '../estimate.ts';
import type { TeamView } from '../fold.ts';
import { forecastOf } from '../forecast.ts';
import { PROOFS_HEADING } from '../home-lines.ts';
import {
  collectMended,
  FAULTS_HEADING,
  formatArgv,
  formatFaults,
  MENDED_HEADING,
  type PlanCorrection,
  planLines,
} from '../plan-lines.ts';
import { findGuardedHeld, guardedOf } from '../rules/plan.ts';
import { sortRequirements } from './display-state.ts';
import { getTeamDisplay, teamIn } from './part.ts';
import { formatRequirementCount } from './status.ts';
import { formatCheckEnd, REQUIREMENT_SIGNS, shortenEvidence } from './wording.ts';

/** How many lines of a check's output are shown. */
const PRINTED = 6;

/**
 * Returns the lines that the console shows beside a team's question; empty if the question contains
 * everything.
 */
export function formatBesideQuestion(gate: GateView, runModel: RunModel): string[] {
  const { view: team } = teamIn(runModel);
  const [phase, what] = gate.step.split('/');
  switch (phase) {
    case 'approve':
      return planOf(gate, runModel);
    case 'base':
      return what === 'not-started' ? printedLines(team) : [];
    case 'task':
      return requirementLines(team);
    case 'deliver':
      return deliveryLines(gate, team);
    default:
      return [];
  }
}

/**
 * Returns what the question about the plan leaves out of the plan. A question of several lines contains the
 * plan itself; for an old question of one line, the whole plan is returned.
 */
function planOf({ prompt }: GateView, runModel: RunModel): string[] {
  const { team, config } = getTeamDisplay(runModel);
  const { plan, planned, survey } = team;
  if (plan === undefined) return [];
  const found = planned.findLast(({ refused }) => refused.length === 0)?.found ?? [];
  const mended = collectMended(planned);
  if (prompt.includes('\n')) {
    const listUntold = (heading: string, faults: readonly PlanCorrection[]): string[] => {
      const untold = formatFaults(faults)
        .map(toLine)
        .filter((row) => !prompt.includes(row));
      return untold.length === 0 ? [] : [heading, ...untold.map((row) => `  ${row}`)];
    };
    return [...listUntold(FAULTS_HEADING, found), ...listUntold(MENDED_HEADING, mended)];
  }
  const { question, seats } = runModel.view;
  const prices = config === undefined ? [] : estimateTiers(plan, question, seats, config, survey);
  const forecast = config && forecastOf(plan, question, seats, config, survey);
  const tasks = plan.workstreams.flatMap(({ task }) => task ?? []);
  const held = survey === undefined ? [] : findGuardedHeld(tasks, guardedOf(plan, survey));
  return planLines(plan, {
    survey,
    found,
    mended,
    prices,
    forecast,
    held,
    provided: config?.provide ?? [],
    edition: config?.version ?? 1,
  });
}

/** Returns the output of checks that cannot start. */
function printedLines({ checks }: TeamView): string[] {
  const last = new Map(
    checks
      .filter(({ kind, ended }) => kind === 'base' && ended === 'not-started')
      .map((check) => [check.check, check]),
  );
  return [...last.values()].flatMap((check) => [
    `${toLine(check.check)}: ${formatCheckEnd(check)}`,
    `  ${formatArgv(check.argv)}`,
    ...check.output
      .split('\n')
      .filter((row) => row.trim() !== '')
      .slice(-PRINTED)
      .map((row) => `  ${toLine(row)}`),
  ]);
}

/**
 * Returns the lines below the question about delivery. Leaves out what proves each requirement if the
 * question itself says so.
 */
function deliveryLines({ prompt }: GateView, team: TeamView): string[] {
  const beyond = team.accepted.at(-1)?.acceptance?.beyond_goal ?? [];
  const hasProofs = prompt.includes(`\n${PROOFS_HEADING}\n`);
  return [
    ...(hasProofs ? [] : [...proofLines(team), '']),
    `Tasks: ${team.tasks.map(({ task, state }) => `${toLine(task.id)} (${state})`).join(', ')}`,
    ...beyond.map(({ path, what }) => `Beyond the goal: ${toLine(path)}: ${toLine(what)}`),
  ];
}

function requirementLines(team: TeamView): string[] {
  return [formatRequirementCount(team), ...proofLines(team)];
}

function proofLines(team: TeamView): string[] {
  return sortRequirements(team).flatMap(({ id, state, text, evidence }) => [
    `  ${REQUIREMENT_SIGNS[state]} ${id} ${state}: ${toLine(text)}`,
    ...(evidence.length === 0 ? [] : [`    by ${evidence.map(shortenEvidence).join('; ')}`]),
  ]);
}
