/** The table of commands: what each takes and where its code is. Loading this file loads no command's code. */

import {
  BEGIN,
  CALLS,
  type Command,
  ENGINE,
  FILES,
  JSON_AT_ONCE,
  MATERIAL,
  MODELS,
  makeQuickLoaders,
} from '../app/command.ts';
import { ALIASES, commandsMeantBy } from '../app/synonyms.ts';
import { entryOf } from '../kernel/entry.ts';
import { UsageError } from '../kernel/errors.ts';
import { OTHER_COMMANDS, protocolCommands } from '../protocols/desks.ts';
import { findNearest } from '../text/nearest.ts';
import { RUN_COMMANDS } from './run-commands.ts';

export type { Command } from '../app/command.ts';

/** The command that runs if none is named: the home screen. */
export const HOME: Command = {
  usage: '',
  summary: 'open the console: ask a question, choose who answers, reopen earlier runs',
  flags: ['rehearse', 'encoding', 'allowPrivate', ...CALLS, 'color', ...FILES],
  screen: 'home',
  load: async () => (await import('../app/home/home.ts')).home,
};

/** All commands by name. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  ...protocolCommands(),
  agents: OTHER_COMMANDS.agents,
  run: {
    usage: 'run FILE [QUESTION]',
    summary: 'run your own protocol, in TypeScript or JavaScript',
    flags: ['set', ...MODELS, ...MATERIAL, 'estimate', ...BEGIN],
    own: {
      set: { hint: 'NAME=VALUE', description: 'Change a setting of the protocol; repeatable' },
      seat: { description: 'Model for one role of the protocol; repeatable' },
      look: {
        hint: 'DIR|NAME=DIR',
        description: 'Folder that calls with lookups may read; repeatable',
      },
      estimate: { description: 'Print the number of calls the file declares, and exit' },
    },
    load: async () => (await import('./run.ts')).run,
  },
  protocol: {
    usage: 'protocol new FILE',
    summary: 'create a protocol file to start from, for deliberate run',
    flags: ['quiet'],
    load: async () => (await import('./protocol.ts')).protocol,
  },
  ...RUN_COMMANDS,
  context: {
    usage: 'context add|search|clusters|gaps|check|list|rm',
    summary: "index a project's documents, search them, and find gaps",
    flags: [
      'rehearseSpeed',
      'cards',
      'embed',
      'allowPrivate',
      'encoding',
      'explain',
      'index',
      'limit',
      'model',
      'prune',
      'question',
      'rebuild',
      'refresh',
      'set',
      'idleTimeout',
      'concurrency',
      'json',
      'quiet',
      ...FILES,
    ],
    own: {
      question: { description: 'gaps: question the documents must answer; repeatable' },
      explain: { description: 'search: print the rank of each hit by words and by vectors' },
      limit: { description: 'search: print at most N hits (default 10)' },
      model: { description: 'add: model that assigns changed sections to clusters' },
      set: {
        hint: 'PATH#HEADING=CLUSTER',
        description: 'clusters: assign a section yourself; repeatable',
      },
      json: JSON_AT_ONCE,
    },
    notes: [
      'Clusters are listed in .deliberate/clusters.yaml, or in the file that --cards names.',
      '',
      'add [FOLDER|URL…] index Markdown, text and web pages; without a folder, index changes',
      'search "…"        best matching sections',
      'clusters          which section belongs to which cluster, and who assigned it',
      'gaps "TOPIC"      clusters without documents, unanswered questions',
      'check             claims whose quotation is no longer in the code',
      'list, rm FOLDER…  indexed folders; remove one from the index (its files stay)',
    ],
    load: async () => (await import('./context/context.ts')).context,
  },
  presets: {
    usage: 'presets [KIND]',
    summary: 'list presets, show one, copy one to edit, or start your own',
    flags: ['to', 'json', 'quiet'],
    own: {
      to: { hint: 'project|user', description: 'Where to write a new file (default user)' },
      json: JSON_AT_ONCE,
    },
    notes: [
      'KIND is boards, roles, casts, staffs, specialists, questions or methods.',
      '',
      'check             find errors in all presets',
      'show KIND/NAME    print the file of a preset',
      'copy KIND/NAME    copy a built-in preset to edit',
      'new KIND/NAME     start from a commented template, in $VISUAL or $EDITOR',
    ],
    ...makeQuickLoaders(async () => (await import('./presets/presets.ts')).presets),
  },
  config: {
    usage: 'config [check|get|set|unset|path|edit]',
    summary: 'print the current settings and their sources, or change your own',
    flags: [
      'preset',
      'model',
      'effort',
      'synthesizer',
      'verifier',
      'embed',
      'open',
      'quorum',
      'patience',
      'seatTimeout',
      'vote',
      'predict',
      'baseline',
      'rounds',
      'stopAt',
      'respond',
      'budgetTokens',
      'budgetUsd',
      'idleTimeout',
      'concurrency',
      'bell',
      'json',
      'quiet',
      ...FILES,
    ],
    own: { json: JSON_AT_ONCE },
    notes: [
      'check             find errors in both files',
      'get KEY           value in force: model, keys.stop, servers.lab.url',
      'set KEY VALUE…    change your own file; several words are a list',
      'unset KEY         remove a setting from your own file',
      'path              where your own file is',
      'edit              open it in $VISUAL or $EDITOR; checked before it is saved',
    ],
    load: async () => (await import('./config/config.ts')).config,
  },
  completions: {
    usage: 'completions bash|zsh|fish|powershell',
    summary: 'print a completion script for your shell',
    flags: [...FILES],
    notes: [
      'bash and fish load the file from that folder in a new shell. For zsh, write it as _deliberate',
      'into a folder of your $fpath: deliberate completions zsh > "$fpath[1]/_deliberate"',
    ],
    load: async () => {
      const { completions } = await import('./completions/completions.ts');
      return (call) => completions(COMMANDS, call);
    },
  },
  eval: {
    usage: 'eval [plan|report|watch] SET',
    summary: 'compare panels with a single model at equal cost, on questions with known answers',
    flags: [
      'arms',
      'panel',
      'primary',
      'size',
      'batch',
      'tools',
      'model',
      'effort',
      'agents',
      'seed',
      'rehearse',
      ...ENGINE,
      ...CALLS.filter((flag) => flag !== 'content'),
      'format',
      'to',
      'yes',
      'plain',
      'quiet',
      'color',
      ...FILES,
    ],
    own: {
      concurrency: { description: 'Work on N answers at a time (default 4)' },
      to: { description: 'Write the report to a file or folder' },
      yes: { description: 'Overwrite existing files' },
      seed: { description: 'Seed for the choice of items; another seed starts over (default 1)' },
      budgetTokens: {
        description: 'Stop before exceeding N tokens, at the same item for all arms',
      },
      format: {
        hint: 'md|html|inspect|json',
        description: 'Report format (default md); json contains every answer',
      },
    },
    notes: [
      'Sets: flaws (design memos), puzzles, knights, schedules, prices (each also as puzzles:1 to :5),',
      'or a file of your own with one item per line: {"id": 1, "input": "…", "target": "…"}.',
      '',
      'eval SET          run or continue an evaluation; nothing is asked twice',
      'eval plan SET     what it can detect, and its cost; asks nothing',
      'eval report       report on the last finished evaluation',
      'eval watch        screen of an evaluation in another process, or of a finished one',
    ],
    load: async () => (await import('../app/evaluation/evaluate.ts')).evaluate,
  },
  mcp: {
    usage: 'mcp [skill|claude-code|codex]',
    summary: 'serve panels to coding agents over the Model Context Protocol',
    flags: ['rehearse', 'seed', 'encoding', 'allowPrivate', ...CALLS, 'to', 'yes', ...FILES],
    own: {
      rehearse: { description: 'Have the built-in stand-in answer every run (no API calls)' },
      budgetTokens: { description: 'Limit each run to N tokens; a tool call can only lower it' },
      to: { hint: 'DIR', description: "Write the agent's plugin under this folder" },
      yes: { description: 'Overwrite existing files' },
    },
    notes: [
      'Your coding agent starts it: claude mcp add deliberate -- deliberate mcp',
      'skill prints a skill that tells agents when to convene a panel; claude-code and codex write a plugin that includes it.',
    ],
    load: async () => (await import('../mcp/mcp.ts')).mcp,
  },
  servers: {
    usage: 'servers [add|remove NAME]',
    summary: 'list model servers and whether their keys are set; add or remove your own',
    flags: ['speaks', 'url', 'keyEnv', 'json', 'quiet', ...FILES],
    own: { json: JSON_AT_ONCE },
    notes: [
      'Models of a server are called NAME/MODEL. For key_command and headers, edit your configuration.',
    ],
    load: async () => (await import('./servers/servers.ts')).servers,
  },
  models: {
    usage: 'models [WORD…]',
    summary: 'list reachable models, by server',
    flags: ['prices', 'json', ...FILES],
    own: { json: JSON_AT_ONCE },
    load: async () => (await import('./models.ts')).models,
  },
  doctor: {
    usage: 'doctor [MODEL|AGENT…]',
    summary: 'test each provider, model and coding agent, and suggest fixes',
    flags: ['quick', 'thorough', 'idleTimeout', 'unsandboxed', 'yes', 'json', 'quiet', ...FILES],
    own: { yes: { description: 'Allow paid calls' }, json: JSON_AT_ONCE },
    load: async () => (await import('./doctor/doctor.ts')).doctor,
  },
};

/**
 * Returns a command by its name or another name of it.
 *
 * @throws UsageError that names similar commands if there is none
 */
export function getCommand(typed: string): Command {
  const command = entryOf(COMMANDS, ALIASES.get(typed) ?? typed);
  if (command !== undefined) return command;
  const meanings = commandsMeantBy(typed);
  const near = findNearest(typed, [...Object.keys(COMMANDS), ...ALIASES.keys()]);
  const probably = [...new Set([...meanings, ...(near === undefined ? [] : [near])])].slice(0, 3);
  throw new UsageError(
    `unknown command "${typed}"`,
    `${probably.length === 0 ? '' : `Did you mean ${probably.join(' or ')}? `}deliberate --help lists all commands.`,
  );
}
