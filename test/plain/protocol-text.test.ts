/** What is told of a run whose protocol is not here, and that the displays know none. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { viewOf } from '../../src/kernel/view.ts';
import { COMMON_REPORT } from '../../src/plain/common-report.ts';
import { COMMON_TEXT } from '../../src/plain/protocol-text.ts';
import { formatReport } from '../../src/plain/report.ts';
import { loadProtocolText } from '../../src/protocols/table.ts';
import { OWN_TEXT } from '../../src/sdk/view/plain.ts';
import { type Fact, type FactBody, fact } from '../every-fact.ts';
import { makeSeat } from '../kernel/scripted-models.ts';
import { SDK_EXAMPLES } from '../kernel/sdk-examples.ts';
import { makeCompletedCall, makeSynthesisFact } from '../store/bodies.ts';
import { ROOT, readImports } from '../structure/imports.ts';

const makeLog = (...bodies: FactBody[]): Fact[] =>
  bodies.map((body, at) => ({ run: 'r', seq: at + 1, at: '2026-01-01T00:00:00.000Z', ...body }));

const makeRunStart = (model = 'test/m'): FactBody =>
  fact('run.started', {
    protocol: 'red-team',
    question: 'Ship it?',
    seats: ['attacker', 'defender', 'referee'].map((id) => makeSeat(id, { model })),
    config: { attachments: [{ name: 'plan.md', text: 'one\ntwo' }] },
    request: { kind: 'convene' },
  });
const makeAnswer = (step: string, seatId: string, text: string): FactBody =>
  makeCompletedCall({ step, seat: seatId, text, model: 'test/m' });
const {
  v: _v,
  type: _type,
  ...half
} = makeCompletedCall({ step: 'attack/2', seat: 'attacker', text: 'And' }) as ReturnType<
  typeof makeCompletedCall
> & {
  type: 'call.completed';
};

describe('a run of an unknown protocol', () => {
  const facts = makeLog(
    makeRunStart(),
    makeAnswer('draft', 'defender', '# A plan\n\nSee plan.md#L2.'),
    makeAnswer('attack/1', 'attacker', 'It breaks: plan.md#L9.'),
    fact('call.stopped', half),
    makeAnswer('end', 'synthesizer', 'Ship half of it.'),
    { ...makeSynthesisFact(1, 'Ship half of it.'), included: ['defender'] } as FactBody,
    fact('run.ended', { status: 'stopped' }),
  );

  it('has a report with answers, citations, costs and a section on what is missing', () => {
    const text = formatReport(facts, COMMON_REPORT);
    expect(text.split('\n').filter((row) => row.startsWith('#'))).toEqual([
      '# Ship it?',
      '## Synthesis v1 · 1 of 1 advisors',
      '## attacker',
      '### attack/1 (test/m)',
      '### attack/2 (ollama/org/qwen3:8b)',
      '## defender',
      '### draft (test/m)',
      '#### A plan',
      '## referee',
      '## Synthesizer',
      '### end (test/m)',
      '## Citations',
      '## What is missing',
      '## Costs',
    ]);
    // The report has the text of the synthesis twice: at the top and in the section `Synthesis v1`. The section of
    // the synthesizer's call only says `This is synthesis v1`.
    expect(text.match(/Ship half of it\./g)).toHaveLength(2);
    expect(text).toContain('_This is synthesis v1._');
    expect(text).toContain('attacker cites lines that do not exist');
    expect(text).toContain(
      [
        '- The run is stopped; the report ends where it stopped.',
        '- referee: No answer: not asked.',
        '- attack/2: Stopped: the answer is partial.',
        '',
      ].join('\n'),
    );
  });

  it('is printed in words; only a fact of the protocol’s own is printed with its type', () => {
    const facts = makeLog(makeRunStart(), ...Object.values(SDK_EXAMPLES), {
      v: 1,
      type: 'red-team/objection.raised',
      text: 'It breaks.',
    } as unknown as FactBody);
    const teller = OWN_TEXT.teller();
    const telling = { view: viewOf(facts), title: (id: string) => id.replace('-', ' ') };
    expect(facts.flatMap((fact) => teller.tell(fact, telling))).toEqual(
      [
        'Figure: Estimates by round',
        'D1 by seat 1: It does not scale. (its quotation was not found)',
        'D1 is conceded: It was tried.',
        '2 choices in 1 group',
        'Method: delphi (it asks for a number)',
        'red-team/objection.raised: text: It breaks.',
      ].map((text) => ({ to: 'err', text })),
    );
  });

  it('is compared with another run by panel and syntheses', () => {
    const other = makeLog(makeRunStart('test/n'), makeSynthesisFact(1, '## Advice\nWait.'));
    const toRun = (all: readonly Fact[]) => ({ facts: all, view: viewOf(all) });
    const { found, text } = COMMON_TEXT.diff(toRun(facts), toRun(other));
    expect(found).toMatchObject({ included: { from: ['defender'], to: [] } });
    expect(text).toContain('Model of attacker: test/m → test/n');
    expect(COMMON_TEXT.diff(toRun(facts), toRun(facts)).text).toBe('Identical.\n');
  });

  it.each(['red-team', 'constructor', '__proto__', ''])(
    'can have any name, such as %j',
    async (name) => {
      expect(await loadProtocolText(name)).toBe(OWN_TEXT);
    },
  );
});

describe('the display of a run as text', () => {
  const next = Map.groupBy(readImports(), ({ from }) => from);
  const listReached = (file: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(file)) return seen;
    seen.add(file);
    for (const { to } of next.get(file) ?? []) listReached(to, seen);
    return seen;
  };

  it.each(['agents', 'board', 'rounds'])(
    'for the protocol %s imports no source file of other protocols or of the console',
    (name) => {
      const files = [...listReached(`protocols/${name}/view/plain.ts`)];
      expect(files).toContain('plain/protocol-text.ts');
      const foreign = new RegExp(
        `^(?:console/|app/|cli/|ink$|react$|protocols/(?!common/|entrance/|${name}/))`,
      );
      expect(files.filter((file) => foreign.test(file))).toEqual([]);
    },
  );

  it('is written by source code in src/plain that names no protocol', () => {
    const files = [...next.keys()].filter((file) => file.startsWith('plain/'));
    expect(files.length).toBeGreaterThan(8);
    for (const file of files)
      expect(readFileSync(join(ROOT, 'src', file), 'utf8'), file).not.toMatch(
        /'(?:board|rounds|agent|plan|team|debate)'/,
      );
  });
});
