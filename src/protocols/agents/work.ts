/**
 * Runs one agent: asks its advisors, produces the agent's own answer (in a session, by routing, or with its
 * team), and hands the answer off if the agent's file says so. The agents below it are run by the same
 * function over `run.scope(…)` of the same run, so that all share one log, one budget and one stop.
 *
 * An agent's path (`lead/advisors/risk`) is the prefix of its steps. The fold sums figures from the calls
 * below a prefix, not from what agents report. The settings hold the graph with all names resolved, so a run
 * reads no file again. Cycles are found when files are read (`graph.ts`); a maximum depth of 32 is the last
 * guard.
 *
 * A failed run that is resumed repeats the calls that failed it (`agent.completed.failedSteps`), and leaves
 * failures alone that were tolerated. A team's discussion only grows at its end. Past 24 thousand tokens, or
 * earlier with a smaller context window, its earliest messages are shortened (`discussion.ts`); the prompt
 * and a fact say so.
 */

import type { Reply } from '../../kernel/call.ts';
import { makeNonce } from '../../kernel/chance.ts';
import { entryOf } from '../../kernel/entry.ts';
import { failureLabel } from '../../kernel/errors.ts';
import type { Run } from '../../kernel/handle.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import { askWithTools } from '../common/asking/asking.ts';
import {
  type AgentRun,
  type Answer,
  type Form,
  makeStepPart,
  seatAt,
  type Task,
} from './agent-run.ts';
import { fact } from './facts.ts';
import type { Advisors, Router, Team } from './graph.ts';
import {
  type Advice,
  addAdvice,
  addRouting,
  formatHandoffInput,
  routeSchema,
  routeTask,
} from './prompts.ts';
import { holdTeam, type Speakers } from './team.ts';

/** The deepest chain of agents. Cycles are found when files are read; this is a last guard. */
const MOST_DEEP = 32;

/**
 * Runs one agent with its advisors, router, team and handoff. Resolves to its answer, or to the reason why there is
 * none.
 * @param run the run, limited to the steps of this agent
 */
export async function runAgent(agentRun: AgentRun, run: Run, task: Task): Promise<Answer> {
  const { agent, path, why, parent, cycle } = task;
  const { advisors, router, team, handoff } = entryOf(agentRun.graph, agent) ?? {};
  const start = {
    path,
    agent,
    pattern: router ? 'router' : team ? 'team' : 'session',
    why,
    advisors: advisors?.agents ?? [],
    ...withoutUndefined({ parent, handoff, cycle }),
  } as const;
  await run.step('start', start, ({ emit }) => emit(fact('agent.started', start)));
  const answer = await performTask(agentRun, run, task);
  await recordEnd(run, task, answer);
  return answer;
}

/** Records the agent's last fact, with the usage of it and all agents below. */
function recordEnd(run: Run, { agent, path }: Task, answer: Answer): Promise<unknown> {
  return run.step('end', answer, ({ emit }) => {
    const { calls, usage, costUsd, unpriced } = run.spent();
    emit(
      fact('agent.completed', {
        path,
        agent,
        status: answer.status,
        ...(answer.status === 'done'
          ? { text: answer.text, answeredBy: answer.answeredBy, failedSteps: [] }
          : { text: '', reason: answer.reason, failedSteps: [...answer.failedSteps] }),
        calls,
        usage,
        costUsd,
        unpriced,
      }),
    );
  });
}

async function performTask(agentRun: AgentRun, run: Run, task: Task): Promise<Answer> {
  const { agent, lineage } = task;
  const links = entryOf(agentRun.graph, agent);
  if (links === undefined) return makeFailure(`there is no agent ${agent}`);
  if (lineage.length > MOST_DEEP)
    return makeFailure(
      `agents lead to one another without end: ${lineage.slice(-4).join(' → ')} → …`,
    );
  const { advisors, router, team, handoff } = links;
  const heard = advisors ? await hearAdvisors(agentRun, run, task, advisors) : task.input;
  if (typeof heard !== 'string') return heard;
  const answer = router
    ? await letRouterChoose(agentRun, run, task, router, heard)
    : team
      ? await runTeam(agentRun, run, task, team, heard)
      : await callAgent(agentRun, run, task, heard, task.form);
  if (answer.status !== 'done' || handoff === undefined) return answer;
  return handOff(agentRun, run, task, handoff, answer.text);
}

/**
 * Makes one call of the agent itself.
 * @param key the step below the agent's path
 */
