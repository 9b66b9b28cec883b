/**
 * Agent graphs in files as a person writes them, with scripted models. Every agent has a model of its own
 * name on an Ollama server, so that the requests to the server show which agents were called.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { computeDigest } from '../../src/kernel/digest.ts';
import type { Behaviours, RecordedRequest } from '../servers/index.ts';
import { promptOf } from './deliberators.ts';

/** A graph of agents, and how a run of it ends. */
export interface AgentGraph {
  /** What the graph shows, as a part of the names of tests. */
  readonly name: string;
  /** The frontmatter of each agent without name and model. The first agent is the root. */
  readonly agents: Readonly<Record<string, string>>;
  /**
   * The answers of agents whose answers matter, by agent. `cycle` is the number of the turn in a team; 0
   * outside of teams.
   */
  readonly says?: Readonly<Record<string, (prompt: string, cycle: number) => string>>;
  /** What the server of an agent's model does instead of answering well, by agent. */
  readonly behaves?: Readonly<Record<string, Behaviours>>;
  /** How many requests the run makes in all, including failed ones. */
  readonly requests: number;
  /** The status with which the run ends. */
  readonly ends: 'done' | 'failed';
  /** The agent whose answer is the answer of the run. Absent if the run fails. */
  readonly answeredBy?: string;
  /** Matches the reason why a run fails. */
  readonly failurePattern?: RegExp;
}

const routeTo = (agent: string) => () => JSON.stringify({ agent, reason: 'it fits best' });
const superviseUntil = (last: number) => (_prompt: string, cycle: number) =>
  JSON.stringify(
    cycle < last
      ? { action: 'broadcast', text: `After cycle ${cycle} we look at part ${cycle * 7} alone.` }
      : { action: 'report', text: `What we found in ${cycle} cycles.` },
  );
const concludeFrom = (from: number) => (prompt: string, cycle: number) =>
  `My view ${computeDigest(prompt)}.\nVOTE: ${cycle < from ? 'continue' : 'conclude'}`;
const makeTeam = (members: readonly string[], more = '') =>
  `team:\n  members: [${members.join(', ')}]\n${more}`;
/** A failure after which the program makes no retry. */
const REFUSES = { status: 400, message: 'not today' };
const SIX = ['a', 'b', 'c', 'd', 'e', 'f'];
const makeLoneAgents = (...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, '']));

