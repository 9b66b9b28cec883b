/**
 * The home screen and the history as a terminal shows them, against committed files. After a change
 * that is meant: `npx vitest run test/console/home -u`, and read the difference.
 */
import { describe, expect, type TestContext, test } from 'vitest';
import { openHistory } from '../../../src/console/history/open.ts';
import { historyPage } from '../../../src/console/history/page.ts';
import { beginHistory, withRuns } from '../../../src/console/history/state.ts';
import type {
  AttachedFile,
  FoundModels,
  HomeOffer,
  KeptPanel,
  PanelDraft,
  ProtocolOffer,
  RoleOffer,
} from '../../../src/console/home/offer.ts';
import { type HomeSelection, openHome } from '../../../src/console/home/open.ts';
import { keymapOf } from '../../../src/console/keys/key-lookup.ts';
import type { RunLine } from '../../../src/console/model/runs.ts';
import type { ExportOffer } from '../../../src/console/run/ports.ts';
import { Theme } from '../../../src/console/terminal/theme.ts';
import { totalOf } from '../../../src/store/usage.ts';
import { KEYS, TestKeyboard, TestScreen, waitForKey } from '../terminal.ts';

/** A history without any costs. */
const NO_USAGE_SUMS = { rows: [], total: totalOf([]) };

const NOW = Date.parse('2026-03-01T12:00:00Z');
const SIZES = [
  [80, 24],
  [140, 40],
] as const;

const PRESETS = [
  {
    slug: 'pair',
    name: 'Pair',
    about: 'For and against.',
    seats: [{ role: 'for' }, { role: 'against' }],
  },
  { slug: 'solo', name: 'Solo', about: 'One alone.', seats: [{ role: 'for' }] },
];
const BOARD: ProtocolOffer = {
  id: 'board',
  title: 'Board',
  about: 'side by side',
  attaches: true,
  looks: true,
  usesTools: true,
  chair: 'Synthesizer',
  panel: { title: 'Board', presets: PRESETS, preset: 'pair' },
};
const OFFER: HomeOffer = {
  protocols: [
    BOARD,
    {
      id: 'rounds',
      title: 'Rounds',
      about: 'round after round',
      attaches: true,
      looks: true,
      usesTools: false,
      chair: 'Verifier',
      roles: [{ slug: 'action', name: 'Action', about: 'Does it move?', brief: 'You move.' }],
    },
  ],
  roles: [
    { slug: 'for', name: 'Advocate', about: 'In favour.', brief: 'You are for it.' },
    { slug: 'against', name: 'Critic', about: 'Against.', brief: 'You are against it.' },
  ],
  questions: [{ title: 'Monolith', text: 'Should we split the monolith?' }],
  examples: [{ id: 'board', title: 'A board', about: 'three advisors and their synthesis' }],
  choices: {
    protocol: 'board',
    presets: { board: 'pair' },
    panels: { board: [{ role: 'for' }, { role: 'against' }] },
  },
  toolServers: [],
  defaults: {},
  problems: [],
};
const FOUND: FoundModels = {
  models: [
    { spec: 'ollama/qwen3:8b', note: '5.2 GB · 41k context' },
    { spec: 'ollama/llama3.2:3b', note: '2.0 GB · 131k context' },
  ],
  looked: [
    'ollama at http://127.0.0.1:11434: 2 found',
    'openai at https://api.openai.com/v1: there is no API key',
  ],
  keyless: [],
};
const NOTHING: FoundModels = {
  models: [],
  looked: ['ollama at http://127.0.0.1:11434: connection refused'],
  keyless: [],
};
/** Returns the exports that a person is offered for a run. */
function offersOf({ id }: RunLine): ExportOffer[] {
  return [
    { key: 'm', label: 'Report', about: 'Markdown', write: () => Promise.resolve(`${id}.md`) },
    {
      key: 'r',
      label: 'Records',
      about: 'a folder',
      write: () => Promise.resolve(`records of ${id}`),
    },
  ];
}
const RUNS: RunLine[] = [
  {
    id: '01a200f6-af86-7000-8000-000000000001',
    protocol: 'board',
    question: 'Should we paint the shed?',
    status: 'done',
    startedAt: '2026-03-01T10:00:00Z',
    costUsd: 0.031,
    estimated: false,
    rehearsal: false,
  },
  {
    id: '01a200f6-af85-7000-8000-000000000002',
    protocol: 'rounds',
    question: 'Which database?',
    status: 'interrupted',
    startedAt: '2026-02-27T10:00:00Z',
    costUsd: null,
    estimated: false,
    rehearsal: true,
  },
];

