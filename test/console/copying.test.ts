/** Taking texts out of the console: what goes to the clipboard and into files, byte for byte. */
import { afterEach, describe, expect, test } from 'vitest';
import { cutToBytes } from '../../src/console/run/copying.ts';
import { FakeRounds } from './fake-rounds.ts';
import { FakeRun, makeProse, PANEL } from './fake-run.ts';
import { type ConsoleOptions, KEYS, type OpenedConsole, openRunConsole } from './terminal.ts';

let opened: OpenedConsole | undefined;
afterEach(async () => {
  opened?.console.close();
  await opened?.console.closed.catch(() => undefined);
  opened = undefined;
});

async function openConsole(run: FakeRun, opening: ConsoleOptions = {}): Promise<OpenedConsole> {
  opened = openRunConsole(run, opening);
  await opened.screen.settled();
  return opened;
}

function makeAnsweredRun(answer: string): FakeRun {
  const run = new FakeRun().open('Should we\nsplit it?').ask(...PANEL.map(({ id }) => id));
  for (const { id } of PANEL) run.send(id);
  run.say('advocate', answer).done('advocate').say('critic', 'No.').done('critic');
  return run;
}

/** Returns the texts that the terminal was asked to put into the clipboard, in order. */
function readClipboard(raw: string): string[] {
  return [...raw.matchAll(/\u001b\]52;c;([A-Za-z0-9+/=]*)\u0007/g)].map(([, base64 = '']) =>
    Buffer.from(base64, 'base64').toString('utf8'),
  );
}

/** Matches every control sequence that a terminal would obey, except newline and tab. */
const ORDERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const HOSTILE =
  'before \u001b]52;c;cm0gLXJmIC8=\u0007 \u001b]0;pwned\u0007 \u009d52;c;eA==\u009c \u001b[2J \u0007 \u202e \u001b]52;c;b2Vu after';

describe('copying', () => {
  test('the key y copies the focused seat’s answer in the Markdown in which it was written', async () => {
    const answer = '## Yes\n\n- **one** `two`\n- three, quite a long line '.padEnd(400, 'word ');
    const console = await openConsole(makeAnsweredRun(answer), { columns: 80, rows: 24 });
    await console.press('y');
    expect(readClipboard(console.screen.raw)).toEqual([answer.trim()]);
    expect(console.screen.text).toContain(
      'Copied through the terminal, if it supports that. Advocate',
    );
    await console.press(KEYS.tab, 'y');
    expect(readClipboard(console.screen.raw).at(-1)).toBe('No.');
  });

  test('a clipboard tool gets the copied text and is named in the message', async () => {
    const got: string[] = [];
    const console = await openConsole(makeAnsweredRun('Yes.'), {
      outside: {
        copy: (text) => {
          got.push(text);
          return Promise.resolve('xclip');
        },
      },
    });
    await console.press('y');
    expect(got).toEqual(['Yes.']);
    expect(console.screen.text).toContain(
      'Copied by xclip and the terminal. Advocate (qwen3:8b): 1 word, 4 B',
    );
  });

  test('the key Y copies an answer below the seat’s title and the question', async () => {
    const console = await openConsole(makeAnsweredRun('Yes.'));
    await console.press('Y');
    expect(readClipboard(console.screen.raw)).toEqual([
      '# Advocate (qwen3:8b)\n\n> Should we\n> split it?\n\nYes.\n',
    ]);
  });

  test('the key y copies the synthesis if the synthesis has the focus', async () => {
    const run = makeAnsweredRun('Yes.').stop('analyst');
    run.ask('synthesizer/1').send('synthesizer/1').say('synthesizer/1', 'Both.').synthesize(1);
    const console = await openConsole(run);
    await console.press('y');
    expect(readClipboard(console.screen.raw)).toEqual(['Both.']);
  });

  test('a text that is too long for a terminal is cut, and a message says so', async () => {
    const answer = 'ä'.repeat(40_000);
    const console = await openConsole(makeAnsweredRun(answer));
    await console.press('y');
    const [sent = ''] = readClipboard(console.screen.raw);
    expect(sent).toBe('ä'.repeat(28_122));
    expect(console.screen.text).toContain(
      'Only the first 1 word, 56.2 kB of 1 word, 80.0 kB copied',
    );
    const longest = /52;c;([^\u0007]*)/.exec(console.screen.raw)?.[1]?.length ?? 0;
    expect(longest).toBeLessThanOrEqual(74_994);
  });

  test('no message about a cut text is shown if a tool copies the whole text', async () => {
    const console = await openConsole(makeAnsweredRun('word '.repeat(20_000)), {
      outside: { copy: () => Promise.resolve('wl-copy') },
    });
    await console.press('y');
    expect(console.screen.text).toContain('Copied by wl-copy. Advocate');
    expect(console.screen.text).not.toContain('Only the first');
  });

  test('the terminal gets the text if a clipboard tool fails', async () => {
    const console = await openConsole(makeAnsweredRun('Yes.'), {
      outside: { copy: () => Promise.reject(new Error('xclip failed')) },
    });
    await console.press('y');
    expect(readClipboard(console.screen.raw)).toEqual(['Yes.']);
    expect(console.screen.text).toContain('if it supports that (xclip failed)');
  });

  test('the key y says that there is nothing to copy if no seat has answered yet', async () => {
    const run = new FakeRun().open('Why?').ask('advocate');
    const console = await openConsole(run);
    await console.press('y', 'W');
    expect(readClipboard(console.screen.raw)).toEqual([]);
    expect(console.screen.text).toContain('No text to copy here.');
  });

  test('control sequences of a model reach neither the clipboard nor a file', async () => {
    const taken: string[] = [];
    const keepText = (text: string): void => void taken.push(text);
    const console = await openConsole(makeAnsweredRun(`${HOSTILE}\n\nnext`), {
      outside: {
        copy: (text) => Promise.resolve(keepText(text)).then(() => undefined),
        save: (_name, text) =>
          Promise.resolve(keepText(text)).then(() => '/tmp/a \u001b]0;x\u0007.md'),
      },
    });
    await console.press('y', 'Y', 'W');
    const sent = readClipboard(console.screen.raw);
    expect(sent).toHaveLength(2);
    expect(taken).toHaveLength(3);
    for (const text of [...sent, ...taken]) {
      expect(text).not.toMatch(ORDERS);
      expect(text).toContain('before');
      expect(text).toContain('after');
      expect(text).not.toContain('cm0gLXJmIC8');
    }
    const rest = console.screen.raw.replaceAll(/\u001b\]52;c;[A-Za-z0-9+/=]*\u0007/g, '');
    expect(rest).not.toMatch(/\u001b\](?!2;)|\u009d|pwned/);
  });
});

