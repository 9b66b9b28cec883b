/** Adds a team's results to an exported run: requirements with evidence, tasks, and what became of them. */
import * as z from 'zod';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import { EFFORTS, REQUIREMENT_STATES, TIERS } from './facts.ts';
import { foldAllTeamFacts, TASK_STATES, type TaskView } from './fold.ts';
import { NEED_KINDS } from './forms/design.ts';
import { LEVELS, PATHS, taskSchema } from './forms/plan.ts';
import { CAUSES } from './forms/work.ts';

/** Returns the schema of a team's part of an exported run. */
export function describeTeam() {
  const words = z.array(z.string()).readonly();

  const requirement = z.object({
    id: z.string(),
    text: z.string(),
    proof: z.enum(['test', 'check', 'read']),
    state: z.enum(REQUIREMENT_STATES),
    evidence: words,
  });

  const workstream = z.object({
    id: z.string(),
    goal: z.string(),
    path: z.enum(PATHS),
    depends_on: words,
    covers: words,
  });

  const attempt = z.object({
    attempt: z.int().positive(),
    level: z.enum(LEVELS),
    effort: z.enum(EFFORTS),
    model: z.string(),
    /** Whether the attempt's last judged commit is green. Absent if none of its commits was judged. */
    green: z.boolean().optional(),
    why: words,
  });

  const task = taskSchema
    .pick({
      id: true,
      workstream: true,
      title: true,
      covers: true,
      depends_on: true,
      done_when: true,
    })
    .extend({
      files: words,
      brief: z.string(),
      state: z.enum(TASK_STATES),
      commit: z.string().optional(),
      why: z.string().optional(),
      attempts: z.array(attempt).readonly(),
    });

  const amendment = z.object({
    by: z.string(),
    kind: z.enum([...NEED_KINDS, 'brief', 'split', 'drop', 'order']),
    what: z.string(),
    why: z.string(),
    task: z.string().optional(),
    files: words,
  });

  const escalation = z.object({
    from: z.enum(TIERS),
    to: z.enum(['T3', 'T2', 'T1', 'person']),
    workstream: z.string(),
    task: z.string().optional(),
    cause: z.enum(CAUSES),
    why: z.string(),
  });

  return z
    .object({
      /** T1's answer, if no team was needed. */
      answer: z.string().optional(),
      base: z.string().optional(),
      requirements: z.array(requirement).readonly(),
      workstreams: z.array(workstream).readonly(),
      tasks: z.array(task).readonly(),
      amendments: z.array(amendment).readonly(),
      escalations: z.array(escalation).readonly(),
      delivered: z
        .object({
          how: z.enum(['branch', 'forward', 'request', 'kept', 'failed']),
          commit: z.string(),
          branch: z.string().optional(),
          url: z.string().optional(),
          next: z.string().optional(),
          why: z.string().optional(),
        })
        .optional(),
    })
    .optional();
}

/** Returns a team's part of an exported run; undefined if there is no plan. */
export function exportedTeam(facts: readonly AnyFact[]): z.infer<ReturnType<typeof describeTeam>> {
  const team = foldAllTeamFacts(facts);
  const { plan, survey, delivered } = team;
  if (plan === undefined) return undefined;
  return {
    ...(plan.no_team.trim() === '' ? {} : { answer: plan.no_team }),
    ...withoutUndefined({ base: survey?.base }),
    requirements: team.requirements,
    workstreams: plan.workstreams.map(({ id, goal, path, depends_on, covers }) => ({
      id,
      goal,
      path,
      depends_on,
      covers,
    })),
    tasks: team.tasks.map(taskOf),
    amendments: team.amendments.map(({ by, kind, what, why, task: of, files }) => ({
      by,
      kind,
      what,
      why,
      files,
      ...withoutUndefined({ task: of }),
    })),
    escalations: team.escalations.map(({ from, to, workstream: of, task: on, cause, why }) => ({
      from,
      to,
      workstream: of,
      cause,
      why,
      ...withoutUndefined({ task: on }),
    })),
    ...(delivered === undefined
      ? {}
      : {
          delivered: dropUndefined({
            how: delivered.how,
            commit: delivered.commit,
            branch: delivered.branch,
            url: delivered.url,
            next: delivered.next,
            why: delivered.why,
          }),
        }),
  };
}

function taskOf({ task, files, brief, state, commit, why, attempts }: TaskView) {
  const { id, workstream: of, title, covers, depends_on, done_when } = task;
  return dropUndefined({
    id,
    workstream: of,
    title,
    covers,
    depends_on,
    done_when,
    files,
    brief,
    state,
    commit,
    why,
    attempts: attempts.map(({ attempt: number, started, judged }) => {
      const last = judged.at(-1);
      const { level, effort, model } = started;
      return dropUndefined({
        attempt: number,
        level,
        effort,
        model,
        green: last?.green,
        why: last?.why ?? [],
      });
    }),
  });
}

function dropUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
