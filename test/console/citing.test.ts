/** Citations of attachments at the keyboard: what exists, what does not, and the lines themselves. */
import { afterEach, describe, expect, test } from 'vitest';
import { FakeRun, PANEL } from './fake-run.ts';
import { KEYS, type OpenedConsole, openRunConsole } from './terminal.ts';

let opened: OpenedConsole | undefined;
afterEach(async () => {
  opened?.console.close();
  await opened?.console.closed.catch(() => undefined);
  opened = undefined;
});

const TEXT = Array.from({ length: 210 }, (_, index) => `line number ${index + 1}`).join('\n');

function makeRun(answer: string, text = TEXT, more: object = {}): FakeRun {
  const run = new FakeRun();
  run.seats = PANEL;
  run.tell('run.started', {
    protocol: 'board',
    question: 'Why?',
    seats: [...PANEL],
    config: { attachments: [{ name: 'design.md', text, ...more }] },
    request: { kind: 'convene' },
  });
  return run.ask('advocate').say('advocate', answer).done('advocate').end('done');
}

describe.each([
  { columns: 80, rows: 24 },
  { columns: 140, rows: 40 },
])('citations at $columns×$rows', (size) => {
  async function openConsole(run: FakeRun): Promise<OpenedConsole> {
    opened = openRunConsole(run, size);
    await opened.screen.settled();
    return opened;
  }

  test('the key # lists citations, and Enter opens the cited lines', async () => {
    const console = await openConsole(
      makeRun(
        'See attachments/design.md#L10-L60 and `design.md#L300`, attachments/design.md#L10-L60 again.',
      ),
    );
    await console.press('#');
    expect(console.screen.text).toContain('Cites 2 places: 1 does not exist');
    expect(console.screen.text).toContain('> ✓ attachments/design.md#L10-L60 (2 times)');
    expect(console.screen.text).toContain('does not exist: design.md has 210 lines');
    await console.press(KEYS.enter);
    expect(console.screen.text).toMatch(/10 {2}line number 10\b/);
    expect(console.screen.text).not.toContain('line number 9 ');
    await console.press('G');
    expect(console.screen.text).toMatch(/60 {2}line number 60\b/);
    expect(console.screen.text).not.toMatch(/line number 61\b/);
    await console.press(KEYS.escape);
    expect(console.screen.text).toContain('Cites 2 places');
    // The second citation names lines that do not exist, so Enter opens nothing.
    await console.press('j', KEYS.enter);
    expect(console.screen.text).toContain('Cites 2 places');
    await console.press(KEYS.escape);
    expect(console.screen.text).not.toContain('Cites 2 places');
    for (const line of console.screen.lines) expect(line.length).toBeLessThanOrEqual(size.columns);
  });

  test('cited lines are counted with U+2028 as a line break, and are shown without control sequences', async () => {
    const text = 'one\u2028two\nthree \u001b]52;c;eA==\u0007\u001b]0;pwned\u0007\u202e!\r\nfour';
    const console = await openConsole(makeRun('attachments/design.md#L2-L4', text));
    await console.press('#', KEYS.enter);
    expect(console.screen.text).toMatch(/2 {2}two\b/);
    expect(console.screen.text).toMatch(/3 {2}three !/);
    expect(console.screen.text).toMatch(/4 {2}four/);
    expect(console.screen.raw).not.toMatch(/\u001b\]52|pwned|\u202e/);
  });

  test('citations of a document with pages name the page', async () => {
    const text = 'title\nthe standby\nlags by 40 minutes\n';
    const source = {
      sha256: 'a',
      bytes: 1,
      kind: 'pdf',
      notes: ['page 2 holds no \u001b]0;pwned\u0007text'],
      parts: ['p1', 'p2', 'p3'].map((name, at) => ({ name, from: [1, 2, 2][at] })),
    };
    const console = await openConsole(
      makeRun('design.md#p3L1-L2, and design.md#p3L3.', text, { source }),
    );
    await console.press('#');
    expect(console.screen.text).toContain('✓ attachments/design.md#p3L1-L2');
    expect(console.screen.text).toContain('does not exist: design.md: p3 has 2 lines');
    await console.press(KEYS.enter);
    expect(console.screen.text).toMatch(/── page 3 ──\s+│?\n.*1 {2}the standby/);
    expect(console.screen.text).toMatch(/2 {2}lags by 40 minutes/);
    await console.press(KEYS.escape, KEYS.escape, 'Q');
    expect(console.screen.text).toContain('design.md, 3 pages with 3 lines');
    await console.press('#', KEYS.enter);
    expect(console.screen.text).toContain('── page 1 ──');
    expect(console.screen.text).toContain('(page 2 holds no text)');
    expect(console.screen.raw).not.toMatch(/pwned/);
  });

  test('the key # lists the attachments while the question is shown in full', async () => {
    const console = await openConsole(makeRun('Nothing to see.'));
    await console.press('Q');
    expect(console.screen.text).toContain('design.md, 210 lines');
    expect(console.screen.text).toContain('# opens the attachments · Esc goes back');
    await console.press('#');
    expect(console.screen.text).toContain('1 attachment');
    expect(console.screen.text).toContain('> design.md, 210 lines');
    await console.press(KEYS.enter);
    expect(console.screen.text).toMatch(/ 1 {2}line number 1\b/);
    await console.press('G');
    expect(console.screen.text).toMatch(/210 {2}line number 210\b/);
    await console.press(KEYS.escape, KEYS.escape, KEYS.escape);
    expect(console.screen.text).not.toContain('210 lines');
  });

  test('the key # shows a message if there is nothing to list', async () => {
    const console = await openConsole(makeRun('Nothing to see.'));
    await console.press('#');
    expect(console.screen.text).toContain(
      'No attachment is cited here; press Q, then #, for the attachments.',
    );
    console.console.close();
    const other = await openConsole(new FakeRun().open('Why?').ask('advocate'));
    await other.press('#');
    expect(other.screen.text).toContain('Nothing was attached to this run.');
  });
});
