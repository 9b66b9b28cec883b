/**
 * Removes what coding agents left behind if the `deliberate` process that started them was killed. The folder
 * of each agent names this process as its owner. A watcher (`sandbox/watcher.ts`) ends agents together with
 * their owner; what the watcher missed is found here when the next agent is started.
 */
import { readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Env } from '../io/tools.ts';
import { endMarked, findProcess } from '../sandbox/family.ts';
import { removeFolder } from '../sandbox/remove-folder.ts';
import { isRecord } from '../text/json.ts';
import { listCells } from './cell.ts';

const OWNER = 'process.json';

/**
 * Returns the text that marks an agent's process and all processes started by it, so that they can be
 * found: the value of an environment variable, which started processes inherit.
 *
 * @param folder the folder that was made for the agent's process
 */
export function getMark(folder: string): string {
  return `agent-${basename(folder)}`;
}

/** Stores this process as the owner of an agent's folder. */
export function writeOwner(folder: string): void {
  writeFileSync(join(folder, OWNER), JSON.stringify(ownProcess()));
}

/** Identifies this process, so that no later process has the same identity. */
function ownProcess(): { pid: number; born: string; space: string } {
  return { pid: process.pid, born: findProcess(process.pid)?.born ?? '', space: findSpace() };
}

/**
 * Ends all processes of coding agents whose owner (the `deliberate` process that started them on this
 * machine) has ended, and removes their folders.
 */
export async function removeLeftBehind(env: Env): Promise<void> {
  for (const folder of listCells(env)) {
    if (!isLeftBehind(folder)) continue;
    await endMarked(getMark(folder));
    removeFolder(folder);
  }
}

function isLeftBehind(folder: string): boolean {
  let owner: unknown;
  try {
    owner = JSON.parse(readFileSync(join(folder, OWNER), 'utf8'));
  } catch {
    // Keep a folder if the file that names its owner is missing or incomplete. Another process is just making the
    // folder, or the folder belongs to another program.
    return false;
  }
  if (!isRecord(owner) || owner.space !== findSpace() || typeof owner.pid !== 'number')
    return false;
  return findProcess(owner.pid)?.born !== owner.born;
}

/** Returns the process namespace; empty if the system has none. */
function findSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
