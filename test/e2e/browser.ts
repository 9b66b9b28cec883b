/** Opens a page in Chromium, if it is installed, and returns the document that scripts have made of it. */
import { execFile, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { makeFolder } from './scene.ts';

/** The name of the installed Chromium; undefined if there is none. */
export const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
);

/** The reason why tests in a browser are skipped. */
export const NO_CHROMIUM = 'no Chromium is installed';

/**
 * Opens an address in Chromium and returns the document as HTML after the page has loaded. Servers of this
 * process can answer meanwhile. `flags` are further flags of Chromium.
 */
export async function domOf(address: string, ...flags: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    CHROMIUM ?? '',
    [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
      ...[`--user-data-dir=${join(makeFolder(), 'profile')}`, ...flags, '--dump-dom', address],
    ],
    { encoding: 'utf8', timeout: 240_000, maxBuffer: 2 ** 26 },
  );
  return stdout;
}

/** A running web server for the browser. */
export interface Site {
  /** The address without a slash at its end, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** The paths that were requested so far, in order. */
  readonly asked: readonly string[];
}

/**
 * Starts a server with the given pages by path, each with its content security policy if it has one. Other
 * paths get an empty page. The server is closed after the test.
 */
export async function serveSite(
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
