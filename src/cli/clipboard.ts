/**
 * The platform's clipboard, by whichever of its tools is here. Text goes to a tool's standard input
 * and never through a shell.
 */
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { withoutSecrets } from './execute.ts';

type Env = Readonly<Record<string, string | undefined>>;

interface Tool {
  readonly program: string;
  readonly args: readonly string[];
  /** Without it the tool could only fail. */
  readonly needs?: string;
  readonly encoding?: 'utf16le';
}

/** The first that is here is used. tmux comes last: it passes text on to the terminal around it. */
const TOOLS: readonly Tool[] = [
  { program: 'wl-copy', args: [], needs: 'WAYLAND_DISPLAY' },
  { program: 'xclip', args: ['-selection', 'clipboard', '-in'], needs: 'DISPLAY' },
  { program: 'xsel', args: ['--clipboard', '--input'], needs: 'DISPLAY' },
  { program: 'pbcopy', args: [] },
  // It takes UTF-8 for the machine's code page, but knows UTF-16.
  { program: 'clip.exe', args: [], encoding: 'utf16le' },
  { program: 'tmux', args: ['load-buffer', '-w', '-'], needs: 'TMUX' },
];

/** They take text at once; one that does not is stuck. */
const TOOK_MS = 3_000;

/**
 * Hands a text to the clipboard. Resolves to the tool's name; undefined where there is none.
 * @throws Error that names the tool, where it fails or does not take the text in time.
 */
export async function copyByTool(text: string, env: Env): Promise<string | undefined> {
  const tool = TOOLS.find(
    ({ program, needs }) =>
      (needs === undefined || env[needs]) && onPath(program, env) !== undefined,
  );
  if (tool === undefined) return undefined;
  const { program, args, encoding = 'utf8' } = tool;
  await feed(onPath(program, env) ?? program, args, Buffer.from(text, encoding), env);
  return program;
}

/** Where a program is; undefined: nowhere. A relative entry of PATH would run what lies around here. */
export function onPath(program: string, env: Env): string | undefined {
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const file = join(folder, program);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

/** Runs a program with these bytes as its input, in a session of its own: it may have to outlive us. */
export function feed(
  file: string,
  args: readonly string[],
  input: Buffer,
  env: Env,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const name = file.slice(file.lastIndexOf('/') + 1);
    const child = spawn(file, args, {
      stdio: ['pipe', 'ignore', 'ignore'],
      env: withoutSecrets(env),
      detached: true,
    });
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${name} did not take it`));
    }, TOOK_MS);
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(new Error(`${name}: ${error.message}`));
    });
    child.on('exit', (code) => {
      clearTimeout(timer);
      if (code === 0) resolve();
      else reject(new Error(`${name} failed`));
    });
    // It may be gone before it has read everything: its exit code says so.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
