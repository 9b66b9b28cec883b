/**
 * Which options of a vote are one choice, where the verifier cannot read. Stances, the entrance and the pairs
 * are those of SmolLM2-135M-Instruct and Gemma 3 270M behind llama.cpp's server. Two ballots of the first were
 * then told as "2 of 2".
 */
import { describe, expect, it } from 'vitest';
import { makeRoundsSeats } from '../../src/protocols/rounds/cast.ts';
import type { RoundsConfig } from '../../src/protocols/rounds/config.ts';
import { readVotes } from '../../src/protocols/rounds/votes/counted-votes.ts';
import { readStance } from '../../src/protocols/rounds/votes/read-stance.ts';
import type { FinishedRounds } from '../protocols/panel.ts';
import { answerWithValue, listPrompts, runScriptedRounds } from './acting.ts';

const EXAM = { answers: [{ item: 1_221_945_845_153_996, finding: 'false_in_text' }] };
const STANCES: Readonly<Record<string, object>> = {
  guardian: { position: 'Ingrid', option: 'You can choose your own role', confidence: 0.625 },
  action: { position: 'What to the answer?', option: 'I want to use the object', confidence: 0 },
};

/** The model pairs whatever two options are not the planted one, as it happened to do. */
function runVote(rules: RoundsConfig['rules'], exam: object | undefined): Promise<FinishedRounds> {
  return runScriptedRounds(
    {
      other: (asked, kind) => {
        if (kind === 'exam' && exam !== undefined) return answerWithValue(exam);
        if (kind.startsWith('stance')) return answerWithValue(STANCES[asked.seat.id] ?? {});
        if (kind !== 'options') return undefined;
        const shown = asked.about?.heard ?? [];
        const [one, other] = shown.flatMap(({ from, text }) =>
          /your own role|the object/.test(text) ? [from] : [],
        );
        return answerWithValue({
          same: [
            { option: one, as: other },
            { option: other, as: one },
          ],
        });
      },
    },
    { rules },
  );
}

function blindVote({ view }: FinishedRounds) {
  return readVotes(view)[0] ?? expect.fail('nobody voted');
}

describe('grouping the options of a vote that mean the same', () => {
  it('groups only options that are worded alike if the verifier has failed the reading test', async () => {
    const held = await runVote(6, EXAM);
    expect(blindVote(held)).toMatchObject({ by: 'wording', cast: 2 });
    expect(blindVote(held).options).toHaveLength(2);
    expect(listPrompts(held, 'options')).toEqual([]);
  });

  it('groups options that the verifier calls the same if it has passed the reading test', async () => {
    const held = await runVote(6, undefined);
    expect(blindVote(held)).toMatchObject({ by: 'verifier', cast: 2 });
    expect(blindVote(held).options).toHaveLength(1);
  });

  it('asks the verifier in edition 5 of the rules even if it has failed the reading test', async () => {
    const held = await runVote(5, EXAM);
    expect(blindVote(held)).toMatchObject({ by: 'verifier', cast: 2 });
    expect(listPrompts(held, 'options').length).toBeGreaterThan(0);
  });
});

describe('a vote whose option only repeats the description of a role', () => {
  const models = { action: 'm', guardian: 'm', observer: 'm', critic: 'm' };
  const cast = {
    action: 'the engineer who will implement it and run it',
    guardian: 'the keeper of what must not break',
    observer: 'a user on an ordinary day',
    critic: 'a sceptic',
  };
  const briefOf = (role: string): string =>
    makeRoundsSeats(cast, models).find(({ id }) => id === role)?.brief ?? '';
  /** The vote of Qwen2.5-Coder-0.5B on Ollama in the seat of the Action. Its option repeats this seat's brief. */
  const captured = {
    position: 'Action',
    option: 'The engineer who will implement it and run it',
    confidence: 1,
  };

  it('is not counted if the seat has this role', () => {
    expect(readStance(captured, briefOf('action'))).toEqual({
      why: 'its option repeats what a role is told',
    });
  });

  it('is counted if the seat has another role', () => {
    expect(readStance(captured, briefOf('critic'))).toMatchObject({
      stance: { option: 'The engineer who will implement it' },
    });
  });
});

describe('a vote for an option in a seat’s own words', () => {
  const question = 'Should we split the monolith?';
  const readOption = (option: string, asked = question): unknown =>
    readStance({ position: 'x', option, confidence: 0.5 }, '', asked);

  // SmolLM2-135M-Instruct, Gemma 3 270M and Qwen2.5-Coder-0.5B wrote these options.
  it.each([
    ['your role', 'its option repeats the form'],
    ['the question', 'its option repeats the form'],
    ['one line with the question', 'its option repeats the form'],
    ['all that is on record', 'its option repeats what the seat was told'],
    ['Where you stand', 'its option repeats what the seat was told'],
    ['The answer is...?', 'its option is a question'],
    ['Who?', 'its option is a question'],
    ['where is it', 'its option is a question'],
    ["What's the best way to handle it in the end", 'its option is a question'],
    ['1. What is the best way', 'its option is a question'],
    ['A', 'its option says nothing'],
    ['0', 'its option says nothing'],
    ['10.1.8.11.12.13', 'its option says nothing'],
  ])('is not counted if the option is no choice, such as “%s”', (option, why) => {
    expect(readOption(option)).toEqual({ why });
  });

  it.each([
    ['Do it now', question],
    ['Wait', question],
    ['When tests pass, split it', question],
    ['Keep the role', 'Should we keep the role of a release manager?'],
    ['B', 'Should we take A or B?'],
    ['6', 'How many weeks would it take?'],
    ['拆分', question],
    ['Split the monolith', question],
  ])('is counted if the option “%s” can answer the question “%s”', (option, asked) => {
    expect(readOption(option, asked)).toMatchObject({ stance: { option } });
  });
});
