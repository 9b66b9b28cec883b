/** The search of the history: one search per typed word, of which only the latest result is shown. */
import { expect, it } from 'vitest';
import { openHistory } from '../../src/console/history/open.ts';
import type { RunLine } from '../../src/console/model/runs.ts';
import { totalOf } from '../../src/store/usage.ts';
import { waitUntil } from '../until.ts';
import { TestKeyboard, TestScreen } from './terminal.ts';

function makeRun(id: string): RunLine {
  const about = { protocol: 'board', status: 'done', costUsd: 0 } as const;
  const startedAt = '2026-03-01T10:00:00Z';
  return { ...about, id, question: `${id}?`, startedAt, estimated: false, rehearsal: false };
}

it('the history searches once for a quickly typed word and not for each letter', async () => {
  const screen = new TestScreen(80, 24);
  const keyboard = new TestKeyboard();
  const searched: string[] = [];
  const looked = openHistory({
    services: {
      list: (words) => {
        searched.push(words);
        return Promise.resolve([makeRun(words === '' ? 'everything' : `found-${words}`)]);
      },
      preview: () =>
        Promise.resolve({ seats: [], text: '', rehearsal: false, change: '', changes: '' }),
      remove: () => Promise.resolve(),
      usage: () => Promise.resolve({ rows: [], total: totalOf([]) }),
      track: () => Promise.resolve([]),
      exports: () => [],
      drafts: () => ({ draft: () => '', keepDraft: () => undefined }),
    },
    screen,
    env: { TERM: 'xterm-256color' },
    now: () => 0,
    stdin: keyboard as unknown as NodeJS.ReadStream,
  });
  await waitUntil(() => screen.text.includes('everything?'), 'list of runs');
  for (const key of '/monolith') keyboard.write(key);
  await waitUntil(() => screen.text.includes('found-monolith?'), 'what was found');
  expect(searched).toEqual(['', 'monolith']);
  keyboard.write('\u001b');
  keyboard.write('\u001b');
  await waitUntil(() => screen.text.includes('everything?'), 'list of all runs');
  keyboard.write('q');
  await looked;
});
