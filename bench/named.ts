/** Measures what a named server costs, and how long a long list of models takes. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { computeMedian, makeRow, measurePair, PROGRAM, type Row, runMeasured } from './measure.ts';
import { withServers } from './servers.ts';

const RUNS = 7;
/** Words of an answer: about 3 s at 50 tokens per second. */
const WORDS = 150;

/**
 * Measures what a board costs on a server that the configuration file names, compared with a built-in provider,
 * and how long it takes to list the models of such a server. Returns rows for the table of `npm run bench`.
 */
export async function benchNamed(): Promise<Row[]> {
  const home = mkdtempSync(join(tmpdir(), 'deliberate-bench-'));
  try {
    return [...(await benchBoard(home)), ...(await benchLists(home))];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function writeServerConfig(home: string, speaks: string, url: string): void {
  mkdirSync(join(home, '.config', 'deliberate'), { recursive: true });
  writeFileSync(
    join(home, '.config', 'deliberate', 'config.yaml'),
    `servers: { lab: { speaks: ${speaks}, url: "${url}", headers: { X-Team: platform } } }\n`,
  );
}

/**
 * Compares four seats at a named server with the same at a built-in provider, with the same configuration file.
 */
function benchBoard(home: string): Promise<Row[]> {
  return withServers({ ollama: 4, rate: 50, words: WORDS }, async ({ url, models }) => {
    writeServerConfig(home, 'ollama', url);
    let run = 0;
    const makeBoardRun = (server: string) => () =>
      runMeasured(
        [
          ...[PROGRAM, 'board', '--no-vote', '--json', '--quiet'],
          ...models.flatMap((model) => ['--seat', `critic=${server}/${model}`]),
          'Split it?',
        ],
        { HOME: home, OLLAMA_HOST: url, DELIBERATE_DB: join(home, `${run++}.db`) },
      );
    const { ratio } = await measurePair(RUNS, makeBoardRun('lab'), makeBoardRun('ollama'));
    return [
      makeRow(
        'board, 4 seats on a named server: wall over the built-in one',
        ratio('wallMs'),
        1.02,
        '',
        3,
      ),
      makeRow(
        'board, 4 seats on a named server: CPU over the built-in one',
        ratio('cpuMs'),
        1.05,
        '',
        3,
      ),
    ];
  });
}

/** The fields of a model in a list like OpenRouter's, about 1.4 kB. */
const DESCRIBED = {
  description: 'A model that answers at length. '.repeat(20),
  context_length: 131_072,
  architecture: {
    modality: 'text+image->text',
    input_modalities: ['text', 'image'],
    output_modalities: ['text'],
    tokenizer: 'Other',
  },
  pricing: { prompt: '0.000003', completion: '0.000015', request: '0', image: '0' },
  top_provider: { context_length: 131_072, max_completion_tokens: 65_536, is_moderated: false },
  supported_parameters: ['max_tokens', 'temperature', 'tools', 'response_format', 'reasoning'],
};

async function benchLists(home: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of [400, 5_000])
    await withServers(
      { ollama: 1, openai: count, described: DESCRIBED, rate: 50, words: 10 },
      async (_ollama, openai) => {
        writeServerConfig(home, 'openai', openai?.url ?? '');
        const listModels = () => runMeasured([PROGRAM, 'models', 'lab'], { HOME: home });
        const timePicker = () => pickerMs(home, count);
        await listModels();
        await timePicker();
        const [listed, picked]: [number[], number[]] = [[], []];
        for (let run = 0; run < RUNS; run++) {
          listed.push((await listModels()).wallMs);
          picked.push(await timePicker());
        }
        rows.push(
          makeRow(
            `models of one server, ${count} of them: wall`,
            computeMedian(listed),
            500,
            ' ms',
            0,
          ),
          makeRow(`… key to the first screen of the picker`, computeMedian(picked), 500, ' ms', 0),
        );
      },
    );
  return rows;
}

/**
 * Returns the milliseconds from the key that opens the list of models on the home screen until it is drawn.
 */
function pickerMs(home: string, count: number): Promise<number> {
  const terminal = spawn(process.execPath, [PROGRAM], {
    cols: 120,
    rows: 40,
    env: {
      PATH: process.env.PATH ?? '',
      TERM: 'xterm-256color',
      HOME: home,
      DELIBERATE_DB: join(home, 'runs.db'),
      OLLAMA_HOST: 'http://127.0.0.1:9',
    },
  });
  return new Promise((resolve) => {
    let seen = '';
    let pressed: number | undefined;
    const from = terminal.onData((data) => {
      seen += data;
      if (pressed === undefined && seen.includes(`${count} found`)) {
        seen = '';
        pressed = performance.now();
        // Move down with Tab to the first seat, and open its list of models with Enter.
        terminal.write('\t\t\t\r');
      } else if (pressed !== undefined && /model for Advocate[\s\S]* \d+ more/.test(seen)) {
        from.dispose();
        resolve(performance.now() - pressed);
        terminal.kill('SIGKILL');
      }
    });
  });
}
