/**
 * Tests agent graphs with the real program and models over loopback. The server's own log decides what was
 * asked and what it cost.
 */
import { describe, expect, it } from 'vitest';
import { isCall } from '../../src/kernel/call.ts';
import { estimatePrompt } from '../../src/kernel/tokens.ts';
import { addSpent, NO_SPENDING } from '../../src/kernel/usage.ts';
import { type AgentView, agentsOf } from '../../src/protocols/agents/fold.ts';
import type { Fact } from '../every-fact.ts';
import { listFactsOfType } from '../kernel/desk.ts';
import { LONG } from '../long.ts';
import { type OllamaServer, type RecordedRequest, startOllama } from '../servers/index.ts';
import { type AgentGraph, answerOf, GRAPHS, rootOf, writeAgents } from './agent-graphs.ts';
import { runDeliberate } from './calls.ts';
import { factsIn } from './deliberators.ts';
import { Program } from './program.ts';
import { closeAfterTest, makeDatabasePath, makeFolder } from './scene.ts';

interface Stage {
  readonly server: OllamaServer;
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly db: string;
}

async function makeStage(graph: AgentGraph, tokensPerSecond = 0): Promise<Stage> {
  const { agents, behaves = {} } = graph;
  const server = closeAfterTest(
    await startOllama({
      models: Object.keys(agents),
      answer: answerOf(graph),
      behaviours: behaves,
      tokensPerSecond,
    }),
  );
  const db = makeDatabasePath();
  return {
    server,
    db,
    env: { OLLAMA_HOST: server.url, DELIBERATE_DB: db },
    args: [
      ...['agent', rootOf(graph), '--agents', writeAgents(makeFolder(), graph)],
      ...['--seed', '7', '--json', '--quiet', 'Should we split the monolith?'],
    ],
  };
}

/**
 * Sums up what the server was sent: as it counts answered requests, and as estimated for requests whose
 * answer broke off.
 */
function sentTo(server: OllamaServer, { behaves = {} }: AgentGraph): Sent {
  const chats = server.chats();
  const sumRequests = (
    countTokens: (request: RecordedRequest) => number,
    asked: readonly RecordedRequest[],
  ): number => asked.reduce((all, request) => all + countTokens(request), 0);
  return {
    counted: sumRequests(
      ({ body }) => Math.ceil(JSON.stringify(body?.messages).length / 4),
      chats.filter(({ model }) => behaves[model] === undefined),
    ),
    estimated: sumRequests(
      ({ body }) => estimateOf((body?.messages ?? []) as readonly Told[]),
      chats.filter(({ model }) => behaves[model] === 'stall-mid-stream'),
    ),
  };
}

interface Sent {
  readonly counted: number;
  readonly estimated: number;
}

interface Told {
  readonly role: string;
  readonly content: string;
}

function estimateOf(messages: readonly Told[]): number {
  const pickMessages = (wanted: boolean): Told[] =>
    messages.filter(({ role }) => (role === 'system') === wanted);
  return estimatePrompt(
    pickMessages(true)
      .map(({ content }) => content)
      .join('\n\n'),
    pickMessages(false).map(({ content }) => ({ role: 'user', parts: [{ text: content }] })),
  );
}

/** Sums up the same by the record: what calls say they cost, and which of these figures are estimates. */
function recordedIn(facts: readonly Fact[]): Sent {
  const sumInputs = (estimated: boolean): number =>
    facts
      .filter(isCall)
      .filter(({ usage }) => (usage.estimated ?? false) === estimated)
      .reduce((all, { usage }) => all + usage.input, 0);
  return { counted: sumInputs(false), estimated: sumInputs(true) };
}

function attemptsIn(facts: readonly Fact[]): number {
  return facts.filter(isCall).reduce((sum, fact) => sum + fact.attempts, 0);
}

function rootIn(facts: readonly Fact[]): AgentView {
  const { root = '', agents } = agentsOf(facts);
  return agents[root] ?? expect.fail('no agent began');
}

function expectEnding(graph: AgentGraph, code: number | null, facts: readonly Fact[]): void {
  const root = rootIn(facts);
  expect({
    status: listFactsOfType(facts, 'run.ended').at(-1)?.status,
    root: root.state,
    code,
  }).toEqual({
    status: graph.ends,
    root: graph.ends,
    code: graph.ends === 'done' ? 0 : 1,
  });
  expect(root.answeredBy).toBe(graph.answeredBy);
  if (graph.failurePattern) expect(root.reason).toMatch(graph.failurePattern);
}

/**
 * Checks that every agent's sum is that of its own calls and of the agents below it, and is what its last
 * fact says.
 */
function addsUp(facts: readonly Fact[]): void {
  const { agents } = agentsOf(facts);
  for (const agent of Object.values(agents)) {
    const below = agent.children.map((path) => agents[path]?.all ?? NO_SPENDING);
    expect(agent.all, agent.path).toEqual(below.reduce(addSpent, agent.own));
    const { calls, usage, costUsd, unpriced } =
      listFactsOfType(facts, 'agent.completed').findLast(({ path }) => path === agent.path) ??
      expect.fail(`${agent.path} never ended`);
    expect({ calls, usage, costUsd, unpriced }, agent.path).toEqual(agent.all);
  }
}

describe.each(GRAPHS.map((graph, index) => ({ ...graph, index })))(
  'the agent graph $name',
  (graph) => {
    /** The final answer of the first test's run, which nobody kills; absent until this run has ended. */
    let undisturbed: string | undefined;

    it('ends in the expected state after the expected number of requests, and records the tokens that the server was sent', async () => {
      const { server, env, args, db } = await makeStage(graph);
      const { code } = await runDeliberate(args, { env });
      const facts = factsIn(db);
      expectEnding(graph, code, facts);
      expect(server.chats()).toHaveLength(graph.requests);
      expect(attemptsIn(facts)).toBe(graph.requests);
      const sent = sentTo(server, graph);
      expect(recordedIn(facts)).toEqual(sent);
      const { usage } = rootIn(facts).all;
      expect(usage.input).toBe(sent.counted + sent.estimated);
      expect(usage.estimated ?? false).toBe(sent.estimated > 0);
      addsUp(facts);
      undisturbed = rootIn(facts).text;
    });

    // Unless the long tests are wanted, run every third graph only: all graphs share the tested behavior.
    it.runIf(LONG || graph.index % 3 === 0)(
      'continues after kill -9 without repeating a recorded call',
      async () => {
        const { server, env, args, db } = await makeStage(graph, 40);
        const program = new Program(args, { env });
        await server.waitForChat(Math.max(2, Math.ceil(graph.requests / 2)));
        program.child.kill('SIGKILL');
        await program.ended;
        const before = attemptsIn(factsIn(db));
        const asked = server.chats().length;
        const { code } = await runDeliberate(['resume', 'latest', '--json', '--quiet'], { env });
        const facts = factsIn(db);
        expectEnding(graph, code, facts);
        // The server got the request of each recorded call once. Only calls that were running at the kill
        // were sent again.
        expect(server.chats()).toHaveLength(attemptsIn(facts) + asked - before);
        const steps = listFactsOfType(facts, 'call.completed').map(({ step }) => step);
        expect(new Set(steps).size).toBe(steps.length);
        expect(rootIn(facts).text).toBe(undisturbed);
        addsUp(facts);
      },
    );
  },
);
