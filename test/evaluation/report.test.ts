/** What a report says, and in which order; what it refuses; and that nobody else's words become its own. */
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../src/evaluation/outcome.ts';
import { inspectLogs } from '../../src/evaluation/report/inspect.ts';
import { htmlReport, markdownReport } from '../../src/evaluation/report/report.ts';
import { MARKUP } from '../plain/hostile-markup.ts';
import { readPage } from '../plain/html-reader.ts';
import { evalLog, LOG_FIELDS } from './eval-log.ts';
import { makeHeader, makePairs, makeRandom, makeSimulatedOutcome } from './simulated.ts';

const EVEN = { panelAlone: 0.1, voteAlone: 0.1, both: 0.5 };
const CLEAR = { panelAlone: 0.2, voteAlone: 0.05, both: 0.5 };

function makeStudy(truth = EVEN, units = 400, seed = 11): Outcome[] {
  return makePairs(units, truth, makeRandom(seed));
}

/** Returns the paragraphs of a report, the title first. */
function splitParagraphs(markdown: string): string[] {
  return markdown.split('\n\n');
}

/** Returns the lines above the first section of a report. */
function readOpening(markdown: string): string[] {
  const [above = ''] = markdown.split('\n## ');
  return above.split('\n').filter((row) => row !== '');
}