async function callAgent(
  agentRun: AgentRun,
  run: Run,
  { agent, path, why, about }: Task,
  input: string,
  form: Form | undefined,
  key = 'call',
): Promise<Answer> {
  const step = `${path}/${key}`;
  // The key of the latest call, which a failure names as the call to try again. An agent with tools makes several.
  let last = step;
  // The supervisor gets no tools, because its turn only weighs what the members said.
  const tools = form === undefined ? entryOf(agentRun.graph, agent)?.tools : [];
  const reply = await askWithTools(
    run,
    key,
    {
      task: form ? 'agent/supervise' : why === 'member' ? 'agent/member' : 'agent/answer',
      about: form?.about ?? about,
      seat: seatAt(agentRun, agent, step),
      messages: [
        {
          role: 'user',
          parts: form ? [{ text: input, stable: true }, { text: form.task }] : [{ text: input }],
        },
      ],
      schema: form?.schema,
      seed: agentRun.config.seed,
    },
    {
      tools,
      again: (key) => {
        last = `${path}/${key}`;
        return agentRun.retry.has(last);
      },
    },
  );
  if (reply.status === 'failed')
    return { ...makeFailure(whyNot(reply), [last]), window: reply.window };
  if (reply.status === 'stopped') return makeFailure(whyNot(reply), [last]);
  const { text, value } = reply;
  const words = form?.wordsOf === undefined ? text : form.wordsOf(value);
  return { status: 'done', text: words.trim(), answeredBy: agent, ...(value ? { value } : {}) };
}

/** Returns the input with the advisors' findings, or a failure if too few of them answered. */
async function hearAdvisors(
  agentRun: AgentRun,
  run: Run,
  task: Task,
  { agents, required, timeoutMs }: Advisors,
): Promise<string | Answer> {
  const heard = await Promise.all(
    agents.map(async (advisor) => {
      const asked = taskBelow(task, 'advisors', advisor, 'advisor', task.input);
      const name = `advisors/${makeStepPart(advisor)}`;
      if (timeoutMs === undefined)
        return { asked, answer: await runAgent(agentRun, run.scope(name), asked) };
      const answer = await run.within(
        name,
        timeoutMs,
        (limited) => runAgent(agentRun, limited, asked),
        {
          again: agentRun.retry.has(asked.path),
        },
      );
      if (answer !== undefined) return { asked, answer };
      const reason = `no answer within ${timeoutMs / 1000} s`;
      const late: Answer = { status: 'timed-out', reason, failedSteps: [asked.path] };
      await recordEnd(run.scope(name), asked, late);
      return { asked, answer: late };
    }),
  );
  await run.step(
    'advice',
    heard.map(({ answer }) => answer),
    ({ emit }) => {
      for (const { asked, answer } of heard)
        emit(
          fact('advice.given', {
            path: task.path,
            advisor: asked.agent,
            from: asked.path,
            status: answer.status,
            ...(answer.status === 'done' ? {} : { reason: answer.reason }),
          }),
        );
    },
  );
  const missing = heard.flatMap(({ asked, answer }) =>
    answer.status === 'done' ? [] : [{ advisor: asked.agent, ...answer }],
  );
  const wanted = required === 'all' ? agents.length : required === 'any' ? 1 : required;
  const there = agents.length - missing.length;
  if (there < wanted)
    return makeFailure(
      `${there} of ${agents.length} advisors answered, ${wanted} must (${missing
        .map(({ advisor, reason }) => `${advisor}: ${reason}`)
        .join('; ')})`,
      missing.flatMap(({ failedSteps }) => failedSteps),
    );
  const advice = heard.map(
    ({ asked: { agent: advisor }, answer }): Advice =>
      answer.status === 'done'
        ? { advisor, text: answer.text }
        : { advisor, missing: answer.reason },
  );
  const { seed, attachments } = agentRun.config;
  return addAdvice(task.input, advice, makeNonce(seed, `${task.path}/advice`), attachments);
}

