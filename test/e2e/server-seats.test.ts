/** Tests that every command can use a model of a named server that the program does not know otherwise. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFlags } from '../../src/app/flags.ts';
import { servicesOf } from '../../src/app/home/home.ts';
import type { Invocation } from '../../src/app/invocation.ts';
import { readConfig } from '../../src/app/settings/config.ts';
import { Drafts } from '../../src/io/drafts.ts';
import { loadHomeParts } from '../../src/protocols/desks.ts';
import { PROTOCOLS } from '../../src/protocols/registry/registry.ts';
import { Agent } from '../mcp/agent.ts';
import { type OllamaServer, startOllama } from '../servers/index.ts';
import { runDeliberate } from './calls.ts';
import { answerRequest } from './deliberators.ts';
import { makeFolder, viewIn } from './scene.ts';

const [MODEL, OTHER] = ['org/a', 'org/b'] as const;
let server: OllamaServer;
beforeAll(async () => {
  server = await startOllama({ models: [MODEL, OTHER], answer: answerRequest });
});
afterAll(() => server.close());

/** Creates the home of a person whose configuration names one server, `lab`. */
function makePerson(more = ''): { env: Record<string, string>; home: string; db: string } {
  const home = makeFolder();
  const own = join(home, '.config', 'deliberate');
  mkdirSync(join(own, 'boards'), { recursive: true });
  writeFileSync(
    join(own, 'config.yaml'),
    `servers: { lab: { speaks: ollama, url: "${server.url}" } }\n${more}`,
  );
  writeFileSync(
    join(own, 'boards', 'mine.yaml'),
    `name: Mine\ndescription: Ours.\nseats: [{ role: critic, model: lab/${MODEL} }, { role: analyst, model: lab/${OTHER} }]\n`,
  );
  const db = join(home, 'runs.db');
  return { home, db, env: { HOME: home, DELIBERATE_DB: db, OLLAMA_HOST: 'http://127.0.0.1:9' } };
}

const LAB = `lab/${MODEL}`;
const METHODS = ['advocate', 'brainstorm', 'delphi', 'oxford', 'socratic', 'standard', 'tradeoff'];
const QUESTION = 'Should we split the monolith, or keep it?';

/** Commands that ask models of the server `lab`: the first model, and with `others` also the second. */
const COMMANDS: readonly {
  readonly what: string;
  readonly args: readonly string[];
  others?: true;
}[] = [
  {
    what: 'a board, its seats and its synthesizer',
    others: true,
    args: [
      'board',
      '--seat',
      `critic=${LAB}`,
      '--synthesizer',
      `lab/${OTHER}`,
      '--plain',
      QUESTION,
    ],
  },
  {
    what: 'a preset',
    others: true,
    args: ['board', '--preset', 'mine', '--plain', QUESTION],
  },
  {
    what: 'rounds and their verifier',
    others: true,
    args: [
      ...['rounds', '--model', LAB, '--verifier', `lab/${OTHER}`, '--rounds', '1'],
      ...['--stop-at', 'never', '--plain', QUESTION],
    ],
  },
  ...METHODS.map((method) => ({
    what: `debate by ${method}`,
    args: ['debate', '--method', method, '--model', LAB, '--plain', QUESTION],
  })),
  { what: 'an agent', args: ['agent', 'design-team', '--model', LAB, '--plain', QUESTION] },
  { what: 'a plan', args: ['plan', '--model', LAB, '--plain', '--yes', QUESTION] },
  {
    what: 'an arm of an evaluation',
    args: ['eval', 'puzzles', '--arms', 'single,high', '--size', '2', '--model', LAB, '--yes'],
  },
];

it.each(COMMANDS)(
  'models of a server that the configuration names are used by $what',
  async ({ args, others }) => {
    const before = server.chats().length;
    const { env, home } = makePerson();
    // Ignore the exit code: some methods end early because these models answer at random. Only check which models
    // were asked.
    const { err, out } = await runDeliberate(args, { env, cwd: home });
    const asked = new Set(
      server
        .chats()
        .slice(before)
        .map(({ model }) => model),
    );
    expect(asked, out + err).toEqual(new Set(others ? [MODEL, OTHER] : [MODEL]));
    expect(out + err).not.toContain('does not name a model');
  },
);

