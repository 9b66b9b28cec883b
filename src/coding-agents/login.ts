/**
 * What an agent has of the person's home: copies of the files that are named for it, in a folder that is thrown
 * away. A login that was renewed meanwhile is copied back, as the token that renewed it is worth nothing any
 * more: without that, a person would be signed out of their own agent.
 */
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeOwn } from '../io/own-file.ts';
import { isRecord } from '../text/is-record.ts';
import type { CodingAgent } from './agent.ts';

/** No login is as long as this. Bytes. */
const LONGEST_LOGIN = 256 * 1024;
/** Strings in a login that are shorter are no tokens. Characters. */
const SHORTEST_TOKEN = 16;

/** A login as it was when it was copied. */
interface Login {
  readonly path: string;
  readonly text: string;
}

/**
 * Copies what is named for an agent and is there. Returns what copies back the logins that were renewed, and
 * returns their paths.
 *
 * @param from the person's home
 * @param to the agent's own
 */
export function fillHome(agent: CodingAgent, from: string, to: string): () => string[] {
  for (const path of [...agent.home, ...agent.login]) {
    if (!existsSync(join(from, path))) continue;
    mkdirSync(dirname(join(to, path)), { recursive: true, mode: 0o700 });
    // A link means what it leads to: its own target may not be seen from there.
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

/** Returns the tokens in an agent's logins: whatever repeats one of them says a secret. */
export function tokensOf({ login }: CodingAgent, home: string): string[] {
  return login.flatMap((path) => {
    const text = readLogin(join(home, path));
    return text === undefined ? [] : tokensIn(JSON.parse(text));
  });
}

/** A socket or a pipe is nothing that can be copied. */
function isPlain(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && (stat.isFile() || stat.isDirectory());
}

/** Only what is still a login of the same shape goes back, and only in place of what was copied. */
function keepLogin({ path, text }: Login, from: string, to: string): boolean {
  const renewed = readLogin(join(to, path));
  if (renewed === undefined || renewed === text || shapeOf(renewed) !== shapeOf(text)) return false;
  if (readLogin(join(from, path)) !== text) return false;
  writeOwn(join(from, path), renewed);
  return true;
}

/** Returns the text of a login, or undefined where there is none: a JSON object in a file, not a link. */
function readLogin(file: string): string | undefined {
  try {
    const stat = lstatSync(file);
    if (!stat.isFile() || stat.size > LONGEST_LOGIN) return undefined;
    const text = readFileSync(file, 'utf8');
    return isRecord(JSON.parse(text)) ? text : undefined;
  } catch {
    // It is not there, may not be read, or is something else than JSON.
    return undefined;
  }
}

/** The names in a login, without what stands under them. */
function shapeOf(text: string): string {
  const names = (value: unknown): unknown =>
    isRecord(value)
      ? Object.entries(value)
          .map(([name, one]) => [name, names(one)])
          .sort()
      : typeof value;
  return JSON.stringify(names(JSON.parse(text)));
}

function tokensIn(value: unknown): string[] {
  if (typeof value === 'string') return value.length >= SHORTEST_TOKEN ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(tokensIn);
}