/** Lets the router choose an agent, and lets the chosen agent answer. */
async function letRouterChoose(
  agentRun: AgentRun,
  run: Run,
  task: Task,
  { destinations, mayAnswer }: Router,
  input: string,
): Promise<Answer> {
  const { agent, path, about } = task;
  const step = `${path}/route`;
  const names = [...destinations, ...(mayAnswer ? [agent] : [])];
  const schema = routeSchema(names);
  const choices = destinations.map((name) => ({
    name,
    description: entryOf(agentRun.graph, name)?.description ?? '',
  }));
  const reply = await run.ask(
    'route',
    {
      task: 'agent/route',
      about: { ...about, items: names },
      seat: seatAt(agentRun, agent, step),
      messages: [
        {
          role: 'user',
          parts: [
            { text: input, stable: true },
            { text: routeTask(choices, mayAnswer ? agent : undefined) },
          ],
        },
      ],
      schema,
      seed: agentRun.config.seed,
    },
    {
      again: agentRun.retry.has(step),
      conclude: (reply) => {
        if (reply.status !== 'done') return [];
        const { agent: choice, ...said } = schema.parse(reply.value);
        return [fact('route.chosen', { path, agent, choice, ...said })];
      },
    },
  );
  if (reply.status !== 'done') {
    const stray = strayChoice(reply, names);
    return makeFailure(
      stray === undefined
        ? whyNot(reply)
        : `it chose "${stray}", which is none of its destinations (${destinations.join(', ')})`,
      [step],
    );
  }
  const { agent: choice, message } = schema.parse(reply.value);
  if (choice === agent) return callAgent(agentRun, run, task, input, undefined);
  const passed =
    message === undefined || message.trim() === ''
      ? input
      : addRouting(input, agent, message, makeNonce(agentRun.config.seed, `${path}/message`));
  return runAgent(agentRun, run.scope(`routed/${makeStepPart(choice)}`), {
    ...taskBelow(task, 'routed', choice, 'routed', passed),
    request: task.request,
  });
}

/**
 * Returns the agent that a router named in its last answer, if the router could not choose this
 * agent. Otherwise returns undefined.
 */
function strayChoice(reply: Reply, known: readonly string[]): string | undefined {
  if (reply.status !== 'failed' || reply.code !== 'invalid-output') return undefined;
  const choice = /"agent"\s*:\s*"([^"\\]{1,80})"/.exec(reply.text)?.[1];
  return choice === undefined || known.includes(choice) ? undefined : choice;
}

/** Lets the agent's team discuss. The agent itself or another one supervises. */
function runTeam(
  agentRun: AgentRun,
  run: Run,
  task: Task,
  team: Team,
  input: string,
): Promise<Answer> {
  const { agent } = task;
  const { supervisor } = team;
  const inTeam = run.scope('team');
  const speakers: Speakers = {
    member: (member, cycle, message, about) =>
      runAgent(agentRun, inTeam.scope(`cycle-${cycle}/members/${makeStepPart(member)}`), {
        ...taskBelow(task, `team/cycle-${cycle}/members`, member, 'member', message),
        about: { ...task.about, ...about },
        cycle,
      }),
    supervise: (cycle, turn, message, form) => {
      const place = `cycle-${cycle}/${turn}`;
      if (supervisor === agent)
        return callAgent(agentRun, run, task, message, form, `team/${place}/call`);
      return runAgent(agentRun, inTeam.scope(`${place}/${makeStepPart(supervisor)}`), {
        ...taskBelow(task, `team/${place}`, supervisor, 'supervisor', message),
        cycle,
        form,
      });
    },
  };
  const brief = agentRun.seats.get(agent)?.brief ?? '';
  const description = entryOf(agentRun.graph, agent)?.description ?? '';
  return holdTeam(agentRun, inTeam, task, {
    team,
    input,
    instructions: supervisor === agent ? description : brief,
    speakers,
  });
}

async function handOff(
  agentRun: AgentRun,
  run: Run,
  task: Task,
  to: string,
  response: string,
): Promise<Answer> {
  const { agent, path, request } = task;
  const fence = makeNonce(agentRun.config.seed, `${path}/handoff`);
  const input = formatHandoffInput(request, agent, response, fence, agentRun.config.attachments);
  const next = { ...taskBelow(task, 'handoff', to, 'handed-off', input), request };
  await run.step('handoff', { to, response }, ({ emit }) =>
    emit(fact('handoff.made', { path, from: agent, to })),
  );
  return runAgent(agentRun, run.scope(`handoff/${makeStepPart(to)}`), next);
}

type Failure = Extract<Answer, { status: 'failed' | 'timed-out' }>;

/**
 * Returns the task of an agent below. The input also becomes the original request (`request`) of
 * the new task.
 */
function taskBelow(
  { path, lineage, about }: Task,
  place: string,
  agent: string,
  why: Task['why'],
  input: string,
): Task {
  return {
    agent,
    path: `${path}/${place}/${makeStepPart(agent)}`,
    input,
    request: input,
    why,
    parent: path,
    about,
    lineage: [...lineage, agent],
  };
}

function makeFailure(reason: string, failedSteps: readonly string[] = []): Failure {
  return { status: 'failed', reason, failedSteps };
}

function whyNot(reply: Reply): string {
  if (reply.status === 'failed')
    return `${failureLabel(reply.code) ?? reply.code}: ${reply.message}`;
  return 'it was stopped';
}
