/** Files that cannot be held, each with the sentence that says why, and where. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '../e2e/scene.ts';
import { startScript } from '../store/child.ts';

const IMPORT = "import { protocol, quote, z } from 'deliberate/protocol';\n";

/** A protocol whose `run` begins in line 7. */
const makeFileWithRun = (body: string): string => `${IMPORT}export default protocol({
  name: 'broken',
  seats: { a: 'You answer.', b: 'So do you.' },
  facts: { seen: z.object({ n: z.number() }) },
  async run({ question, ask, step, emit, heed, conclude }) {
    ${body}
  },
});
`;
/** A protocol with these members. */
const makeFileWithMembers = (members: string): string => `${IMPORT}
export default protocol({
  name: 'broken', seats: { a: 'You answer.' }, ${members}
  run: async ({ conclude }) => conclude('x'),
});
`;

interface Broken {
  readonly what: string;
  readonly text: string;
  readonly says: string;
  readonly next?: string;
  readonly name?: string;
  /** As `--set` has it. */
  readonly set?: readonly string[];
  /** Beside it. */
  readonly helper?: string;
}

/** Files that cannot be loaded, so that no run begins. */
const UNLOADED: readonly Broken[] = [
  {
    what: 'TypeScript syntax',
    text: `${IMPORT}export default protocol({ name: ;`,
    says: 'bad.ts:2: ',
  },
  {
    what: 'JavaScript syntax',
    name: 'bad.mjs',
    text: `${IMPORT}\nexport default protocol({ name: ;`,
    says: 'bad.mjs:3: SyntaxError: ',
  },
  {
    what: 'a syntax error in a helper',
    text: `${IMPORT}import { a } from './helper.ts';`,
    helper: '\n\nexport const a = ;',
    says: 'helper.ts:3: ',
  },
  {
    what: 'an enum',
    text: `${IMPORT}enum A { B }`,
    says: 'bad.ts:2: TypeScript enum',
    next: 'constants and objects',
  },
  {
    what: 'a namespace',
    text: `${IMPORT}namespace A { export const b = 1 }`,
    says: 'bad.ts:2: ',
    next: 'constants and objects',
  },
  {
    what: 'a type that is imported like a value',
    text: "import { protocol, Ask } from 'deliberate/protocol';",
    says: 'bad.ts:1: Ask is not exported',
    next: 'import { type Ask }',
  },
  {
    what: 'an import without its ending',
    text: `${IMPORT}import { a } from './helper';`,
    helper: 'export const a = 1;',
    says: 'bad.ts:2: import of helper without its extension',
    next: 'Write helper.ts.',
  },
  {
    what: 'a helper that is not there',
    text: `${IMPORT}import { a } from './nowhere.ts';`,
    says: 'bad.ts:2: nowhere.ts not found',
  },
  {
    what: 'a package that is not there',
    text: `${IMPORT}\nimport { map } from 'lodash';`,
    says: 'bad.ts:3: the package lodash is not installed',
    next: 'npm install lodash',
  },
  {
    what: 'no default export',
    text: `${IMPORT}export const a = 1;`,
    says: 'bad.ts does not export a protocol',
  },
  {
    what: 'something else by default',
    text: 'export default { name: "x" };',
    says: 'bad.ts: its default export was not made with protocol',
  },
  {
    what: 'what throws at its top',
    text: `${IMPORT}\nconst a = undefined;\na.b();`,
    says: 'bad.ts:4: TypeError: ',
  },
  {
    what: 'a name that is taken',
    text: makeFileWithRun('').replace("'broken'", "'board'"),
    says: 'bad.ts: board is the name of a built-in protocol',
  },
  {
    what: 'no name',
    text: makeFileWithRun('').replace("'broken'", "'Red Team'"),
    says: 'bad.ts:2: name: "Red Team" is not a valid name',
  },
  {
    what: 'no seats',
    text: makeFileWithMembers('seats: {},'),
    says: 'bad.ts:3: seats: name at least one',
  },
  {
    what: 'a seat without a brief',
    text: makeFileWithMembers('seats: { a: 3 },'),
    says: 'bad.ts:3: seats: a has no brief',
  },
  {
    what: 'settings that are no object',
    text: makeFileWithMembers('settings: z.string(),'),
    says: 'bad.ts:3: settings: write z.object',
  },
  {
    what: 'a fact with a name that every fact has',
    text: makeFileWithMembers('facts: { seen: z.object({ at: z.string() }) },'),
    says: 'bad.ts:3: facts: seen: every fact has a at',
  },
  {
    what: 'a setting without a value',
    text: makeFileWithMembers('settings: z.object({ depth: z.number() }),'),
    says: 'the setting depth has no value',
    next: '--set depth=VALUE',
  },
  {
    what: 'a value that does not fit',
    text: makeFileWithMembers('settings: z.object({ depth: z.number().max(3).default(1) }),'),
    set: ['depth=9'],
    says: '--set depth=9: Too big',
  },
  {
    what: 'a setting that is not there',
    text: makeFileWithMembers('settings: z.object({ depth: z.number().default(1) }),'),
    set: ['constructor=9'],
    says: '--set constructor=9: broken has no setting constructor',
    next: 'It has depth',
  },
  {
    what: 'a setting that cannot be recorded',
    text: makeFileWithMembers('settings: z.object({ d: z.date().default(new Date(0)) }),'),
    says: 'the settings of broken cannot be recorded',
  },
  {
    what: 'a file of another kind',
    text: '',
    name: 'bad.txt',
    says: 'bad.txt: not a TypeScript or JavaScript file',
  },
];

