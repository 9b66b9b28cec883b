/**
 * Promise: a run as one HTML file loads nothing, runs nothing, and says first what it came to. The long form
 * makes more pages of runs on record.
 */
import { describe, expect, it } from 'vitest';
import { KERNEL } from '../../src/kernel/facts.ts';
import type { Prompt } from '../../src/kernel/journal.ts';
import type { AnyFact } from '../../src/kernel/vocabulary.ts';
import { reportPage } from '../../src/protocols/registry/report-page.ts';
import { LONG } from '../long.ts';
import { attacks } from '../text/escape-corpus.ts';
import { findControlText } from '../text/terminal-bytes.ts';
import { addAttack, MARKUP } from './hostile-markup.ts';
import { readPage } from './html-reader.ts';
import { makeDeliberation, makeOwnRun, RUNS, readLog } from './pages.ts';

function protocolOf(facts: readonly AnyFact[]): string {
  const [first] = facts.filter(KERNEL.is('run.started'));
  return first?.protocol ?? '';
}

const pageOf = async (facts: readonly AnyFact[], known = {}) =>
  readPage(await reportPage(protocolOf(facts), facts, known));

/** The pages that were made, by name. */
const pages = new Map<string, string>();

describe.each(Object.entries(RUNS))('the HTML page of a run: %s', (name, { facts, says, of }) => {
  it('is valid HTML and begins with the result', async () => {
    const html = await reportPage(protocolOf(facts()), facts());
    pages.set(name, html);
    const [answer = ''] = readPage(html).textsOfClass('answer');
    expect(answer).toContain(says);
    expect(answer).toContain(of);
    // In the HTML page, the run's answer comes before the navigation, and so before all sections.
    expect(html.indexOf('class="answer"')).toBeLessThan(html.indexOf('<nav'));
    expect(await reportPage(protocolOf(facts()), facts())).toBe(html);
  });

  it('draws the argument, in which every node is a link', async () => {
    const html = pages.get(name) ?? (await reportPage(protocolOf(facts()), facts()));
    const page = readPage(html);
    expect(page.tags.get('svg')).toBeGreaterThan(0);
    const nodes = [
      ...html.matchAll(/<(a|g) id="graph\d+-g\d+" class="node[^"]*"(?: href="#([^"]+)")?>/g),
    ];
    expect(nodes.length).toBeGreaterThan(2);
    for (const [, tag, target = ''] of nodes) {
      expect(tag).toBe('a');
      expect(page.ids).toContain(target);
    }
    expect(page.text).toContain('The same as a table');
  });
});

