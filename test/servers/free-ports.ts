/** Ports for programs that are told where to listen. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that a system hands out by itself (from 32768 on Linux): one of those could be somebody
 * else's connection by the time the program takes it.
 */
const FIRST = 20_000;
const LAST = 32_000;

/** So many different ports that nobody listens on. */
export async function findFreePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  while (found.size < count) {
    const port = randomInt(FIRST, LAST);
    if (await isFree(port)) found.add(port);
  }
  return [...found];
}

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