describe('saving a text', () => {
  test('the key W writes the focused text to a file, and shows the path', async () => {
    const saved: [string, string][] = [];
    const console = await openConsole(makeAnsweredRun('Yes.'), {
      acting: false,
      outside: {
        save: (name, text) => {
          saved.push([name, text]);
          return Promise.resolve('/tmp/here.md');
        },
      },
    });
    await console.press('W');
    expect(saved).toEqual([
      ['advocate', '# Advocate (qwen3:8b)\n\n> Should we\n> split it?\n\nYes.\n'],
    ]);
    expect(console.screen.text).toContain('Saved to /tmp/here.md');
  });

  test('an error of the disk is shown as a message', async () => {
    const console = await openConsole(makeAnsweredRun('Yes.'), {
      outside: { save: () => Promise.reject(new Error('EROFS')) },
    });
    await console.press('W');
    expect(console.screen.text).toContain('Not saved: EROFS');
  });
});

test('in rounds, the key y copies the claim or the fact under the cursor, but nothing in the tabs Signals and Tree', async () => {
  const run = new FakeRounds().start('Why?').round(1, 'action');
  const console = await openConsole(run);
  await console.press('3', 'y');
  const claim = Object.values(run.facts).find((fact) => fact.type === 'claim.raised');
  expect(claim).toBeDefined();
  expect(readClipboard(console.screen.raw)[0]).toContain('Test: ');
  await console.press('6', 'G', 'y');
  const last = run.facts.at(-1);
  expect(readClipboard(console.screen.raw)[1]).toContain(last?.type);
  await console.press('5', 'y', '4', 'y');
  expect(console.screen.text).toContain('No text to copy here.');
  expect(readClipboard(console.screen.raw)).toHaveLength(2);
});

test('the key y copies what a running phase has produced so far', async () => {
  const run = new FakeRounds().start('Why?');
  run.tell('round.started', { round: 1, lead: 'action' }).phase(1, 'C');
  const console = await openConsole(run, { columns: 120, rows: 40 });
  for (const role of ['guardian', 'critic']) {
    const step = `round-1/C/${role}`;
    run.stream(step, role, run.begin(step, role), `The ${role} speaks.`);
  }
  await console.screen.settled();
  await console.press('2', 'y');
  expect(readClipboard(console.screen.raw)).toEqual([
    '## Guardian\n\nThe guardian speaks.\n\n## Critic\n\nThe critic speaks.',
  ]);
});

test('cutToBytes cuts a text only between characters', () => {
  expect(cutToBytes('aä€😀', 10)).toBe('aä€😀');
  expect(cutToBytes('aä€😀', 9)).toBe('aä€');
  expect(cutToBytes('aä€😀', 5)).toBe('aä');
  expect(cutToBytes('aä€😀', 2)).toBe('a');
  expect(cutToBytes(makeProse(1, 50), 10)).toBe(makeProse(1, 50).slice(0, 10));
});
