/**
 * Tests who is called in: by clusters among the first hits or by name, whatever else the index contains.
 */
import { describe, expect, it } from 'vitest';
import {
  DOCUMENTS,
  type FinishedPlan,
  NO_ANSWER,
  type Script,
  STATEMENTS_BY_ROLE,
  World,
} from './harness.ts';

const CARDS = {
  security: 'Sessions, tokens and who may do what',
  ux: 'Forms, waiting and what people see',
  data: 'Tables, their sizes and how they are swept',
  billing: 'Invoices and refunds',
};
const SAYS = { ...STATEMENTS_BY_ROLE, billing: [{ text: 'A refund takes at most 5 days.' }] };

/** Answers with these queries, and names no cluster. */
const searchFor = (...queries: string[]): Script['staff'] => {
  return () => ({ queries, clusters: [], name: '' });
};
const askQuestions = (questions: Readonly<Record<string, string>>): Script['questions'] => {
  return ({ seat }) => {
    const question = questions[seat.id];
    return question === undefined ? undefined : { questions: [{ question, why: 'it decides' }] };
  };
};
const calledIn = ({ view }: FinishedPlan) => view.staffed?.seats;
const listGaps = ({ view }: FinishedPlan): string[] =>
  view.lookedUp.flatMap(({ id, answer }) => (answer === undefined ? [id] : []));

/** Returns a thousand sections of everyday words that have nothing to do with the topic. */
function makeGarden(front = ''): Record<string, string> {
  const things = ['roses', 'moss', 'gravel', 'hedges', 'apples', 'ponds', 'ferns', 'bees'];
  const sections = Array.from({ length: 1_000 }, (_, at) => {
    const [one, other] = [things[at % 8], things[(at * 3 + 1) % 8]];
    return `## Bed ${at}\n\nThe ${one} stand in bed ${at}, and it is how long the ${other} want it.\n`;
  });
  const files = Array.from({ length: 10 }, (_, at) => [
    `docs/garden/${at}.md`,
    `${front}# Garden ${at}\n\n${sections.slice(at * 100, at * 100 + 100).join('\n')}`,
  ]);
  return Object.fromEntries(files);
}

describe('a cluster of documents that is empty', () => {
  it('still has its specialist called in', async () => {
    const held = await new World(DOCUMENTS, CARDS).makePlan({
      says: SAYS,
      config: { researchers: 0 },
      script: {
        staff: searchFor('sessions and tokens', 'invoices and refunds'),
        questions: askQuestions({ billing: 'How long does a refund take today?' }),
      },
    });
    expect(calledIn(held)).toContainEqual({ seat: 'billing', by: ['billing'] });
    expect(held.view.lookedUp).toMatchObject([
      { id: 'billing?1', why: 'its clusters have no document that says anything of it' },
    ]);
    expect(held.view.gated.find(({ seat }) => seat === 'billing')?.notKnown).toEqual([
      'How long does a refund take today?',
    ]);
    expect(held.prompts('speak', 'billing')[0]).toMatch(
      /Not known; do not assume it:\n- How long does a refund take today\?/,
    );
    expect(held.prompts('speak', 'security')[0]).not.toContain('Not known');
  });
});

describe('a thousand unrelated sections of documents', () => {
  const script: Script = {
    staff: searchFor('how long a session and its tokens last', 'the form with two fields'),
    questions: askQuestions({
      security: 'When does a session end?',
      ux: 'How many languages does the form speak?',
    }),
    'look-up': ({ about }) => {
      const quotation = 'A session ends fifteen minutes after the last click.';
      const place = about?.heard?.find(({ text }) => text.includes(quotation))?.from;
      return place === undefined || !about?.items?.[0]?.includes('session')
        ? undefined
        : { answered: 'wholly', missing: '', place, quotation };
    },
  };
  const holding = { says: SAYS, script, config: { researchers: 0 } };

  it.each([
    ['in no cluster', ''],
    ['in another cluster', '---\nclusters: [billing]\n---\n'],
  ])('do not change which specialists are chosen if they are %s', async (_whose, front) => {
    const before = await new World(DOCUMENTS, CARDS).makePlan(holding);
    const after = await new World({ ...DOCUMENTS, ...makeGarden(front) }, CARDS).makePlan(holding);
    expect(calledIn(before)?.map(({ seat }) => seat)).toEqual(['security', 'ux', 'data']);
    expect(calledIn(after)).toEqual(calledIn(before));
    expect(listGaps(before)).toEqual(['ux?1']);
    expect(listGaps(after)).toEqual(listGaps(before));
  });
});

describe('a plan does not start', () => {
  it('if only one specialist is concerned', async () => {
    const held = await new World().makePlan({
      script: { staff: () => ({ queries: ['zzz'], clusters: ['data'], name: '' }) },
    });
    expect(held.ending).toEqual({
      status: 'failed',
      reason: 'only data is concerned, so nobody can disagree; hold a board on it instead',
    });
    expect(held.requests('speak')).toEqual([]);
  });

  it('if no specialist is concerned', async () => {
    const held = await new World().makePlan({ script: { staff: searchFor('zzz') } });
    expect(held.ending.reason).toBe(
      'nobody was called in: no specialist’s domain was found in the topic; name two with --call-in, or hold a board on it',
    );
  });

  it('if the chairing model gives no answer in three tries', async () => {
    const held = await new World().makePlan({ script: { staff: () => NO_ANSWER } });
    expect(held.ending).toMatchObject({
      status: 'failed',
      reason: 'nobody was called in: the server is gone',
    });
    expect(held.requests('staff')).toHaveLength(3);
  });
});

it('clusters that the topic concerns but no specialist covers are recorded', async () => {
  const held = await new World(DOCUMENTS, CARDS).makePlan({
    script: { staff: searchFor('sessions and forms', 'invoices and refunds') },
  });
  expect(held.view.staffed?.unowned).toEqual(['billing']);
});

it('a specialist whom the person names with --call-in takes part in a plan of any topic', async () => {
  const held = await new World(DOCUMENTS, CARDS).makePlan({
    says: SAYS,
    script: { staff: searchFor('a session') },
    config: {
      roles: {
        security: { clusters: ['security'] },
        data: { clusters: ['data'] },
        billing: { clusters: [], called: true },
      },
    },
  });
  expect(calledIn(held)).toContainEqual({ seat: 'billing', by: [] });
  expect(held.prompts('speak', 'billing')[0]).toContain('Nothing is on record in your domain.');
});

it('a cluster that the chairing model invents is ignored', async () => {
  const held = await new World().makePlan({
    script: {
      staff: () => ({ queries: ['zzz'], clusters: ['data', '__proto__', 'treasury'], name: '' }),
    },
  });
  expect(held.view.staffed).toMatchObject({ named: ['data'], unowned: [] });
});
