/**
 * Tests the controls that models write: which ones code accepts, and that readers of words alone do not
 * pick them out.
 */
import { describe, expect, it } from 'vitest';
import { readControls, type WrittenCase } from '../../bench/pairs/controls.ts';
import { readPanels } from '../../bench/pairs/panels.ts';
import { controlsMessages } from '../../src/protocols/plan/prompts/control.ts';
import { closestTo, whyConspicuous } from '../../src/protocols/plan/rules/conspicuous.ts';
import { makePlant } from '../../src/protocols/plan/rules/control.ts';
import type { Statement } from '../../src/protocols/plan/rules/statements.ts';
import { toPlant, whyUnfit } from '../../src/protocols/plan/rules/written-control.ts';
import { plainWords } from '../../src/text/words/quotation.ts';
import { findControl, makeClash, makeWrittenControl, World } from './harness.ts';

const CASES = readControls();

/** Returns the two statements that share the most words with a statement of another seat. */
function pickByWords(statements: readonly Statement[]): readonly Statement[] {
  const measureShare = (statement: Statement): number => {
    const words = [...new Set(plainWords(statement.text))];
    const others = statements.filter(({ role }) => role !== statement.role);
    return Math.max(
      ...others.map(({ text }) => {
        const otherWords = new Set(plainWords(text));
        return words.filter((word) => otherWords.has(word)).length / words.length;
      }),
    );
  };
  return [...statements].sort((one, other) => measureShare(other) - measureShare(one)).slice(0, 2);
}

function pickByLength(statements: readonly Statement[]): readonly Statement[] {
  const sorted = [...statements].sort((one, other) => one.text.length - other.text.length);
  return sorted.slice(0, 1);
}

describe('a control (planted statement) that a model wrote', () => {
  it('is accepted by code in all 60 examples of the benchmark', () => {
    expect(CASES).toHaveLength(60);
    const topics = new Map(readPanels().map(({ name, topic }) => [name, topic]));
    const unfit = CASES.map(
      ({ panel, control, asked, statements }) =>
        whyUnfit(control, asked, statements) ??
        whyConspicuous(control, asked, [topics.get(panel) ?? '']),
    );
    expect(unfit.filter((why) => why !== undefined)).toEqual([]);
  });

  it('stands out by its words less often than a control made by code', () => {
    const countPicked = (
      pick: typeof pickByWords,
      planted: (one: WrittenCase, at: number) => Statement | undefined,
    ): number =>
      CASES.filter((writtenCase, at) => {
        const statement = planted(writtenCase, at);
        return (
          statement !== undefined &&
          pick([...writtenCase.statements, statement]).includes(statement)
        );
      }).length;
    const plantWritten = (writtenCase: WrittenCase) =>
      toPlant(writtenCase.control, writtenCase.asked, writtenCase.statements).statement;
    const plantTurned = (writtenCase: WrittenCase, at: number) =>
      makePlant(writtenCase.statements, at, 'test')?.statement;
    expect(countPicked(pickByWords, plantWritten)).toBeLessThanOrEqual(6);
    expect(countPicked(pickByLength, plantWritten)).toBeLessThanOrEqual(6);
    expect(countPicked(pickByWords, plantTurned)).toBeGreaterThan(30);
  });

  const [first] = CASES;
  if (first === undefined) throw new Error('there are no controls');
  const { asked, control, statements } = first;
  const target = asked.candidates.find(({ id }) => id === control.of)?.text ?? '';
  it.each([
    ['a copy of the statement that it contradicts', { text: target }, 'words in a row'],
    [
      'a copy of the statement that it contradicts with one number changed',
      { text: target.replace('30', '300') },
      'words in a row',
    ],
    [
      'made of the contradicted statement’s words in another order',
      { text: target.split(' ').reverse().join(' ') },
      'nearly',
    ],
    ['too short', { text: 'Never do that.' }, 'shorter'],
    ['too long', { text: `${control.text} `.repeat(9) }, 'longer'],
    [
      'a sentence with the id of a statement in it',
      { text: `${control.text} (payments-1)` },
      'number',
    ],
    ['given without a reason', { because: ' ' }, 'no ground'],
    [
      'in another language than the other statements',
      {
        text: 'Jede Anfrage, die den Dienst verlässt, endet nach zehn Sekunden, egal wohin sie ging.',
      },
      'language',
    ],
    ['meant to contradict an unknown statement', { of: 'nobody-1' }, 'none of the statements'],
  ])('is refused if it is %s', (_, wrong, why) => {
    expect(whyUnfit({ ...control, ...wrong }, asked, statements)).toContain(why);
  });

  it('has a title but no reason if the same is true of its seat’s other statements', () => {
    const own = asked.own.map(({ because: _, ...rest }) => ({ ...rest, title: 'A heading' }));
    const titled = { ...asked, own, like: own[0] };
    expect(whyUnfit(control, titled, statements)).toContain('no title');
    const { statement } = toPlant({ ...control, title: 'Cut off' }, titled, statements);
    expect(statement).toMatchObject({ title: 'Cut off' });
    expect(statement).not.toHaveProperty('because');
  });
});

