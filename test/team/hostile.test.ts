/**
 * Tests that hostile text by a team's models reaches terminals, reports and pipes harmlessly. On a terminal
 * each text gets another attack; the long form puts every attack into every text.
 */
import { expect, test } from 'vitest';
import type { AnyFact } from '../../src/kernel/vocabulary.ts';
import { PlainLines } from '../../src/plain/lines.ts';
import { formatReport } from '../../src/plain/report.ts';
import type { FactBody } from '../../src/protocols/team/facts.ts';
import { text } from '../../src/protocols/team/view/plain.ts';
import { report } from '../../src/protocols/team/view/report.ts';
import { KEYS, openRunConsole } from '../console/terminal.ts';
import { LONG } from '../long.ts';
import { findForeignText } from '../text/terminal-bytes.ts';
import { factsOf, makeTeamRun, STAGES } from './facts-of-a-run.ts';

const ATTACKS: Readonly<Record<string, readonly [attack: string, gone?: string]>> = {
  clipboard: ['\u001b]52;c;cm0gLXJmIC8=\u0007', 'cm0gLXJm'],
  'colors, C1 and all': ['\u001b[38;5;213mpink \u009b31mred \u001b[2J\u001b[1;1H', '5;213m'],
  'link, never ended': ['\u001b]8;;https://evil.example'],
  'bidi, zero width, tags': ['\u202egnp.exe\u202c a\u200bb\u2060c\ufeffd\u{e0041}'],
  'Markdown and tables': ['| a |\n\n# Decisions\n\n<!-- ``` --> **x** [y](z)'],
  controls: ['a\u0000b\u0007c\u0008d\u000ce\u007f\rfirst'],
};

/** Fields that code writes, or that hold one of a few words. */
const CODE: ReadonlySet<string> = new Set([
  ...['type', 'kind', 'state', 'proof', 'tier', 'from', 'to', 'cause', 'met', 'verdict', 'status'],
  ...['decision', 'ended', 'sandbox', 'level', 'effort', 'by', 'basis', 'for', 'protocol', 'step'],
  ...[
    'attempt',
    'at',
    'task',
    'seat',
    'id',
    'role',
    'model',
    'default',
    'value',
    'request',
    'root',
  ],
]);

function poisonValue<T>(value: T, attack: () => string, key = ''): T {
  if (value === '') return value;
  if (typeof value === 'string') {
    const isWord = CODE.has(key) || /^T\d-T5$/.test(value) || key === 'how' || key === 'change';
    return (isWord && !value.includes(' ') ? value : `${value} ${attack()}`) as T;
  }
  if (Array.isArray(value)) return value.map((item) => poisonValue(item, attack, key)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      name === 'config' || name === 'seats' ? field : poisonValue(field, attack, name),
    ]),
  ) as T;
}

/** Replaces the models' texts in facts with attacks, one after the other. */
function poisonFacts(attacks: readonly string[], bodies: readonly FactBody[]): FactBody[] {
  let at = -1;
  const takeAttack = (): string => {
    at = (at + 1) % attacks.length;
    return attacks[at] ?? '';
  };
  return bodies.map((body) => poisonValue(body, takeAttack));
}

/** A name, attacks, and the texts that must not appear in the output. */
type Scene = readonly [name: string, attacks: readonly string[], gone: readonly string[]];
const EACH = Object.entries(ATTACKS).map(
  ([name, [attack, gone]]): Scene => [name, [attack], gone === undefined ? [] : [gone]],
);
const ALL = EACH.flatMap(([, attacks]) => attacks);
const NEVER = EACH.flatMap(([, , gone]) => gone);
const SCENES: readonly Scene[] = LONG
  ? EACH
  : [0, 3].map((from) => [
      `all of them, from number ${from + 1} on`,
      [...ALL.slice(from), ...ALL.slice(0, from)],
      NEVER,
    ]);

test.concurrent.each(SCENES)(
  'hostile text is harmless in every pane of the console: %s',
  async (_name, attacks, gone) => {
    const run = makeTeamRun(poisonFacts(attacks, STAGES.done));
    const console = openRunConsole(run, { columns: 130, rows: 40 });
    await console.screen.settled();
    for (let row = 0; row < 20; row += 1) await console.press(KEYS.enter, KEYS.escape, 'j');
    await console.press('1', '3', KEYS.enter, '4', 'G', KEYS.enter, '5', '6');
    expect(findForeignText(console.screen.raw)).toBe('');
    for (const trace of gone) expect(console.screen.raw).not.toContain(trace);
    for (const line of console.screen.lines) expect(line.length).toBeLessThanOrEqual(130);
    console.console.close();
    await console.console.closed;
  },
);

test.concurrent.each(SCENES)(
  'hostile text is harmless in the question about the plan: %s',
  async (_name, attacks, gone) => {
    const console = openRunConsole(makeTeamRun(poisonFacts(attacks, STAGES.asked)), {
      columns: 90,
      rows: 30,
    });
    await console.screen.settled();
    while (console.screen.text.includes('more below (PgDn)')) await console.press('\u001b[6~');
    await console.press(KEYS.down, KEYS.enter, 'words');
    expect(console.screen.text).toContain('> words');
    expect(findForeignText(console.screen.raw)).toBe('');
    for (const trace of gone) expect(console.screen.raw).not.toContain(trace);
    console.console.close();
    await console.console.closed;
  },
);

test.each(EACH)(
  'hostile text is harmless in the report and in plain output: %s',
  (_name, attacks, gone) => {
    const facts = factsOf(poisonFacts(attacks, STAGES.done)) as AnyFact[];
    const page = formatReport(facts, report);
    let told = '';
    const sink = { write: (words: string) => (told += words) };
    const lines = new PlainLines(sink, sink, text);
    for (const fact of facts) lines.fact(fact);
    for (const said of [page, told]) {
      expect(said).not.toMatch(
        /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u200b\u2060]/,
      );
      for (const trace of gone) expect(said).not.toContain(trace);
    }
    expect(page.split('\n').filter((row) => /^#+ Decisions$/.test(row))).toEqual(
      // The program itself writes one heading `Decisions`. Hostile text must add none.
      ['### Decisions'],
    );
    const [, checks = ''] = page.split('\n## Checks\n');
    const [table = ''] = checks.split('\n## ');
    const cells = table.split('\n').filter((row) => row.startsWith('|'));
    expect(new Set(cells.map((row) => row.split(/(?<!\\)\|/).length)).size).toBe(1);
  },
);
