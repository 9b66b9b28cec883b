/** The report: what stands in it, and that nobody's words leave their place. By plain values. */

import { describe, expect, it } from 'vitest';
import { formatGaps } from '../../src/plain/gaps.ts';
import { escapeLine, formatTable, nestHeadings } from '../../src/plain/markdown.ts';
import { formatReport } from '../../src/plain/report.ts';
import type { FactOf } from '../every-fact.ts';
import { type Fact, type FactBody, fact } from '../every-fact.ts';
import { makeSeat } from '../kernel/scripted-models.ts';
import { makeCompletedCall, makeSynthesisFact } from '../store/bodies.ts';
import * as reports from './reports.ts';

const makeLog = (...bodies: FactBody[]): Fact[] =>
  bodies.map((body, index) => ({
    ...body,
    run: 'r',
    seq: index + 1,
    at: `2026-01-01T00:00:0${index % 10}.000Z`,
  }));

const makeRunStart = (question: string): FactBody =>
  fact('run.started', {
    protocol: 'board',
    question,
    seats: ['a', 'b'].map((id) => ({ ...makeSeat(id), title: id.toUpperCase() })),
    config: {},
    request: { kind: 'convene' },
  });
const makeAnswer = (id: string, text: string, more: object = {}): FactBody =>
  makeCompletedCall({ step: `seat/${id}`, seat: id, role: id, text, ...more });

/** Returns the headings that a reader of Markdown sees: outside of code blocks, and not indented. */
function readHeadings(markdown: string): string[] {
  let fence = '';
  return markdown.split('\n').filter((row) => {
    const mark = /^(`{3,}|~{3,})/.exec(row)?.[1];
    if (mark !== undefined && (fence === '' || mark.startsWith(fence)))
      fence = fence === '' ? mark : '';
    return fence === '' && /^#{1,6} /.test(row);
  });
}

describe('a text of a model in the report', () => {
  it('has its headings moved to lower levels', () => {
    expect(nestHeadings('# A\n\n### B\n\ntext')).toBe('### A\n\n##### B\n\ntext');
    expect(nestHeadings('## A\n# B', 3)).toBe('##### A\n#### B');
    expect(nestHeadings('Title\n=====\ntext\n\nSecond\n---')).toBe(
      '\n### Title\n\ntext\n\n\n#### Second\n',
    );
    expect(nestHeadings('> # in a quote\n- ## in a list\n#no heading\n#')).toBe(
      '> ### in a quote\n- #### in a list\n#no heading\n###',
    );
    expect(nestHeadings('- a list\n---\n\n| a |\n---')).toBe('- a list\n---\n\n| a |\n---');
  });

  it('is parsed before the test times out, even with 5,000 nested quotes and 5,000 nested lists', () => {
    const deep = `${'> '.repeat(5000)}${'- '.repeat(5000)}`;
    expect(nestHeadings(`${deep}x\n${deep}# y`)).toBe(`${deep}x\n${deep}### y`);
  });

  it('keeps its code blocks, and an unclosed block is closed', () => {
    const code = '```sh\n# a comment <b>\n```';
    expect(nestHeadings(code)).toBe(code);
    expect(nestHeadings('~~~\n# open')).toBe('~~~\n# open\n~~~');
    expect(nestHeadings('````\n```\n# still open')).toBe('````\n```\n# still open\n````');
    expect(nestHeadings('```\ncode\n``` no end\n# code')).toBe(
      '```\ncode\n``` no end\n# code\n```',
    );
    // A code block inside a list ends before an unindented line such as `# within`. So the report moves the block
    // out of the list, and the line stays code.
    expect(nestHeadings('1. x\n   ```\n# within')).toBe('1. x\n```\n# within\n```');
    expect(nestHeadings('x\n\n    ```\n# A heading')).toBe('x\n\n    ```\n### A heading');
  });

  it('opens no HTML tag or comment', () => {
    expect(nestHeadings('<!-- hidden\n<details><summary>')).toBe(
      '\\<!-- hidden\n\\<details>\\<summary>',
    );
    expect(nestHeadings('a < b, `Vec<T>` and <https://x.org>')).toBe(
      'a < b, `Vec<T>` and <https://x.org>',
    );
    expect(nestHeadings('`open <b>')).toBe('`open \\<b>');
  });

  it('stays in one cell of a table even if it contains bars, line breaks or tags', () => {
    expect(formatTable(['a', '>b'], [[escapeLine('x | y\n# z'), escapeLine('`<b>`')]])).toBe(
      '| a | b |\n| --- | ---: |\n| x \\| y # z | \\`\\<b>\\` |',
    );
  });
});

