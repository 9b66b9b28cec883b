/**
 * Which room may import which: one table. A room is the longest path here that a file lies below; `*`
 * stands for one folder's name, and the same name is meant on both sides of a row. Type imports count.
 *
 * Rooms, bottom to top:
 *
 *   platform kernel text figures · models store io tools telemetry evaluation · pages · restate · workshop knowledge · protocols/common · decisions · protocols/entrance · a protocol's core, sdk, the stand-in · console plain · html-report ·
 *   record-kinds · a protocol's view · app · a protocol's desk · mcp · cli
 *
 * So the three parts of a protocol stand on three floors: its core knows no display, its view is
 * handed to displays that know no protocol, and its desk holds the commands that need no run.
 */

export interface Room {
  /** Below `src/`. */
  readonly path: string;
  /** The rooms it may import from besides its own. */
  readonly from: readonly string[];
  /** Libraries that only the rooms naming them may import; other packages are free. */
  readonly libraries?: readonly string[];
  /** Rooms it may load when they are needed, by `import()`. */
  readonly late?: readonly string[];
  /** Pure rooms may not even import what comes with Node. */
  readonly pure?: boolean;
}

const GROUND = ['platform', 'kernel', 'text'];
const CORE = [...GROUND, 'protocols/common', 'protocols/entrance', 'decisions'];
const DISPLAYS = ['console', 'plain', 'html-report'];
/** What views are made of. */
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
  'protocols/table',
  'protocols/vocabulary',
  'protocols/exported',
  'protocols/desks',
  'protocols/rehearsal',
  'sdk',
];

export const ROOMS: readonly Room[] = [
  // The differences between operating systems: shells, folders, file names, processes.
  { path: 'platform', from: [] },
  { path: 'text', from: [], pure: true },
  // What methods of debate compute: nothing a model says enters but as a value.
  { path: 'figures', from: ['text'], pure: true },
  { path: 'kernel', from: ['text'] },
  { path: 'models', from: GROUND, libraries: ['ollama', '@anthropic-ai/sdk', 'undici'] },
  { path: 'store', from: [...GROUND, 'io'], libraries: ['better-sqlite3'] },
  // Runs whose log is at a Restate server; its library is loaded by workers alone.
  { path: 'restate', from: [...GROUND, 'io', 'store'], libraries: ['@restatedev/restate-sdk'] },
  { path: 'io', from: GROUND },
  // Fetches web pages that a person names, within limits.
  { path: 'pages', from: [...GROUND, 'io', 'models'], libraries: ['undici'] },
  // Extracts the text of documents. The libraries for it are loaded only in a separate process.
  {
    path: 'documents',
    from: [...GROUND, 'io'],
    libraries: ['unpdf', 'mammoth', 'fflate', 'parse5', 'linkedom', 'defuddle', 'turndown'],
  },
  // What seats may look things up with; the app hands it to a run.
  { path: 'tools', from: [...GROUND, 'io', 'documents'] },
  // How programs of others are started: confined, watched, and ended with all that they started.
  { path: 'sandbox', from: [...GROUND, 'io', 'tools'] },
  // Coding agents that answer as models do; only what speaks their protocol with them is here.
  {
    path: 'coding-agents',
    from: [...GROUND, 'io', 'tools', 'models', 'sandbox'],
    libraries: ['@agentclientprotocol/sdk'],
  },
  // Where a team works: trees, checks and outside programs; the app hands it to a run.
  {
    path: 'workshop',
    from: [...GROUND, 'io', 'tools', 'sandbox'],
    libraries: ['@agentclientprotocol/sdk'],
  },
  // The index of documents; its tables lie in the store's database.
  {
    path: 'knowledge',
    from: [...GROUND, 'io', 'store', 'documents'],
    libraries: ['better-sqlite3'],
  },
  // Runs as traces, for OpenTelemetry's collectors.
  { path: 'telemetry', from: GROUND },
  { path: 'protocols/common', from: GROUND },
  // Predictions and decisions with their outcomes, for runs of every protocol.
  { path: 'decisions', from: [...GROUND, 'protocols/common'] },
  // The test that a model sits before its readings count; the doctor holds it too.
  { path: 'protocols/entrance', from: [...GROUND, 'protocols/common'] },
  // What an evaluation asks, how answers are read and counted: pure, it asks nobody.
  { path: 'evaluation', from: GROUND, pure: true },
  { path: 'evaluation/report', from: [...GROUND, 'evaluation', 'plain', 'html-report'] },
  { path: 'protocols/*', from: [...CORE, 'sdk'], late: ['protocols/*/methods'] },
  // Methods of debate: files like those that people write, which import the package alone.
  { path: 'protocols/*/methods', from: [] },
  // What a person's own protocol is written against, and how it is held; the package exports it.
  { path: 'sdk', from: [...CORE, 'figures'] },
  { path: 'sdk/view', from: [...CORE, ...SHOWN, 'sdk'] },
  { path: 'protocols/rehearsal', from: [...CORE, 'models'] },
  { path: 'plain', from: [...GROUND, 'decisions'] },
  // The Markdown of reports becomes HTML here, and nowhere else.
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
  // Kinds of records, described once for every display.
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
    // The files of agents are for everybody whose seats they can play.
    from: [...MIDDLE, 'app', 'protocols/*', 'protocols/*/view', 'protocols/agents/files'],
  },
  {
    path: 'protocols/table',
    from: ['kernel', ...DISPLAYS, 'sdk'],
    late: ['protocols/*', 'protocols/*/view', 'protocols/*/desk', 'sdk/view'],
  },
  // Coding agents convene here what people convene by the command line.
  {
    path: 'mcp',
    from: [...MIDDLE, 'app'],
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
    from: [...MIDDLE, 'app'],
    late: ['mcp'],
  },
];
