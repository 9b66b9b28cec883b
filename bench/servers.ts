/** Starts the test servers in another process, so that their work is not measured. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../test/servers/cli.ts', import.meta.url));

interface Running {
  readonly url: string;
  readonly models: string[];
}

/**
 * Runs `work` with a test server of Ollama's protocol and, if `openai` is given, one of OpenAI's. Both run in
 * another process, which ends afterwards.
 */
export async function withServers<T>(
  {
    ollama,
    openai,
    described = {},
    rate,
    words,
  }: {
    /** How many models the Ollama server has. */
    readonly ollama: number;
    /** How many models the OpenAI server has. */
    readonly openai?: number;
    /** More fields for every model in the OpenAI server's list. */
    readonly described?: Readonly<Record<string, unknown>>;
    /** Tokens per second. */
    readonly rate: number;
    /** How many words an answer has. */
    readonly words: number;
  },
  work: (ollama: Running, openai: Running | undefined) => Promise<T>,
): Promise<T> {
  const child = spawn(
    process.execPath,
    [
      ...[CLI, '--ollama', String(ollama), '--rate', String(rate), '--words', String(words)],
      ...(openai === undefined ? [] : ['--openai', String(openai)]),
      ...['--described', JSON.stringify(described)],
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  try {
    let said = '';
    while (!said.endsWith('\n')) {
      const [part] = (await once(child.stdout, 'data')) as [Buffer];
      said += part.toString();
    }
    const started = JSON.parse(said) as { ollama: Running; openai?: Running };
    return await work(started.ollama, started.openai);
  } finally {
    child.kill();
  }
}
