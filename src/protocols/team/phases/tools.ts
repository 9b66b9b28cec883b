/** Defines T4's additional tools: running a check by its id, and asking code for what the task needs. */
import type { ToolResult } from '../../../kernel/tools/tools.ts';
import { isRecord } from '../../../text/json.ts';
import { toLine } from '../../../text/line.ts';
import { fact } from '../facts.ts';
import { NEED_KINDS, type Need, needSchema } from '../forms/design.ts';
import { type NeedDecision, settleNeed } from '../rules/needs.ts';
import { checksOf, guardedOf } from '../rules/plan.ts';
import { endOf, runCheck, tellCheck } from './checks.ts';
import { lockedFiles } from './locked.ts';
import { type OwnTool, refuseToolCall } from './place.ts';
import type { Start, WorkState } from './state.ts';

/**
 * Returns the tool `check`, with which the implementer of a task runs one of the task's checks on
 * its unfinished work.
 */
export function checkTool({ team, ground }: WorkState, { id, attempt }: Start): OwnTool {
  const { task } = team.task(id);
  const checks = checksOf(ground.plan).filter(
    (planCheck) =>
      task.checks.includes(planCheck.id) && ground.base.some(({ check }) => check === planCheck.id),
  );
  const ids = checks.map((check) => check.id);
  return {
    info: {
      name: 'check',
      description:
        team.edition < 4
          ? 'Runs a check of this task on your tree as it is now, and gives what it printed.'
          : 'Runs a check of this task on your tree as it is now: says that it is green, or gives what it printed.',
      parameters: {
        type: 'object',
        properties: { id: { type: 'string', enum: ids, description: 'Which check' } },
        required: ['id'],
        additionalProperties: false,
      },
    },
    async use(key, given, tree) {
      const wanted = isRecord(given) ? given.id : undefined;
      const check = checks.find((check) => check.id === wanted);
      if (check === undefined)
        return refuseToolCall('check', `there is no such check; there are ${ids.join(', ')}`);
      const ran = await runCheck(team, key, ground.provision, check, {
        kind: 'asked',
        tree,
        task: id,
        attempt,
        workstream: task.workstream,
      });
      const told = tellCheck({ ...ran, check: check.id });
      const isTold = team.edition >= 4 && ran.exit === 0;
      return { about: told, text: isTold ? 'It is green.' : endOf(ran.output), from: 1 };
    },
  };
}

/**
 * Returns the tool `needs`, with which the implementer of a task asks for a file that the task does not
 * hold, or for something that only somebody else can decide, such as a changed test, another check or a
 * dependency. Code answers at once: it grants a file, refuses, or says that a tier above has to decide.
 */
export function needsTool(state: WorkState, { id, attempt }: Start): OwnTool {
  return {
    info: {
      name: 'needs',
      description:
        'Asks for what you need and do not have: a file that you do not hold, or a change, a check, a dependency or a decision that is not yours.',
      parameters: {
        type: 'object',
        properties: {
          kind: { type: 'string', enum: [...NEED_KINDS] },
          what: { type: 'string', description: 'Of a file: its path' },
          why: { type: 'string' },
        },
        required: ['kind', 'what', 'why'],
        additionalProperties: false,
      },
    },
    async use(key, given) {
      const read = needSchema.safeParse(given);
      if (!read.success) return refuseToolCall('needs', 'say kind, what and why');
      return answerTo(read.data, await decideAboutNeed(state, key, id, attempt, read.data));
    },
  };
}

/**
 * Decides about a need once and records the decision, since it depends on what other tasks hold at this
 * time.
 */
function decideAboutNeed(
  { team, ground, tests }: WorkState,
  key: string,
  id: string,
  attempt: number,
  need: Need,
): Promise<NeedDecision> {
  return team.act<NeedDecision>(key, { id, attempt, need }, () => {
    const value = settleNeed(need, team.task(id), {
      tasks: team.view.tasks,
      ordered: team.graph.ordered,
      guarded: guardedOf(ground.plan, ground.survey),
      locked: lockedFiles({ team, tests }),
      granted: team.view.amendments.filter(
        ({ task, by, kind }) => task === id && by === 'T4' && kind === 'file',
      ).length,
    });
    const { kind, what, why } = need;
    if ('grant' in value)
      return {
        value,
        facts: [
          fact('plan.amended', {
            by: 'T4',
            kind,
            what: toLine(what),
            why,
            task: id,
            files: [...value.grant],
          }),
        ],
      };
    const reason = 'refuse' in value ? value.refuse : value.above;
    return {
      value,
      facts: [fact('need.refused', { task: id, attempt, kind, what: toLine(what), why: reason })],
    };
  });
}

function answerTo({ what }: Need, settled: NeedDecision): ToolResult {
  if ('grant' in settled)
    return {
      about: toLine(what),
      text: `You hold ${settled.grant.join(', ')} from now on.`,
      from: 1,
    };
  if ('refuse' in settled) return refuseToolCall('needs', settled.refuse);
  return refuseToolCall(
    'needs',
    `${settled.above} Somebody above has to decide. Do without it if you can; else end as blocked and name it in needs.`,
  );
}
