/** The test servers in a process of their own, so that their work is not counted as ours. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../test/servers/cli.ts', import.meta.url));

export async function withServers<T>(
  {
    ollama,
    rate,
    words,
  }: { readonly ollama: number; readonly rate: number; readonly words: number },
  work: (server: { url: string; models: string[] }) => Promise<T>,
): Promise<T> {
  const child = spawn(
    process.execPath,
    [CLI, '--ollama', String(ollama), '--rate', String(rate), '--words', String(words)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    return await work(
      (JSON.parse(line.toString()) as { ollama: { url: string; models: string[] } }).ollama,
    );
  } finally {
    child.kill();
  }
}
