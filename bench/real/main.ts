/**
 * Implements `npm run real`: installs real servers and models to try the product with, and writes a table
 * of the results.
 */
import { readFileSync } from 'node:fs';
import { CACHE, findFinished } from './cache.ts';
import { SetupError, stopCommands } from './commands.ts';
import { MODELS, type RealModel } from './models.ts';
import { measurePairs } from './pairs/main.ts';
import { PARTS } from './parts.ts';
import {
  PROTOCOLS,
  type Protocol,
  type RunningServer,
  SERVERS,
  type ServerName,
  startServer,
} from './servers.ts';
import { setUp } from './setup.ts';
import { isGood } from './table/report.ts';
import { SHORT_ROWS } from './table/rows.ts';
import { runTable } from './table/run.ts';

const HELP = `npm run real -- COMMAND

  run     starts the servers, runs the table, stops them; also without a command:
          run [--only ROW]… [--server NAME]… [--model NAME]… [--protocol NAME]… [--predict TOKENS]
              [--window TOKENS] [--limit SECONDS] [--seed N] [--parallel REQUESTS]
  short   its rows that take seconds, on the chain of words; fails where one does not end well
  setup   puts real servers and models into ${CACHE}: setup [PART]…
  status  says which of them are there
  pairs   a board beside a plain program that sends the same requests, in turn:
          pairs [--server NAME]… [--model NAME] [--count PAIRS] [--tokens TOKENS]
  serve   starts the servers until Ctrl-C: serve [--server NAME]… [--model NAME] [--window TOKENS]
`;

const COMMANDS: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  run: runTableWith,
  short: runShort,
  setup: setUp,
  status: printStatus,
  pairs: measurePairsWith,
  serve: serveModels,
};

async function printStatus(): Promise<void> {
  for (const { name, version, title } of PARTS) {
    const finished = findFinished(name, version);
    console.log(`${finished ? `there, made in ${finished.seconds} s` : 'missing'}: ${title}`);
  }
  for (const { name, licence, window, use } of MODELS) {
    console.log(`${name}: ${licence}; ${window} tokens; ${use}`);
  }
}

/**
 * Runs the table with the installed servers unless `--server` names some, and with the smallest model
 * unless one is named.
 */
async function runTableWith(args: readonly string[]): Promise<void> {
  const named = valuesOf(args, '--server');
  const unknown = named.find((name) => !Object.hasOwn(SERVERS, name));
  if (unknown !== undefined) throw new SetupError(`there is no server ${unknown}`);
  const servers = (['llama-server', 'ollama', 'llama-cpp-python', 'llama-router'] as const).filter(
    (name) => (named.length === 0 ? name !== 'llama-router' : named.includes(name)),
  );
  const there = servers.filter((name) => isThere(SERVERS[name].part));
  for (const name of servers) {
    if (!there.includes(name)) console.log(`${name} is missing. Next: npm run real -- setup`);
  }
  const models = valuesOf(args, '--model').map(findModel);
  const missing = models.find(({ name }) => !isThere(name));
  if (missing !== undefined) throw new SetupError(`${missing.name} is missing`);
  if (there.length === 0) return;
  // On a signal, call `process.exit`: without it, the signal would end this process and leave the servers running.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => process.exit(130));
  const { table } = await runTable({
    only: valuesOf(args, '--only'),
    servers: there,
    models: models.length > 0 ? models : [findModel(undefined)],
    protocols: valuesOf(args, '--protocol').map(findProtocol),
    predict: numberOf(args, '--predict'),
    window: numberOf(args, '--window'),
    limit: numberOf(args, '--limit'),
    seed: numberOf(args, '--seed'),
    parallel: numberOf(args, '--parallel'),
  });
  console.log(`\n${readFileSync(table, 'utf8')}\nKept in ${table}`);
}