type Context = Pick<TestContext, 'expect' | 'onTestFinished'>;

interface Shown {
  readonly screen: TestScreen;
  readonly saved: unknown[];
  /** The drafts of the question, as they were kept. */
  readonly kept: string[];
  readonly chosen: Promise<HomeSelection>;
  press(...chunks: string[]): Promise<void>;
}

interface Showing {
  readonly columns?: number;
  readonly rows?: number;
  readonly offer?: HomeOffer;
  readonly found?: FoundModels | Promise<FoundModels>;
  readonly runs?: readonly RunLine[];
  readonly draft?: string;
  /** What comes of the editor in which a role is written. */
  readonly role?: RoleOffer | Error;
  /** Reads a document; by default a text is there at once. */
  readonly attach?: (path: string) => Promise<AttachedFile>;
  readonly keep?: (panel: PanelDraft) => KeptPanel;
}

async function typeChunks(
  screen: TestScreen,
  keyboard: TestKeyboard,
  chunks: string[],
): Promise<void> {
  await keyboard.waitForReader();
  for (const chunk of chunks) {
    keyboard.write(chunk);
    await waitForKey();
  }
  await screen.settled();
}

async function showHome({ onTestFinished }: Context, showing: Showing = {}): Promise<Shown> {
  const {
    columns = 80,
    rows = 24,
    offer = OFFER,
    found = FOUND,
    runs = RUNS,
    draft = '',
    role,
    attach = (path) => Promise.resolve({ path, text: 'x', note: 'about 1 tok' }),
    keep = ({ name, seats }) => ({
      preset: { slug: 'kept', name, about: '', seats },
      file: '/boards/kept.yaml',
    }),
  } = showing;
  const screen = new TestScreen(columns, rows);
  const keyboard = new TestKeyboard();
  const saved: unknown[] = [];
  const kept: string[] = [];
  const chosen = openHome({
    offer,
    services: {
      models: async () => found,
      recent: async () => runs,
      due: async () => undefined,
      attach,
      lookInto: (wishes) =>
        Promise.resolve(wishes.map((wish) => ({ wish, name: wish, path: `/code/${wish}` }))),
      mentioned: (path) =>
        Promise.resolve(path === 'notes.md' ? { path, text: 'x', note: 'about 1 tok' } : undefined),
      complete: (path) => ({ text: path, names: [] }),
      draft: () => draft,
      keepDraft: (question) => void kept.push(question),
      edit: (text) => Promise.resolve(text),
      writeRole: () => (role instanceof Error ? Promise.reject(role) : Promise.resolve(role)),
      savePanel: (_protocol, panel) => Promise.resolve(keep(panel)),
      estimate: ({ question, seats }) => (question === '' ? undefined : `${seats.length} seats`),
      save: (choices) => void saved.push(choices),
    },
    screen,
    stdin: keyboard as unknown as NodeJS.ReadStream,
    env: { TERM: 'xterm-256color' },
    now: () => NOW,
  });
  onTestFinished(async () => {
    keyboard.write('\u0003');
    keyboard.write('\u0003');
    await chosen;
  });
  await screen.settled();
  return {
    screen,
    saved,
    kept,
    chosen,
    press: (...chunks) => typeChunks(screen, keyboard, chunks),
  };
}

async function expectScreen({ expect }: Context, screen: TestScreen, name: string): Promise<void> {
  await screen.settled();
  for (const line of screen.lines) expect(line.length).toBeLessThanOrEqual(screen.columns);
  await expect(`${screen.text}\n`).toMatchFileSnapshot(`screens/${name}.txt`);
}

