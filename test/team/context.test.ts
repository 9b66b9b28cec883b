/** A team asks Ollama for one context size per model, since another size would reload the model. */
import { expect, it } from 'vitest';
import { House } from './harness.ts';
import {
  makeNotesRepository,
  makeNoteTask,
  makePassingVerdict,
  makeSoundScript,
  notesPlan,
} from './notes.ts';
import { wiredToOllama } from './wired.ts';

const TASKS = [makeNoteTask('one'), makeNoteTask('two', { covers: ['R2'] })];
const ALPHA = {
  'fast-cheap': 'ollama/alpha',
  capable: 'ollama/alpha',
  'reasoning-heavy': 'ollama/alpha',
} as const;

it.each([
  // The context is limited by the model's window.
  [16_384, 16_384],
  [131_072, 32_768],
])(
  'all calls to a model with a window of %i tokens ask Ollama for the same context size',
  async (window, numCtx) => {
    const script = makeSoundScript(notesPlan('T3-T5', TASKS), TASKS, {
      verify: (asked) => ({ ...makePassingVerdict(TASKS, asked.about?.items ?? []), drops: [] }),
    });
    const { server, models } = await wiredToOllama(script, window);
    const held = await new House(makeNotesRepository()).hold({
      models,
      config: { version: 4, levels: ALPHA },
    });
    expect(held.ending).toEqual({ status: 'done' });
    const sizes = server
      .chats()
      .map(({ body }) => (body?.options as { num_ctx?: number } | undefined)?.num_ctx);
    expect(sizes.length).toBeGreaterThan(8);
    expect([...new Set(sizes)]).toEqual([numCtx]);
  },
);