/** Runs the rows that take seconds, with the same answers each time. */
async function runShort(): Promise<void> {
  const results = await runTable({
    only: SHORT_ROWS,
    servers: ['llama-server'],
    models: [findModel('word-chain')],
    protocols: [],
    predict: undefined,
    seed: 1,
  });
  const bad = results.rows.flatMap(({ ended }) => ended).filter((command) => !isGood(command));
  if (bad.length > 0) process.exitCode = 1;
}

async function measurePairsWith(args: readonly string[]): Promise<void> {
  const model = findModel(valuesOf(args, '--model')[0]);
  const servers = valuesOf(args, '--server').map(findServer);
  for (const server of servers.length > 0 ? servers : (['llama-server', 'ollama'] as const)) {
    await measurePairs({
      server,
      model,
      count: numberOf(args, '--count') ?? 5,
      tokens: numberOf(args, '--tokens') ?? 1_024,
    });
  }
}

async function serveModels(args: readonly string[]): Promise<void> {
  const names = valuesOf(args, '--server');
  const model = findModel(valuesOf(args, '--model')[0]);
  const window = Number(valuesOf(args, '--window')[0] ?? 8_192);
  const servers: RunningServer[] = [];
  for (const name of Object.keys(SERVERS) as ServerName[]) {
    if (names.length > 0 ? !names.includes(name) : name === 'llama-router') continue;
    if (!isThere(SERVERS[name].part)) {
      console.log(`${name} is missing. Next: npm run real -- setup\n`);
      continue;
    }
    const server = await startServer(name, { model, window });
    servers.push(server);
    console.log(`${name}, process ${server.pid}, log ${server.log}`);
    console.log(`  models: ${server.models.map(({ name }) => name).join(', ')}`);
    for (const { protocol, variables } of server.environments) {
      const said = Object.entries(variables).map(([variable, value]) => `${variable}=${value}`);
      console.log(`  ${protocol}: ${said.join(' ')}`);
    }
    console.log('');
  }
  if (servers.length === 0) return;
  console.log('Stop with Ctrl-C.');
  await new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
  await Promise.all(servers.map((server) => server.stop()));
}

/** Returns the values of a flag that may be given several times. */
function valuesOf(args: readonly string[], flag: string): string[] {
  return args.flatMap((arg, index) => (args[index - 1] === flag ? [arg] : []));
}

function numberOf(args: readonly string[], flag: string): number | undefined {
  return Number(valuesOf(args, flag)[0] ?? 0) || undefined;
}

function findModel(name: string | undefined): RealModel {
  const model = MODELS.find((model) => name === undefined || model.name === name);
  if (model === undefined) throw new SetupError(`there is no model ${name}`);
  return model;
}

function findProtocol(name: string): Protocol {
  const protocol = PROTOCOLS.find((protocol) => protocol === name);
  if (protocol === undefined) {
    throw new SetupError(`there is no protocol ${name}; the protocols are ${PROTOCOLS.join(', ')}`);
  }
  return protocol;
}

function findServer(name: string): ServerName {
  const server = (Object.keys(SERVERS) as ServerName[]).find((server) => server === name);
  if (server === undefined) throw new SetupError(`there is no server ${name}`);
  return server;
}

function isThere(part: string): boolean {
  return PARTS.some(({ name, version }) => name === part && findFinished(name, version));
}

const [name = 'run', ...args] = process.argv.slice(2);
const command = new Map(Object.entries(COMMANDS)).get(name);
if (command === undefined) {
  console.log(HELP);
  process.exitCode = name === '--help' ? 0 : 1;
} else {
  if (name === 'setup') {
    process.once('SIGINT', () => {
      stopCommands();
      console.log('Stopped. What is finished is kept; go on with: npm run real -- setup');
      process.exit(130);
    });
  }
  await command(args).catch((error: unknown) => {
    // For a missing folder, missing permissions or a full disk, the system's own message suffices.
    if (!(error instanceof SetupError || (error instanceof Error && 'code' in error))) throw error;
    console.error(`${error.message}.`);
    process.exitCode = 1;
  });
}
