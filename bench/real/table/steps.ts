/** Carries out the steps of a row. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Step } from './rows.ts';
import { pressKeys } from './screen.ts';
import {
  type CommandEnd,
  environmentOf,
  PROGRAM,
  RunningCommand,
  runProgram,
  type Session,
  waitForCalls,
} from './session.ts';

/** The model server of a session, which a step can kill and start again. */
export interface Disturbable {
  readonly kill: () => Promise<void>;
  /** Starts the server again at the same port, and returns before it is ready. */
  readonly startAgain: () => Promise<void>;
}

/**
 * Carries out one step of a row of the table of `npm run real`. Resolves to how each command of the step ended.
 * @param limit seconds after which a command is killed
 */
export async function doStep(
  step: Step,
  session: Session,
  { limit, server }: { limit: number; server: Disturbable },
): Promise<readonly CommandEnd[]> {
  switch (step.kind) {
    case 'run':
      return [await runProgram(session, step.args, limit)];
    case 'beside':
      return Promise.all(step.commands.map((args) => runProgram(session, args, limit)));
    case 'press':
      return [await pressKeys(session, step.args, { ...step, limit })];
    case 'kill': {
      const running = new RunningCommand(session, step.args, limit);
      if (await waitForCalls(session, step.afterCalls, running.ended)) {
        running.annotate('killed');
        running.child.kill('SIGKILL');
      }
      return [await running.ended];
    }
    case 'outage': {
      const running = new RunningCommand(session, step.args, limit);
      if (await waitForCalls(session, step.afterCalls, running.ended)) {
        await server.kill();
        await sleep(step.seconds * 1_000);
        await server.startAgain();
        running.annotate(`the server was killed, and started again after ${step.seconds} s`);
      }
      return [await running.ended];
    }
    case 'convene':
      return [await callConvene(session, step.given, limit)];
  }
}

/** Calls the tool `convene`, and then `wait` until there is an answer, as the first answer asks. */
async function callConvene(
  session: Session,
  given: Readonly<Record<string, unknown>>,
  limit: number,
): Promise<CommandEnd> {
  const began = performance.now();
  const client = new Client({ name: 'real', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp'],
    env: environmentOf(session),
    cwd: session.folder,
    stderr: 'ignore',
  });
  await client.connect(transport);
  const until = began + limit * 1_000;
  let out = '';
  let code = 'too late';
  try {
    let name = 'convene';
    let args: Record<string, unknown> = given;
    while (performance.now() < until) {
      const answer = await client.callTool({ name, arguments: args }, { timeout: 60_000 });
      out += `${name}: ${JSON.stringify(answer.content)}\n`;
      const { run, status } = (answer.structuredContent ?? {}) as Record<string, string>;
      if (answer.isError === true || run === undefined || !/queued|running/.test(status ?? '')) {
        code = answer.isError === true ? 'error' : (status ?? 'no status');
        break;
      }
      name = 'wait';
      args = { run };
    }
  } catch (error) {
    code = 'error';
    out += String(error);
  }
  await client.close();
  const seconds = (performance.now() - began) / 1_000;
  return { args: ['mcp', 'convene'], code, out, err: '', seconds };
}
