/**
 * The table of rooms: which folder of `src` may import from which. A file belongs to the room with the
 * longest path above it. `*` stands for the name of one folder, the same name on both sides of a row. Imports
 * of types count.
 *
 * The rooms from bottom to top:
 *
 * platform kernel text figures · models store io tools telemetry evaluation · pages · restate · workshop
 * knowledge · protocols/common · decisions · protocols/entrance · a protocol's core, sdk, the stand-in ·
 * console plain · html-report · record-kinds · a protocol's view · app · a protocol's desk · mcp · cli
 *
 * So the three parts of a protocol are on three floors: its core imports no display, its view is passed to
 * displays that import no protocol, and its desk holds the commands that are not part of a run.
 */

/** A folder or file of `src` and what it may import. */
export interface Room {
  /** The path below `src/`, without the ending of a file. */
  readonly path: string;
  /** The rooms from which the room may import, besides itself. */
  readonly from: readonly string[];
  /**
   * The packages that only this room and other rooms that list them may import. A package that no room lists
   * may be imported by every room.
   */
  readonly libraries?: readonly string[];
  /** The rooms that the room may also load by `import()` when they are needed. */
  readonly late?: readonly string[];
  /** Whether the room may not import Node's own modules. */
  readonly pure?: boolean;
}

const GROUND = ['platform', 'kernel', 'text'];
const CORE = [...GROUND, 'protocols/common', 'protocols/entrance', 'decisions'];
const DISPLAYS = ['console', 'plain', 'html-report'];
/** The rooms that views are made of. */
const SHOWN = [...DISPLAYS, 'record-kinds'];
const MIDDLE = [
  ...CORE,
  'models',
  'store',
  'restate',
  'io',
  'documents',
  'tools',
  'sandbox',
  'coding-agents',
  'workshop',
  'knowledge',
  'pages',
  'telemetry',
  'evaluation',
  'evaluation/report',
  ...DISPLAYS,
];
/** The rooms above `app` that import all protocols. */
const TABLES = ['protocols/table', 'protocols/vocabulary', 'protocols/exported', 'protocols/desks'];

