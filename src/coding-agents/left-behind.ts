/**
 * What agents left behind whose console was killed: each process's folder says whose it was. Programs end with
 * their console (`sandbox/watcher.ts`); this finds what even that has missed, when the next agent is started.
 */
import { readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Env } from '../io/tools.ts';
import { endMarked, findProcess } from '../sandbox/family.ts';
import { removeFolder } from '../sandbox/remove-folder.ts';
import { isRecord } from '../text/is-record.ts';
import { listCells } from './cell.ts';

const OWNER = 'process.json';

/** Returns the mark of everything that the program in a folder starts. */
export function markOf(folder: string): string {
  return `agent-${basename(folder)}`;
}

/** Writes down whose an agent's folder is. */
export function writeOwner(folder: string): void {
  writeFileSync(join(folder, OWNER), JSON.stringify(ownProcess()));
}

/** This process, by what no later one has in common with it. */
function ownProcess(): { pid: number; born: string; space: string } {
  return { pid: process.pid, born: findProcess(process.pid)?.born ?? '', space: findSpace() };
}

/** Ends and removes what belongs to processes of this machine that are gone. */
export async function removeLeftBehind(env: Env): Promise<void> {
  for (const folder of listCells(env)) {
    if (!isLeftBehind(folder)) continue;
    await endMarked(markOf(folder));
    removeFolder(folder);
  }
}

function isLeftBehind(folder: string): boolean {
  let owner: unknown;
  try {
    owner = JSON.parse(readFileSync(join(folder, OWNER), 'utf8'));
  } catch {
    // It is being made just now, or is none of ours.
    return false;
  }
  if (!isRecord(owner) || owner.space !== findSpace() || typeof owner.pid !== 'number')
    return false;
  return findProcess(owner.pid)?.born !== owner.born;
}

/** The namespace in which numbers of processes mean something; empty where there is no such thing. */
function findSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
