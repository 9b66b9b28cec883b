/** Controls that a model writes: what code takes of them, and that readers of words alone do not pick them out. */
import { describe, expect, it } from 'vitest';
import { readControls, type WrittenCase } from '../../bench/pairs/controls.ts';
import { plant } from '../../src/protocols/plan/rules/control.ts';
import type { Statement } from '../../src/protocols/plan/rules/statements.ts';
import { toPlant, whyUnfit } from '../../src/protocols/plan/rules/written-control.ts';
import { plainWords } from '../../src/text/words/quotation.ts';
import { clash, sees, World } from './harness.ts';

const CASES = readControls();

/** The two statements that share most of their words with one of another seat. */
function pickByWords(statements: readonly Statement[]): readonly Statement[] {
  const share = (one: Statement): number => {
    const words = [...new Set(plainWords(one.text))];
    const others = statements.filter(({ role }) => role !== one.role);
    return Math.max(
      ...others.map(({ text }) => {
        const theirs = new Set(plainWords(text));
        return words.filter((word) => theirs.has(word)).length / words.length;
      }),
    );
  };
  return [...statements].sort((one, other) => share(other) - share(one)).slice(0, 2);
}

function pickByLength(statements: readonly Statement[]): readonly Statement[] {
  const sorted = [...statements].sort((one, other) => one.text.length - other.text.length);
  return sorted.slice(0, 1);
}

describe('a control that a model wrote', () => {
  it('is taken of each of 60 that a careful reader wrote for four domains', () => {
    expect(CASES).toHaveLength(60);
    const unfit = CASES.map(({ control, asked, statements }) =>
      whyUnfit(control, asked, statements),
    );
    expect(unfit.filter((why) => why !== undefined)).toEqual([]);
  });

  it('is picked out by its words or its length in no more than a tenth, while a turned one is', () => {
    const count = (
      pick: typeof pickByWords,
      planted: (one: WrittenCase, at: number) => Statement | undefined,
    ): number =>
      CASES.filter((one, at) => {
        const statement = planted(one, at);
        return statement !== undefined && pick([...one.statements, statement]).includes(statement);
      }).length;
    const written = (one: WrittenCase) => toPlant(one.control, one.asked, one.statements).statement;
    const turned = (one: WrittenCase, at: number) => plant(one.statements, at, 'test')?.statement;
    expect(count(pickByWords, written)).toBeLessThanOrEqual(6);
    expect(count(pickByLength, written)).toBeLessThanOrEqual(6);
    expect(count(pickByWords, turned)).toBeGreaterThan(30);
  });

  const [first] = CASES;
  if (first === undefined) throw new Error('there are no controls');
  const { asked, control, statements } = first;
  const target = asked.candidates.find(({ id }) => id === control.of)?.text ?? '';
  it.each([
    ['a copy', { text: target }, 'words in a row'],
    ['a copy with one figure turned', { text: target.replace('30', '300') }, 'words in a row'],
    ['the same words in another order', { text: target.split(' ').reverse().join(' ') }, 'nearly'],
    ['a sentence that is too short', { text: 'Never do that.' }, 'shorter'],
    ['a sentence that is too long', { text: `${control.text} `.repeat(9) }, 'longer'],
    ['one that names a statement', { text: `${control.text} (payments-1)` }, 'number'],
    ['one without a ground', { because: ' ' }, 'no ground'],
    [
      'one in another language',
      {
        text: 'Jede Anfrage, die den Dienst verlässt, endet nach zehn Sekunden, egal wohin sie ging.',
      },
      'language',
    ],
    ['one against a stranger', { of: 'nobody-1' }, 'none of the statements'],
  ])('is refused where it is %s', (_, wrong, why) => {
    expect(whyUnfit({ ...control, ...wrong }, asked, statements)).toContain(why);
  });

  it('has a title and no ground where the others of its seat have', () => {
    const own = asked.own.map(({ because: _, ...one }) => ({ ...one, title: 'A heading' }));
    const titled = { ...asked, own };
    expect(whyUnfit(control, titled, statements)).toContain('no title');
    const { statement } = toPlant({ ...control, title: 'Cut off' }, titled, statements);
    expect(statement).toMatchObject({ title: 'Cut off' });
    expect(statement).not.toHaveProperty('because');
  });
});

describe('the control of an examination', () => {
  const written = {
    text: 'Sessions are kept on each machine for a whole season.',
    because: '',
    title: '',
  };
  const says = {
    security: [{ text: 'A session must end after 15 minutes without a click.' }],
    ux: [{ text: 'Nobody may be asked for a password twice in 24 hours.' }],
    data: [{ text: 'Sessions live in one table that is swept every 30 days.' }],
  };

  it('is written by another model than the one that has to find it, and is none of what is in a conflict', async () => {
    const held = await new World().hold({
      says,
      models: { ux: 'test/model-2' },
      script: {
        control: ({ about }) => ({ of: about?.items?.[0], ...written }),
        conflicts: (asked) => {
          const pair = clash('How long?', ['security-1', 'ux-1']);
          return { conflicts: asked.about?.turn === 1 ? [pair] : [...sees(asked, says), pair] };
        },
      },
    });
    const [missed, seen] = held.asked('control');
    expect([missed?.seat.model, seen?.seat.model]).toEqual(['test/model-2', 'test/model-1']);
    expect(seen?.about?.items).toEqual(['data-1']);
    expect(held.view.examined.map(({ control }) => control)).toMatchObject([
      { text: written.text, by: 'test/model-2', seen: false },
      { text: written.text, by: 'test/model-1' },
    ]);
  });

  it('is asked for once more where it is unfit, and then turned by code', async () => {
    const held = await new World().hold({ says });
    expect(held.prompts('control')[1]).toContain('Not taken: "');
    expect(held.asked('control')).toHaveLength(2);
    expect(held.view.examined[0]?.control).not.toHaveProperty('by');
    expect(held.view.examined[0]?.control?.seen).toBe(true);
  });
});
