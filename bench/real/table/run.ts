/**
 * Implements `npm run real -- run`: starts the servers, runs the rows one after another, and writes the
 * table.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from '../cache.ts';
import { SetupError } from '../commands.ts';
import { MODELS, type RealModel } from '../models.ts';
import {
  type Protocol,
  type RunningServer,
  type ServerName,
  type ServerOptions,
  startServer,
} from '../servers.ts';
import { countCalls, readFigures } from './figures.ts';
import { makeFolder } from './folders.ts';
import { formatTable, lastSentence, type RowResult } from './report.ts';
import { ROWS, type Row } from './rows.ts';
import { type CommandEnd, databaseOf, runProgram, type Session } from './session.ts';
import { readReported } from './statuses.ts';
import { doStep } from './steps.ts';

/** The size of the context in tokens, unless the row or the model needs another. */
const WINDOW = 8_192;
/** The time limit in seconds of an estimate, which asks no model. */
const ESTIMATE_LIMIT = 60;
/** Commands that have `--estimate`. */
const ESTIMATING = new Set(['board', 'rounds', 'debate', 'plan', 'team']);

/** Which rows of the table of `npm run real` are run, and with which servers and models. */
export interface RunOptions {
  /**
   * The names of rows; all rows if empty. The first row of each row's session is run as well, because it begins
   * the run that the others continue.
   */
  readonly only: readonly string[];
  readonly servers: readonly ServerName[];
  readonly models: readonly RealModel[];
  /** The protocols to use with each server; the first of each server if empty. */
  readonly protocols: readonly Protocol[];
  /** Tokens after which the server of llama.cpp cuts an answer; undefined for no limit. */
  readonly predict: number | undefined;
  /** The context in tokens for rows that name none; undefined for 8,192. */
  readonly window?: number | undefined;
  /** The time limit of a step in seconds, in place of its row's own limit. */
  readonly limit?: number | undefined;
  /** The seed that is passed to the models; undefined for the program's own choice. */
  readonly seed?: number | undefined;
  /** How many requests the server answers at once; undefined for one. */
  readonly parallel?: number | undefined;
}

/**
 * Runs rows of the table of `npm run real` with every combination of server, model and protocol. Writes the
 * table as Markdown after each row. Resolves to the path of the table and the results.
 * @throws SetupError if a row's name is unknown
 */
export async function runTable({
  only,
  servers,
  models,
  protocols,
  ...given
}: RunOptions): Promise<{ readonly table: string; readonly rows: readonly RowResult[] }> {
  const rows = chooseRows(only);
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const root = join(CACHE, 'runs', stamp);
  mkdirSync(root, { recursive: true });
  const table = join(root, 'table.md');
  const results: RowResult[] = [];
  for (const [server, model, protocol] of listCombinations(servers, models, protocols)) {
    const folder = join(root, server, model.name, protocol ?? '');
    const bench = new Bench(folder, { ...given, server, model, protocol });
    try {
      for (const row of rows) {
        const result = await bench.run(row).catch((error: unknown) => {
          // If a row of the table cannot be measured, for example because its model server does not start, leave
          // out this row only.
          if (!(error instanceof SetupError)) throw error;
          console.log(`${row.name} on ${server}: left out: ${error.message}`);
        });
        if (result === undefined) continue;
        results.push(result);
        // Write the table after each row, so that an interruption loses nothing.
        writeFileSync(table, `${formatTable(results)}\n`);
        for (const command of result.ended)
          console.log(
            `${row.name} on ${result.on}: ${command.code} after ${command.seconds.toFixed(0)} s, ${result.figures.calls} calls: ${lastSentence(command)}`,
          );
      }
    } finally {
      await bench.stop();
    }
  }
  return { table, rows: results };
}

function chooseRows(only: readonly string[]): readonly Row[] {
  const unknown = only.find((name) => !ROWS.some((row) => row.name === name));
  if (unknown !== undefined) {
    const names = ROWS.map(({ name }) => name).join(', ');
    throw new SetupError(`there is no row ${unknown}; the rows are ${names}`);
  }
  if (only.length === 0) return ROWS;
  const sessions = new Set(
    ROWS.filter(({ name }) => only.includes(name)).map(({ session }) => session),
  );
  return ROWS.filter(
    ({ name, session }) => only.includes(name) || (sessions.has(session) && name === session),
  );
}

/** Returns every choice of a server, a model and a protocol, `undefined` for the server's first protocol. */
function listCombinations(
  servers: readonly ServerName[],
  models: readonly RealModel[],
  protocols: RunOptions['protocols'],
): (readonly [ServerName, RealModel, Protocol | undefined])[] {
  const spoken = protocols.length === 0 ? [undefined] : protocols;
  return servers.flatMap((server) =>
    models.flatMap((model) => spoken.map((protocol) => [server, model, protocol] as const)),
  );
}

/** The server, model and limits of a bench. */
interface BenchOptions {
  readonly server: ServerName;
  readonly model: RealModel;
  readonly protocol: Protocol | undefined;
  readonly predict: number | undefined;
  readonly window?: number | undefined;
  readonly limit?: number | undefined;
  readonly seed?: number | undefined;
  readonly parallel?: number | undefined;
}

/** A server with one model, and the sessions that ran with it. */
class Bench {
  readonly #root: string;
  readonly #name: ServerName;
  readonly #model: RealModel;
  readonly #protocol: Protocol | undefined;
  readonly #predict: number | undefined;
  readonly #window: number | undefined;
  readonly #limit: number | undefined;
  readonly #seed: number | undefined;
  readonly #parallel: number;
  readonly #calls = new Map<string, number>();
  /** Sessions whose folder exists. */
  readonly #made = new Set<string>();
  #server: RunningServer | undefined;
  /** The model and window that the server was started with. */
  #started = '';

