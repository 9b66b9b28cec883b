/**
 * Promise: a run that a newer version recorded is listed and left as it is, and every command that opens runs says
 * in a sentence that a newer version is needed.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { Agent } from '../mcp/agent.ts';
import { runDeliberate } from './calls.ts';
import { makeDatabaseCopier, makeDatabasePath, makeFolder } from './scene.ts';
import { Terminal } from './terminal.ts';

const BOARD = ['board', '--rehearse', '--rehearse-speed', '1000', '--plain', 'Split it?'];

/** Changes the stored facts of all runs in a database by SQL. */
function alterFacts(db: string, sql: string, ...values: readonly unknown[]): void {
  const file = new Database(db);
  try {
    if (file.prepare(sql).run(...values).changes === 0) throw new Error('nothing is recorded');
  } finally {
    file.close();
  }
}

/** Returns everything that is recorded of runs, to compare it. */
function readTables(db: string): string {
  const file = new Database(db, { readonly: true });
  try {
    const tables = ['SELECT id, protocol, created_at, parent FROM run', 'SELECT * FROM fact'];
    return JSON.stringify(tables.map((sql) => file.prepare(sql).all()));
  } finally {
    file.close();
  }
}

const SETTING = "UPDATE fact SET body = json_set(body, ?, ?) WHERE type = 'run.started'";

const held = makeDatabaseCopier(async (db) => {
  expect((await runDeliberate(BOARD, { env: { DELIBERATE_DB: db } })).code).toBe(0);
});

/** Turns a board into a run of another protocol; only its first fact is read before it is refused. */
function changeProtocol(db: string, protocol: string, setting: string, edition: number): void {
  alterFacts(db, SETTING, '$.protocol', protocol);
  alterFacts(db, SETTING, `$.config.${setting}`, edition);
  alterFacts(db, 'UPDATE run SET protocol = ?', protocol);
}

/** Returns a database with a plan of an edition that this program does not know. */
async function makePlan(): Promise<string> {
  const db = await held();
  changeProtocol(db, 'plan', 'prompts', 9);
  // Give the plan a folder for its repository: without one, `plan --write` would fail for another reason.
  alterFacts(
    db,
    "INSERT INTO look_root (run_id, name, path) SELECT id, 'repo', ? FROM run",
    makeFolder(),
  );
  return db;
}

const NEEDED =
  /^deliberate: (?:\S+: )*run [0-9a-f-]{13} was recorded by a newer version of deliberate \(plan edition 9; this version reads up to 8\)\nUpdate deliberate to open it\.\n$/;

const COMMANDS: readonly (readonly string[])[] = [
  ['show', 'latest'],
  ['show', 'latest', '--json'],
  ['open', 'latest', '--plain'],
  ['replay', 'latest', '--plain'],
  ['watch', 'latest', '--plain'],
  ['resume', 'latest'],
  ['retry', 'latest', '--seat', 'chair'],
  ['resynthesize', 'latest'],
  ['ask', 'latest', 'And then?'],
  ['fork', 'latest', '--at', 'synthesis', '--set', 'seat.chair.model=rehearsal/a'],
  ...['markdown', 'html', 'json', 'otlp', 'adr'].map((format) => [
    ...['export', 'latest', '--format', format],
  ]),
  ['diff', 'latest', 'latest'],
  ['note', 'latest', 'A line.'],
  ['decide', 'latest', 'We do it.'],
  ['answer', 'latest', 'open'],
  ['plan', '--write', 'latest', '--yes'],
  ['outcome', 'latest', '--claim', 'C-1-1', 'held'],
  ['due', 'latest'],
];