/** The graphs that tests run: every pattern, alone and combined, and its failures. */
export const GRAPHS: readonly AgentGraph[] = [
  {
    name: 'handoff, a single hop',
    agents: { writer: 'handoff: editor', editor: '' },
    requests: 2,
    ends: 'done',
    answeredBy: 'editor',
  },
  {
    name: 'handoff, a chain of four',
    agents: { a: 'handoff: b', b: 'handoff: c', c: 'handoff: d', d: '' },
    requests: 4,
    ends: 'done',
    answeredBy: 'd',
  },
  {
    name: 'handoff, whose first agent fails',
    agents: { writer: 'advisors: [tip]\nhandoff: editor', ...makeLoneAgents('tip', 'editor') },
    behaves: { writer: REFUSES },
    requests: 2,
    ends: 'failed',
    failurePattern: /request rejected/,
  },
  {
    name: 'router, which chooses',
    agents: {
      desk: 'router:\n  destinations: [billing, legal]',
      ...makeLoneAgents('billing', 'legal'),
    },
    says: { desk: routeTo('legal') },
    requests: 2,
    ends: 'done',
    answeredBy: 'legal',
  },
  {
    name: 'router, which answers itself',
    agents: {
      desk: 'router:\n  destinations: [billing]\n  mayAnswer: true',
      ...makeLoneAgents('billing'),
    },
    says: {
      desk: (prompt) =>
        prompt.includes('Do not answer the request') ? routeTo('desk')() : 'I can tell you that.',
    },
    requests: 2,
    ends: 'done',
    answeredBy: 'desk',
  },
  {
    name: 'router, which fails',
    agents: {
      desk: 'advisors: [tip]\nrouter:\n  destinations: [billing]',
      ...makeLoneAgents('tip', 'billing'),
    },
    behaves: { desk: REFUSES },
    requests: 2,
    ends: 'failed',
    failurePattern: /request rejected/,
  },
  {
    name: 'router, which chooses well when asked again',
    agents: { desk: 'router: {destinations: [billing]}', ...makeLoneAgents('billing') },
    says: {
      desk: (prompt) =>
        routeTo(prompt.includes('does not have the right form') ? 'billing' : 'accounts')(),
    },
    requests: 3,
    ends: 'done',
    answeredBy: 'billing',
  },
  {
    name: 'router, which chooses an agent that is none of its destinations',
    agents: {
      desk: 'advisors: [tip]\nrouter: {destinations: [billing, legal]}',
      ...makeLoneAgents('tip', 'billing', 'legal'),
    },
    says: { desk: routeTo('accounts') },
    requests: 3,
    ends: 'failed',
    failurePattern: /chose "accounts", which is none of its destinations \(billing, legal\)/,
  },
  {
    name: 'advisors, all of whom answer',
    agents: { lead: 'advisors: [law, risk, cost]', ...makeLoneAgents('law', 'risk', 'cost') },
    requests: 4,
    ends: 'done',
    answeredBy: 'lead',
  },
  {
    name: 'advisors, one of whom fails',
    agents: { lead: 'advisors: [law, risk, cost]', ...makeLoneAgents('law', 'risk', 'cost') },
    behaves: { risk: REFUSES },
    requests: 4,
    ends: 'done',
    answeredBy: 'lead',
  },
  {
    name: 'advisors, one of whom takes too long',
    agents: {
      lead: 'advisors: [law, risk]\nadvisorTimeout: 1500ms',
      ...makeLoneAgents('law', 'risk'),
    },
    behaves: { risk: 'stall-mid-stream' },
    requests: 3,
    ends: 'done',
    answeredBy: 'lead',
  },
  {
    name: 'advisors, all of whom are required',
    agents: {
      lead: 'advisors: [law, risk]\nadvisorsRequired: all',
      ...makeLoneAgents('law', 'risk'),
    },
    behaves: { risk: REFUSES },
    requests: 2,
    ends: 'failed',
    failurePattern: /1 of 2 advisors answered, 2 must \(risk: request rejected/,
  },
  {
    name: 'team of two',
    agents: { lead: makeTeam(['a', 'b']), ...makeLoneAgents('a', 'b') },
    says: { lead: superviseUntil(2) },
    requests: 6,
    ends: 'done',
    answeredBy: 'lead',
  },
  {
    name: 'team of six with a supervisor of its own',
    agents: { council: makeTeam(SIX, '  supervisor: chair'), ...makeLoneAgents(...SIX, 'chair') },
    says: { chair: superviseUntil(2) },
    requests: 14,
    ends: 'done',
    answeredBy: 'chair',
  },
  {
    name: 'team that comes to a consensus',
    agents: {
      lead: makeTeam(['a', 'b'], '  terminationMode: consensus'),
      ...makeLoneAgents('a', 'b'),
    },
    says: { a: concludeFrom(1), b: concludeFrom(2) },
    requests: 6,
    ends: 'done',
    answeredBy: 'lead',
  },
  {
    name: 'team that uses all its rounds',
    agents: {
      lead: makeTeam(['a', 'b'], '  terminationMode: maxRounds\n  maxRounds: 3'),
      ...makeLoneAgents('a', 'b'),
    },
    requests: 9,
    ends: 'done',
    answeredBy: 'lead',
  },
  {
    name: 'team that runs out of turns',
    agents: { lead: makeTeam(['a', 'b'], '  memberMaxTurns: 2'), ...makeLoneAgents('a', 'b') },
    says: {
      lead: (prompt, cycle) => (cycle < 2 ? superviseUntil(9)(prompt, cycle) : 'Our report.'),
    },
    requests: 6,
    ends: 'done',
    answeredBy: 'lead',
  },
  {
    name: 'team, one of whose members fails',
    agents: { lead: makeTeam(['a', 'b']), ...makeLoneAgents('a', 'b') },
    behaves: { b: REFUSES },
    says: { lead: superviseUntil(1) },
    requests: 3,
    ends: 'done',
    answeredBy: 'lead',
  },
  {
    name: 'team that goes round in circles',
    agents: { lead: makeTeam(['a', 'b']), ...makeLoneAgents('a', 'b') },
    says: {
      a: () => 'I think we should count them all once more and then see.',
      b: () => 'Nobody has shown me yet why any of this is needed at all.',
      lead: (prompt, cycle) =>
        cycle === 1 ? superviseUntil(9)(prompt, cycle) : 'We did not get any further.',
    },
    requests: 6,
    ends: 'done',
    answeredBy: 'lead',
  },
  {
    name: 'advisors and handoff',
    agents: {
      lead: 'advisors: [law, risk]\nhandoff: editor',
      ...makeLoneAgents('law', 'risk', 'editor'),
    },
    requests: 4,
    ends: 'done',
    answeredBy: 'editor',
  },
  {
    name: 'router with advisors and a handoff, to an agent with a handoff',
    agents: {
      desk: 'advisors: [tip]\nrouter: {destinations: [writer]}\nhandoff: archive',
      writer: 'handoff: editor',
      ...makeLoneAgents('tip', 'editor', 'archive'),
    },
    says: { desk: routeTo('writer') },
    requests: 5,
    ends: 'done',
    answeredBy: 'archive',
  },
  {
    name: 'router to a team',
    agents: {
      desk: 'router: {destinations: [council]}',
      council: makeTeam(['a', 'b']),
      ...makeLoneAgents('a', 'b'),
    },
    says: { desk: routeTo('council'), council: superviseUntil(1) },
    requests: 4,
    ends: 'done',
    answeredBy: 'council',
  },
  {
    name: 'team with members that hand off, one of them to another team',
    agents: {
      lead: `${makeTeam(['a', 'b'])}\nhandoff: editor`,
      a: 'handoff: check',
      b: 'handoff: inner',
      inner: makeTeam(['x', 'y']),
      ...makeLoneAgents('check', 'x', 'y', 'editor'),
    },
    says: { lead: superviseUntil(2), inner: superviseUntil(1) },
    requests: 2 * ['a', 'check', 'b', 'x', 'y', 'inner', 'lead'].length + ['editor'].length,
    ends: 'done',
    answeredBy: 'editor',
  },
  {
    name: 'advisors that are a team, a router and a chain',
    agents: {
      lead: 'advisors: [council, desk, writer]',
      council: makeTeam(['a', 'b']),
      desk: 'router: {destinations: [legal]}',
      writer: 'handoff: editor',
      ...makeLoneAgents('a', 'b', 'legal', 'editor'),
    },
    says: { council: superviseUntil(1), desk: routeTo('legal') },
    requests: 3 + 2 + 2 + 1,
    ends: 'done',
    answeredBy: 'lead',
  },
];

/**
 * Writes the file of each agent into a folder that is created if needed, and returns the path of the folder.
 */
export function writeAgents(folder: string, { agents }: Pick<AgentGraph, 'agents'>): string {
  for (const [name, front] of Object.entries(agents)) {
    const file = join(folder, `${name}.md`);
    mkdirSync(dirname(file), { recursive: true });
    const head = [`name: ${name}`, `model: ollama/${name}`, ...(front === '' ? [] : [front])];
    writeFileSync(file, `---\n${head.join('\n')}\n---\nYou are ${name}.\n`);
  }
  return folder;
}

/** Returns the name of the root agent. */
export function rootOf({ agents }: Pick<AgentGraph, 'agents'>): string {
  return Object.keys(agents)[0] ?? '';
}

/**
 * Returns a function that answers the requests of a graph: as `says` tells, or with words that are the same
 * for equal requests and differ for others.
 */
export function answerOf({ says }: AgentGraph): (request: RecordedRequest) => string {
  return (request) => {
    const prompt = promptOf(request);
    const cycle = Number(/[Tt]his is cycle (\d+) of/.exec(prompt)?.[1] ?? 0);
    const words = `${request.model} found ${computeDigest(prompt)} about ${computeDigest([prompt])}`;
    return says?.[request.model]?.(prompt, cycle) ?? words;
  };
}
