/**
 * Tests `validate` and `signals` over folders on disk: bytes that are no text, byte order marks, and the
 * output.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readGolden } from '../golden/journal.ts';
import { makeGroundedFolder } from '../records/grounded.ts';
import { runDeliberate } from './calls.ts';
import { makeFolder } from './scene.ts';

/** Writes a valid folder of records, with one file changed to the given bytes. Returns its path. */
function writeRecords(path?: string, bytes?: (text: string) => Uint8Array): string {
  const to = makeFolder();
  for (const [name, text] of makeGroundedFolder()) {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    writeFileSync(join(to, name), name === path && bytes !== undefined ? bytes(text) : text);
  }
  return to;
}

/** Encodes text in Latin-1, with an é that is no valid UTF-8 after `slow`. */
const toLatin1 = (text: string) => Buffer.from(text.replace('slow', 'slow\xe9'), 'latin1');

describe('a folder of records', () => {
  it('is valid if nobody has changed it', async () => {
    const { code, out } = await runDeliberate(['validate', writeRecords()]);
    expect([code, out]).toEqual([0, 'No problems found in the records.\n']);
  });

  it('with one byte that is not UTF-8 gets one error, which names the line', async () => {
    const to = writeRecords('state/claims.jsonl', toLatin1);
    const { code, out } = await runDeliberate(['validate', to, '--json']);
    expect(code).toBe(1);
    const { errors } = JSON.parse(out) as { errors: { rule: string }[] };
    expect(errors).toEqual([
      {
        file: 'state/claims.jsonl',
        line: 4,
        id: 'C-1-4',
        rule: 'not-utf8',
        message: expect.stringMatching(/^not UTF-8 text: byte \d+ is 0xe9$/),
      },
    ]);
    const { out: shown } = await runDeliberate(['validate', to]);
    expect(shown).toMatch(
      /^error state\/claims\.jsonl:4 C-1-4: not UTF-8 text: byte \d+ is 0x.*\[not-utf8\]\n/,
    );
    expect(shown).toMatch(/\n1 error, 0 warnings\n$/);
    const { code: refused, err } = await runDeliberate(['signals', to]);
    expect([refused, err]).toEqual([2, expect.stringContaining('claims.jsonl: not UTF-8 text')]);
  });

  it.each(['artifacts/round_2/critic.md', 'attachments/plan.md', 'rounds/round_2.md'])(
    'with a byte that is not UTF-8 in %s gets an error',
    async (path) => {
      const to = writeRecords(path, (text) =>
        Buffer.concat([Buffer.from(text), Buffer.of(0xff, 10)]),
      );
      const { code, out } = await runDeliberate(['validate', to, '--json']);
      const { errors } = JSON.parse(out) as { errors: object[] };
      expect([code, errors]).toMatchObject([1, [{ file: path, id: '', rule: 'not-utf8' }]]);
    },
  );

  it('with one file in UTF-16 gets one error, which names the encoding', async () => {
    const to = writeRecords('state/decisions.jsonl', (text) =>
      Buffer.from(`\uFEFF${text}`, 'utf16le'),
    );
    const { code, out } = await runDeliberate(['validate', to, '--json']);
    const { errors } = JSON.parse(out) as { errors: { rule: string }[] };
    expect([code, errors]).toMatchObject([
      1,
      [{ file: 'state/decisions.jsonl', line: 0, rule: 'not-utf8' }],
    ]);
    const [error] = errors as { message?: string }[];
    expect(error?.message).toContain('UTF-16');
    const { out: shown } = await runDeliberate(['validate', to]);
    expect(shown).toMatch(/^error state\/decisions\.jsonl: UTF-16, not UTF-8/);
  });

  it('with a byte order mark and CRLF line ends gets a warning for each, and is read', async () => {
    const to = writeRecords('state/claims.jsonl', (text) =>
      Buffer.from(`\uFEFF${text.replaceAll('\n', '\r\n')}`),
    );
    const { code, out } = await runDeliberate(['validate', to, '--json']);
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      errors: [],
      warnings: [{ rule: 'byte-order-mark' }, { rule: 'crlf' }],
    });
    expect(code).toBe(0);
    expect((await runDeliberate(['signals', to])).code).toBe(0);
  });
});

/**
 * Returns a run of rounds as a file for `import`, in which `voter` cast the ballots of the seat `critic`.
 */
function exportedRun(voter: string): string {
  const id = '0190aaaa-0000-7000-8000-000000000000';
  const facts = readGolden('rounds').facts.map((fact) => ({
    ...fact,
    run: id,
    ...(fact.type === 'vote.counted' && {
      ballots: fact.ballots.map((ballot) =>
        ballot.seat === 'critic' ? { ...ballot, seat: voter } : ballot,
      ),
    }),
  }));
  return JSON.stringify({
    format: 'deliberate-run',
    v: 2,
    program: '1',
    run: id,
    protocol: 'rounds',
    createdAt: '2026-01-01T00:00:00.000Z',
    parent: null,
    status: 'done',
    rehearsal: true,
    steps: [],
    facts,
  });
}

describe('deliberate validate on an imported run', () => {
  it.each([
    ['critic', []],
    ['constructor', [1, 3]],
  ] as const)(
    'reports votes by an unknown seat: for the voter %j in the rounds %j',
    async (voter, rounds) => {
      const env = { DELIBERATE_DB: join(makeFolder(), 'runs.db') };
      expect(
        await runDeliberate(['import', '-'], { env, input: exportedRun(voter) }),
      ).toMatchObject({
        code: 0,
      });
      const { code, out } = await runDeliberate(['validate', 'latest', '--json'], { env });
      const { errors } = JSON.parse(out) as { errors: { rule: string }[] };
      expect(errors.filter(({ rule }) => rule === 'unknown-seat')).toEqual(
        rounds.map((round) => ({
          file: 'votes',
          line: 0,
          id: '',
          rule: 'unknown-seat',
          message: `a vote of round ${round} is counted for ${voter}, which is no seat of the run`,
        })),
      );
      expect(code).toBe(rounds.length === 0 ? 0 : 1);
    },
  );
});
