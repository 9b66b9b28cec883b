/** Chromium, where there is one: a page is opened in it, and what became of the page is read. */
import { execFile, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { folder } from './scene.ts';

export const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
);

/** Why tests in a browser are skipped. */
export const NO_CHROMIUM = 'no Chromium is installed';

/** The document when it has come to rest, as HTML. Servers of this process are heard meanwhile. */
export async function domOf(address: string, ...flags: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    CHROMIUM ?? '',
    [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
      ...[`--user-data-dir=${join(folder(), 'profile')}`, ...flags, '--dump-dom', address],
    ],
    { encoding: 'utf8', timeout: 240_000, maxBuffer: 2 ** 26 },
  );
  return stdout;
}

export interface Site {
  readonly url: string;
  /** What was asked for, in its order. */
  readonly asked: readonly string[];
}

/** Serves these pages, and remembers what else is asked for. */
export async function site(
  pages: Readonly<Record<string, { readonly html: string; readonly policy?: string }>> = {},
): Promise<Site> {
  const asked: string[] = [];
  const known = new Map(Object.entries(pages));
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const page = known.get(path);
    if (page?.policy !== undefined) response.setHeader('content-security-policy', page.policy);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(page?.html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
