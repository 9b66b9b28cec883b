/** Tests the commands around agents: check and list, cycles, rehearsal, reports, forks. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isCall } from '../../src/kernel/call.ts';
import { archiveSchema } from '../../src/protocols/registry/archive.ts';
import type { Archive } from '../../src/store/archive.ts';
import { listFactsOfType } from '../kernel/desk.ts';
import { startOllama } from '../servers/index.ts';
import { type AgentGraph, answerOf, rootOf, writeAgents } from './agent-graphs.ts';
import { runDeliberate } from './calls.ts';
import { factsIn } from './deliberators.ts';
import { closeAfterTest, makeDatabasePath, makeFolder } from './scene.ts';
import { Terminal } from './terminal.ts';

const QUESTION = 'Should we split the monolith?';
const agentsOf = (agents: AgentGraph['agents']): string => writeAgents(makeFolder(), { agents });

describe('deliberate agents check', () => {
  it('reports a cycle of agents and a handoff to an unknown agent, each with file and line', async () => {
    const where = agentsOf({
      a: 'handoff: b',
      b: 'advisors: [c]',
      c: 'handoff: a',
      d: 'handoff: who',
    });
    const { code, out } = await runDeliberate(['agents', 'check', '--agents', where]);
    expect(code).toBe(1);
    expect(out).toContain(`${join(where, 'a.md')}:4: error: agents form a cycle: a → b → c → a`);
    expect(out).toContain(`${join(where, 'd.md')}:4: error: handoff: there is no agent "who"`);
    expect(out, 'who goes round in circles is not drawn').not.toContain('hands off to');
    const json = await runDeliberate(['agents', 'check', '--json', '--agents', where]);
    expect(JSON.parse(json.out)).toMatchObject({ ok: false, graph: { a: { handoff: 'b' } } });
  });

  it('shows the links of valid agents even if other files are invalid', async () => {
    const where = agentsOf({ lead: 'advisors: [law]', law: '', lost: 'handoff: nobody-here' });
    const { code, out } = await runDeliberate(['agents', 'check', '--agents', where]);
    expect(code).toBe(1);
    expect(out).toContain('lead  [advisors]\n  advisor law\n');
  });

  it('draws which agent advises another or hands over to another, if all files are valid', async () => {
    const where = agentsOf({
      lead: 'advisors: [law]\nhandoff: editor',
      law: 'tools: Read',
      editor: '',
    });
    const { code, out } = await runDeliberate(['agents', 'check', '--agents', where]);
    expect(code).toBe(0);
    expect(out).toContain(
      'lead  [advisors · handoff, answered by editor]\n  advisor law\n  hands off to editor\n',
    );
    expect(out).toContain(`${join(where, 'law.md')}:4: note: read: used with --look DIR`);
    const list = await runDeliberate(['agents', '--agents', where]);
    expect(list.out).toMatch(/lead +advisors · handoff/);
    expect(list.out).toMatch(/design-team +team/);
  });
});

describe("a project's agents", () => {
  it('are named with their files when a run uses them, except an agent whose path the person typed', async () => {
    const place = makeFolder();
    const project = join(place, 'project');
    const agentsFolder = join(project, '.claude', 'agents');
    mkdirSync(agentsFolder, { recursive: true });
    mkdirSync(join(project, 'shared'));
    const makeAgentText = (name: string, more = '') =>
      `---\nname: ${name}\n${more}---\nYou are ${name}.\n`;
    writeFileSync(join(agentsFolder, 'lead.md'), makeAgentText('lead', 'advisors: [kept]\n'));
    writeFileSync(join(project, 'shared', 'kept.md'), makeAgentText('kept'));
    symlinkSync(join('..', '..', 'shared', 'kept.md'), join(agentsFolder, 'kept.md'));
    writeFileSync(join(place, 'secret.md'), makeAgentText('secret'));
    symlinkSync(join(place, 'secret.md'), join(agentsFolder, 'secret.md'));
    const env = { HOME: join(place, 'home'), DELIBERATE_DB: join(place, 'runs.db') };
    const options = { env, cwd: project };
    const rehearse = ['--rehearse', '--rehearse-speed', '1000', '--plain'];
    const { code, err } = await runDeliberate(['agent', 'lead', ...rehearse, QUESTION], options);
    expect(code).toBe(0);
    const file = join('.claude', 'agents', 'lead.md');
    const kept = join('.claude', 'agents', 'kept.md');
    expect(err).toContain(`from this project: the agents lead (${file}), kept (${kept})\n`);
    const byPath = await runDeliberate(['agent', file, ...rehearse, QUESTION], options);
    expect(byPath.err).toContain(`from this project: the agent kept (${kept})\n`);
    const arms = ['--arms', 'single,agent:lead', '--size', '2', '--rehearse'];
    const arm = await runDeliberate(['eval', 'plan', 'puzzles', ...arms], options);
    expect(arm.code, arm.err).toBe(0);
    expect(arm.err).toContain(`from this project: the agents lead (${file}), kept (${kept})\n`);
    expect((await runDeliberate(['agent', 'secret', ...rehearse, QUESTION], options)).code).toBe(2);
    const checked = await runDeliberate(['agents', 'check'], options);
    expect(checked.out).toMatch(/secret\.md:1: warning: is a link out of the project/);
    // The line `from this project` does not name agents of the person's home folder, even if that folder is the
    // project.
    const inHome = await runDeliberate(['agent', 'secret', ...rehearse, QUESTION], {
      cwd: project,
      env: { ...env, HOME: project },
    });
    expect(inHome.err).not.toContain('from this project');
    expect(inHome.code).toBe(0);
  });
});

describe('deliberate agent', () => {
  it('lists the errors of a broken file from top to bottom', async () => {
    const where = agentsOf({ a: 'handoff: who\nadvisorTimeout: soon' });
    const { code, err } = await runDeliberate([
      'agent',
      'a',
      '--agents',
      where,
      '--rehearse',
      QUESTION,
    ]);
    expect(code).toBe(1);
    expect(err).toMatch(/a\.md:4: error: handoff[^\n]*\n[^\n]*a\.md:5: error: advisorTimeout/);
  });

  it('asks no model if two agents hand over to each other in a circle', async () => {
    const server = closeAfterTest(await startOllama({ models: ['a', 'b'] }));
    const where = agentsOf({ a: 'handoff: b', b: 'handoff: a' });
    const db = makeDatabasePath();
    const { code, err } = await runDeliberate(
      ['agent', 'a', '--agents', where, '--db', db, QUESTION],
      {
        env: { OLLAMA_HOST: server.url },
      },
    );
    expect(code).toBe(1);
    expect(err).toContain('a → b → a');
    expect(server.requests).toEqual([]);
  });

  it('accepts the path of an agent’s file', async () => {
    const where = agentsOf({ lead: 'handoff: editor', editor: '' });
    writeFileSync(join(where, 'bare.md'), 'You have no frontmatter.');
    const options = { input: `${QUESTION}\n`, env: { DELIBERATE_DB: makeDatabasePath() } };
    const args = ['--rehearse', '--rehearse-speed', '2000'];
    const { code, out, err } = await runDeliberate(
      ['agent', join(where, 'lead.md'), ...args, '-'],
      options,
    );
    expect(code).toBe(0);
    expect(out.indexOf('## lead')).toBeLessThan(out.indexOf('## editor'));
    expect(err).toContain('lead hands off to editor');
    expect(
      (await runDeliberate(['agent', join(where, 'bare.md'), ...args, '-'], options)).code,
    ).toBe(0);
  });

  it('finds agents in the person’s configuration folder', async () => {
    const home = makeFolder();
    const there = join(home, 'deliberate', 'agents');
    mkdirSync(there, { recursive: true });
    writeAgents(there, { agents: { mine: '' } });
    const { out } = await runDeliberate(['agents', '--json'], { env: { XDG_CONFIG_HOME: home } });
    expect(out).toContain('"agent":"mine"');
    const unknown = await runDeliberate(['agent', 'nobody', QUESTION]);
    expect(unknown.code).toBe(2);
    expect(unknown.err).toContain('there is no agent "nobody"');
  });

  it.each(['triage', 'decision-review', 'writer', 'design-team'])(
    'rehearses the built-in agent %s',
    async (name) => {
      const db = makeDatabasePath();
      const args = ['--rehearse', '--rehearse-speed', '2000', '--db', db, '--quiet', QUESTION];
      expect((await runDeliberate(['agent', name, ...args])).code).toBe(0);
      const { out } = await runDeliberate(['show', 'latest', '--db', db]);
      expect(out).toMatch(/^\*\*Answer of /m);
      expect(out).toMatch(new RegExp(`^\\| ${name} \\| root \\| ✓ done`, 'm'));
      expect(out).not.toContain('"action"');
    },
  );

  it.each([
    ['misrouting', /chose "nobody-here", which is none of its destinations/, 1],
    ['looping', /repeat what they said in cycle 1/, 0],
  ])(
    'lets rehearsed agents misbehave as the name of their model says: rehearsal/%s',
    async (mood, words, exit) => {
      const where = agentsOf({
        desk: 'router: {destinations: [council, a]}',
        council: 'team: {members: [a, b]}',
        a: '',
        b: '',
      });
      const db = makeDatabasePath();
      const root = mood === 'misrouting' ? 'desk' : 'council';
      const { code, err } = await runDeliberate([
        ...['agent', root, '--agents', where, '--rehearse', '--rehearse-speed', '2000'],
        ...['--model', `rehearsal/${mood}`, '--db', db, QUESTION],
      ]);
      expect(err).toMatch(words);
      expect(code).toBe(exit);
    },
  );

  it('prints warnings about the agents’ files before the console opens', async () => {
    const advisors = Array.from({ length: 40 }, (_, at) => `tip-${at}`);
    // `description: short: exact` is not strict YAML, so each advisor's file gives a warning.
    const where = agentsOf({
      lead: `advisors: [${advisors.join(', ')}]`,
      ...Object.fromEntries(advisors.map((name) => [name, 'description: short: exact'])),
    });
    const terminal = new Terminal(
      ['agent', 'lead', '--agents', where, '--rehearse', '--db', makeDatabasePath(), QUESTION],
      { columns: 80, rows: 24 },
    );
    const screen = await terminal.until(/agents are answering/);
    expect(screen.split('\n')[0]).toContain(`agent · ${QUESTION}`);
    const [before = '', after = ''] = terminal.raw.split('\x1b[?1049h');
    expect(before.match(/read key by key/g)).toHaveLength(40);
    expect(after).not.toContain('read key by key');
  });

  it('records a run that is exported as JSON with its tree of agents and can be imported again', async () => {
    const where = agentsOf({
      lead: 'advisors: [law, risk]',
      law: '',
      risk: 'handoff: editor',
      editor: '',
    });
    const env = { DELIBERATE_DB: makeDatabasePath() };
    const rehearse = ['--rehearse', '--rehearse-speed', '1000', '--quiet', '--plain'];
    await runDeliberate(['agent', 'lead', '--agents', where, ...rehearse, QUESTION], { env });
    const { out } = await runDeliberate(['export', 'latest', '--format', 'json'], { env });
    const archive = JSON.parse(out) as Archive & { agents: unknown };
    const calls = archive.facts.filter(({ type }) => type === 'call.completed').length;
    expect(archive.agents).toMatchObject({
      path: 'lead',
      agent: 'lead',
      why: 'root',
      state: 'done',
      calls,
      children: [
        { agent: 'law', why: 'advisor', calls: 1, children: [] },
        { agent: 'risk', calls: 2, children: [{ agent: 'editor', why: 'handed-off', calls: 1 }] },
      ],
    });
    expect(archiveSchema().safeParse(archive).error).toBeUndefined();
    const there = { DELIBERATE_DB: makeDatabasePath() };
    expect((await runDeliberate(['import', '-'], { env: there, input: out })).code).toBe(0);
    expect(
      (await runDeliberate(['export', 'latest', '--format', 'json'], { env: there })).out,
    ).toBe(out);
  });

  it('asks again in a fork only the agent with another model and the agents that read its answer', async () => {
    const graph: AgentGraph = {
      name: 'fork',
      agents: { lead: 'advisors: [law, risk]\nhandoff: editor', law: '', risk: '', editor: '' },
      requests: 4,
      ends: 'done',
    };
    const server = closeAfterTest(
      await startOllama({
        models: ['lead', 'law', 'risk', 'editor', 'other'],
        answer: answerOf(graph),
      }),
    );
    const db = makeDatabasePath();
    const env = { OLLAMA_HOST: server.url, DELIBERATE_DB: db };
    const where = writeAgents(makeFolder(), graph);
    await runDeliberate(['agent', rootOf(graph), '--agents', where, '--quiet', QUESTION], { env });
    expect(server.chats()).toHaveLength(4);
    const { code } = await runDeliberate(
      [
        ...['fork', 'latest', '--at', 'lead/advisors/risk', '--quiet'],
        ...['--set', 'seat.risk.model=ollama/other'],
      ],
      { env },
    );
    expect(code).toBe(0);
    expect(
      server
        .chats()
        .slice(4)
        .map(({ model }) => model),
    ).toEqual(['other', 'lead', 'editor']);
    const taken = factsIn(db)
      .filter(isCall)
      .filter(({ inherited }) => inherited);
    expect(taken.map(({ seat }) => seat)).toEqual(['law']);
    expect(listFactsOfType(factsIn(db), 'agent.completed').at(-1)?.calls).toBe(3);
  });
});
