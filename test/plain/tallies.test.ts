/** What rounds tell by the dozen, from journals that were played by hand: once well, once badly. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AnyFact } from '../../src/kernel/vocabulary.ts';
import { PlainLines } from '../../src/plain/lines.ts';
import { ROUNDS } from '../../src/protocols/rounds/facts.ts';
import { rounds } from './texts.ts';

/** Returns the paragraphs that the run prints on standard output. */
function printRun(name: string, change: (fact: AnyFact) => AnyFact = (fact) => fact): string[] {
  let out = '';
  const makeSink = (keep: boolean) => ({
    write: (text: string) => {
      if (keep) out += text;
      return true;
    },
  });
  const lines = new PlainLines(makeSink(true), makeSink(false), rounds);
  const journal = new URL(`../golden/${name}.jsonl`, import.meta.url);
  for (const text of readFileSync(journal, 'utf8').trim().split('\n'))
    lines.fact(change(JSON.parse(text) as AnyFact));
  return out.split('\n\n');
}

describe('the line on claims that were checked in documents', () => {
  it('is printed at the end of the phase, with the results', () => {
    const paragraphs = printRun('played');
    const at = paragraphs.indexOf('# Round 1 · G decisions');
    expect(paragraphs[at - 1]).toBe(
      [
        '8 claims read: 3 true in the text, 1 not in the text, 1 partly in the text, 3 need a test; 4 settled',
        'Control sentences: 3 of 3 right',
      ].join('\n'),
    );
  });

  it('says that nothing was settled if the reader misjudged two of three control sentences', () => {
    expect(printRun('played-badly').join('\n')).toContain(
      '3 claims read: 2 true in the text, 1 false in the text; nothing settled; discarded, since 2 of 3 control sentences are wrong; a second look found 1 otherwise\nControl sentences: 1 of 3 right\n',
    );
  });
});

describe('the lines on claims that were not accepted and on concessions that were not accepted', () => {
  it('count claims and concessions separately and name the first ones', () => {
    expect(printRun('played-badly').join('\n')).toContain(
      [
        'Claims rejected: 5',
        '- Action: "The design is good.": its test only repeats it',
        '- Critic: "The standby is always up to date.": it names no test',
        '- and 3 more: deliberate show RUN',
        'Concessions rejected: 5',
      ].join('\n'),
    );
  });

  it('are printed once, even if the run is stopped before the next phase begins', () => {
    const countRejected = (paragraphs: string[]) =>
      paragraphs
        .join('\n')
        .split('\n')
        .filter((line) => /^Claims rejected: /.test(line)).length;
    const whole = countRejected(printRun('played-badly'));
    expect(whole).toBeGreaterThan(0);
    const stopped = printRun('played-badly', (fact) =>
      ROUNDS.is('phase.entered')(fact) && fact.round === 3 && fact.phase === 'G'
        ? ({
            v: 1,
            type: 'run.ended',
            status: 'stopped',
            run: fact.run,
            seq: fact.seq,
            at: fact.at,
          } as AnyFact)
        : fact,
    );
    expect(countRejected(stopped)).toBe(whole);
    expect(stopped.join('\n')).not.toContain('# Round 3 · G');
  });

  it('contain no escape sequence from a model', () => {
    const paragraphs = printRun('played-badly', (fact) =>
      fact.type === 'refusal.recorded'
        ? { ...fact, text: '\u001b[31mred\u001b[0m', why: 'a\nb' }
        : fact,
    );
    const text = paragraphs.join('\n');
    expect(text).toMatch(/^- Action: "red": a b$/m);
    expect(text).not.toContain('\u001b');
  });
});
