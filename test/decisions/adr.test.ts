/** Architecture decision records: their file names and numbers, what they supersede, and their text. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { writeRecord } from '../../src/app/decisions/adr-folder.ts';
import { fact } from '../../src/decisions/facts.ts';
import { viewOf } from '../../src/kernel/view.ts';
import type { AnyBody } from '../../src/kernel/vocabulary.ts';
import { formatAdr, formatAdrTitle } from '../../src/plain/adr.ts';
import { text as board } from '../../src/protocols/board/view/plain.ts';
import { report } from '../../src/protocols/board/view/report.ts';
import { readGolden } from '../golden/journal.ts';
import { BoardHarness, makePanel } from '../protocols/board-desk.ts';
import { temporaryFolder } from '../store/folder.ts';

const makeRecord = (title: string, supersedes?: string) => ({
  title,
  supersedes,
  text: ({ supersedes: old }: { supersedes?: string }) => `# ${title}\n\n${old ?? 'none'}\n`,
});

function folderOf(...names: readonly string[]): string {
  const folder = join(temporaryFolder(), 'docs', 'adr');
  mkdirSync(folder, { recursive: true });
  for (const name of names) writeFileSync(join(folder, name), `# ${name}\n`);
  return folder;
}

const writeAndGetName = (folder: string, title: string): string =>
  (writeRecord(folder, makeRecord(title))[0] ?? '').slice(folder.length + 1);

describe('the writer of decision records (writeRecord)', () => {
  it('creates a folder that does not exist', () => {
    expect(writeAndGetName(join(temporaryFolder(), 'new', 'adr'), 'Use a queue')).toBe(
      '0001-use-a-queue.md',
    );
  });

  it('gives a new record the number after the highest number in the folder', () => {
    const folder = folderOf('0002-a.md', '0007-b.md', '0007-c.md', 'index.md', '0009-plan.txt');
    expect(writeAndGetName(folder, 'Use a queue')).toBe('0008-use-a-queue.md');
    expect(writeAndGetName(folder, 'Use a queue')).toBe('0009-use-a-queue.md');
  });

  it('writes the number with as many digits as the other files’ names have', () => {
    expect(writeAndGetName(folderOf('00041-a.md'), 'Use a queue')).toBe('00042-use-a-queue.md');
  });

  it.each(['../../etc/passwd', '...', '\u202e', '-- ; rm -rf /'])(
    'writes one valid file name in the folder for the title %j',
    (title) => {
      const folder = folderOf();
      writeAndGetName(folder, title);
      expect(readdirSync(folder)).toHaveLength(1);
      expect(readdirSync(folder)[0]).toMatch(/^0001-[\p{L}\p{N}-]+\.md$/u);
    },
  );

  it('shortens a title of 400 Chinese characters to a file name of less than 255 bytes', () => {
    expect(Buffer.byteLength(writeAndGetName(folderOf(), '決'.repeat(400)))).toBeLessThan(255);
  });

  it('ends a long title after a whole word', () => {
    const title = 'Move the queue into a SQLite file in WAL mode, and run the load test before it';
    expect(writeAndGetName(folderOf(), title)).toBe(
      '0001-move-the-queue-into-a-sqlite-file-in-wal-mode-and-run-the.md',
    );
  });

  it('links a new record with the record that it supersedes', () => {
    const folder = folderOf();
    const old = '---\nstatus: accepted\ndate: 2025-01-01\n---\n\n# Use cron\n\nIt $& works.\n';
    writeFileSync(join(folder, '0003-use-cron.md'), old);
    writeRecord(folder, makeRecord('Use a queue', '3'));
    const before = readFileSync(join(folder, '0003-use-cron.md'), 'utf8');
    expect(parse(before.split('---')[1] ?? '')).toMatchObject({
      status: 'superseded by ADR-0004',
      date: '2025-01-01',
    });
    expect(before).toContain('It $& works.');
    expect(before).toContain('[0004-use-a-queue](0004-use-a-queue.md)');
    expect(readFileSync(join(folder, '0004-use-a-queue.md'), 'utf8')).toContain('0003-use-cron.md');
  });

  it('marks a superseded record in its status line if it has no front matter', () => {
    const folder = folderOf();
    writeFileSync(join(folder, '0001-a.md'), '# A\n\n* Status: accepted\n');
    writeRecord(folder, makeRecord('B', '0001'));
    expect(readFileSync(join(folder, '0001-a.md'), 'utf8')).toContain(
      '* Status: superseded by [ADR-0002](0002-b.md)',
    );
  });

  it('refuses to supersede a number that belongs to no file or to several files', () => {
    const folder = folderOf('0007-b.md', '0007-c.md');
    expect(() => writeRecord(folder, makeRecord('B', '5'))).toThrow('no such record');
    expect(() => writeRecord(folder, makeRecord('B', '0007'))).toThrow('several of that number');
    expect(readdirSync(folder)).toHaveLength(2);
    expect(writeRecord(folder, makeRecord('B', '0007-c.md'))).toHaveLength(2);
  });

  it('refuses a folder that is a file or cannot be written', () => {
    const folder = folderOf('0001-a.md');
    expect(() => writeRecord(join(folder, '0001-a.md'), makeRecord('B'))).toThrow('not a folder');
    if (process.getuid?.() === 0) return;
    chmodSync(folder, 0o500);
    expect(() => writeRecord(folder, makeRecord('B'))).toThrow('cannot be written');
  });
});

describe('the text of a decision record (formatAdr)', () => {
  async function holdBoard() {
    const bench = new BoardHarness();
    await bench.begin(makePanel(), { vote: true });
    const run = () => ({ facts: bench.facts, view: viewOf(bench.facts) });
    return { bench, run };
  }

  it('has the status "proposed" if nothing was decided', async () => {
    const { run } = await holdBoard();
    const text = formatAdr(run(), board, report);
    expect(parse(text.split('---')[1] ?? '')).toMatchObject({ status: 'proposed' });
    expect(text).toContain('Nothing was decided yet');
  });

  it('contains a decision’s predictions with their outcomes', async () => {
    const { facts } = readGolden('played-decision');
    const text = formatAdr({ facts, view: viewOf(facts) }, board, report);
    expect(text).toContain(
      [
        '## Decision Outcome',
        'Chosen option: "SQLite after a load test".',
        'Move the queue into a SQLite file in WAL mode, and run the load test before the switch.',
        'This is what the panel recommended: Move the queue',
      ].join('\n\n'),
    );
    expect(text).toContain('(put, take, done)');
    expect(text).not.toContain('\\`');
    expect(text).toContain(
      '* Some takes will be very slow, because waiting for the lock is not fair (for: Critic; against: Advocate)\n',
    );
    expect(text).toMatch(
      /\(P-1-2, panel 45 %\)\n {2}\* Did not come true \(said on 2026-04-15 by Ada\)\n {2}\* Look at: /,
    );
    expect(text).toContain('* Looked at again on 2026-04-15 by Ada: it stands. With FULL');
    expect(text.indexOf('This is an example.')).toBeLessThan(text.indexOf('### Confirmation'));
    // The day on which the decision will be looked at again occurs in the text only once.
    expect(text.match(/looked at again on 2027-04-15/g)).toHaveLength(1);
  });

  it('marks a decision that was not an option of the vote', async () => {
    const { bench, run } = await holdBoard();
    const makeDecision = (number: number, text: string): AnyBody =>
      fact('decision.taken', { number, text, follows: number === 1, version: 1 });
    bench.journal.note([makeDecision(1, 'Wait a year.'), makeDecision(2, 'Sell it.')]);
    const text = formatAdr(run(), board, report);
    expect(text).toContain('* Sell it. (on no ballot)');
    expect(text).toContain('Chosen option: "Sell it".');
    expect(text).toContain('The panel recommended another course: ');
    expect(text).toMatch(
      /what was decided before on the same run:\n\n\* \d{4}-\d\d-\d\d: Wait a year\./,
    );
  });

  it('has a title and four of the main headings of MADR 4, in the order of MADR 4 and each once', async () => {
    const { bench, run } = await holdBoard();
    bench.journal.note([
      fact('decision.taken', {
        number: 1,
        text: 'Wait a year.',
        follows: true,
        by: 'Ada: "x"\n---\n# y',
        option: 'Option of critic',
        review: '2027-03-01',
        version: 1,
      }),
    ]);
    const text = formatAdr(run(), board, report);
    expect(formatAdrTitle(run())).toBe('Wait a year');
    expect(text.match(/^##? .*$/gm)).toEqual([
      '# Wait a year',
      '## Context and Problem Statement',
      '## Considered Options',
      '## Decision Outcome',
      '## More Information',
    ]);
    const [, matter = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
    expect(parse(matter)).toMatchObject({
      status: 'accepted',
      'decision-makers': 'Ada: "x" --- # y',
    });
    expect(text).toContain('Chosen option: "Option of critic"');
    expect(text).toContain('(for it: critic)');
    expect(text).toContain('looked at again on 2027-03-01');
  });
});
