/** Platform tools as real programs on a PATH of our own. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { copyByTool } from '../../src/io/clipboard.ts';
import { findOnPath } from '../../src/io/tools.ts';

function makeFolder(): string {
  const made = mkdtempSync(join(tmpdir(), 'deliberate-tools-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** Writes a program that notes down its arguments and its input. */
function writeProgram(place: string, name: string, after = ''): void {
  const file = join(place, name);
  const script = `#!/bin/sh\n/bin/cat > '${place}/${name}.in'\necho "$@" > '${place}/${name}.args'\n${after}\n`;
  writeFileSync(file, script);
  chmodSync(file, 0o700);
}

const TEXT = 'a `b` $(c) "d" \\ ä €\nline two';

test('a clipboard tool gets text unchanged, even with characters that a shell would interpret', async () => {
  const place = makeFolder();
  writeProgram(place, 'xclip');
  expect(await copyByTool(TEXT, { PATH: place, DISPLAY: ':0' })).toBe('xclip');
  expect(readFileSync(join(place, 'xclip.in'), 'utf8')).toBe(TEXT);
  expect(readFileSync(join(place, 'xclip.args'), 'utf8').trim()).toBe('-selection clipboard -in');
});

test('a clipboard tool is used only if the environment names the display or tmux that it needs', async () => {
  const place = makeFolder();
  for (const name of ['wl-copy', 'xclip', 'xsel', 'tmux']) writeProgram(place, name);
  expect(await copyByTool(TEXT, { PATH: place })).toBeUndefined();
  expect(await copyByTool(TEXT, { PATH: place, TMUX: '/tmp/x,1,0' })).toBe('tmux');
  expect(await copyByTool(TEXT, { PATH: place, TMUX: 'x', WAYLAND_DISPLAY: 'w' })).toBe('wl-copy');
});

test('clip.exe, the clipboard tool of Windows, gets the text in UTF-16', async () => {
  const place = makeFolder();
  writeProgram(place, 'clip.exe');
  expect(await copyByTool('ä€', { PATH: place })).toBe('clip.exe');
  expect(readFileSync(join(place, 'clip.exe.in'), 'utf16le')).toBe('ä€');
});

test('the error names a clipboard tool that fails or reads no input', async () => {
  const place = makeFolder();
  writeProgram(place, 'pbcopy', 'exit 3');
  await expect(copyByTool('x', { PATH: place })).rejects.toThrow('pbcopy failed');
  writeFileSync(join(place, 'xsel'), '#!/bin/sh\nexec /bin/sleep 60\n', { mode: 0o700 });
  await expect(copyByTool('x', { PATH: place, DISPLAY: ':0' })).rejects.toThrow(
    'xsel did not finish',
  );
});

test('a clipboard tool gets no secrets in its environment', async () => {
  const place = makeFolder();
  writeProgram(place, 'pbcopy', `/usr/bin/env > '${place}/env'`);
  await copyByTool('x', { PATH: place, OPENAI_API_KEY: 'sk-1', HOME: '/home/me' });
  const env = readFileSync(join(place, 'env'), 'utf8');
  expect(env).toContain('HOME=/home/me');
  expect(env).not.toContain('sk-1');
  expect(findOnPath('pbcopy', { PATH: `.::bin:${place}` })).toBe(join(place, 'pbcopy'));
  expect(findOnPath('pbcopy', { PATH: '.::bin' })).toBeUndefined();
});
