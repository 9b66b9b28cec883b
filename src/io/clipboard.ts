/** The platform's clipboard, by whichever of its tools is here. */
import { type Env, feed, onPath } from './tools.ts';

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

/**
 * Hands a text to the clipboard. Resolves to the tool's name; undefined where there is none.
 * @throws Error that names the tool, where it fails or does not take the text in time.
 */
export async function copyByTool(text: string, env: Env): Promise<string | undefined> {
  for (const { program, args, needs, encoding = 'utf8' } of TOOLS) {
    const file = needs === undefined || env[needs] ? onPath(program, env) : undefined;
    if (file === undefined) continue;
    await feed(file, args, Buffer.from(text, encoding), env);
    return program;
  }
  return undefined;
}