describe("the beginning of an evaluation's report", () => {
  const own = makeHeader({
    units: 400,
    about: 'seed 7',
    prices: 'presets/prices.json of 2026-11-01',
    endedAt: '2026-11-24T01:00:00.000Z',
  });

  test('has its parts in a fixed order', () => {
    const rows = readOpening(markdownReport(own, makeStudy()));
    expect(rows.map((row) => /^[^:;.,]*/.exec(row)?.[0])).toEqual([
      '# planted',
      '**By dollars and by tokens',
      'Anything from -1',
      '- Asked',
      '- This applies only to these models on this set',
      '- This is too small to detect differences below 6',
      '- panel minus vote',
      '- Where panel loses',
      '- Price',
      '- Unreadable answers (counted as wrong) and missing ones (left out)',
      '- Puzzles and planted flaws are not decisions',
    ]);
    expect(rows[3]).toBe(
      '- Asked: planted (seed 7); 400 of 400 items, once; some/model@1; 2026-11-23 to 2026-11-24',
    );
    expect(rows[6]).toMatch(
      /^- panel minus vote: [+-]?\d\.\d points, 95 % interval -\d\.\d to \+\d\.\d, p = 0\.\d\d; better on \d+ of 400, worse on \d+\.$/,
    );
    expect(rows[8]).toContain('1.00 times the dollars and 1.00 times the tokens of vote');
    expect(rows[8]).toContain('presets/prices.json of 2026-11-01');
  });

  test('says how many repetitions are missing if every task was answered but not repeated as planned', () => {
    const rows = readOpening(markdownReport({ ...own, turns: 520 }, makeStudy()));
    expect(rows[1]).toBe('**By dollars and by tokens: unfinished, no verdict.**');
    expect(rows[2]).toMatch(/^All 400 items are in, but not 120 repetitions of them\. /);
  });

  test('states the result that the figures show', () => {
    const readResult = (outcomes: readonly Outcome[], units = 400) =>
      readOpening(markdownReport(makeHeader({ units }), outcomes)).slice(0, 3);
    expect(readResult(makeStudy())).toEqual([
      '# planted, panel against vote: cannot tell',
      '**By dollars and by tokens: cannot tell.**',
      expect.stringMatching(/^Anything from .* points fits these answers\.$/),
    ]);
    expect(readResult(makeStudy(CLEAR))[1]).toBe('**By dollars and by tokens: a gain.**');
    expect(readResult(makeStudy({ ...CLEAR, panelAlone: 0.05, voteAlone: 0.2 }))[1]).toContain(
      'a loss',
    );
    expect(readResult(makeStudy({ panelAlone: 0.002, voteAlone: 0.002, both: 0.6 }))[1]).toContain(
      'no difference beyond ±2 points',
    );
    expect(readResult(makeStudy(CLEAR, 40), 40)).toEqual([
      '# planted, panel against vote: too small for a verdict',
      '**By dollars and by tokens: too small for a verdict.**',
      'A verdict takes at least 200 items; there are 40.',
    ]);
    const standIn = makeHeader({ units: 400 });
    const rehearsed = markdownReport(
      {
        ...standIn,
        arms: standIn.arms.map((arm) => ({ ...arm, models: ['rehearsal/panel'] })),
      },
      makeStudy(CLEAR).map((outcome) => ({ ...outcome, models: ['rehearsal/panel'] })),
    );
    expect(readOpening(rehearsed).slice(0, 3)).toEqual([
      '# planted, panel against vote: a rehearsal, no verdict',
      '**By dollars and by tokens: a rehearsal, no verdict.**',
      'The stand-in answered, so these figures say nothing about any model.',
    ]);
    expect(readResult(makeStudy(CLEAR, 300))[2]).toContain('300 of 400 items are in.');
  });

  test('says in its first line if the verdict by dollars differs from that by tokens', () => {
    const dear = makeStudy(CLEAR).map((outcome) =>
      outcome.arm === 'panel' ? { ...outcome, tokens: 2_500 } : outcome,
    );
    const [title, first] = readOpening(markdownReport(own, dear));
    expect(title).toBe('# planted, panel against vote: it depends on the currency');
    expect(first).toBe(
      '**The verdict changes with the currency. By dollars: a gain. By tokens: a gain, but at 2.50 times the tokens.**',
    );
  });

  test('compares the panel by dollars with one arm and by tokens with another, if the evaluation has two', () => {
    const apart = makeStudy(CLEAR);
    const other = apart
      .filter(({ arm }) => arm === 'panel')
      .map((original) => makeSimulatedOutcome({ ...original, arm: 'single', tokens: 1_000 }));
    const rows = readOpening(
      markdownReport(
        makeHeader({
          units: 400,
          primary: { arm: 'panel', against: { usd: 'vote', tokens: 'single' } },
        }),
        [...apart, ...other],
      ),
    );
    expect(rows[1]).toBe(
      '**The verdict changes with the currency. By dollars: a gain. By tokens: no difference beyond ±2 points.**',
    );
    expect(rows.filter((row) => row.startsWith('- panel minus'))).toHaveLength(2);
    expect(rows.filter((row) => row.startsWith('- Price'))).toHaveLength(2);
  });

  test('says that models without a price are compared by tokens', () => {
    const local = makeStudy(CLEAR).map((outcome) => ({ ...outcome, costUsd: null }));
    const [, first] = readOpening(markdownReport(own, local));
    expect(first).toContain('**By tokens: a gain. Not every call has a price');
  });

  test('says that this program has not checked the tasks of a person’s own set', () => {
    const { primary: _primary, ...alone } = makeHeader({ units: 400, isOurs: false });
    const rows = readOpening(markdownReport(alone, makeStudy()));
    expect(rows[1]).toContain('No verdict');
    expect(rows.at(-1)).toContain('nothing here has checked them.');
    expect(markdownReport(alone, makeStudy())).not.toContain('## Contrasts');
  });

  test('says if unreadable answers prevent a verdict', () => {
    const unread = makeStudy({ panelAlone: 0.02, voteAlone: 0.02, both: 0.7 }).map(
      (original, at) =>
        original.arm === 'panel' && at % 14 === 0
          ? makeSimulatedOutcome({ ...original, state: 'unreadable' })
          : original,
    );
    const rows = readOpening(markdownReport(own, unread));
    expect(rows[1]).toContain('cannot tell');
    expect(rows[2]).toContain('not without unreadable answers');
    expect(rows.at(-2)).toMatch(/panel \d+ and 0 of 400 \(\d+\.\d %\); vote 0 and 0 of 400/);
  });
});

