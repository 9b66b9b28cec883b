/** Who sits where a role is to be played by an outsider: an advocate of another family of models. */
import { describe, expect, it } from 'vitest';
import { loadMethod } from '../../src/protocols/debate/catalog.ts';
import { placesOf, seatModels } from '../../src/sdk/desk/places.ts';
import { makeFailure } from '../kernel/scripted-models.ts';
import { answerAsStandIn, runMethod } from './held.ts';

async function listSeats(found: readonly string[], seat: readonly string[] = [], model?: string) {
  const flags = { seat, model, rehearse: false } as never;
  const places = placesOf({ flags }, await loadMethod('advocate'), undefined);
  return seatModels(places, found).map((place) => `${place.role} ${place.model}`);
}

describe("the advocate's seat in a debate", () => {
  it('gets a model of a family that no other seat has', async () => {
    const seats = await listSeats(
      ['ollama/qwen3:8b', 'ollama/qwen3:4b', 'openai/gpt-5', 'x/llama4'],
      ['seat=ollama/qwen3:8b', 'seat=ollama/qwen3:4b', 'seat'],
    );
    expect(seats).toEqual([
      'seat ollama/qwen3:8b',
      'seat ollama/qwen3:4b',
      'seat ollama/qwen3:8b',
      'advocate openai/gpt-5',
      'judge ollama/qwen3:4b',
    ]);
  });

  it('is left out if all models in use belong to one family', async () => {
    const seats = await listSeats(['ollama/qwen3:8b', 'other/qwen2.5']);
    expect(seats.filter((seat) => seat.startsWith('advocate'))).toEqual([]);
    const named = await listSeats(['openai/gpt-5'], [], 'ollama/qwen3:8b');
    expect(named.filter((seat) => seat.startsWith('advocate'))).toEqual([]);
  });

  it('gets a model of the only available family if a person asked for an advocate with --seat', async () => {
    const asked = await listSeats(['ollama/qwen3:8b'], ['advocate']);
    expect(asked).toContain('advocate ollama/qwen3:8b');
  });
});

it('the conclusion of a debate counts seats one by one, even if their titles are the same', async () => {
  const { view } = await runMethod(
    'brainstorm',
    (asked) =>
      asked.task === 'brainstorm/rate' && asked.seat.id === 'seat-2'
        ? makeFailure('server', 'gone')
        : answerAsStandIn(asked),
    { counts: { seat: 3 }, title: 'Engineer' },
  );
  expect(view.syntheses.at(-1)?.text).toContain('Heard: 3 of 4 seats throughout. Engineer had no');
});
