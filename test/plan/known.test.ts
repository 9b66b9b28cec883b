/** Tests what a seat is told about its questions: answered, partly answered or not. */
import { describe, expect, it } from 'vitest';
import { makeClash, makeConflictReader, readSection, type Script, World } from './harness.ts';

const QUESTION = 'How long does a session last, and who can end it?';
const askQuestion: Script['questions'] = ({ seat }) => ({
  questions: seat.id === 'security' ? [{ question: QUESTION, why: 'all hangs on it' }] : [],
});
const answerHalf: Script['look-up'] = () => ({
  answered: 'partly',
  quotation: 'A session ends fifteen minutes after the last click',
  missing: 'Who can end a session?',
});

describe('an answer that covers only a part of a question', () => {
  it('is shown as partial, with the missing part', async () => {
    const held = await new World().makePlan({
      script: { questions: askQuestion, 'look-up': answerHalf },
    });
    expect(held.view.lookedUp).toMatchObject([
      { answer: { place: expect.any(String) }, missing: 'Who can end a session?' },
    ]);
    const told = `${QUESTION} (partly known; missing: Who can end a session?)`;
    expect(held.prompts('speak', 'security')[0]).toContain(`- ${told}`);
    expect(readSection(held.spec, 'Not known')).toEqual([`- ${told} (security)`]);
    expect(held.prompts('research')[0]).toContain('What is missing: Who can end a session?');
  });

  it('is to be reported by the reader as no answer, as the prompt says under edition 2 of the rules', async () => {
    const held = await new World().makePlan({
      script: { questions: askQuestion, 'look-up': () => ({ answered: false, quotation: '' }) },
      config: { prompts: 2 },
    });
    expect(held.prompts('look-up')[0]).toContain('half an answer is none');
    expect(held.view.lookedUp[0]).not.toHaveProperty('answer');
  });
});

describe('research for a plan', () => {
  it('goes first to the specialists that have no document', async () => {
    const world = new World(
      { 'docs/security.md': '---\nclusters: [security]\n---\n# Sessions\n\nA session ends.\n' },
      { security: 'Sessions', ux: 'Forms' },
    );
    const held = await world.makePlan({
      says: { security: [{ text: 'Sessions end.' }], ux: [{ text: 'Forms stay.' }] },
      script: {
        questions: ({ seat }) => ({
          questions: [{ question: `What holds for ${seat.id} sessions?`, why: 'so' }],
        }),
        'look-up': () => ({ answered: 'not', quotation: '', missing: '' }),
      },
      config: { researchers: 1 },
    });
    expect(held.view.researched.map(({ id }) => id)).toEqual(['ux?1']);
  });
});

describe('the prompt of a seat', () => {
  it('says how many sections the seat was shown, and which were left out for lack of room', async () => {
    const pages = Object.fromEntries(
      [1, 2, 3].map((page) => [
        `docs/security-${page}.md`,
        `---\nclusters: [security]\n---\n# Page ${page}\n\nHow long a session lasts: ${'a session lasts on and on. '.repeat(40)}\n`,
      ]),
    );
    const world = new World({
      ...pages,
      'docs/ux.md': '---\nclusters: [ux]\n---\n# Forms\n\nHow long a session of a form lasts.\n',
    });
    const held = await world.makePlan({ config: { gateTokens: 400 } });
    const [security = '', data = ''] = [
      held.prompts('speak', 'security')[0],
      held.prompts('speak', 'data')[0],
    ];
    expect(security).toContain('You were shown 1 section of what is on record in your domain.');
    expect(security).toMatch(/Not shown for lack of room: docs\/security-\d\.md/);
    expect(security).toContain(
      '1 section that the topic touches belongs to other domains, and you are not shown it.',
    );
    expect(data).toContain('You were shown no document');
  });
});

describe('a statement that its seat has withdrawn', () => {
  it('is not listed among the valid options of a question', async () => {
    const held = await new World().makePlan({
      script: {
        conflicts: makeConflictReader([makeClash('How long?', ['security-1', 'ux-1', 'data-1'])]),
        answer: ({ seat, about }) => ({
          answers: (about?.items ?? []).map((item) => ({
            conflict: item.split(':')[0],
            says: 'accepts',
            accepts: [`${seat.id}-1`],
            prefers: '',
            why: 'it has to be like that',
          })),
          change: [],
          withdraw:
            seat.id === 'data' && about?.round === 2
              ? [{ id: 'data-1', why: 'not ours', conflict: 'Q-1' }]
              : [],
          add: [],
        }),
      },
    });
    const unsettled = readSection(held.spec, 'Conflicts nobody has settled').join('\n');
    expect(unsettled).toContain('data-1 (constraint, given up): Sessions live');
    expect(held.prompts('synthesis')[0]).toContain('Options: security-1, ux-1. Given up: data-1.');
  });
});