describe('whyConspicuous, which says why a planted statement (control) stands out,', () => {
  const own: Statement[] = [
    'Each machine keeps the sessions of its own people for 30 days.',
    'A password is asked for on a new machine, and after 24 hours.',
  ].map((text, at) => ({
    id: `data-${at + 1}`,
    role: 'data',
    kind: 'constraint',
    text,
    round: 1,
    because: 'Measured in May on 40 machines.',
    state: 'live',
    earlier: [],
  }));
  const target: Statement = {
    id: 'ux-1',
    role: 'ux',
    kind: 'constraint',
    round: 1,
    state: 'live',
    earlier: [],
    text: 'Sessions lie on a server of our own in the cellar of the house.',
  };
  const asked = { role: 'data', own, candidates: [target], like: own[0] };
  const fit = {
    of: 'ux-1',
    title: '',
    because: 'Measured in June on 12 machines.',
    text: 'All that a machine remembers of its people stays there for 90 days.',
  };

  it('returns undefined for a control that resembles the seat’s statements', () => {
    expect(whyConspicuous(fit, asked, [])).toBeUndefined();
  });

  it.each([
    [
      'insists with a word that its seat never uses',
      { text: 'What a machine remembers of its people never leaves it in 90 days.' },
      '"never"',
    ],
    [
      'reads like a reply to the statement that it contradicts',
      { text: 'Each machine remembers its people for 90 days instead of some cellar.' },
      '"instead"',
    ],
    [
      'reads like a reply to everybody',
      { text: 'Whatever others think, a machine remembers its people for 90 days.' },
      '"whatever others"',
    ],
    [
      'gives a longer reason than its seat does',
      { because: `${fit.because} ${fit.because}` },
      'its ground',
    ],
    [
      'has no figure although all statements of its seat have one',
      {
        text: 'All that a machine remembers of its people stays there for good.',
        because: 'Measured in June on a few machines.',
      },
      'no figure',
    ],
    [
      'is made of the words of the statement that it contradicts',
      { text: 'Sessions lie on machines of our own and in no cellar of 90 houses.' },
      'half of its words',
    ],
    [
      'is about a subject of which its seat never speaks',
      {
        text: 'Bread goes into the oven at 3 and comes out of it at 4.',
        because: 'It is 3 then, on the whole.',
      },
      'speaks of nothing',
    ],
  ])('gives a reason if the control %s', (_, wrong, why) => {
    expect(whyConspicuous({ ...fit, ...wrong }, asked, [])).toContain(why);
  });

  it('accepts a control without a figure in digits if one real statement of the imitated seat has none either', () => {
    const without = {
      ...fit,
      text: 'What a machine remembers of its people stays there for good.',
    };
    const control = { ...without, because: 'Measured in June on a few machines.' };
    const other = { ...target, id: 'data-3', role: 'data', text: 'Each machine has a lock.' };
    const mixed = { ...asked, own: [...own, other] };
    expect(whyConspicuous(control, mixed, [])).toBeUndefined();
    expect(whyConspicuous(control, mixed, [], 5)).toContain('most of what the seat says has one');
    expect(whyConspicuous(control, asked, [])).toContain('all that the seat says has one');
  });

  it('has its rule on figures told to the model: the prompt of edition 6 asks for one if all the seat’s statements have one', () => {
    const formatPrompt = (edition: 5 | 6, said = own): string =>
      controlsMessages('T', { ...asked, own: said }, [], '', [], 1, edition)
        .flatMap(({ parts }) => parts.map(({ text }) => text))
        .join('\n');
    expect(formatPrompt(6)).toContain('A figure in digits, in text or because');
    expect(formatPrompt(5)).not.toContain('A figure in digits');
    expect(formatPrompt(6, [...own, { ...target, role: 'data' }])).not.toContain(
      'A figure in digits',
    );
  });

  it('accepts a control about a document if the imitated seat was shown this document', () => {
    const baked = {
      ...fit,
      text: 'Bread goes into the oven at 3 and comes out of it at 4.',
      because: 'It is 3 then, on the whole.',
    };
    expect(whyConspicuous(baked, asked, ['The bread has to be in before noon.'])).toContain(
      'nothing',
    );
    const shown = 'Whole bread comes from one oven.';
    expect(whyConspicuous(baked, asked, [shown])).toBeUndefined();
  });

  it.each([
    [
      'with inflected words',
      'Jeder Rechner behält die Sitzungen seiner Leute 30 Tage lang.',
      'Was ein Rechner von Sitzungen weiß, steht 90 Tage auf der Platte des Rechners.',
    ],
    [
      'that puts no spaces between words',
      '各端末は利用者のセッションを30日間保持する。',
      '端末に残る記録は90日後に削除される。',
    ],
  ])('accepts a control in a language %s', (_, said, text) => {
    const ownStatements = own.map((statement) => ({ ...statement, text: said, because: '' }));
    const written = { ...fit, text, because: '' };
    expect(whyConspicuous(written, { ...asked, own: ownStatements }, [])).toBeUndefined();
  });
});

