/** The walk before a deliberation, by plain values. */
import { describe, expect, it } from 'vitest';
import { KEYMAP } from '../../../src/console/keys/keymap.ts';
import { Theme } from '../../../src/console/terminal/theme.ts';
import { fieldOf, fieldRow, pasteText, typeKey } from '../../../src/console/ui/text-input.ts';
import { findFittingCast } from '../../../src/protocols/rounds/fitting-cast.ts';
import { drawCasting, NO_STRESS_WARNING } from '../../../src/protocols/rounds/view/casting/page.ts';
import {
  type CastingOffer,
  type CastingState,
  handleKey,
  handlePaste,
  startWalk,
} from '../../../src/protocols/rounds/view/casting/walk.ts';
import { textWidth } from '../../../src/text/width.ts';
import { attacks } from '../../text/escape-corpus.ts';
import { castingOffer, makePeople } from './offer.ts';

/** Returns the walk after some keys. A string of several characters that names no key is typed as text. */
function pressKeys(
  keys: readonly string[],
  from: CastingState = startWalk(castingOffer),
  on = castingOffer,
): CastingState {
  const names = new Set(['enter', 'escape', 'up', 'down', 'ctrl+c', 'ctrl+u', 'backspace']);
  return keys.reduce(
    (walk, key) =>
      names.has(key)
        ? handleKey(walk, key, on)
        : [...key].reduce(
            (before, char) => handleKey(before, char === ' ' ? 'space' : char, on),
            walk,
          ),
    from,
  );
}

const TO_CAST = ['the shop', 'enter', 'Should we?', 'enter'];
const TO_BUDGET = [...TO_CAST, '2', 'enter'];

function drawWalk(walk: CastingState, on = castingOffer, columns = 80, rows = 24): string {
  const look = { theme: new Theme(0), keymap: KEYMAP, columns, rows, now: 0 };
  return drawCasting(walk, { ...look, offer: on }).join('\n');
}

describe('the questions to the person before a run of rounds', () => {
  it('lead from the first question to a started run', () => {
    const review = pressKeys([...TO_BUDGET, 'enter', 'enter']);
    expect(review.step).toBe('review');
    expect(review.answers).toMatchObject({
      system: 'the shop',
      question: 'Should we?',
      who: makePeople('Software'),
      rounds: 8,
      stress: { 3: 'critic', 5: 'guardian', 7: 'action' },
    });
    for (const words of ['the shop', 'Should we?', 'Software four', '8', 'R3 critic'])
      expect(drawWalk(review)).toContain(words);
    expect(pressKeys(['enter'], review).effect).toEqual({ kind: 'begin' });
  });

  it('leave out what the command line already answers', () => {
    const given = { ...castingOffer, question: 'Why?', plan: { rounds: 4, stress: {} } };
    const walk = pressKeys(['enter', '1', 'enter'], startWalk(given), given);
    expect(walk.step).toBe('review');
    expect(walk.answers).toMatchObject({ question: 'Why?', system: '', rounds: 4, stress: {} });
  });

  it('cannot be finished without a question and a text for every role', () => {
    const walk = pressKeys(['enter', 'enter']);
    expect(walk).toMatchObject({ step: 'question', note: expect.stringContaining('question') });
    expect(pressKeys(['x'], walk).note).toBeUndefined();
    const empty = pressKeys([...TO_CAST, '1', '1', 'ctrl+u', 'enter']);
    expect(empty).toMatchObject({ step: 'who', note: expect.stringContaining('play') });
  });

  it('keep who plays each role when the person goes back one step', () => {
    const walk = pressKeys([...TO_CAST, '1', '4', 'ctrl+u', 'a rival', 'enter']);
    expect(walk).toMatchObject({ step: 'roles', cursor: 3 });
    expect(walk.answers.who).toEqual({ ...makePeople('Product'), critic: 'a rival' });
    const again = pressKeys(['escape', 'enter'], walk);
    expect(again.answers.who.critic).toBe('a rival');
    const other = pressKeys(['escape', '3'], walk);
    expect(other.answers.who).toEqual(makePeople('Research'));
  });

  it('go back one step with Esc, and keep typed text', () => {
    const walk = pressKeys([...TO_BUDGET, 'enter', 'enter']);
    const steps = ['stress', 'budget', 'roles', 'cast', 'question', 'system', 'system'];
    let back = walk;
    for (const step of steps) {
      back = handleKey(back, 'escape', castingOffer);
      expect(back.step).toBe(step);
    }
    expect(back.field.text).toBe('the shop');
  });

  it('show "Ctrl-C leaves" if the person presses Esc at the first step', () => {
    expect(drawWalk(pressKeys(['escape']))).toContain('This is the first step; Ctrl-C leaves.');
    expect(drawWalk(pressKeys(['the shop', 'enter', 'escape']))).not.toContain('first step');
  });

  it('can be left with Ctrl-C at the first step, the choice of a cast, the number of rounds and the summary', () => {
    for (const keys of [[], TO_CAST, TO_BUDGET, [...TO_BUDGET, 'enter', 'enter']])
      expect(pressKeys([...keys, 'ctrl+c']).effect).toEqual({ kind: 'leave' });
  });

  it('ask the person to confirm the choice that no round leaves out a role', () => {
    const walk = pressKeys([...TO_BUDGET, '3', '2']);
    expect(walk.step).toBe('pushback');
    expect(NO_STRESS_WARNING.match(/[.!?](\s|$)/g)).toHaveLength(1);
    expect(drawWalk(walk).replace(/\s+/g, ' ')).toContain(NO_STRESS_WARNING);
    const kept = pressKeys(['enter'], walk);
    expect(Object.keys(kept.answers.stress)).toHaveLength(4);
    expect(pressKeys(['2'], walk)).toMatchObject({ step: 'review', answers: { stress: {} } });
  });

  it('accept 1 to 100 rounds', () => {
    const number = pressKeys([...TO_BUDGET, '4']);
    expect(number.step).toBe('number');
    for (const wrong of ['0', '2.5', 'many', '101'])
      expect(pressKeys(['ctrl+u', wrong, 'enter'], number).note).toContain('from 1 to 100');
    const few = pressKeys(['ctrl+u', '4', 'enter'], number);
    expect(few).toMatchObject({ step: 'review', answers: { rounds: 4, stress: {} } });
    expect(drawWalk(few)).toContain('fewer than the 8');
    expect(pressKeys(['ctrl+u', '16', 'enter'], number).step).toBe('stress');
  });

  it('show which role sits out which round, for each number of rounds that is offered', () => {
    const walk = pressKeys(TO_BUDGET);
    expect(walk).toMatchObject({ step: 'budget', cursor: 1 });
    const page = drawWalk(walk);
    expect(page).toContain("below the method's minimum");
    expect(page).toContain('R3 critic, R5 guardian, R7 action');
    expect(page).toContain('R13 observer');
  });
});