describe.each(SIZES)('the home screen at %i×%i', (columns, rows) => {
  const size = `${columns}x${rows}`;

  test.concurrent('shows its form', async (context) => {
    const { screen, press } = await showHome(context, { columns, rows });
    await press('Should we?', '\n', 'Or not?');
    await expectScreen(context, screen, `home-${size}`);
  });

  test.concurrent('shows a list of models', async (context) => {
    const { screen, press } = await showHome(context, { columns, rows });
    await press(KEYS.escape, 'jj', KEYS.enter, 'llama');
    await expectScreen(context, screen, `models-${size}`);
  });

  test.concurrent('shows what to do if there is no model', async (context) => {
    const { screen, press } = await showHome(context, { columns, rows, found: NOTHING, runs: [] });
    await press('Should we?');
    context
      .expect(screen.text)
      .toContain('Models       none found; Ctrl-X plays an example, or turn Rehearsal on');
    await press(KEYS.enter);
    await expectScreen(context, screen, `nothing-${size}`);
    // Press Ctrl-X, which opens the list of examples, as the message about missing models says.
    await press('\u0018');
    context.expect(screen.text).toContain('Which example?');
  });

  test.concurrent('shows its help', async (context) => {
    const { screen, press } = await showHome(context, { columns, rows });
    await press('?');
    await expectScreen(context, screen, `help-${size}`);
  });
});
describe.each(SIZES)('the history of runs at %i×%i', (columns, rows) => {
  const size = `${columns}x${rows}`;
  test.concurrent('shows a preview of the chosen run, and exports the run', async (context) => {
    const screen = new TestScreen(columns, rows);
    const keyboard = new TestKeyboard();
    const looked = openHistory({
      services: {
        list: () => Promise.resolve(RUNS),
        preview: () =>
          Promise.resolve({
            seats: ['Advocate ollama/qwen3:8b', 'Critic ollama/llama3.2:3b'],
            text: '## Consensus\n\nPaint it, but not this year.',
            rehearsal: false,
            change: 'seat.advocate.model=',
            changes: 'seat/critic seat.critic.model=PROVIDER/MODEL',
          }),
        remove: () => Promise.resolve(),
        usage: () => Promise.resolve(NO_USAGE_SUMS),
        track: () => Promise.resolve([]),
        exports: offersOf,
        drafts: () => NO_DRAFTS,
      },
      screen,
      stdin: keyboard as unknown as NodeJS.ReadStream,
      env: { TERM: 'xterm-256color' },
      now: () => NOW,
    });
    await typeChunks(screen, keyboard, ['j']);
    await expectScreen(context, screen, `history-${size}`);
    await typeChunks(screen, keyboard, ['e']);
    await expectScreen(context, screen, `history-export-${size}`);
    await typeChunks(screen, keyboard, ['r']);
    context.expect(screen.text).toContain('Exported to records of 01a200f6-af85');
    context.expect(screen.text).not.toContain('Export this run');
    await typeChunks(screen, keyboard, ['e', KEYS.escape]);
    context.expect(screen.text).not.toContain('Export this run');
    await typeChunks(screen, keyboard, ['q']);
    context.expect((await looked).choice).toEqual({ kind: 'back' });
  });
});

const NO_DRAFTS = { draft: () => '', keepDraft: () => undefined };