/**
 * Files whose fault is only found during the run. The run fails, and can be resumed once the file is
 * corrected.
 */
const HELD: readonly Broken[] = [
  {
    what: 'a timer',
    text: makeFileWithRun(
      'await new Promise((go) => setTimeout(go, 60_000));\nreturn conclude("x");',
    ),
    says: 'bad.ts:7: it waits for a timer, which is not a step',
  },
  {
    what: 'a timer beside a step',
    text: makeFileWithRun(
      'await Promise.all([ask("one", "a", question), new Promise((go) => setTimeout(go, 1))]);\nreturn conclude("x");',
    ),
    says: 'bad.ts:7: it waits for a timer',
  },
  {
    what: 'a file',
    text: `import { readFile } from 'node:fs/promises';${makeFileWithRun('await readFile("/etc/hosts");\nreturn conclude("x");')}`,
    says: 'bad.ts:7: it waits for a file',
  },
  {
    what: 'the network',
    text: makeFileWithRun(
      'await ask("one", "a", question);\n    await fetch("http://127.0.0.1:4/");\nreturn conclude("x");',
    ),
    says: 'bad.ts:8: it waits for the network',
  },
  {
    what: 'a process',
    text: `import { exec } from 'node:child_process';${makeFileWithRun('await new Promise((go) => exec("true", go));\nreturn conclude("x");')}`,
    says: 'bad.ts:7: it waits for ',
  },
  {
    what: 'what never comes',
    text: makeFileWithRun(
      'await ask("one", "a", question);\n    await new Promise(() => undefined);\nreturn conclude("x");',
    ),
    says: 'bad.ts:8: it waits for something outside a step',
  },
  {
    what: 'a step that throws',
    text: makeFileWithRun(
      'await step("bang", {}, () => { throw new Error("no disk"); });\nreturn conclude("x");',
    ),
    says: 'bad.ts:7: the step bang failed: no disk',
  },
  {
    what: 'a step that throws, caught',
    text: makeFileWithRun(
      'await step("bang", {}, () => { throw new Error("no disk"); }).catch(() => 1);\nreturn conclude("x");',
    ),
    says: 'bad.ts:7: the step bang failed: no disk',
  },
  {
    what: 'a step that gives back no JSON',
    text: makeFileWithRun('await step("big", {}, () => 10n);\nreturn conclude("x");'),
    says: 'bad.ts:7: the step big failed: ',
  },
  {
    what: 'code that throws',
    text: makeFileWithRun('const a = undefined;\n    a.b();'),
    says: 'bad.ts:8: TypeError: ',
  },
  {
    what: 'a step that nobody awaits',
    text: makeFileWithRun('ask("one", "a", question);\n    return conclude("x");'),
    says: 'bad.ts:7: the protocol ended while one was still running: await it',
  },
  {
    what: 'a key that is used twice',
    text: makeFileWithRun(
      'await ask("one", "a", question);\n    await ask("one", "a", "other");\n    return conclude("x");',
    ),
    says: 'bad.ts:8: the key one is used twice',
  },
  {
    what: 'a key that is none',
    text: makeFileWithRun('await ask("one two", "a", question);\nreturn conclude("x");'),
    says: 'bad.ts:7: "one two" is not a valid key',
  },
  {
    what: "the program's own key",
    text: makeFileWithRun('await ask("budget/tokens", "a", question);\nreturn conclude("x");'),
    says: 'bad.ts:7: the key budget/tokens is reserved',
  },
  {
    what: 'a seat that is not there',
    text: makeFileWithRun('await ask("one", "constructor", question);\nreturn conclude("x");'),
    says: 'bad.ts:7: TypeError: there is no seat "constructor"; the seats are a, b',
  },
  {
    what: 'a schema that no model can be sent',
    text: makeFileWithRun(
      'await ask("one", "a", "Q", { schema: z.string().transform(Number) });\nreturn conclude("x");',
    ),
    says: 'bad.ts:7: ',
  },
  {
    what: 'a fact that does not fit',
    text: makeFileWithRun('await emit("f", "seen", { n: "x" });\nreturn conclude("x");'),
    says: 'bad.ts:7: the fact seen: n: ',
  },
  {
    what: 'a fact that it does not name',
    text: makeFileWithRun('await emit("f", "toString", {});\nreturn conclude("x");'),
    says: 'bad.ts:7: broken has no fact toString',
  },
  {
    what: 'no conclusion',
    text: makeFileWithRun('await ask("one", "a", question);'),
    says: 'bad.ts: run returned no conclusion',
  },
  {
    what: 'a conclusion of its own making',
    text: makeFileWithRun('return { text: "x" };'),
    says: 'bad.ts: run returned no conclusion',
  },
  {
    what: 'an empty conclusion',
    text: makeFileWithRun('return conclude(" ");'),
    says: 'bad.ts:7: TypeError: conclude: the conclusion is not text',
  },
  {
    what: 'two conclusions',
    text: makeFileWithRun('await conclude("a");\n    return conclude("b");'),
    says: 'bad.ts:8: the key conclusion is used twice',
  },
];