describe('the summary before a run is started', () => {
  const models = {
    ...castingOffer,
    roles: castingOffer.roles.map((role) => ({ ...role, model: `ollama/${role.id}` })),
  };

  it.each([
    [80, 24],
    [40, 10],
    [140, 40],
  ])('shows models, calls and price at %i×%i', (columns, rows) => {
    const review = pressKeys([...TO_BUDGET, 'enter', 'enter']);
    const page = drawWalk(review, castingOffer, columns, rows).replace(/\s+/g, ' ');
    expect(page).toContain('8–24 calls');
    expect(page).toContain('$0.080–$0.48');
    if (rows >= 24) expect(page).toContain('8.0k–48k tokens in, 800–4.8k out');
    expect(page).toContain('ollama/v');
    if (columns >= 80) expect(drawWalk(review, models, columns, rows)).toContain('ollama/critic');
  });

  it('estimates the calls for the number of rounds that was chosen', () => {
    const few = pressKeys([...TO_BUDGET, '4', 'ctrl+u', '4', 'enter']);
    expect(drawWalk(few)).toContain('4–12 calls');
  });

  it('follows a page that describes each role in one line, or on a low screen only the role under the cursor', () => {
    const roles = pressKeys([...TO_CAST, 'enter']);
    const page = drawWalk(roles);
    for (const { title, does } of castingOffer.roles) expect(page).toContain(`${title} ${does}.`);
    // On a low screen, only the line of the role under the cursor is shown.
    const low = drawWalk(pressKeys(['up'], roles), castingOffer, 40, 10);
    expect(low).toContain('Critic does critic.');
    expect(low).not.toContain('does guardian');
  });
});

describe('the proposed cast', () => {
  const casts = [
    { slug: 'launch', name: 'Launch', description: 'Before it goes out.', topics: ['release'] },
    { slug: 'any', name: 'Any', description: 'No field.' },
    { slug: 'code', name: 'Code', description: 'A change to code.', topics: ['API', 'refactor'] },
  ];

  it.each([
    ['Should we refactor the parser?', 'code'],
    ['Are we ready to be released on Friday?', 'launch'],
    ['Does the API stay?', 'code'],
    ['Where should we hold the party?', 'any'],
    ['', 'any'],
  ])('for the question "%s" is the preset "%s"', (question, slug) => {
    expect(casts[findFittingCast(casts, question, 'any').at]?.slug).toBe(slug);
  });

  it('is the one with most words of the question, where a topic outweighs a whole description and everyday words do not count', () => {
    const house = [
      { slug: 'any', name: 'Any', description: 'Of no field.' },
      {
        slug: 'launch',
        name: 'Launch',
        topics: ['release'],
        description: 'Something that is about to go out, with servers and a night for it.',
      },
      { slug: 'study', name: 'Study', description: 'Before or after it was run.' },
      { slug: 'system', name: 'System', description: 'What is built.', topics: ['servers'] },
    ];
    const chooseCast = (text: string) => house[findFittingCast(house, text, 'any').at]?.slug;
    expect(chooseCast('Should we carry out the cutover?')).toBe('any');
    expect(chooseCast('Can we run it on Sunday?')).toBe('any');
    expect(chooseCast('Should we carry out the move of the servers at night?')).toBe('system');
    expect(findFittingCast(house, 'Move the servers at night?', 'any').shared).toEqual(['servers']);
    expect(chooseCast('What about a night for it?')).toBe('launch');
  });

  it('is under the cursor, unless the person has already chosen another cast', () => {
    const on = pressKeys(['', 'enter', 'What about Research?', 'enter']);
    expect(on).toMatchObject({ step: 'cast', cursor: 2 });
    const chosen = pressKeys(['4', 'escape', 'escape', ' Still Research', 'enter'], on);
    expect(chosen).toMatchObject({ step: 'cast', cursor: 3 });
  });
});