describe('a run that a newer version recorded', () => {
  it.each(COMMANDS.map((args) => ({ args, command: args.join(' ') })))(
    'makes "deliberate $command" fail with an explanation, and stays unchanged',
    async ({ args }) => {
      const db = await makePlan();
      const before = readTables(db);
      const { code, err, out } = await runDeliberate(args, {
        env: { DELIBERATE_DB: db },
        cwd: makeFolder(),
      });
      expect(err).toMatch(NEEDED);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(readTables(db)).toBe(before);
    },
  );

  it('is refused by an import, which adds nothing', async () => {
    const env = { DELIBERATE_DB: await held() };
    const archive = JSON.parse(
      (await runDeliberate(['export', 'latest', '--format', 'json'], { env })).out,
    );
    archive.protocol = 'plan';
    archive.facts[0].protocol = 'plan';
    archive.facts[0].config.prompts = 9;
    const file = join(makeFolder(), 'run.json');
    writeFileSync(file, JSON.stringify(archive));
    const there = { DELIBERATE_DB: makeDatabasePath() };
    const { code, err, out } = await runDeliberate(['import', file], { env: there });
    expect(err).toMatch(NEEDED);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect((await runDeliberate(['list', '--json'], { env: there })).out).toBe('');
  });

  it('is listed with its protocol, and can be removed', async () => {
    const env = { DELIBERATE_DB: await makePlan() };
    const { code, out } = await runDeliberate(['list'], { env });
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('plan') });
    expect((await runDeliberate(['usage'], { env })).code).toBe(0);
    expect((await runDeliberate(['track'], { env })).code).toBe(0);
    expect((await runDeliberate(['due'], { env })).code).toBe(0);
    expect((await runDeliberate(['rm', 'latest', '--yes'], { env })).code).toBe(0);
    expect((await runDeliberate(['list', '--json'], { env })).out).toBe('');
  });

  it('is listed over MCP, but the tools inspect, wait and ask refuse it with an explanation', async () => {
    const agent = await Agent.start({ db: await makePlan() });
    const list = await agent.call('list', {});
    expect(list.text).toContain('plan');
    const run = /[0-9a-f]{8}-[0-9a-f]{4}[0-9a-f-]*/.exec(list.text)?.[0];
    for (const [tool, more] of [
      ['inspect', { part: 'synthesis' }],
      ['wait', {}],
      ['ask', { question: 'And then?' }],
    ] as const) {
      const refused = await agent.call(tool, { run, ...more });
      expect(refused.isError, tool).toBe(true);
      expect(refused.text).toContain('was recorded by a newer version of deliberate');
      expect(refused.text).not.toContain('    at ');
    }
    await expect(
      agent.client.readResource({ uri: `deliberate://run/${run}/report.md` }),
    ).rejects.toThrow('was recorded by a newer version of deliberate');
  });

  it('is listed in the history with the reason why it cannot be opened', async () => {
    const terminal = new Terminal(['history'], { env: { DELIBERATE_DB: await makePlan() } });
    await terminal.until(/was recorded by a newer version/);
    terminal.press('\r');
    await terminal.until((screen) => screen.split('newer version').length > 2);
    terminal.press('q');
    expect(await terminal.exited).toBe(0);
    expect(terminal.raw).not.toContain('ZodError');
  });
});

const ROWS: readonly { name: string; sql: [string, ...unknown[]]; what: string }[] = [
  {
    name: 'an edition number in the settings, where boards have none yet',
    sql: [SETTING, '$.config.edition', 2],
    what: 'board edition 2; this version reads up to 1',
  },
  {
    name: 'a later version of a fact',
    sql: ["UPDATE fact SET body = json_set(body, '$.v', 99) WHERE type = 'call.completed'"],
    what: 'call.completed in version 99; this version reads up to',
  },
  {
    name: 'an unknown kind of fact',
    sql: [
      "UPDATE fact SET type = 'jury.sworn', body = json_set(body, '$.type', 'jury.sworn') WHERE seq = 4",
    ],
    what: 'jury.sworn, an unknown kind of fact',
  },
];

describe('a board that a newer version recorded', () => {
  it.each(ROWS)(
    'cannot be shown, and the error names the reason: $name',
    async ({ sql: [sql, ...values], what }) => {
      const db = await held();
      alterFacts(db, sql, ...values);
      const { code, err } = await runDeliberate(['show', 'latest'], { env: { DELIBERATE_DB: db } });
      expect(err).toContain(what);
      expect(err).toMatch(/^deliberate: run \S+ was recorded by a newer version/);
      expect(code).toBe(1);
    },
  );

  it('is not continued if a setting has an unknown value, and the error names the setting', async () => {
    const db = await held();
    alterFacts(db, SETTING, '$.config.open', 'sometimes');
    const before = readTables(db);
    for (const args of [
      ['resume', 'latest'],
      ['ask', 'latest', 'And then?'],
      ['fork', 'latest', '--at', 'synthesis-1'],
    ]) {
      const { code, err } = await runDeliberate(args, { env: { DELIBERATE_DB: db } });
      expect(err).toMatch(
        /^deliberate: run \S+ has settings that this version of deliberate cannot read \(open: /,
      );
      expect({ code, after: readTables(db) }).toEqual({ code: 1, after: before });
    }
  });
});

describe('a run with a later edition of its protocol than the program can read', () => {
  it.each([
    ['rounds', 'rules', 8],
    ['rounds', 'prompts', 5],
    ['team', 'version', 9],
    ['debate', 'edition', 2],
    ['agent', 'rules', 2],
    ['my-own', 'edition', 2],
  ])(
    'cannot be shown, and the error names the edition: protocol %s, setting %s, number %d',
    async (protocol, setting, edition) => {
      const db = await held();
      changeProtocol(db, protocol, setting, edition);
      const { code, err } = await runDeliberate(['show', 'latest'], { env: { DELIBERATE_DB: db } });
      expect(err).toMatch(/^deliberate: run \S+ was recorded by a newer version of deliberate \(/);
      expect(err).toContain(`(${protocol} `);
      expect(err).toContain(` ${edition}; this version reads up to ${edition - 1})`);
      expect(code).toBe(1);
    },
  );
});