interface Ended {
  readonly error?: string;
  readonly next?: string;
  readonly reason?: string;
}

/** Runs all protocols in one process, one after the other. Resolves to the outcomes in their order. */
async function holdAll(all: readonly Broken[]): Promise<Ended[]> {
  const plan = all.map(({ text, name = 'bad.ts', set = [], helper }) => {
    const where = makeFolder();
    writeFileSync(join(where, name), text);
    if (helper !== undefined) writeFileSync(join(where, 'helper.ts'), helper);
    return { file: join(where, name), set };
  });
  const file = join(makeFolder(), 'plan.json');
  writeFileSync(file, JSON.stringify(plan));
  const child = startScript(import.meta.url, './holder.ts', [file]);
  const ended: Ended[] = [];
  for (const _one of all) ended.push(await child.readLine<Ended>());
  return ended;
}

it('a faulty protocol file or setting is refused before the run begins, with one line that says what is wrong', async () => {
  const ended = await holdAll(UNLOADED);
  for (const [index, { what, says, next }] of UNLOADED.entries()) {
    const { error = '', next: said = '' } = ended[index] ?? {};
    expect(error, what).toContain(says);
    expect(error.replace(/^\/.*\//, '').startsWith(says), `${what}: ${error}`).toBe(true);
    expect(said, what).toContain(next ?? '');
    expect(error, what).not.toMatch(/\n|unexpected/);
  }
});

it('a mistake in the code of a user’s own protocol makes the run fail, and the error names the place', async () => {
  const ended = await holdAll(HELD);
  for (const [index, { what, says }] of HELD.entries()) {
    expect(ended[index], what).toMatchObject({ status: 'failed' });
    expect(ended[index]?.reason?.startsWith(says), `${what}: ${JSON.stringify(ended[index])}`).toBe(
      true,
    );
  }
});
