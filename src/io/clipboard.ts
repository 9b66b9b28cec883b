/** Copies text to the clipboard with the first available tool of the platform. */
import { type Env, findOnPath, runWithInput } from './tools.ts';

interface Tool {
  readonly program: string;
  readonly args: readonly string[];
  /** The environment variable that the tool requires. */
  readonly needs?: string;
  readonly encoding?: 'utf16le';
}

/** The tools in order of preference. tmux is the last; it passes text on to the terminal around it. */
const TOOLS: readonly Tool[] = [
  { program: 'wl-copy', args: [], needs: 'WAYLAND_DISPLAY' },
  { program: 'xclip', args: ['-selection', 'clipboard', '-in'], needs: 'DISPLAY' },
  { program: 'xsel', args: ['--clipboard', '--input'], needs: 'DISPLAY' },
  { program: 'pbcopy', args: [] },
  // clip.exe reads bytes in the machine's code page, unless they are UTF-16, which it recognizes.
  { program: 'clip.exe', args: [], encoding: 'utf16le' },
  { program: 'tmux', args: ['load-buffer', '-w', '-'], needs: 'TMUX' },
];

/**
 * Copies a text to the clipboard with a tool of the system, such as `xclip`. Resolves to the tool's
 * name, or to undefined if there is no tool.
 *
 * @throws Error that names the tool if it fails or takes too long
 */
export async function copyByTool(text: string, env: Env): Promise<string | undefined> {
  for (const { program, args, needs, encoding = 'utf8' } of TOOLS) {
    const file = needs === undefined || env[needs] ? findOnPath(program, env) : undefined;
    if (file === undefined) continue;
    await runWithInput(file, args, Buffer.from(text, encoding), env);
    return program;
  }
  return undefined;
}