/** The rooms, each with what it may import. */
export const ROOMS: readonly Room[] = [
  // `platform` knows the differences between operating systems: shells, folders, file names,
  // processes.
  { path: 'platform', from: [] },
  { path: 'text', from: [], pure: true },
  // `figures` computes the results of debates; words of models are only values in it.
  { path: 'figures', from: ['text'], pure: true },
  { path: 'kernel', from: ['text'] },
  { path: 'models', from: GROUND, libraries: ['ollama', '@anthropic-ai/sdk', 'undici'] },
  { path: 'store', from: [...GROUND, 'io'], libraries: ['better-sqlite3'] },
  // `restate` works on runs whose log is at a Restate server. Only workers load the library of Restate.
  { path: 'restate', from: [...GROUND, 'io', 'store'], libraries: ['@restatedev/restate-sdk'] },
  { path: 'io', from: GROUND },
  // `pages` fetches web pages that a person names, within limits.
  { path: 'pages', from: [...GROUND, 'io', 'models'], libraries: ['undici'] },
  // `documents` extracts the text of documents. Its libraries are loaded only in a separate
  // process.
  {
    path: 'documents',
    from: [...GROUND, 'io'],
    libraries: ['unpdf', 'mammoth', 'fflate', 'parse5', 'linkedom', 'defuddle', 'turndown'],
  },
  // `tools` contains what seats look things up with. The app passes it to a run.
  { path: 'tools', from: [...GROUND, 'io', 'documents'] },
  // `sandbox` starts the programs of others: confined, watched, and ended with all that they
  // started.
  { path: 'sandbox', from: [...GROUND, 'io', 'tools'] },
  // `coding-agents` lets coding agents answer as models do. It speaks the Agent Client Protocol with them.
  {
    path: 'coding-agents',
    from: [...GROUND, 'io', 'tools', 'models', 'sandbox'],
    libraries: ['@agentclientprotocol/sdk'],
  },
  // `workshop` is where a team works: trees, checks and outside programs. The app passes it to a
  // run.
  {
    path: 'workshop',
    from: [...GROUND, 'io', 'tools', 'sandbox'],
    libraries: ['@agentclientprotocol/sdk'],
  },
  // `knowledge` is the index of documents. Its tables are in the store's database.
  {
    path: 'knowledge',
    from: [...GROUND, 'io', 'store', 'documents'],
    libraries: ['better-sqlite3'],
  },
  // `telemetry` turns runs into traces for OpenTelemetry's collectors.
  { path: 'telemetry', from: GROUND },
  { path: 'protocols/common', from: GROUND },
  // `decisions` has predictions and decisions with their outcomes, for runs of every protocol.
  { path: 'decisions', from: [...GROUND, 'protocols/common'] },
  // `protocols/entrance` is the test that a model must pass before its readings count. The doctor
  // uses the test, too.
  { path: 'protocols/entrance', from: [...GROUND, 'protocols/common'] },
  // `evaluation` defines what an evaluation asks, and how answers are read and counted. It asks no
  // model itself.
  { path: 'evaluation', from: GROUND, pure: true },
  { path: 'evaluation/report', from: [...GROUND, 'evaluation', 'plain', 'html-report'] },
  { path: 'protocols/*', from: [...CORE, 'figures', 'sdk'], late: ['protocols/*/methods'] },
  // Methods of debate are files like those that people write, and import only the package `deliberate`.
  { path: 'protocols/*/methods', from: [] },
  // `sdk` is what a person's own protocol imports, and how such a protocol is run. The package
  // exports it.
  { path: 'sdk', from: [...CORE, 'figures'] },
  // `sdk/protocol-file` loads the file of a person's own protocol.
  { path: 'sdk/protocol-file', from: [...GROUND, 'io', 'sdk'] },
  { path: 'sdk/view', from: [...CORE, ...SHOWN, 'sdk'] },
  { path: 'protocols/rehearsal', from: [...CORE, 'models'] },
  { path: 'plain', from: [...GROUND, 'decisions'] },
  // `html-report` is the only place that turns the Markdown of reports into HTML.
  {
    path: 'html-report',
    from: [...GROUND, 'decisions', 'plain'],
    libraries: ['micromark', 'micromark-extension-gfm-table'],
  },
  {
    path: 'console',
    from: [...GROUND, 'decisions'],
    libraries: ['ink', 'react', 'ink-select-input', 'highlight.js'],
  },
  // `record-kinds` describes the kinds of records, once for every display.
  { path: 'record-kinds', from: [...GROUND, ...DISPLAYS] },
  {
    path: 'protocols/*/view',
    from: [...CORE, ...SHOWN, 'protocols/*', 'sdk/view'],
    libraries: ['ink', 'react'],
  },
  { path: 'app', from: [...MIDDLE] },
  { path: 'protocols/agents/files', from: [...CORE, 'io', 'protocols/*'] },
  {
    path: 'protocols/*/desk',
    // Every desk may read the files of agents, because agents can play the seats of several protocols.
    from: [
      ...MIDDLE,
      'app',
      'protocols/*',
      'protocols/*/view',
      'protocols/agents/files',
      'sdk',
      'sdk/desk',
    ],
  },
  // `sdk/desk` begins, seats and forks runs of people's own protocols.
  { path: 'sdk/desk', from: [...MIDDLE, 'app', 'protocols/table', 'sdk', 'sdk/protocol-file'] },
  // `protocols/registry` combines the tables of protocols into one, which the program passes to every command.
  {
    path: 'protocols/registry',
    from: [...MIDDLE, 'app', ...TABLES, 'protocols/rehearsal', 'sdk'],
    late: ['sdk/desk'],
  },
  {
    path: 'protocols/table',
    from: ['kernel', ...DISPLAYS, 'sdk'],
    late: ['protocols/*', 'protocols/*/view', 'protocols/*/desk', 'sdk/view'],
  },
  // Through `mcp`, coding agents start the runs that people start by the command line.
  {
    path: 'mcp',
    from: [...MIDDLE, 'app', ...TABLES],
    libraries: ['@modelcontextprotocol/server'],
  },
  {
    path: 'protocols/desks',
    from: ['app', 'kernel'],
    late: ['protocols/*/desk', 'protocols/agents/files'],
  },
  {
    path: 'protocols/vocabulary',
    from: ['kernel', 'decisions', 'protocols/common', 'protocols/*', 'sdk'],
  },
  {
    path: 'protocols/exported',
    from: ['kernel', 'decisions', 'protocols/common', 'protocols/*', 'sdk'],
  },
  {
    path: 'cli',
    from: [...MIDDLE, 'app', ...TABLES, 'protocols/registry', 'sdk', 'sdk/desk'],
    late: ['mcp'],
  },
];