describe("an evaluation's report", () => {
  const argued = makeStudy().map((outcome, at) =>
    outcome.arm === 'panel'
      ? {
          ...outcome,
          confidence: 0.8,
          votes: ['x', 'y', 'z'].map((seat) => ({
            seat,
            answer: outcome.answer,
            isRight: outcome.isRight,
          })),
        }
      : { ...outcome, isRepaired: at % 50 === 1 },
  );
  const kinds = new Map(
    argued.map(({ item }) => [item, Number(item.slice(1)) % 2 ? 'odd' : 'even']),
  );
  const report = markdownReport(makeHeader({ units: 400, kinds }), argued);

  test('has sections on methods, ways of counting, discussion, confidence and failures', () => {
    expect(splitParagraphs(report).filter((paragraph) => paragraph.startsWith('## '))).toEqual([
      '## Arms',
      '## Contrasts',
      '## Read in three ways',
      '## What arguing changed',
      '## Confidence',
      '## Where panel loses',
      '## To check these figures',
    ]);
    expect(report).toContain('It nods: at most 0.7 % changed.');
    expect(report).toContain('| votes it changed | 0 of 400 (at most 0.7 %) |');
    expect(report).toMatch(/\| (odd|even) \| \d+ \| \d+ \|/);
    expect(report).toMatch(/; most in (odd|even), with \d+ lost and \d+ won/);
    expect(report).not.toMatch(/NaN|Infinity|undefined|-0\.0\b/);
  });

  test('says if all repetitions of each task gave equal answers', () => {
    const thrice = [1, 2, 3].flatMap((seed) =>
      makeStudy().map((outcome) => ({ ...outcome, seed })),
    );
    const told = markdownReport(makeHeader({ units: 400 }), thrice);
    expect(told).toContain('Repetitions added nothing: all 800 answers');
    expect(told).toContain('400 of 400 items, up to 3 times');
  });

  test('says how much more a better method costs', () => {
    const single = argued
      .filter(({ arm }) => arm === 'panel')
      .map((original, at) =>
        makeSimulatedOutcome({
          item: original.item,
          arm: 'single',
          isRight: original.isRight && at % 8 > 0,
          costUsd: 0.002,
        }),
      );
    const told = markdownReport(
      makeHeader({ units: 400, others: [{ arm: 'panel', against: { usd: 'single' } }] }),
      [...argued, ...single],
    );
    expect(told).toContain('a gain, but at 5.00 times the dollars');
    expect(told).toContain('corrected for being several (Holm)');
  });

  test('speaks of memos if the tasks are design memos', () => {
    const memos = Array.from({ length: 40 }, (_none, at) =>
      ['panel', 'vote'].flatMap((arm) =>
        ['flaw', 'decoy', 'clean'].map((variant) =>
          makeSimulatedOutcome({
            item: `m${at}-${variant}`,
            unit: `m${at}`,
            variant,
            arm,
            isRight: (at + variant.length) % 3 > 0,
            votes: [{ seat: 'x', answer: 'right', isRight: true }],
          }),
        ),
      ),
    ).flat();
    const told = markdownReport(makeHeader({ units: 40 }), memos);
    expect(told).toContain('40 of 40 memos in 120 variants, once');
    expect(told).toContain('A verdict takes at least 200 memos');
    expect(told).toContain('Always NONE is 0.');
    expect(told).toContain('Variants of one memo are not independent');
  });

  test('is the same each time it is made from the same answers', () => {
    expect(markdownReport(makeHeader({ units: 400, kinds }), argued)).toBe(report);
    const empty = markdownReport(makeHeader(), []);
    expect(empty).toContain('too small for a verdict');
    expect(empty).toContain('no difference can be detected');
    expect(empty).not.toMatch(/NaN|Infinity|undefined/);
    readPage(htmlReport(makeHeader(), []));
  });

  test('begins in HTML with the same lines as in Markdown', () => {
    const html = htmlReport(makeHeader({ units: 400, kinds }), argued);
    const page = readPage(html);
    const [answer = ''] = page.textsOfClass('answer');
    expect(page.textsOfClass('badge')).toEqual(['No verdict']);
    for (const row of readOpening(report).slice(1))
      expect(answer).toContain(row.replace(/^\*\*|\*\*$|^- /g, '').replaceAll('\\', ''));
    expect(html.indexOf('class="answer"')).toBeLessThan(html.indexOf('<nav'));
    expect(
      readPage(htmlReport(makeHeader({ units: 400 }), makeStudy(CLEAR))).textsOfClass('badge'),
    ).toEqual([]);
  });

  test('shows markup in names of tasks, arms and models as plain text', () => {
    for (const attack of MARKUP) {
      const name = `panel ${attack}`;
      const told = argued.map((outcome) => ({
        ...outcome,
        item: `${outcome.item} ${attack}`,
        unit: `${outcome.unit} ${attack}`,
        arm: outcome.arm === 'panel' ? name : outcome.arm,
        models: [`m ${attack}`],
      }));
      const hostile = makeHeader({
        units: 400,
        set: attack,
        about: attack,
        prices: attack,
        arms: [name, 'vote'].map((arm) => ({ name: arm, about: attack, models: [attack] })),
        primary: { arm: name, against: { usd: 'vote', tokens: 'vote' } },
        kinds: new Map(told.map(({ item }) => [item, attack])),
      });
      const page = readPage(htmlReport(hostile, told));
      expect(page.links.filter((href) => !href.startsWith('#'))).toEqual([]);
      const headings = splitParagraphs(markdownReport(hostile, told)).filter((paragraph) =>
        paragraph.startsWith('## '),
      );
      expect(headings).toHaveLength(7);
    }
  });
});