it('No drawing of rounds is wider than a window of 1280 pixels allows', async () => {
  for (const name of ['played', 'played-badly', 'rounds', 'rounds-3']) {
    const html = await reportPage('rounds', readLog(`test/golden/${name}.jsonl`));
    const widths = [...html.matchAll(/<svg id="graph\d+" viewBox="0 0 (\d+)/g)].map(
      ([, width]) => width,
    );
    expect(widths.length, name).toBeGreaterThan(0);
    const rem = 16;
    // A drawing may be as wide as the window without the margin and the two borders that the style sheet sets.
    const [margin, borders] = [5 * rem, 2 * 1];
    for (const width of widths)
      expect(Number(width), name).toBeLessThanOrEqual(1280 - margin - borders);
  }
});

it('A page can be made of a complete run, of half a run and of an empty run', async () => {
  const made = ['attempts', 'rounds-1', 'agents', 'played-badly'];
  const more = ['board-1', 'rounds', 'rounds-3', 'played-board-badly'];
  for (const name of LONG ? [...made, ...more] : made) {
    const facts = readLog(`test/golden/${name}.jsonl`);
    const { text } = await pageOf(facts);
    expect(text, name).toContain('Costs');
    // A page can also be made while the run is not finished.
    const halfway = await pageOf(facts.slice(0, Math.floor(facts.length / 2)));
    expect(halfway.text, name).toContain('Costs');
  }
  expect((await pageOf([])).text).toContain('No calls.');
});

/**
 * Checks that every byte of a page is this program's or text.
 *
 * @throws Error as `readPage` does
 */
function expectSound(html: string): void {
  const page = readPage(html);
  expect(findControlText(html.replaceAll('\t', ' '))).toBe('');
  expect(page.links.filter((href) => /^\s*(?:javascript|data|vbscript):/i.test(href))).toEqual([]);
  expect(page.tags.get('img')).toBeUndefined();
}

describe('text from models and people on a page', () => {
  it.each(Object.entries(RUNS))(
    'is never read as HTML, in a run of %s',
    async (name, { facts }) => {
      const ways = [MARKUP.join(' '), MARKUP.toReversed().join('\n')];
      const turn = Object.keys(RUNS).indexOf(name) % ways.length;
      for (const attack of LONG ? ways : ways.slice(turn, turn + 1)) {
        const told = facts().map((fact) => addAttack(fact, attack) as AnyFact);
        expectSound(await reportPage(protocolOf(told), told));
      }
    },
  );

  it('loses its terminal control sequences', async () => {
    const corpus = attacks.map(({ text }) => text).join('\n');
    for (const facts of [makeOwnRun(), RUNS.board?.facts() ?? []]) {
      const told = facts.map((fact) =>
        'text' in fact ? { ...fact, text: `${fact.text} ${corpus}`, question: corpus } : fact,
      );
      expectSound(await reportPage(protocolOf(told), told));
    }
  });

  it('is escaped if it becomes part of an id', async () => {
    const evil = 'C-1-1"><script>alert(1)</script>';
    const facts = JSON.parse(
      JSON.stringify(RUNS.rounds?.facts() ?? []).replaceAll('"C-1-1"', JSON.stringify(evil)),
    ) as AnyFact[];
    const page = await pageOf(facts);
    expect(page.text).toContain(evil);
  });

  it('is shown with all its characters', async () => {
    const said = '<b>not bold</b> & "quoted" \'once\' &lt;';
    const facts = makeOwnRun().map((fact) =>
      'text' in fact && fact.step === 'draft' ? { ...fact, text: said } : fact,
    );
    // Markdown replaces the entity `&lt;`, which the model wrote, by its character.
    expect((await pageOf(facts)).text).toContain('<b>not bold</b> & "quoted" \'once\' <');
  });
});

describe('links on a page', () => {
  it('use only http, https and mailto, or lead to rows of the page', async () => {
    const facts = makeOwnRun().map((fact) =>
      'text' in fact && fact.step === 'draft'
        ? {
            ...fact,
            text: '[a](https://a.example/x?y=1&z) [b](mailto:b@c.example) [c](ftp://c) [d](x.html)',
          }
        : fact,
    );
    const { links } = await pageOf(facts);
    expect(links.filter((href) => !href.startsWith('#'))).toEqual([
      'https://a.example/x?y=1&z',
      'mailto:b@c.example',
    ]);
    const rounds = await reportPage('rounds', RUNS.rounds?.facts() ?? []);
    expect(rounds).toMatch(/<li>[^<]*<a href="#x-C-1-1">C-1-1<\/a>/);
    expect(rounds).toContain('<tr id="x-C-1-1">');
  });
});

describe('the page of a long run', () => {
  it.each([[10, 1], [80, 8], [1000, 100], ...(LONG ? [[1000, 20]] : [])] as [number, number][])(
    'stays below a megabyte with %i claims in %i rounds',
    async (claims, rounds) => {
      const facts = makeDeliberation(claims, rounds);
      const html = await reportPage('rounds', facts, { prompts: promptsFor(facts) });
      const page = readPage(html);
      expect(Buffer.byteLength(html)).toBeLessThan(1_000_000);
      for (const id of ['C-1-1', `C-${rounds}-${Math.ceil(claims / rounds)}`])
        expect(page.ids).toContain(`x-${id}`);
      expect(html.match(/<tr id="x-C-/g)).toHaveLength(claims);
      const drawn =
        [...html.matchAll(/ id="graph\d+-g\d+"/g)].length + (page.tags.get('circle') ?? 0);
      expect(drawn).toBeLessThanOrEqual(151);
      if (claims === 1000) expect(page.text).toMatch(/entries are drawn as \d+/);
    },
  );
});

/** Returns prompts as long as those of such a run, in which each contains everything said before. */
function promptsFor(facts: readonly AnyFact[]): ReadonlyMap<string, Prompt> {
  const long = 'word '.repeat(4000);
  return new Map(
    facts.filter(KERNEL.is('step.started')).map(({ attempt }) => [
      attempt,
      {
        attempt,
        system: 's',
        messages: [{ role: 'user', parts: [long] }],
        schema: '',
        options: {},
      },
    ]),
  );
}

describe('prompts on a page', () => {
  const makePrompt = (attempt: string, ...parts: string[]): [string, Prompt] => [
    attempt,
    {
      attempt,
      system: 'You attack.',
      messages: [{ role: 'user', parts }],
      schema: undefined,
      options: {},
    },
  ];

  it('refer to an earlier prompt instead of repeating its text', async () => {
    const prompts = new Map([
      makePrompt('draft', 'Shared words.', 'Propose.'),
      makePrompt('attack/1', 'Shared words.', 'Break this: <plan>'),
    ]);
    const { text, textsOfClass: of } = await pageOf(makeOwnRun(), { prompts });
    const [told = ''] = of('prompts');
    expect(told.split('Shared words.')).toHaveLength(2);
    expect(told).toContain('[user] as in draft');
    expect(told).toContain('Break this: <plan>');
    expect(text).toContain('defender: draft');
  });

  it('are left out if they are too long, and the page says how many', async () => {
    const prompts = new Map([
      makePrompt('draft', 'Short.'),
      makePrompt('attack/1', 'long '.repeat(100_000)),
      makePrompt('amend/1', 'Short again.'),
    ]);
    const { text } = await pageOf(makeOwnRun(), { prompts });
    expect(text).toContain('Short again.');
    expect(text).toContain('1 prompt left out: this page would be too long.');
  });
});

describe('a page on a phone and for a screen reader', () => {
  it.each(Object.entries(RUNS))(
    'has tables that scroll, headers with text, and no links in summaries: %s',
    async (_name, { facts }) => {
      const html = await reportPage(protocolOf(facts()), facts());
      const tables = html.match(/<table/g)?.length ?? 0;
      expect(tables).toBeGreaterThan(0);
      expect(html.match(/<div class="scroll" tabindex="0"><table/g)).toHaveLength(tables);
      expect(html).not.toMatch(/<th[^>]*><\/th>/);
      expect(html.match(/<summary>.*?<\/summary>/gs)?.join('') ?? '').not.toMatch(/<a |tabindex/);
    },
  );
});