test.concurrent('the form for a fork’s changes keeps its text when Esc closes the form', async (context) => {
  const { expect } = context;
  const screen = new TestScreen(80, 24);
  const keyboard = new TestKeyboard();
  let kept = '';
  const looked = openHistory({
    services: {
      list: () => Promise.resolve(RUNS),
      preview: () =>
        Promise.resolve({
          seats: [],
          text: '',
          rehearsal: false,
          changes: 'round-3/D verifier=PROVIDER/MODEL',
          change: 'seat/advocate seat.advocate.model=',
        }),
      remove: () => Promise.resolve(),
      usage: () => Promise.resolve(NO_USAGE_SUMS),
      track: () => Promise.resolve([]),
      exports: () => [],
      drafts: () => ({
        draft: () => kept,
        keepDraft: (_box, text) => {
          kept = text;
        },
      }),
    },
    screen,
    env: { TERM: 'xterm-256color' },
    now: () => NOW,
    stdin: keyboard as unknown as NodeJS.ReadStream,
  });
  await typeChunks(screen, keyboard, ['f']);
  expect(screen.text).toContain('> seat/advocate seat.advocate.model=');
  expect(screen.text).toContain('round-3/D verifier=PROVIDER/MODEL. Everything else');
  await typeChunks(screen, keyboard, [
    'ollama/x',
    '\n',
    '\u001b[200~verifier=ollama/y\nsynthesizer=z\u001b[201~',
  ]);
  expect(screen.text).toMatch(
    /advocate\.model=ollama\/x .*\n.* verifier=ollama\/y .*\n.* synthesizer=z/,
  );
  // A paste is one change, so one undo removes all of it.
  await typeChunks(screen, keyboard, ['\u001f']);
  expect(screen.text).not.toContain('ollama/y');
  await typeChunks(screen, keyboard, ['verifier=ollama/w', KEYS.escape]);
  expect(screen.text).not.toContain('verifier=');
  await typeChunks(screen, keyboard, ['f']);
  expect(screen.text).toContain('verifier=ollama/w');
  await typeChunks(screen, keyboard, [KEYS.enter]);
  expect((await looked).choice).toMatchObject({
    kind: 'fork',
    change: 'seat/advocate seat.advocate.model=ollama/x\nverifier=ollama/w',
  });
  expect(kept).toBe('');
});