describe('the report of a run', () => {
  const reportBoard = (...more: FactBody[]): string =>
    formatReport(makeLog(makeRunStart('Split it?'), ...more), reports.board);

  it('has the same headings, whatever models have written', () => {
    const hostile = '# Costs\n\n```\n# What is missing\n<!-- \n====\n| a | b |';
    const [tame, wild] = ['fine', hostile].map((text) =>
      reportBoard(
        makeAnswer('a', text),
        makeAnswer('b', text),
        {
          ...makeSynthesisFact(1, text),
          included: ['a', 'b'],
        } as FactBody,
        fact('run.ended', { status: 'done' }),
      ),
    );
    const readTopHeadings = (markdown = ''): string[] =>
      readHeadings(markdown).filter((row) => /^#{1,2} /.test(row));
    expect(readTopHeadings(wild)).toEqual(readTopHeadings(tame));
    expect(readTopHeadings(tame)).toEqual([
      '# Split it?',
      '## Synthesis v1 · 2 of 2 advisors',
      '## Answers',
      '## What is missing',
      '## Costs',
    ]);
    expect(tame).toMatch(/## What is missing\n\nNothing\.\n/);
  });

  it('names the answers, table and synthesis that are missing, with the reasons', () => {
    const {
      v: _v,
      type: _type,
      ...spoken
    } = makeAnswer('b', 'half') as ReturnType<typeof makeCompletedCall> & object;
    const text = reportBoard(
      makeAnswer('a', 'yes'),
      { ...spoken, v: 1, type: 'call.failed', code: 'auth', message: 'wrong | key' } as never,
      fact('run.ended', { status: 'stopped', reason: 'the budget' }),
    );
    expect(text).toContain('| status | stopped (the budget) |');
    const table = { ...spoken, v: 1, type: 'call.failed', code: 'invalid-output' };
    const drawn = reportBoard(makeAnswer('a', 'yes'), {
      ...table,
      step: 'agreement/1',
      seat: 'synthesizer',
      message: 'no table',
    } as never);
    expect(drawn).toContain('- Who holds what (v1): No answer: no table.');
    expect(text).toContain('- The run is stopped; the report ends where it stopped.');
    expect(formatGaps([], 'failed')).toBe('- The run failed; the report ends where it stopped.');
    expect(text).toContain('- B: No answer: wrong \\| key.');
    expect(text).toContain('- There is no synthesis.');
  });

  it('says that a requested vote is missing', () => {
    const {
      v: _v,
      type: _type,
      ...drawn
    } = makeCompletedCall({ step: 'agreement/1', seat: 'synthesizer', text: '' }) as ReturnType<
      typeof makeCompletedCall
    > &
      object;
    const text = formatReport(
      makeLog(
        { ...makeRunStart('Split it?'), config: { vote: true } } as FactBody,
        makeAnswer('a', 'yes'),
        makeAnswer('b', 'no'),
        { ...makeSynthesisFact(1, 'so'), included: ['a', 'b'] } as FactBody,
        {
          ...drawn,
          v: 1,
          type: 'call.failed',
          code: 'invalid-output',
          message: 'no JSON',
        } as never,
        fact('run.ended', { status: 'done' }),
      ),
      reports.board,
    );
    expect(text).toContain('- Who holds what (v1): No answer: no JSON.');
    expect(text).toContain('- No vote: no answer ended with a usable ballot.');
  });

  it('names the model that the server reported if it differs from the requested one', () => {
    const model = 'openai/gpt-5';
    const plain = reportBoard(makeAnswer('a', 'x', { model }));
    expect(plain).not.toContain('served');
    const dated = reportBoard(
      makeAnswer('a', 'x', { model, served: 'gpt-5-2025-08-07' }),
      makeAnswer('b', 'y', { model, served: 'gpt-5-2025-08-07' }),
    );
    expect(dated).toContain('openai/gpt-5 was served as gpt-5-2025-08-07.');
    const changed = reportBoard(
      makeAnswer('a', 'x', { model, served: 'one' }),
      makeAnswer('b', 'y', { model, served: 'two | `three`' }),
    );
    expect(changed).toContain('was served as 2 models: one, two');
    expect(changed).toContain('The provider changed it during this run.');
    expect(changed).not.toContain('`three`');
  });

  it('does not count the cost of answers that a fork has copied from another run', () => {
    const text = reportBoard(
      makeAnswer('a', 'first', { costUsd: 0.5 }),
      makeAnswer('a', 'again', { costUsd: 0.25 }),
      makeAnswer('b', 'theirs', { inherited: true, costUsd: 9 }),
      makeAnswer('b', 'own'),
    );
    expect(text).toContain('| a | ollama/org/qwen3:8b | 2 | 200 | 40 | $0.750 | 3.0s | 4 |');
    expect(text).toContain('| b | ollama/org/qwen3:8b | 1 | 100 | 20 | not known | 1.5s | 2 |');
    expect(text).toContain('| total |  | 3 | 300 | 60 | at least $0.750 | 4.5s | 6 |');
    expect(text).toContain('1 call was reused');
  });

  it('lists each source of prices once per date, with the models whose prices come from it', () => {
    const price = { source: 'the models of https://h.example/v1', asOf: '2026-11-27' };
    const text = reportBoard(
      makeAnswer('a', 'x', { model: 'lab/one', costUsd: 0.5, price }),
      makeAnswer('b', 'y', { model: 'lab/two', costUsd: 0.5, price }),
      makeAnswer('a', 'z', {
        model: 'lab/one',
        costUsd: 0.5,
        price: { ...price, asOf: '2026-11-28' },
      }),
      makeAnswer('c', 'free', { model: 'ollama/three', costUsd: 0 }),
    );
    expect(text).toContain(
      'Prices of lab/one, lab/two: the models of https://h.example/v1, 2026-11-27.',
    );
    expect(text).toContain('Prices of lab/one: the models of https://h.example/v1, 2026-11-28.');
    expect(text).not.toContain('Prices of ollama');
  });

  it('marks estimated tokens and costs', () => {
    const { usage } = makeAnswer('a', '') as FactOf<'call.completed'>;
    const guessed = { usage: { ...usage, estimated: true }, costUsd: 0.5 };
    const text = reportBoard(
      makeAnswer('a', 'half', guessed),
      makeAnswer('b', 'own', { costUsd: 0.25 }),
    );
    expect(text).toContain('| tokens | ~200 in, ~40 out, ~$0.750 |');
    expect(text).toContain('| a | ollama/org/qwen3:8b | 1 | ~100 | ~20 | ~$0.500 | 1.5s | 2 |');
    expect(text).toContain('| b | ollama/org/qwen3:8b | 1 | 100 | 20 | $0.250 | 1.5s | 2 |');
    expect(text).toContain('| total |  | 2 | ~200 | ~40 | ~$0.750 | 3.0s | 4 |');
    expect(text).toContain('1 call was not fully counted by the provider.');
  });

  it('says that the cost of a stopped call may be incomplete, unless nothing was sent or the call was rehearsed', () => {
    const {
      v: _v,
      type: _type,
      ...half
    } = makeAnswer('a', 'half', { costUsd: 0.1 }) as ReturnType<typeof makeCompletedCall> & object;
    const reportStop = (more: object): string =>
      reportBoard({ ...half, ...more, v: 1, type: 'call.stopped' } as never);
    expect(reportStop({})).toContain('1 call was stopped and counted up to the last report');
    expect(reportStop({ attempts: 0 })).not.toContain('was stopped');
    expect(reportStop({ rehearsal: true })).not.toContain('was stopped');
  });

  it('lists follow-up questions in order, each with its newest synthesis first', () => {
    const text = reportBoard(
      makeAnswer('a', 'one'),
      makeSynthesisFact(1, 'old'),
      makeSynthesisFact(2, 'new'),
      fact('question.asked', { number: 2, text: 'And # then?' }),
      makeCompletedCall({ step: 'question-2/seat/a', seat: 'a', text: 'two' }),
      { ...makeSynthesisFact(3, 'third'), question: 2 } as FactBody,
    );
    expect(readHeadings(text).map((row) => row.replace(/ ·.*| \(.*/, ''))).toEqual([
      '# Split it?',
      '## Question 1: Split it?',
      '### Synthesis v2',
      '#### Synthesis v1',
      '### Answers',
      '#### A',
      '#### B',
      '## Question 2: And # then?',
      '### Synthesis v3',
      '### Answers',
      '#### A',
      '#### B',
      '## What is missing',
      '## Costs',
    ]);
    expect(text).toContain('- B (question 2): No answer: not asked.');
  });

  it('has a section on the tests that a person approved', () => {
    const test = fact('evidence.recorded', {
      id: 'E-1-1',
      round: 1,
      claim: 'C-1-1',
      verification: 'V-1-5',
      command: 'npm test',
      cwd: '/work',
      timeoutMs: 1000,
      confirmsOn: 'success',
      exit: 0,
      signal: null,
      timedOut: false,
      durationMs: 5,
      sha256: 'f'.repeat(64),
      bytes: 3,
      output: 'ok\n',
      cutBytes: 0,
      approvedBy: 'person',
      path: 'evidence/E-1-1.md',
    });
    const opened = { ...makeRunStart('Split it?'), protocol: 'rounds' } as FactBody;
    const begun = fact('round.started', { round: 1, lead: 'action' });
    const untested = formatReport(makeLog(opened, begun), reports.rounds);
    const text = formatReport(makeLog(opened, begun, test), reports.rounds);
    const added = readHeadings(text).filter((row) => !readHeadings(untested).includes(row));
    expect(added).toContain('## Tests that were run');
    expect(text).toContain('### E-1-1: a test of C-1-1\n\n#### Command');
    expect(text).toContain('npm test');
  });

  it('has only sections on what is missing and on costs if the run never began', () => {
    for (const report of Object.values(reports.ALL_REPORTS))
      expect(readHeadings(formatReport([], report, 'interrupted'))).toEqual([
        '# ',
        '## What is missing',
        '## Costs',
      ]);
  });
});

it('The title of a report is the first sentence of a long question', () => {
  const question = `Should we split it? ${'There is much to be said. '.repeat(80)}That is all.`;
  const page = formatReport(
    makeLog(makeRunStart(question), makeAnswer('a', 'Yes.')),
    reports.board,
  );
  expect(page.split('\n')[0]).toBe('# Should we split it?');
  expect(page).toMatch(/^## Question\n\n> Should we split it\?.*That is all\.$/m);
});