describe('a run with models of a server that the configuration names', () => {
  it.each([
    ['can be asked a further question', ['ask', 'latest', 'And then?'], MODEL],
    ['can have a seat asked again', ['retry', 'latest', '--seat', `critic=lab/${OTHER}`], OTHER],
    ['can be synthesized again', ['resynthesize', 'latest', '--model', `lab/${OTHER}`], OTHER],
    [
      'can be forked',
      ['fork', 'latest', '--at', 'seat/critic', '--set', `seat.critic.model=lab/${OTHER}`],
      OTHER,
    ],
  ] as const)('%s', async (_what, args, model) => {
    const { env, home, db } = makePerson();
    const board = [
      'board',
      '--seat',
      `critic=${LAB}`,
      '--synthesizer',
      LAB,
      '--no-vote',
      '--plain',
    ];
    expect((await runDeliberate([...board, QUESTION], { env, cwd: home })).code).toBe(0);
    const before = server.chats().length;
    const { code, out, err } = await runDeliberate([...args, '--plain'], { env, cwd: home });
    expect(code, out + err).toBe(0);
    expect(
      server
        .chats()
        .slice(before)
        .map((request) => request.model),
    ).toContain(model);
    expect(viewIn(db).status).toBe('done');
  });
});

it('the estimate for a team names the models that the setting `team_levels` gives for the levels', async () => {
  const { env, home } = makePerson(
    `team_levels: { fast-cheap: ${LAB}, capable: ${LAB}, reasoning-heavy: lab/${OTHER} }\n`,
  );
  const repository = join(home, 'work');
  mkdirSync(repository);
  const runGit = (...words: string[]) =>
    execFileSync('git', words, { cwd: repository, env: { ...process.env, ...env } });
  runGit('init', '-q');
  writeFileSync(join(repository, 'a.txt'), 'a\n');
  runGit('add', '.');
  runGit('-c', 'user.name=T', '-c', 'user.email=t@t.invalid', 'commit', '-qm', 'a');
  const { out, err } = await runDeliberate(['team', '--estimate', 'Say hello'], {
    env,
    cwd: repository,
  });
  expect(out + err).toContain(LAB);
  expect(out + err).toContain(`lab/${OTHER}`);
});

it('the services of the home screen list the models of a server that the configuration names, and which other servers need a key', async () => {
  const { env } = makePerson();
  const invocation = {
    flags: readFlags({}),
    protocols: PROTOCOLS,
    env,
  } as Partial<Invocation> as Invocation;
  const services = servicesOf(
    ...([invocation, readConfig(invocation), await loadHomeParts(), new Drafts(env)] as const),
  );
  const { models, keyless } = await services.models();
  expect(models.map(({ spec }) => spec)).toEqual([LAB, `lab/${OTHER}`]);
  const needs = new Map(keyless.map(({ name, variables }) => [name, variables]));
  expect(needs.get('gemini')).toBe('GOOGLE_API_KEY or GEMINI_API_KEY');
  expect(needs.get('anthropic')).toBe('ANTHROPIC_API_KEY');
  // The servers `lab` and `lmstudio` have no key and need none, so they are not listed.
  expect(needs.has('lab') || needs.has('lmstudio')).toBe(false);
});

it('the MCP tool `convene` asks models of a model server that the configuration names', async () => {
  const { env, home, db } = makePerson();
  const agent = await Agent.start({ flags: [], env, cwd: home, db });
  const before = server.chats().length;
  const done = await agent.call('convene', {
    question: QUESTION,
    seats: [`critic=${LAB}`, `analyst=lab/${OTHER}`],
  });
  expect(done.standing).toMatchObject({ status: 'done', seats: { answered: 2, of: 2 } });
  expect(
    new Set(
      server
        .chats()
        .slice(before)
        .map(({ model }) => model),
    ),
  ).toEqual(new Set([MODEL, OTHER]));
});
