/** What it costs that a server has a name of its own, and how long a long list of models takes. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, PROGRAM, pair, type Row, row, take } from './measure.ts';
import { withServers } from './servers.ts';

const RUNS = 7;
/** What seats are asked for: about 3 s at 50 tokens a second. */
const WORDS = 150;

export async function benchNamed(): Promise<Row[]> {
  const home = mkdtempSync(join(tmpdir(), 'deliberate-bench-'));
  try {
    return [...(await benchBoard(home)), ...(await benchLists(home))];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function name(home: string, speaks: string, url: string): void {
  mkdirSync(join(home, '.config', 'deliberate'), { recursive: true });
  writeFileSync(
    join(home, '.config', 'deliberate', 'config.yaml'),
    `servers: { lab: { speaks: ${speaks}, url: "${url}", headers: { X-Team: platform } } }\n`,
  );
}

/** The same four seats on a named server, against the built-in provider with the same configuration file. */
function benchBoard(home: string): Promise<Row[]> {
  return withServers({ ollama: 4, rate: 50, words: WORDS }, async ({ url, models }) => {
    name(home, 'ollama', url);
    let run = 0;
    const board = (server: string) => () =>
      take(
        [
          ...[PROGRAM, 'board', '--no-vote', '--json', '--quiet'],
          ...models.flatMap((model) => ['--seat', `critic=${server}/${model}`]),
          'Split it?',
        ],
        { HOME: home, OLLAMA_HOST: url, DELIBERATE_DB: join(home, `${run++}.db`) },
      );
    const { ratio } = await pair(RUNS, board('lab'), board('ollama'));
    return [
      row(
        'board, 4 seats on a named server: wall over the built-in one',
        ratio('wallMs'),
        1.02,
        '',
        3,
      ),
      row(
        'board, 4 seats on a named server: CPU over the built-in one',
        ratio('cpuMs'),
        1.05,
        '',
        3,
      ),
    ];
  });
}

async function benchLists(home: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of [400, 5_000])
    await withServers(
      { ollama: 1, openai: count, rate: 50, words: 10 },
      async (_ollama, openai) => {
        name(home, 'openai', openai?.url ?? '');
        const list = () => take([PROGRAM, 'models', 'lab'], { HOME: home });
        await list();
        const times: number[] = [];
        for (let run = 0; run < RUNS; run++) times.push((await list()).wallMs);
        rows.push(
          row(`models of one server, ${count} of them: wall`, median(times), 500, ' ms', 0),
        );
      },
    );
  return rows;
}
