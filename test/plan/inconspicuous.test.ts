/** Tests what code measures of a control from edition 7 on, and the lists in which readers look for one. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blindLists } from '../../bench/pairs/blind.ts';
import { readAcceptedControls, readControls, whyRefused } from '../../bench/pairs/controls.ts';
import { oneListRows, oneLists, writeLists } from '../../bench/pairs/one-list.ts';
import { readPanels } from '../../bench/pairs/panels.ts';
import { shuffleItems } from '../../src/kernel/chance.ts';
import {
  describeGiveaway,
  measureStatements,
  sortByNearness,
  whyGarbled,
} from '../../src/protocols/plan/rules/inconspicuous.ts';
import type { Statement } from '../../src/protocols/plan/rules/statements.ts';
import { temporaryFolder } from '../store/folder.ts';
import { World } from './harness.ts';

function makeStatement(id: string, text: string, because: string): Statement {
  return {
    ...{ id, role: id.replace(/-\d+$/, ''), kind: 'constraint', text, because },
    ...{ round: 1, state: 'live', earlier: [] },
  };
}

const OWN = [
  makeStatement(
    'cellar-1',
    'The barrels stand in the northern cellar from harvest until spring.',
    'Measured over 3 winters, it is the only room below 12 degrees.',
  ),
  makeStatement(
    'cellar-2',
    'A barrel is washed with hot water before new wine comes into it.',
    'Of 40 barrels that were rinsed cold, 6 turned sour in spring.',
  ),
  makeStatement(
    'cellar-3',
    'Each barrel carries the number of the vineyard whose harvest it holds.',
    'The guild asks for it, and has refused to take numbers of the cellar.',
  ),
];
const TARGET = makeStatement(
  'press-1',
  'The grapes of all vineyards are pressed together on the first evening.',
  'There is one press, and it takes the harvest of 9 vineyards at once.',
);
const ALL = [...OWN, TARGET];
const asked = { role: 'cellar', own: OWN, candidates: [TARGET], like: OWN[0] };
const FIT = {
  ...{ of: 'press-1', title: '' },
  text: 'The wine of a vineyard comes into barrels of its own until spring.',
  because: 'Of 40 barrels with wine of two vineyards, 11 turned sour in spring.',
};
const checkControl = (more: Partial<typeof FIT>): string | undefined =>
  describeGiveaway({ ...FIT, ...more }, asked, [], ALL);

describe('a planted statement (control) of edition 7', () => {
  it('is accepted if its length and count of figures are in the range of its seat’s statements', () => {
    expect(checkControl({})).toBeUndefined();
    expect(measureStatements(OWN)).toEqual({ text: [11, 13], because: [12, 14], figures: 2 });
  });

  it.each<[string, Partial<typeof FIT>, string]>([
    [
      'longer than every statement of its seat',
      { text: `${FIT.text.slice(0, -1)}, and not a day longer than that.` },
      'its text has 20 words, and 11 to 13 are usual',
    ],
    [
      'given a longer reason than its seat ever gives',
      { because: `${FIT.because} The barrels of spring were measured as well.` },
      'its ground has',
    ],
    [
      'richer in numbers than what its seat says',
      { because: 'Of 40 barrels with wine of 2 vineyards, 11 turned sour in spring.' },
      'it has more figures',
    ],
    [
      'surer of itself than what its seat says',
      { text: 'The wine of each vineyard comes only into barrels of its own.' },
      'it is surer of itself than what the seat says elsewhere (each, only)',
    ],
    [
      'set against another statement by a word such as "but"',
      { because: 'Of 40 barrels with other wine, 11 turned sour, but not in spring.' },
      '"but" sets it against another statement',
    ],
    [
      'given a clause that is only there for the contradiction',
      { text: 'Wine and water of a vineyard come into barrels of their own alike.' },
      '"alike" is a clause that is only there for the contradiction',
    ],
    [
      'about a subject of which nobody else speaks',
      {
        text: 'Once a quarter an accountant examines ledgers, invoices and receipts for customs.',
        because:
          'Tax law wants receipts, invoices and ledgers, examined by accountants and customs officers.',
      },
      'it speaks of what nobody else speaks of (',
    ],
    [
      'written with tags',
      { text: 'The wine of a vineyard </record-1> comes into barrels of its own.' },
      'it has tags, or words of the form',
    ],
    [
      'written with a field name of the form, such as “text:”',
      { because: 'text: Of 40 barrels with wine of two vineyards, 11 turned sour.' },
      'it has tags, or words of the form',
    ],
    [
      'about the search for contradictions',
      { because: 'Of 40 barrels in spring, 11 were sour; all conflicts are resolved.' },
      '"conflicts" speaks of the search for contradictions',
    ],
    [
      'written with the words of what it contradicts',
      { text: 'The grapes are pressed by vineyard, evening after evening, until spring.' },
      'it takes up the words of press-1 (grape, press, eveni)',
    ],
  ])('is refused if it is %s', (_what, more, why) => {
    expect(checkControl(more)).toContain(why);
  });

  it('has its possible targets sorted by sortByNearness: first the statement that shares the most words with the imitated seat’s statements', () => {
    const far = makeStatement(
      'gate-1',
      'Visitors sign a sheet at the door.',
      'The insurer asks for names.',
    );
    expect(sortByNearness([far, TARGET], OWN, []).map(({ id }) => id)).toEqual([
      'press-1',
      'gate-1',
    ]);
  });

  it('is requested from a model within limits of length, and made by code if the answers are refused', async () => {
    const control = {
      of: 'ux-1',
      ...{ title: '', because: '' },
      text: 'Tokens could be asked for in a session of forms that nobody ever wants to click.',
    };
    const held = await new World().makePlan({
      script: {
        control: ({ about }) => ({ controls: [{ ...control, of: about?.heard?.[0]?.from ?? '' }] }),
      },
    });
    const [first = '', second = ''] = held.prompts('control');
    expect(first).toMatch(/the same names for the same things, \d+ to \d+ words/);
    expect(second).toMatch(/Not taken:.*because it/s);
    expect(held.view.examined[0]?.control).not.toHaveProperty('by');
    const before = await new World().makePlan({ config: { prompts: 6 } });
    expect(before.prompts('control')[0]).not.toMatch(/the same things, \d+ to \d+ words/);
  });
});

describe('a planted statement (control) of edition 8', () => {
  const cases = (['controls.yaml', 'unmarked.yaml'] as const).flatMap((set) => readControls(set));
  const isRefused = (
    { control, asked: commission, statements }: (typeof cases)[number],
    more: { text: string; because: string },
  ): boolean => whyGarbled({ ...control, ...more }, commission, [], statements) !== undefined;
  const mixWords = (text: string, purpose: string): string =>
    shuffleItems(text.split(/\s+/), 1, purpose).join(' ');

  it('is refused by mistake, as a mere heap of words, in at most 5 % of 124 carefully written cases', () => {
    const refused = cases.filter((writtenCase) => isRefused(writtenCase, writtenCase.control));
    expect(cases).toHaveLength(124);
    expect(refused.length / cases.length).toBeLessThanOrEqual(0.05);
  });

  it('is refused by code in most cases if its words are shuffled, or picked at random from all statements', () => {
    const shuffled = cases.filter((writtenCase, at) =>
      isRefused(writtenCase, {
        text: mixWords(writtenCase.control.text, `${at}/text`),
        because: mixWords(writtenCase.control.because, `${at}/because`),
      }),
    );
    expect(shuffled.length / cases.length).toBeGreaterThan(0.6);
    const drawn = cases.filter((writtenCase, at) => {
      const words = mixWords(
        writtenCase.statements.map(({ text }) => text).join(' '),
        `${at}/all`,
      ).split(' ');
      return isRefused(writtenCase, {
        text: words.slice(0, 18).join(' '),
        because: words.slice(18, 36).join(' '),
      });
    });
    expect(drawn.length / cases.length).toBeGreaterThan(0.5);
  });

  it('is accepted, whatever its pairs of neighboring words, if a real statement of the imitated seat shares no pair with others', () => {
    const own = [makeStatement('cellar-9', 'Wine.', 'Yes.')];
    expect(whyGarbled(FIT, { own }, [], [...own, TARGET])).toBeUndefined();
  });
});

describe('the benchmark’s lists of statements in which readers look for a control', () => {
  it('contain 64 different controls, of which a plan’s checks for conspicuous controls refuse fewer than ten', () => {
    const topics = new Map(readPanels().map(({ name, topic }) => [name, topic]));
    const refused = readControls('unmarked.yaml').flatMap(
      (writtenCase) => whyRefused(writtenCase, topics.get(writtenCase.panel) ?? '') ?? [],
    );
    expect(refused.length).toBeLessThan(10);
    for (const why of refused) expect(why).toContain('a clause that is only there for');
    const held = oneLists().filter(({ planted }) => planted !== null);
    expect([oneLists().length, held.length]).toEqual([80, 64]);
    const texts = held.map(
      ({ statements, planted }) => statements.find(({ id }) => id === planted?.id)?.text,
    );
    expect(new Set(texts).size).toBe(64);
  });

  it('contain each of the 15 controls per panel once if each list gets three controls', () => {
    const accepted = readAcceptedControls();
    const panels = readPanels().map(({ name }) => name);
    for (const name of panels)
      expect(accepted.filter(({ panel }) => panel === name)).toHaveLength(15);
    const planted = blindLists(3, 0, accepted).flatMap((list) =>
      list.planted.map(({ id }) => list.statements.find((statement) => statement.id === id)?.text),
    );
    expect(planted.sort()).toEqual(accepted.map(({ control }) => control.text).sort());
  });

  it('do not reveal the control by its number', () => {
    const held = oneLists().filter(({ planted }) => planted !== null);
    const last = held.filter(({ statements, planted }) => {
      const [, role = '', number = ''] = /^(.*)-(\d+)$/.exec(planted?.id ?? '') ?? [];
      return Number(number) === statements.filter((statement) => statement.role === role).length;
    });
    const usualStatementsOfSeat = 6;
    const lastByChance = held.length / usualStatementsOfSeat;
    expect(last.length).toBeLessThan(2 * lastByChance);
  });

  it('pass if readers find none of the controls, and fail if readers find all', () => {
    const [folder, keys] = [temporaryFolder(), temporaryFolder()];
    writeLists(folder, keys);
    for (const { name, planted } of oneLists()) {
      const first = { planted: planted?.id ?? 'none', why: 'It looks so.' };
      writeFileSync(join(folder, 'answers', `${name}.json`), JSON.stringify(first));
      const second = { contrary: planted !== null };
      writeFileSync(join(folder, 'answers', `${name}-second.json`), JSON.stringify(second));
    }
    const { rows, faults } = oneListRows(folder);
    expect(rows[0]).toMatchObject({ met: false });
    expect(rows.map(({ measured }) => measured)).toEqual(
      expect.arrayContaining(['0 of 64', '0 of 16']),
    );
    expect(faults).toHaveLength(64);
    for (const { name } of oneLists())
      writeFileSync(
        join(folder, 'answers', `${name}.json`),
        JSON.stringify({ planted: 'none', why: '' }),
      );
    expect(oneListRows(folder).rows[0]).toMatchObject({ met: true });
  });
});
