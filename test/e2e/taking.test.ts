/**
 * Tests texts that leave the real program: clipboard, files, window title and bell. The short form tests
 * the bell in the console and a notice in plain text; the long form also the bell in plain text.
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LONG } from '../long.ts';
import { startOllama } from '../servers/index.ts';
import { findForeignText } from '../text/terminal-bytes.ts';
import { closeAfterTest, makeDatabasePath, makeFolder, viewIn } from './scene.ts';
import { Terminal } from './terminal.ts';

const TITLE = /\u001b\]2;([^\u0007]*)\u0007/g;
const CLIPBOARD = /\u001b\]52;c;([A-Za-z0-9+/=]*)\u0007/g;
const HOSTILE =
  'Yes \u001b]52;c;cm0gLXJmIC8=\u0007\u001b]0;pwned\u0007\u009d52;c;eA==\u009c and **no**.';

it('the key y copies and the key W saves a text without escape sequences, and W overwrites no file', async () => {
  const server = closeAfterTest(await startOllama({ models: ['a'], answer: HOSTILE }));
  const place = makeFolder();
  const work = join(place, 'work');
  mkdirSync(work);
  const tool = `#!/bin/sh\n/bin/cat > '${place}/copied'\nprintf done > '${place}/over'\n`;
  writeFileSync(join(place, 'xclip'), tool, { mode: 0o700 });
  const db = makeDatabasePath();
  const terminal = new Terminal(['board', '--model', 'ollama/a', 'Should we?'], {
    columns: 80,
    rows: 24,
    cwd: work,
    env: {
      OLLAMA_HOST: server.url,
      DELIBERATE_DB: db,
      DISPLAY: ':0',
      PATH: `${place}:${process.env.PATH ?? ''}`,
    },
  });
  await terminal.until(/✓ done/);
  terminal.press('y');
  await terminal.until(/Copied by xclip and the terminal/);
  const sent = [...terminal.raw.matchAll(CLIPBOARD)].map(([, base64 = '']) =>
    Buffer.from(base64, 'base64').toString('utf8'),
  );
  expect(sent).toEqual(['Yes  and **no**.']);
  expect(readFileSync(join(place, 'copied'), 'utf8')).toBe('Yes  and **no**.');
  // The journal keeps the model's own words. Escape sequences are removed only from text that leaves the
  // program.
  expect(viewIn(db).syntheses[0]?.text).toContain('\u001b]52');

  terminal.press('W');
  await terminal.until(/Saved to/);
  terminal.press('j');
  await terminal.until((screen) => !screen.includes('Saved to'));
  terminal.press('W');
  await terminal.until(/Saved to/);
  terminal.press('e');
  await terminal.until(/m +Report/);
  terminal.press('m');
  await terminal.until(/Exported to/);
  terminal.press('q');
  expect(await terminal.exited).toBe(0);
  const files = readdirSync(work).sort();
  expect(files).toHaveLength(3);
  const [second = '', first = ''] = files
    .filter((file) => /-synthesis-1(-2)?\.md$/.test(file))
    .sort();
  expect(second.replace('-2.md', '.md')).toBe(first);
  const saved = readFileSync(join(work, first), 'utf8');
  expect(saved).toMatch(/^# \S.*\n\n> Should we\?\n\n/);
  expect(readFileSync(join(work, second), 'utf8')).toBe(saved);
  expect(statSync(join(work, first)).mode & 0o777).toBe(0o600);
  // After the screen has closed, the paths of the written files are printed as links.
  const after = terminal.raw.slice(terminal.raw.lastIndexOf('\u001b[?1049l'));
  expect(after.match(/wrote \u001b\]8;;file:\/\/\/[!-~]+\.md\u001b\\/g)).toHaveLength(3);
  expect(terminal.raw.slice(0, -after.length)).not.toContain('\u001b]8');
  expect(terminal.raw.match(/\u001b\]52/g)).toHaveLength(1);
  expect(terminal.raw).not.toContain('pwned');
});

const TALK = Array.from({ length: 130 }, (_, index) => `word${index}`).join(' ');

it('--bell notifies the person once when a long run ends', async () => {
  const runToEnd = async (bell: string, flags: readonly string[], end: RegExp): Promise<string> => {
    const server = closeAfterTest(
      await startOllama({ models: ['a'], tokensPerSecond: 40, answer: TALK }),
    );
    const terminal = new Terminal(
      ['board', '--bell', bell, ...flags, '--model', 'ollama/a', `Should we? ${HOSTILE}`],
      { env: { OLLAMA_HOST: server.url, DELIBERATE_DB: makeDatabasePath() } },
    );
    await terminal.until(end);
    return terminal.raw;
  };
  const removeTitles = (raw: string): string => raw.replaceAll(TITLE, '');
  const done = /Synthesis v1[\s\S]*run \w+-\w+ done/;
  // The bell does not ring for a run of less than ten seconds. All these runs take longer, so run them at the
  // same time.
  const [drawn, notice, ...plain] = await Promise.all([
    runToEnd('bell', [], /✓ done/),
    runToEnd('notice', ['--plain'], done),
    ...(LONG ? [runToEnd('bell', ['--plain'], done)] : []),
  ]);
  const titles = [...drawn.matchAll(TITLE)].map(([, title]) => title);
  expect(titles[0]).toMatch(/^(● 0\/\d · Should we\? Yes and \*\*no\*\*\.|deliberate)$/);
  expect(titles).toContain('● 1/3 · Should we? Yes and **no**.');
  expect(titles.at(-1)).toBe('✓ Should we? Yes and **no**.');
  // The window's title changes once for each state, and not with every frame.
  expect(new Set(titles).size).toBe(titles.length);
  for (const raw of [drawn, ...plain]) expect(removeTitles(raw).match(/\u0007/g)).toHaveLength(1);
  // The notice that the run has ended quotes the run's question, also without its escape sequences.
  const sent = '\u001b]9;deliberate: Done: Should we? Yes and **no**.\u0007';
  expect(notice.split(sent)).toHaveLength(2);
  expect(findForeignText(removeTitles(notice).replaceAll('\r\n', '\n').replace(sent, ''))).toBe('');
});

it('the thinking of a model is shown as one line until the key T opens it', async () => {
  const server = closeAfterTest(
    await startOllama({ models: ['a'], behaviours: { a: 'thinking' } }),
  );
  const env = { OLLAMA_HOST: server.url, DELIBERATE_DB: makeDatabasePath() };
  const live = new Terminal(['board', '--model', 'ollama/a', 'Should we?'], { env });
  await live.until(/✓ done/);
  expect(await live.screen()).not.toContain('look for the boundary');
  live.press('g');
  await live.until(/thought(:| for \d+ s,) 13 words · T opens/);
  live.press('T');
  await live.until(/The question is about[\s\S]*-- end of thinking --/);
  live.press('T');
  await live.until((screen) => !screen.includes('end of thinking'));
  live.press('q');
  expect(await live.exited).toBe(0);
  const watched = new Terminal(['watch', 'latest'], { columns: 80, rows: 24, env });
  await watched.until(/thought: 13 words · T opens/);
  watched.press('T');
  await watched.until(/The question is about/);
  watched.press('q');
  expect(await watched.exited).toBe(0);
});
