/**
 * Fills an agent's home with copies of files of the person's home; the copies are discarded later. A login
 * that the agent renewed is copied back: its old refresh token is worthless, and the person would be signed
 * out.
 */
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeOwn } from '../io/own-file.ts';
import { isRecord } from '../text/json.ts';
import type { CodingAgent } from './agent.ts';

/** The longest login file in bytes. */
const LONGEST_LOGIN = 256 * 1024;
/** The shortest token in characters. */
const SHORTEST_TOKEN = 16;

/** A login at the time when it was copied. */
interface Login {
  readonly path: string;
  readonly text: string;
}

/**
 * Copies the files that an agent needs, its logins among them, from the person's home into the agent's. The
 * agent's definition names them; missing ones are skipped. Returns a function that copies the logins that the
 * agent has renewed back to the person's home and returns their paths.
 *
 * @param from the person's home
 * @param to the agent's home
 */
export function fillHome(agent: CodingAgent, from: string, to: string): () => string[] {
  for (const path of [...agent.home, ...agent.login]) {
    if (!existsSync(join(from, path))) continue;
    mkdirSync(dirname(join(to, path)), { recursive: true, mode: 0o700 });
    // Copy the targets of links, since a target may not be visible in the sandbox.
    cpSync(join(from, path), join(to, path), {
      recursive: true,
      dereference: true,
      filter: isPlain,
    });
  }
  const logins = agent.login.flatMap((path): Login[] => {
    const text = readLogin(join(to, path));
    return text === undefined ? [] : [{ path, text }];
  });
  return () => logins.filter((login) => keepLogin(login, from, to)).map(({ path }) => path);
}

/** Returns the tokens in an agent's login files, which must be masked in its output. */
export function readTokens({ login }: CodingAgent, home: string): string[] {
  return login.flatMap((path) => {
    const text = readLogin(join(home, path));
    return text === undefined ? [] : tokensIn(JSON.parse(text));
  });
}

/** Returns whether a path is a file or folder; sockets and pipes cannot be copied. */
function isPlain(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && (stat.isFile() || stat.isDirectory());
}

/**
 * Copies a renewed login back, if it still has the same structure and the original was not changed
 * meanwhile.
 */
function keepLogin({ path, text }: Login, from: string, to: string): boolean {
  const renewed = readLogin(join(to, path));
  if (renewed === undefined || renewed === text || shapeOf(renewed) !== shapeOf(text)) return false;
  if (readLogin(join(from, path)) !== text) return false;
  writeOwn(join(from, path), renewed);
  return true;
}

/** Returns the text of a login: a JSON object in a file that is no link. Undefined if there is none. */
function readLogin(file: string): string | undefined {
  try {
    const stat = lstatSync(file);
    if (!stat.isFile() || stat.size > LONGEST_LOGIN) return undefined;
    const text = readFileSync(file, 'utf8');
    return isRecord(JSON.parse(text)) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the structure of a login: its keys without values. */
function shapeOf(text: string): string {
  const toShape = (value: unknown): unknown =>
    isRecord(value)
      ? Object.entries(value)
          .map(([name, field]) => [name, toShape(field)])
          .sort()
      : typeof value;
  return JSON.stringify(toShape(JSON.parse(text)));
}

function tokensIn(value: unknown): string[] {
  if (typeof value === 'string') return value.length >= SHORTEST_TOKEN ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(tokensIn);
}
