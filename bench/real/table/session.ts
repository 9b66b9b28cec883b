/** Runs the built program with a home folder of its own, as a person would start it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { withoutUndefined } from '../../../src/text/without-undefined.ts';

/** The path of the built program. */
export const PROGRAM: string = fileURLToPath(
  new URL('../../../bin/deliberate.js', import.meta.url),
);
/** Milliseconds between two looks into a database. */
const LOOK_MS = 250;
/** Milliseconds after a call within which the next one is sent. */
const UNDER_WAY_MS = 300;

/** How a command of the program ended. */
export interface CommandEnd {
  readonly args: readonly string[];
  /** The exit code, the name of a signal, or `too late` if the time limit was reached. */
  readonly code: string;
  readonly out: string;
  readonly err: string;
  readonly seconds: number;
  /** What was done to the command, or what its screen showed. */
  readonly note?: string;
}

/** Where the commands of rows that share a data folder run, and how they find the model server. */
export interface Session {
  /** The session's own folder, with its database and home. */
  readonly home: string;
  /** The working folder of the commands. */
  readonly folder: string;
  /** The environment variables that name the model server. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Returns the path of a session's database. */
export function databaseOf({ home }: Session): string {
  return join(home, 'runs.db');
}

/**
 * Returns the environment of a session's commands: the person's PATH, but the session's own home folder and
 * database, and the variables that name its model server. Creates the home folder.
 */
export function environmentOf(session: Session): Record<string, string> {
  const { home, variables } = session;
  mkdirSync(home, { recursive: true });
  return {
    PATH: process.env.PATH ?? '',
    LANG: 'C.UTF-8',
    HOME: home,
    DELIBERATE_DB: databaseOf(session),
    ...variables,
  };
}

const commands = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of commands) child.kill('SIGTERM');
});

/**
 * A command of the program that was started in a session. If it still runs after `limit` seconds, it is killed
 * and its code is `too late`.
 */
export class RunningCommand {
  readonly child: ChildProcess;
  readonly ended: Promise<CommandEnd>;
  #note: string | undefined;

  constructor(session: Session, args: readonly string[], limit: number) {
    const began = performance.now();
    this.child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd: session.folder,
      env: environmentOf(session),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    commands.add(this.child);
    let out = '';
    let err = '';
    let isLate = false;
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    const late = setTimeout(() => {
      isLate = true;
      this.child.kill('SIGKILL');
    }, limit * 1_000);
    this.ended = new Promise((resolve) =>
      this.child.on('close', (code, signal) => {
        clearTimeout(late);
        commands.delete(this.child);
        const seconds = (performance.now() - began) / 1_000;
        const note = this.#note;
        resolve({
          args,
          out,
          err,
          seconds,
          code: isLate ? 'too late' : String(code ?? signal),
          ...withoutUndefined({ note }),
        });
      }),
    );
  }

  /** Sets the note that will be part of the command's end. */
  annotate(note: string): void {
    this.#note = note;
  }
}

/**
 * Runs a command of the program in a session to its end.
 * @param limit seconds after which the command is killed; its code is then `too late`
 */
export function runProgram(
  session: Session,
  args: readonly string[],
  limit: number,
): Promise<CommandEnd> {
  return new RunningCommand(session, args, limit).ended;
}

/**
 * Waits until `calls` more calls of the session have ended, and a little longer, so that the next call is
 * running.
 * @returns whether the calls ended before `over` resolved
 */
export async function waitForCalls(
  session: Session,
  calls: number,
  over: Promise<unknown>,
): Promise<boolean> {
  const before = countCalls(session);
  let isOver = false;
  void over.then(() => {
    isOver = true;
  });
  while (countCalls(session) < before + calls) {
    if (isOver) return false;
    await sleep(LOOK_MS);
  }
  await sleep(UNDER_WAY_MS);
  return !isOver;
}

function countCalls(session: Session): number {
  const [row] = queryRows(databaseOf(session), 'SELECT count(*) AS count FROM calls') as [
    { count: number }?,
  ];
  return row?.count ?? 0;
}

/** Returns the rows of a query; none if the database is missing or the query fails, such as without its table. */
export function queryRows(file: string, sql: string, ...values: unknown[]): unknown[] {
  if (!existsSync(file)) return [];
  try {
    const db = new Database(file, { readonly: true });
    try {
      return db.prepare(sql).all(...values);
    } finally {
      db.close();
    }
  } catch {
    return [];
  }
}