describe('the keys of the questions before a run', () => {
  it('are listed by the key ?, except in a text field that already contains text', () => {
    const help = pressKeys(['?']);
    expect(help).toMatchObject({ over: { kind: 'help' }, step: 'system' });
    expect(drawWalk(help)).toContain('Leave without starting a run');
    expect(pressKeys(['escape'], help)).toMatchObject({ over: undefined, step: 'system' });
    expect(pressKeys(['why?']).field.text).toBe('why?');
    expect(drawWalk(pressKeys(['?'], pressKeys(TO_CAST)))).toContain('Choose by number');
    expect(drawWalk(pressKeys(TO_CAST)).replace(/\u001b\[\d+m/g, '')).toContain('? help');
  });
});

describe('the page of the questions before a run', () => {
  const pages = [
    [],
    ['enter'],
    TO_CAST,
    [...TO_CAST, '1'],
    [...TO_CAST, '1', '1'],
    TO_BUDGET,
    [...TO_BUDGET, '4'],
    [...TO_BUDGET, '2'],
    [...TO_BUDGET, '2', '2'],
    [...TO_BUDGET, '2', '1'],
  ];

  it.each([
    [80, 24],
    [40, 10],
    [200, 50],
  ])('fits %i×%i, with its keys in the last row', (columns, rows) => {
    for (const keys of pages) {
      const page = drawWalk(pressKeys(keys), castingOffer, columns, rows).split('\n');
      expect(page).toHaveLength(rows);
      for (const row of page)
        expect(textWidth(row.replace(/\u001b\[[0-9;]*m/g, ''))).toBeLessThanOrEqual(columns);
      expect(page.at(-1)).toContain('Enter');
    }
  });

  it('does not name Guardian, Observer or Critic before the question and the cast are chosen', () => {
    for (const keys of [[], ['enter'], TO_CAST])
      expect(drawWalk(pressKeys(keys))).not.toMatch(/Guardian|Observer|Critic/);
  });

  it('removes control characters from the texts of casts and from errors in their files', () => {
    for (const { text } of attacks) {
      const hostile: CastingOffer = {
        ...castingOffer,
        question: text,
        problems: [text],
        casts: [{ slug: 'x', name: text, description: text, cast: makePeople(text) }],
      };
      for (const keys of [[], ['enter'], ['enter', '1'], ['enter', '1', 'enter', '2', '1']]) {
        const page = drawWalk(pressKeys(keys, startWalk(hostile), hostile), hostile);
        expect(page.replace(/\u001b\[[0-9;]*m/g, '')).not.toMatch(
          /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
        );
      }
    }
  });
});

describe('the text field of the questions before a run', () => {
  it('accepts text, corrections and movements of the cursor', () => {
    let field = fieldOf('ab');
    for (const key of ['left', 'x', 'home', 'y', 'end', 'z', 'backspace', 'space', '字'])
      field = typeKey(field, key);
    expect(field).toMatchObject({ text: 'yaxb 字', at: 6 });
    expect(typeKey(fieldOf('one two '), 'ctrl+w').text).toBe('one ');
    const second = { ...fieldOf('one two'), at: 3 };
    expect(typeKey(second, 'ctrl+u')).toMatchObject({ text: ' two', at: 0 });
    expect(typeKey(field, 'pagedown')).toBe(field);
  });

  it('turns pasted text into one line without control characters', () => {
    expect(pasteText(fieldOf('a '), 'b\nc\u001b]52;c;x\u0007\td')).toMatchObject({
      text: 'a b c d',
      at: 7,
    });
    expect(handlePaste(pressKeys(TO_CAST), 'x')).toEqual(pressKeys(TO_CAST));
  });

  it('keeps the cursor visible, however long the text is', () => {
    const long = fieldOf(`${'字'.repeat(100)}end`);
    const row = fieldRow(long, 40, new Theme(0)).replace(/\u001b\[[0-9;]*m/g, '');
    expect(row).toContain('end');
    expect(textWidth(row)).toBe(40);
  });
});
