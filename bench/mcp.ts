/**
 * Measures what calls through MCP cost the server: its memory after many calls compared with its memory after
 * the first.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { makeRow, PROGRAM, type Row } from './measure.ts';

const CALLS = 100;
/** Garbage is collected before each measurement, so that only memory in use counts. */
const NODE = ['--expose-gc', '--import', new URL('./collect.mjs', import.meta.url).href];
/** Milliseconds between two garbage collections of the server. */
const SETTLED_MS = 600;

/** Measures the memory of the MCP server. Returns rows for the table of `npm run bench`. */
export async function benchMcp(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'deliberate-bench-'));
  const kept = join(folder, 'kept');
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...NODE, PROGRAM, 'mcp', '--rehearse', '--rehearse-speed', '1000'],
    env: { PATH: process.env.PATH ?? '', HOME: folder, BENCH_KEPT: kept },
    cwd: folder,
  });
  const client = new Client({ name: 'bench', version: '1' });
  try {
    await client.connect(transport);
    const callTool = (name: string, given: Record<string, unknown>) =>
      client.callTool({ name, arguments: given });
    const pid = transport.pid ?? 0;
    const callTools = async (): Promise<void> => {
      await callTool('wait', { run: 'latest', since: 0 });
      await callTool('inspect', { run: 'latest', part: 'seat', seat: 'critic' });
      await callTool('inspect', { run: 'latest', part: 'vote' });
      await callTool('list', {});
    };
    await callTool('convene', { question: 'Should we split the monolith?' });
    await callTools();
    await sleep(SETTLED_MS);
    const first = { resident: residentMb(pid), kept: keptMb(kept) };
    for (let calls = 0; calls < CALLS; calls += 4) await callTools();
    await sleep(SETTLED_MS);
    return [
      makeRow('mcp: what 100 calls keep over the first', keptMb(kept) - first.kept, 5, ' MB'),
      // This second row also counts what the allocator keeps in reserve, which differs between machines.
      makeRow('mcp: what is resident over the first', residentMb(pid) - first.resident, 5, ' MB'),
    ];
  } finally {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function keptMb(file: string): number {
  return Number(readFileSync(file, 'utf8')) / 1024 / 1024;
}

function residentMb(pid: number): number {
  const kb = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kb) / 1024;
}
