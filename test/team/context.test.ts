/** A team asks Ollama for one context size per model, since another size would reload the model. */
import { expect, it } from 'vitest';
import { TeamRunner } from './harness.ts';
import {
  makeNotesPlan,
  makeNotesRepository,
  makeNoteTask,
  makePassingVerdict,
  makeSoundScript,
} from './notes.ts';
import { makeOllamaTeam } from './wired.ts';

const TASKS = [makeNoteTask('one'), makeNoteTask('two', { covers: ['R2'] })];
const ALPHA = {
  'fast-cheap': 'ollama/alpha',
  capable: 'ollama/alpha',
  'reasoning-heavy': 'ollama/alpha',
} as const;

it.each([
  // The requested context size is that of the whole window if the window is small, but less if it is large.
  [16_384, 16_384],
  [131_072, 32_768],
])(
  'all calls to a model with a window of %i tokens ask Ollama for the same context size, %i tokens',
  async (window, numCtx) => {
    const script = makeSoundScript(makeNotesPlan('T3-T5', TASKS), TASKS, {
      verify: (asked) => ({ ...makePassingVerdict(TASKS, asked.about?.items ?? []), drops: [] }),
    });
    const { server, models } = await makeOllamaTeam(script, window);
    const held = await new TeamRunner(makeNotesRepository()).begin({
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
