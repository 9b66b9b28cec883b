/**
 * Tests that a researcher can only read, and only inside the repository, whatever it calls and however it
 * spells paths.
 */
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { TOOLS } from '../../src/tools/tools.ts';
import { temporaryFolder } from '../store/folder.ts';
import { makeToolCalls, type Script, SOURCE_FILE, type Value, World } from './harness.ts';

const TREASURE = 'the treasure is buried under the elm';

/** Creates a repository with secrets inside, and a file outside that links lead to. */
function makeWorld(): World {
  const made = new World();
  const outside = temporaryFolder();
  writeFileSync(join(outside, 'treasure.txt'), `${TREASURE}\n`);
  made.write('.env', `KEY=${TREASURE}\n`);
  made.write('.git/notes', `${TREASURE}\n`);
  made.write('certs/server.pem', `${TREASURE}\n`);
  symlinkSync(outside, join(made.folder, 'outside'));
  symlinkSync(join(outside, 'treasure.txt'), join(made.folder, 'treasure.txt'));
  made.write('absolute', outside);
  return made;
}

/** Returns what the researcher is told when it makes these calls, in order. */
async function collectResults(
  made: World,
  calls: readonly (readonly [string, Value])[],
): Promise<string[]> {
  const research: Script['research'] = (asked) => {
    const had = asked.messages.flatMap(({ results = [] }) => results).length;
    const next = calls[had];
    if (asked.schema === undefined && next !== undefined) return makeToolCalls(next);
    return { claims: [{ text: 'It is buried.', quotation: TREASURE }], absent: [] };
  };
  const held = await made.makePlan({
    script: {
      research,
      questions: ({ seat }) =>
        seat.id === 'ux' ? { questions: [{ question: 'Where is it?', why: '' }] } : undefined,
    },
  });
  expect(held.view.researched[0]?.found).toEqual([]);
  const last = held.requests('research').at(-1);
  return last?.messages.flatMap(({ results = [] }) => results.map(({ text }) => text)) ?? [];
}

it.each([
  ['..', ['../treasure.txt', 'src/../../treasure.txt', 'docs/./../..', '..\\treasure.txt']],
  ['links', ['treasure.txt', 'outside/treasure.txt', 'outside/../treasure.txt']],
  ['absolute paths', ['/etc/passwd', '~/.ssh/id_rsa', 'file:///etc/passwd']],
  ['git’s own files', ['.git/notes', '.git/config', 'src/.GIT/notes']],
  ['secrets', ['.env', './.env', 'certs/server.pem']],
])(
  'a researcher is refused to read secrets and files outside the project: %s',
  async (_what, paths) => {
    const made = makeWorld();
    const before = made.place.git('status', '--porcelain');
    const texts = await collectResults(
      made,
      paths.map((path) => ['read', { path }] as const),
    );
    expect(texts).toHaveLength(paths.length);
    for (const text of texts) expect(text).toMatch(/^Refused: /);
    expect(texts.join('\n')).not.toContain(TREASURE);
    expect(made.place.git('status', '--porcelain')).toBe(before);
  },
);

it('a researcher finds nothing secret or outside the project by searching', async () => {
  const texts = await collectResults(makeWorld(), [
    ['grep', { pattern: 'treasure is buried' }],
    ['grep', { pattern: 'treasure', path: 'outside' }],
    ['list', { path: '.git' }],
    ['list', { path: 'outside' }],
  ]);
  expect(texts).toHaveLength(4);
  expect(texts.join('\n')).not.toContain(TREASURE);
});

it('a researcher is offered no tool that writes, and can call only offered tools', async () => {
  expect(
    [...TOOLS.keys()].filter((name) => !/^(list|grep|read|git_(log|show|blame))$/.test(name)),
  ).toEqual([]);
  const made = makeWorld();
  const before = made.place.git('status', '--porcelain');
  const texts = await collectResults(made, [
    ['write', { path: SOURCE_FILE, text: 'gone' }],
    ['search_documents', { query: 'how long a session lasts', clusters: ['security'] }],
    ['find_files', { paths: [SOURCE_FILE] }],
    ['git_show', { commit: '--output=src/session.ts' }],
    ['__proto__', {}],
  ]);
  expect(texts).toHaveLength(5);
  for (const text of texts) expect(text).toMatch(/^Refused: /);
  expect(texts.join('\n')).not.toContain('fifteen minutes');
  expect(made.place.git('status', '--porcelain')).toBe(before);
});