const TURNED =
  'What was planted for the last search for conflicts is a statement that code turned: it is easier to see';

it('closestTo returns the control (planted statement) closest in length to a given statement', () => {
  const makeControl = (text: string) => ({ of: 'ux-1', title: '', because: '', text });
  const [short, long] = [
    makeControl('One two three.'),
    makeControl('One two three four five six.'),
  ];
  const like = { text: 'One two three four.', because: '' };
  expect(closestTo(like, [long, short])).toBe(short);
  expect(closestTo(like, [])).toBeUndefined();
});

describe('the control (planted statement) in a search for conflicts', () => {
  const written = {
    text: 'Whoever has signed in on a machine stays so for 90 days.',
    because: '',
    title: '',
  };
  const says = {
    security: [{ text: 'A session must end after 15 minutes without a click.' }],
    ux: [{ text: 'Nobody may be asked for a password twice in 24 hours.' }],
    data: [{ text: 'Sessions live in one table that is swept every 30 days.' }],
  };

  it('is written by another model than the one that it tests', async () => {
    const held = await new World().makePlan({
      says,
      models: { ux: 'test/model-2' },
      script: {
        control: ({ about }) => makeWrittenControl({ of: about?.items?.[0] ?? '', ...written }),
        conflicts: (asked) => {
          const pair = makeClash('How long?', ['security-1', 'ux-1']);
          return {
            conflicts: asked.about?.turn === 1 ? [pair] : [...findControl(asked, says), pair],
          };
        },
      },
    });
    const [missed, seen] = held.requests('control');
    expect([missed?.seat.model, seen?.seat.model]).toEqual(['test/model-2', 'test/model-1']);
    for (const request of [missed, seen]) expect(request?.about?.items).not.toContain('person-1');
    expect(seen?.about?.items).toEqual(['data-1']);
    expect(held.view.examined.map(({ control }) => control)).toMatchObject([
      { text: written.text, by: 'test/model-2', seen: false },
      { text: written.text, by: 'test/model-1' },
    ]);
  });

  it('imitates one real statement of the seat under whose name readers see the control', async () => {
    const must = { ...says, ux: says.ux.map((saying) => ({ ...saying, must: true })) };
    let target = '';
    const held = await new World().makePlan({
      says: must,
      models: { ux: 'test/model-2' },
      script: {
        control: ({ about, seat }) => {
          const of = about?.items?.[0] ?? '';
          target = of;
          const copy = { of, text: about?.heard?.[0]?.text ?? '', because: '', title: '' };
          expect(seat.id).toBe('chair');
          return { controls: [copy, { of, ...written }] };
        },
        conflicts: ({ about }) => {
          const planted = about?.heard?.find(({ text }) => text === written.text)?.from ?? '';
          return { conflicts: [makeClash('For how long?', [planted, target])] };
        },
      },
    });
    expect(held.requests('control')).toHaveLength(1);
    const [prompt = ''] = held.prompts('control');
    expect(prompt).toContain('It looks like ux-1 of ux');
    expect(prompt).toContain('Signing in takes one form with two fields.');
    for (const other of ['opaque', 'A sweeper']) expect(prompt).not.toContain(other);
    const shown = held.prompts('conflicts')[0] ?? '';
    expect(shown).toContain(`ux-2 (constraint, must): ${written.text}`);
    expect(held.spec).not.toContain(TURNED);
    expect(held.view.examined[0]?.control).toMatchObject({ text: written.text, seen: true });
  });

  it('is written, under edition 4 of the rules, by a call that also chooses which statement to contradict', async () => {
    const held = await new World().makePlan({
      says,
      config: { prompts: 4 },
      script: { control: ({ about }) => ({ of: about?.items?.[0], ...written }) },
    });
    expect(held.prompts('control')[0]).toContain('of: the statement that it contradicts; choose');
    expect(held.view.examined[0]?.control).toMatchObject({ text: written.text });
  });

  it('is made by code after two unacceptable answers of the model', async () => {
    const held = await new World().makePlan({ says });
    expect(held.prompts('control')[1]).toContain('Not taken:\n- "');
    expect(held.requests('control')).toHaveLength(2);
    expect(held.view.examined[0]?.control).not.toHaveProperty('by');
    expect(held.view.examined[0]?.control?.seen).toBe(true);
    expect(held.spec.split('\n')[2]).toContain(TURNED);
  });
});