test.concurrent.each([
  [40, 10, 20],
  [140, 40, 90],
  [200, 50, 70],
])(
  'the history fills the screen with runs and shows enough of their questions at %i×%i',
  async (columns, rows, least) => {
    const question = 'Should we paint the shed before winter, with what is left, '.repeat(3);
    const [run] = RUNS;
    if (run === undefined) throw new Error('no run');
    const history = withRuns(
      beginHistory(),
      Array.from({ length: 40 }, (_, index) => ({ ...run, id: `run-${index}`, question })),
    );
    const look = { theme: new Theme(0), keymap: keymapOf({}), columns, rows, now: NOW };
    const page = historyPage(history, look).map((row) => row.replace(/\u001b\[\d+m/g, ''));
    const listed = page.filter((row) => /^[> ] ✓ /.test(row));
    const cut = listed.map((row) => /Should.*?(?:…|$|\|)/.exec(row)?.[0].length ?? 0);
    // Besides the list of runs, a screen of 20 rows or more may show a preview of the chosen run.
    const mostOtherRows = rows < 20 ? 6 : 16;
    expect(listed.length).toBeGreaterThanOrEqual(rows - mostOtherRows);
    expect(Math.min(...cut)).toBeGreaterThanOrEqual(least);
  },
);

test.concurrent('the list of runs shows no control characters', async ({ expect }) => {
  const evil = 'a\u001b]52;c;aGk=\u0007b\u009b31m\u202ec\u001b[2J';
  const screen = new TestScreen(140, 40);
  const keyboard = new TestKeyboard();
  const [run] = RUNS;
  if (run === undefined) throw new Error('no run');
  const looked = openHistory({
    services: {
      list: () => Promise.resolve([{ ...run, question: evil }]),
      preview: () =>
        Promise.resolve({
          seats: [evil],
          text: evil,
          rehearsal: true,
          change: '',
          changes: 'seat/critic seat.critic.model=PROVIDER/MODEL',
        }),
      remove: () => Promise.reject(new Error(evil)),
      usage: () => Promise.resolve(NO_USAGE_SUMS),
      track: () => Promise.resolve([]),
      exports: () => [
        { key: 'm', label: evil, about: evil, write: () => Promise.resolve(evil) },
        { key: 'w', label: 'Whole', about: '', write: () => Promise.reject(new Error(evil)) },
      ],
      drafts: () => ({ draft: () => evil, keepDraft: () => undefined }),
    },
    search: evil,
    notice: evil,
    screen,
    stdin: keyboard as unknown as NodeJS.ReadStream,
    env: { TERM: 'xterm-256color' },
    now: () => NOW,
  });
  await typeChunks(screen, keyboard, ['e', 'm', 'e', 'w', 'x', 'y', 'f', KEYS.escape, '/', evil]);
  for (const raw of ['\u001b]52', '\u009b', '\u202e']) expect(screen.raw).not.toContain(raw);
  expect(screen.raw).toContain(' REHEARSAL ');
  await typeChunks(screen, keyboard, ['\u0003']);
  await looked;
});

test.concurrent('a run starts as soon as models are found if Enter was pressed before', async (context) => {
  const { expect } = context;
  let deliverModels: (found: FoundModels) => void = () => undefined;
  const found = new Promise<FoundModels>((resolve) => {
    deliverModels = resolve;
  });
  const { screen, chosen, press } = await showHome(context, { found });
  await press('Now?', KEYS.enter);
  expect(screen.text).toContain('Looking for models; ');
  deliverModels(FOUND);
  expect((await chosen).choice).toMatchObject({
    kind: 'convene',
    what: {
      question: 'Now?',
      chair: 'ollama/qwen3:8b',
      seats: [
        { role: 'for', model: 'ollama/qwen3:8b' },
        { role: 'against', model: 'ollama/llama3.2:3b' },
      ],
    },
  });
});

test.concurrent('no run starts if a list is open when models are found', async (context) => {
  const { expect } = context;
  let deliverModels: (found: FoundModels) => void = () => undefined;
  const found = new Promise<FoundModels>((resolve) => {
    deliverModels = resolve;
  });
  const { screen, press } = await showHome(context, { found });
  await press('Now?', KEYS.enter, KEYS.down, KEYS.down, 'a');
  expect(screen.text).toContain('when they are found, if nothing else is');
  deliverModels(FOUND);
  await screen.settled();
  expect(screen.text).toContain('Models are known; the run was not started.');
  expect(screen.text).toContain('> Advocate');
  await press(KEYS.escape);
  expect(screen.text).not.toContain('Looking for models');
});

test.concurrent('a newly written role replaces the chosen seat’s role, and is then offered for a new seat', async (context) => {
  const { expect } = context;
  const role = { slug: 'editor', name: 'Editor', about: 'Reads.', brief: 'You edit.' };
  const { screen, saved, press } = await showHome(context, { role });
  await press(KEYS.escape, 'jj', 'r', 'of my own', KEYS.enter);
  expect(screen.text).toMatch(/Seats +Editor/);
  expect(screen.text).toContain('Editor is kept with your roles.');
  expect(saved.at(-1)).toMatchObject({
    panels: { board: [{ role: 'editor' }, { role: 'against' }] },
  });
  await press('a', 'edi');
  expect(screen.text).toContain('> Editor');
});

test.concurrent('the list of roles says why a new role was refused', async (context) => {
  const { expect } = context;
  const role = new Error('role.md:3: name: expected text');
  const { screen, press } = await showHome(context, { role });
  await press(KEYS.escape, 'a', 'of my own', KEYS.enter);
  expect(screen.text).toContain('role.md:3: name: expected text');
  expect(screen.text).toContain('> a role of my own…');
});

test.concurrent('seats can be saved as a preset, with or without the attached files', async (context) => {
  const { expect } = context;
  const wished: PanelDraft[] = [];
  const keep = (panel: PanelDraft): KeptPanel => {
    wished.push(panel);
    return panel.name === 'Pair' && !panel.replace
      ? { taken: 'There is a board "pair" already. Replace it?' }
      : {
          preset: { slug: 'pair', name: panel.name, about: '', seats: panel.seats },
          file: '/boards/pair.yaml',
        };
  };
  const { screen, saved, press } = await showHome(context, { keep });
  await press('Read @notes.md', '\u0006', 'a.md', KEYS.enter, KEYS.escape, 'jjjjj', KEYS.enter);
  expect(screen.text).toContain('Seats: Advocate, Critic');
  expect(screen.text).toContain('Files and folders: a.md');
  await press(KEYS.enter);
  expect(screen.text).toContain('Write a name first.');
  await press('Pair', '\t', KEYS.enter);
  expect(screen.text).toContain('Files and folders (left out): a.md');
  expect(screen.text).toContain('already. Replace it?');
  await press(KEYS.escape, '\t', KEYS.enter, KEYS.enter);
  expect(wished.map(({ replace, attachments }) => [replace, attachments.length])).toEqual([
    [false, 0],
    [false, 1],
    [true, 1],
  ]);
  expect(screen.text).toContain('Saved as /boards/pair.yaml.');
  expect(saved.at(-1)).toMatchObject({ presets: { board: 'pair' } });
});

test.concurrent('choosing a preset board also attaches its files and folders', async (context) => {
  const { expect } = context;
  const own = { slug: 'own', name: 'Own', about: 'Mine.', seats: [{ role: 'for' }] };
  const presets = [...PRESETS, { ...own, attach: ['/a.md'], look: ['code=/src'] }];
  const board = { ...BOARD, panel: { title: 'Board', presets, preset: 'pair' } };
  const { screen, press } = await showHome(context, { offer: { ...OFFER, protocols: [board] } });
  await press(KEYS.escape, 'j', KEYS.enter, 'own', KEYS.enter);
  expect(screen.text).toMatch(/Files +\/a.md/);
  expect(screen.text).toMatch(/Folders +code=\/src/);
});

test.concurrent('seats may use the tool servers that the person has marked', async (context) => {
  const { expect } = context;
  const toolServers = [
    { name: 'web', about: 'uvx' },
    { name: 'tracker', about: 'mcp.example.com' },
  ];
  const { screen, saved, chosen, press } = await showHome(context, {
    offer: { ...OFFER, toolServers },
    rows: 40,
  });
  await press('Now?', KEYS.escape);
  expect(screen.text).toMatch(/Tools +\[ \] web \(uvx\)\n +\[ \] tracker \(mcp/);
  // Move down 12 lines to the second tool server.
  await press('j'.repeat(12), KEYS.enter);
  expect(screen.text).toContain('[x] tracker');
  expect(saved.at(-1)).toMatchObject({ tools: ['tracker'] });
  await press(KEYS.escape, KEYS.enter);
  expect((await chosen).choice).toMatchObject({ kind: 'convene', what: { tools: ['tracker'] } });
});

test.concurrent('no tool server is offered for a protocol without tools', async (context) => {
  const { expect } = context;
  const offer = {
    ...OFFER,
    toolServers: [{ name: 'web', about: 'uvx' }],
    choices: { ...OFFER.choices, protocol: 'rounds', tools: ['web'] },
  };
  const { screen, chosen, press } = await showHome(context, { offer });
  await press('Now?', KEYS.escape);
  expect(screen.text).not.toContain('] web');
  await press(KEYS.escape, KEYS.enter);
  expect((await chosen).choice).toMatchObject({ what: { protocol: 'rounds', tools: [] } });
});

test.concurrent('in the field for the question, the key Up shows earlier questions, and Down leads back to the unsent text', async (context) => {
  const { expect } = context;
  const { screen, press } = await showHome(context);
  await press('mine', KEYS.up);
  expect(screen.text).toContain('> Should we paint the shed?');
  await press(KEYS.up);
  expect(screen.text).toContain('> Which database?');
  await press(KEYS.down, KEYS.down);
  expect(screen.text).toContain('> mine');
});

test.concurrent('an unfinished run can be resumed from the list of runs', async (context) => {
  const { expect } = context;
  const { chosen, press } = await showHome(context);
  await press(KEYS.shiftTab, KEYS.shiftTab, 'r');
  expect((await chosen).choice).toEqual({ kind: 'resume', run: RUNS[1]?.id });
});

test.concurrent('seats can be added, and all but the last one can be removed', async (context) => {
  const { expect } = context;
  const { screen, saved, press } = await showHome(context);
  expect(screen.text).toContain('Pair: For and against.');
  await press(KEYS.escape, 'jj', 'a', 'crit', KEYS.enter);
  expect(screen.text.match(/Critic/g)).toHaveLength(2);
  expect(screen.text).toContain('Pair, changed: For and against.');
  await press('xxx');
  expect(screen.text).toContain('at least one seat');
  expect(saved.at(-1)).toEqual({
    protocol: 'board',
    presets: { board: 'pair' },
    panels: { board: [{ role: 'against' }] },
  });
});

test.concurrent('errors in preset files are shown on the home screen until a question is typed', async (context) => {
  const { expect } = context;
  const problems = ['roles/bad.md:2: description: it is missing', 'b', 'c'];
  const { screen, press } = await showHome(context, { offer: { ...OFFER, problems } });
  const readText = () => screen.text.replace(/\s+/g, ' ');
  expect(readText()).toContain(`not read: ${problems[0]} · and 2 more: deliberate presets check`);
  await press('Why?');
  expect(readText()).toContain('2 seats');
  expect(readText()).not.toContain('not read');
});

test.concurrent('names from files and servers lose their control characters on the screen', async (context) => {
  const { expect } = context;
  const evil = 'a\u001b]52;c;aGk=\u0007b\u009b31m\u202ec\u001b[2J';
  const offer: HomeOffer = {
    ...OFFER,
    protocols: [
      {
        ...BOARD,
        panel: {
          title: 'Board',
          preset: 'pair',
          presets: [
            { slug: 'pair', name: evil, about: evil, seats: [{ role: 'for', model: evil }] },
          ],
        },
      },
    ],
    roles: [{ slug: 'for', name: evil, about: evil, brief: evil }],
    questions: [{ title: evil, text: evil }],
    examples: [{ id: evil, title: evil, about: evil }],
    choices: {
      protocol: 'board',
      presets: { board: 'pair' },
      panels: { board: [{ role: 'for', model: evil }] },
      chair: evil,
    },
    problems: [evil],
  };
  const [run] = RUNS;
  if (run === undefined) throw new Error('no run');
  const { screen, press } = await showHome(context, {
    offer,
    found: {
      models: [{ spec: evil, note: evil }],
      looked: [evil],
      keyless: [{ name: evil, variables: evil }],
    },
    runs: [{ ...run, question: evil }],
  });
  await press(KEYS.up, '\u000f', KEYS.enter, `\u001b[200~${evil}\u001b[201~`);
  await press(KEYS.escape, 'jj', KEYS.enter, KEYS.escape, 'b', KEYS.escape, 'jjjj', KEYS.enter);
  expect(screen.text).toContain('Looked for');
  for (const raw of ['\u001b]52', '\u009b', '\u202e']) expect(screen.raw).not.toContain(raw);
  // In the hostile text, `ESC[2J` follows the letter `c`. Ink itself writes `ESC[2J` without this letter, to clear
  // the screen.
  expect(screen.raw).not.toContain('c\u001b[2J');
});

test.concurrent('a typed question that was not sent is shown again at the next start', async (context) => {
  const { expect } = context;
  const { screen, kept, press } = await showHome(context, { draft: 'Should we\nwait?' });
  expect(screen.text).toMatch(/> Should we\n +wait\?/);
  await press('!', '\u0003');
  expect(kept).toEqual(['Should we\nwait?!']);
  expect(screen.text).toContain('the question is kept as a draft');
});

test.concurrent('a file that the question names is listed and then attached', async (context) => {
  const { expect } = context;
  const { screen, chosen, press } = await showHome(context);
  await press('Is @notes.md, with @nothing.md or a@b.c, right?');
  expect(screen.text).toContain('Will attach notes.md · 2 seats');
  await press(KEYS.enter);
  const { choice } = await chosen;
  expect(choice.kind === 'convene' && choice.what.attachments.map(({ path }) => path)).toEqual([
    'notes.md',
  ]);
});

test.concurrent('the home screen says which parts of a document could not be read', async (context) => {
  const { expect } = context;
  const { promise, resolve } = Promise.withResolvers<AttachedFile>();
  const { screen, press } = await showHome(context, { attach: () => promise, columns: 120 });
  await press('\u0006', 'report.pdf', KEYS.enter);
  expect(screen.text).toContain('Reading report.pdf …');
  resolve({
    path: 'report.pdf',
    text: 'x',
    note: '3 pages with 9 lines, about 40 tok',
    lacks: ['page 2 holds no text', '1 comment was left out'],
  });
  await press();
  await screen.settled();
  expect(screen.text).toContain(
    'Attached report.pdf: page 2 holds no text; and 1 more, told when the run starts.',
  );
  expect(screen.text).toMatch(/Files +report\.pdf · 3 pages with 9 lines, about 40 tok/);
});

test.concurrent('a question of 18 lines is shown from its first line to its last on a screen of 40 rows', async (context) => {
  const lines = Array.from({ length: 18 }, (_, index) => `line ${index + 1}`).join('\n');
  const { screen } = await showHome(context, { columns: 140, rows: 40, draft: lines });
  context.expect(screen.text).toContain('line 1\n');
  context.expect(screen.text).toContain('line 18');
});

test.concurrent('choosing a server without an API key shows how to set the key', async (context) => {
  const { expect } = context;
  const keyless = [{ name: 'gemini', variables: 'GOOGLE_API_KEY or GEMINI_API_KEY' }];
  const { screen, press } = await showHome(context, {
    columns: 120,
    rows: 40,
    found: { ...FOUND, keyless },
  });
  await press(KEYS.escape, 'jj', KEYS.enter);
  expect(screen.text).toMatch(/gemini\/… +needs a key: set GOOGLE_API_KEY or GEMINI_API_KEY/);
  await press('gemini', KEYS.enter);
  expect(screen.text).toContain(
    'gemini needs a key. Leave, run "export GOOGLE_API_KEY=…" with your key, and start again.',
  );
  expect(screen.text).not.toContain('Which model');
});

test.concurrent('a seat’s model can be typed if it is not in the list', async (context) => {
  const { expect } = context;
  const { screen, press } = await showHome(context, { columns: 120, rows: 40 });
  await press(KEYS.escape, 'jj', KEYS.enter, KEYS.down, KEYS.down, KEYS.enter);
  expect(screen.text).toMatch(/Advocate +ollama\/llama3\.2:3b/);
  await press(KEYS.enter, 'gpu-box2/org/m', KEYS.enter);
  // The typed model is at the server `gpu-box2`: a server's name may have digits and dashes.
  expect(screen.text).toMatch(/Advocate +gpu-box2\/org\/m/);
});

test.concurrent('the status row names the key that starts a run: one key in the text box, another one outside', async (context) => {
  const { expect } = context;
  const { screen, press } = await showHome(context);
  expect(screen.text).toContain('Write a question; Enter then starts the run.');
  await press(KEYS.escape);
  expect(screen.text).toContain('There is no question yet; once there is one, c starts the run.');
});

test.concurrent('a key that works only on another line of the home screen shows a message that names that line', async (context) => {
  const { expect } = context;
  const { screen, press } = await showHome(context);
  await press(KEYS.escape, 'x');
  expect(screen.text).toContain(
    'x works on a seat of the home screen: Remove this seat, file or folder.',
  );
  await press('%');
  expect(screen.text).not.toContain('works on');
});

test.concurrent('a list on the home screen shows the selected item’s whole text if the text is too long for its row', async (context) => {
  const { expect } = context;
  const text = `${'We run one application with one database, and '.repeat(3)}it is slow.`;
  const offer = { ...OFFER, questions: [{ title: 'Monolith', text }] };
  const { screen, press } = await showHome(context, { offer });
  await press('\u000f');
  expect(screen.text).toMatch(/> Monolith .*…/);
  expect(screen.text).toMatch(/it is slow\./);
});

test.concurrent('on the home screen, Ctrl-N shows a message if there is no later question', async (context) => {
  const { expect } = context;
  const { screen, press } = await showHome(context);
  await press('\u000e');
  expect(screen.text).toContain('No later question.');
});