  constructor(
    root: string,
    { server, model, protocol, predict, window, limit, seed, parallel = 1 }: BenchOptions,
  ) {
    this.#root = root;
    this.#name = server;
    this.#model = model;
    this.#protocol = protocol;
    this.#predict = predict;
    this.#window = window;
    this.#limit = limit;
    this.#seed = seed;
    this.#parallel = parallel;
  }

  async run(row: Row): Promise<RowResult> {
    const model = row.embeds ? MODELS.find(({ kind }) => kind === 'embedding') : this.#model;
    if (model === undefined) throw new SetupError('there is no embedding model');
    // For the word chain, which is no real model, a long context costs nothing.
    const window =
      row.window ?? this.#window ?? (model.write === undefined ? WINDOW : model.window);
    const server = await this.#serve(model, window);
    const environment = server.environments.find(
      ({ protocol }) => this.#protocol === undefined || protocol === this.#protocol,
    );
    if (environment === undefined) throw new SetupError(`it does not speak ${this.#protocol}`);
    // `deliberate` names a model of an OpenAI server `openai/…`, whether requests use Chat Completions or the
    // Responses API.
    const provider = environment.protocol.replace(/-responses$/, '');
    const spec = `${provider}/${model.name}`;
    const home = join(this.#root, fileName(row.session));
    const session: Session = {
      home,
      folder: join(home, 'repository'),
      variables: environment.variables,
    };
    if (!this.#made.has(row.session)) makeFolder(row.folder, session.folder);
    this.#made.add(row.session);
    const ended: CommandEnd[] = [];
    const estimate = await this.#estimate(row, session, spec);
    for (const step of row.steps) {
      const made = await doStep(
        withModel(step, spec, { embeds: row.embeds === true, seed: this.#seed }),
        session,
        {
          limit: this.#limit ?? row.limit,
          server: {
            kill: server.kill,
            startAgain: () =>
              this.#startAgain({
                ...{ model, window, port: server.port },
                ...{ predict: this.#predict, parallel: this.#parallel },
              }),
          },
        },
      );
      ended.push(...made);
    }
    const file = databaseOf(session);
    const skipped = this.#calls.get(row.session) ?? 0;
    this.#calls.set(row.session, countCalls(file));
    const spoken = this.#protocol === undefined ? '' : ` by ${this.#protocol}`;
    const on = `${server.name}${spoken}, ${model.name}${row.window === undefined ? '' : `, ${row.window}`}`;
    const result = {
      name: row.name,
      on,
      ended,
      estimate,
      figures: readFigures(file, skipped),
      reported: readReported(file),
    };
    ended.forEach((command, index) => {
      const text = [
        `$ ${command.args.join(' ')}`,
        command.code,
        command.err,
        command.out,
        command.note ?? '',
      ];
      writeFileSync(join(home, `${fileName(row.name)}-${index}.txt`), text.join('\n====\n'));
    });
    return result;
  }

  async #estimate(row: Row, session: Session, spec: string): Promise<string> {
    const step = row.steps.find(({ kind }) => kind === 'run');
    if (step === undefined || step.kind !== 'run' || !ESTIMATING.has(step.args[0] ?? '')) return '';
    const asked = withModel(step, spec, { embeds: false, seed: this.#seed });
    if (asked.kind !== 'run') return '';
    const { out, err } = await runProgram(session, [...asked.args, '--estimate'], ESTIMATE_LIMIT);
    return /^Total: .*$/m.exec(out)?.[0].slice('Total: '.length) ?? err.trim();
  }

  /** Servers with another model or window are stopped, and started as needed. */
  async #serve(model: RealModel, window: number): Promise<RunningServer> {
    const wanted = `${model.name} ${window}`;
    if (this.#server !== undefined && this.#started === wanted) return this.#server;
    await this.stop();
    this.#server = await startServer(this.#name, {
      ...{ model, window },
      ...{ predict: this.#predict, parallel: this.#parallel },
    });
    this.#started = wanted;
    return this.#server;
  }

  async #startAgain(options: ServerOptions): Promise<void> {
    this.#server = await startServer(this.#name, { ...options, early: true });
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
    this.#server = undefined;
  }
}

/** Names the model and the seed in a step's command, because servers offer several models. */
function withModel(
  step: Row['steps'][number],
  spec: string,
  { embeds, seed }: { readonly embeds: boolean; readonly seed: number | undefined },
): Row['steps'][number] {
  const addModel = (args: readonly string[]): readonly string[] => {
    if (embeds) return args.map((arg) => (arg === 'EMBEDDING' ? spec : arg));
    if (args[0] === 'fork') return args.map((arg) => arg.replace('MODEL', spec));
    const isSeeded = seed !== undefined && !args.includes('--seed');
    return ['board', 'rounds', 'debate', 'plan', 'team', 'agent', 'eval'].includes(args[0] ?? '')
      ? [...args, '--model', spec, ...(isSeeded ? ['--seed', String(seed)] : [])]
      : args[0] === 'doctor'
        ? [...args, spec]
        : args;
  };
  if (step.kind === 'convene') {
    const roles =
      step.given.kind === 'rounds'
        ? ['action', 'guardian', 'observer', 'critic']
        : ['advocate', 'critic', 'analyst'];
    const seats = roles.map((role) => `${role}=${spec}`);
    return { ...step, given: { ...step.given, seats } };
  }
  return step.kind === 'beside'
    ? { ...step, commands: step.commands.map(addModel) }
    : { ...step, args: addModel(step.args) };
}

function fileName(name: string): string {
  return name.replace(/[^a-z0-9]+/gi, '-');
}