test('no report of an evaluation is made, in any format, if the model was replaced in the middle', () => {
  const changed = makeStudy().map((outcome) =>
    Number(outcome.item.slice(1)) < 200 ? outcome : { ...outcome, models: ['some/model@2'] },
  );
  const own = makeHeader({ units: 400 });
  const why = /1 model named, 2 served \(some\/model@1 in 200 answers, some\/model@2 in 200/;
  expect(() => markdownReport(own, changed)).toThrow(why);
  expect(() => htmlReport(own, changed)).toThrow(why);
  expect(() => inspectLogs(own, changed, { items: new Map() })).toThrow(why);
});

describe("logs in Inspect's format", () => {
  const outcomes = makeStudy().map((original, at) => ({
    ...(at % 31 === 0
      ? makeSimulatedOutcome({ ...original, state: 'missing', models: [] })
      : original),
    ...(at % 17 === 0 &&
      at % 31 !== 0 &&
      makeSimulatedOutcome({ ...original, state: 'unreadable' })),
    ...(original.arm === 'panel' && { run: `run-${at}` }),
  }));
  const items = new Map(
    outcomes.map(({ item }) => [item, { input: `Which, of ${item}?`, target: 'right' }]),
  );
  const listSeats = ({ arm, run }: Outcome) =>
    arm === 'panel' && run !== undefined
      ? ['critic', 'builder'].map((seat) => ({
          seat,
          model: 'some/model@1',
          inputTokens: 300,
          outputTokens: 200,
          costUsd: 0.005,
        }))
      : [];
  const own = makeHeader({ units: 400, endedAt: '2026-11-23T11:00:00Z' });
  const logs = inspectLogs(own, outcomes, { items, seats: listSeats });

  test('have the fields that Inspect requires, in order', () => {
    expect(logs.map(({ arm }) => arm)).toEqual(['panel', 'vote', 'single']);
    for (const { json } of logs) {
      const log = JSON.parse(json);
      expect(Object.keys(log)).toEqual(LOG_FIELDS);
      evalLog.parse(log);
    }
  });

  test('fit a strict schema without missing or unknown fields', () => {
    const log = JSON.parse(logs[0]?.json ?? '');
    const isAccepted = (change: (copy: typeof log) => unknown) => {
      const copy = structuredClone(log);
      change(copy);
      return evalLog.safeParse(copy).success;
    };
    expect(isAccepted(() => undefined)).toBe(true);
    for (const key of ['created', 'task', 'dataset', 'model', 'config'])
      expect(isAccepted((copy) => delete copy.eval[key])).toBe(false);
    for (const key of ['id', 'epoch', 'input', 'target'])
      expect(isAccepted((copy) => delete copy.samples[0][key])).toBe(false);
    expect(isAccepted((copy) => (copy.status = 'done'))).toBe(false);
    expect(isAccepted((copy) => (copy.version = 3))).toBe(false);
    expect(isAccepted((copy) => (copy.samples[0].roles = {}))).toBe(false);
    expect(isAccepted((copy) => (copy.stats.role_usage.critic.total_tokens = 1.5))).toBe(false);
  });

  test('have scores and counts that agree with the outcomes', () => {
    const [panel, , single] = logs.map(({ json }) => evalLog.parse(JSON.parse(json)));
    const answered = outcomes.filter(({ arm, state }) => arm === 'panel' && state !== 'missing');
    const right = answered.filter(({ isRight }) => isRight).length;
    const [score] = panel?.results?.scores ?? [];
    expect(score?.metrics.accuracy?.value).toBeCloseTo(right / answered.length, 12);
    expect(score?.scored_samples).toBe(answered.length);
    expect(panel?.results).toMatchObject({
      total_samples: 400,
      completed_samples: answered.length,
    });
    const letters = panel?.samples?.map(({ scores }) => scores?.answer?.value) ?? [];
    expect(letters.filter((value) => value === 'C')).toHaveLength(right);
    expect(letters.filter((value) => value === 'N')).toHaveLength(
      answered.filter(({ state }) => state === 'unreadable').length,
    );
    expect(panel?.samples?.filter(({ error }) => error !== null)).toHaveLength(
      400 - answered.length,
    );
    expect(panel?.status).toBe('cancelled');
    expect(single?.samples).toEqual([]);
    expect(panel?.samples?.[0]?.input).toMatch(/^Which, of i\d+\?$/);
  });

  test('have the tokens and costs of each seat, under the name of its role', () => {
    const [panel, vote] = logs.map(({ json }) => evalLog.parse(JSON.parse(json)));
    expect(panel?.samples?.[0]?.role_usage.critic).toMatchObject({
      input_tokens: 300,
      output_tokens: 200,
      total_tokens: 500,
      total_cost: 0.005,
    });
    expect(panel?.stats.role_usage.builder?.total_tokens).toBe(400 * 500);
    expect(vote?.stats.role_usage).toEqual({});
    const several = makeStudy().map((outcome) => ({ ...outcome, models: ['a@1', 'b@1'] }));
    const arms = ['panel', 'vote'].map((name) => ({ name, models: ['a', 'b'] }));
    const [mixed] = inspectLogs(makeHeader({ units: 400, arms }), several, { items: new Map() });
    const log = evalLog.parse(JSON.parse(mixed?.json ?? ''));
    expect(log.stats.model_usage).toEqual({});
    expect(log.samples?.[0]).toMatchObject({ input: '', target: '' });
  });

  test('have the status `success` if all planned answers are in, and otherwise `cancelled`', () => {
    const makeWholeLogs = () => inspectLogs(makeHeader({ units: 400 }), makeStudy(), { items });
    const ids = makeWholeLogs().map(({ json }) => evalLog.parse(JSON.parse(json)));
    expect(ids[0]?.status).toBe('success');
    expect(new Set(ids.map((log) => log.eval.eval_id)).size).toBe(3);
    expect(new Set(ids.map((log) => log.eval.run_id)).size).toBe(1);
    expect(makeWholeLogs()).toEqual(makeWholeLogs());
    const [part] = inspectLogs(makeHeader({ units: 400, turns: 401 }), makeStudy(), { items });
    expect(evalLog.parse(JSON.parse(part?.json ?? '')).status).toBe('cancelled');
  });
});
