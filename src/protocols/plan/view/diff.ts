/** What two plans say differently: how each stands, what was decided, and how the questions ended. Pure. */
import {
  arrow,
  type Change,
  type Compared,
  compare,
  comparedText,
  differences,
  diffText,
  modelLines,
  modelsOf,
} from '../../../plain/diff.ts';
import type { Recorded } from '../../../plain/protocol-text.ts';
import { planOf } from '../fold.ts';
import { type Planned, plannedOf } from './planned.ts';
import { endingOf, kindWords } from './wording.ts';

interface PlanDiff {
  /** Absent where both came to the same. */
  readonly state?: Change;
  /** By their place in the plan. */
  readonly decisions: Compared;
  readonly conflicts: Compared;
  readonly statements: Compared;
  /** Models of seats that differ. */
  readonly models: Readonly<Record<string, Change>>;
}

export function diffPlans(before: Recorded, after: Recorded): PlanDiff {
  const [old, now] = [before, after].map(({ view, facts }) => plannedOf(view, planOf(facts)));
  if (old === undefined || now === undefined) throw new Error('two runs are compared');
  const [from, to] = [stateOf(old), stateOf(now)];
  return {
    ...(from === to ? {} : { state: { from, to } }),
    decisions: compare(
      decisionsOf(old),
      decisionsOf(now),
      ({ text, from: cited }) => ({ text, from: cited.join(', ') }),
      ({ text }) => text,
    ),
    conflicts: compare(
      conflictsOf(old),
      conflictsOf(now),
      ({ question, ended }) => ({ question, ended }),
      ({ question, ended }) => `${question} (${ended})`,
    ),
    statements: compare(
      old.plan.statements,
      now.plan.statements,
      ({ text, state, ...one }) => ({ text, state, kind: kindWords(one) }),
      ({ text }) => text,
    ),
    models: differences(modelsOf(before.view, undefined), modelsOf(after.view, undefined)),
  };
}

export function planDiffText({
  state,
  decisions,
  conflicts,
  statements,
  models,
}: PlanDiff): string {
  return diffText([
    ...(state === undefined ? [] : [`State: ${arrow(state)}`]),
    ...comparedText('Decisions', decisions),
    ...comparedText('Conflicts', conflicts),
    ...comparedText('Statements', statements),
    ...modelLines(models),
  ]);
}

function stateOf({ plan }: Planned): string {
  return plan.written?.state ?? 'not written';
}

function decisionsOf({ plan }: Planned) {
  return (plan.written?.spec.decisions ?? []).map((one, index) => ({
    ...one,
    id: `decision ${index + 1}`,
  }));
}

function conflictsOf(planned: Planned) {
  return planned.plan.conflicts.map((one) => ({
    id: one.id,
    question: one.question,
    ended: endingOf(one, planned).brief,
  }));
}
