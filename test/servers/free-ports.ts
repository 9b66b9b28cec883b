/** Finds ports for programs that have to be told where to listen. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * The lowest port that is tried, and the first port that is too high. Both are below the ports that a system
 * hands out by itself (from 32 768 on Linux), so that no connection takes a port before the program does.
 */
const FIRST = 20_000;
const LAST = 32_000;

/** Returns `count` different ports at which nobody listens. */
export async function findFreePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  while (found.size < count) {
    const port = randomInt(FIRST, LAST);
    if (await isFree(port)) found.add(port);
  }
  return [...found];
}

/** Returns a port at which nobody listens. */
export async function findFreePort(): Promise<number> {
  const [port = 0] = await findFreePorts(1);
  return port;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
