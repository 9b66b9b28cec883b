/**
 * Shows the report of a run in the person's chat with their coding agent: an MCP App (extension
 * `io.modelcontextprotocol/ui`, of 2026-01-26). The tools name one view; clients that support the extension
 * show it below a tool's answer, and the view reads the report of that run. Other clients ignore it.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { McpServer } from '@modelcontextprotocol/server';
import { readVersion } from '../app/version.ts';
import { BUILT_IN, readText } from '../io/files.ts';

const ADDRESS = 'ui://deliberate/report.html';
const MIME_TYPE = 'text/html;profile=mcp-app';
const VIEW = join(BUILT_IN, 'views', 'report.html');

/** The entry in the server's capabilities that tells clients that the server has HTML pages to show. */
export const APPS: Record<string, { mimeTypes: string[] }> = {
  'io.modelcontextprotocol/ui': { mimeTypes: [MIME_TYPE] },
};

/**
 * The metadata of a tool whose answer clients can show in an HTML page of this server. It contains
 * the page's address, and says that only the model calls the tool, not the page.
 */
export const SHOWN: Record<string, unknown> = {
  ui: { resourceUri: ADDRESS, visibility: ['model'] },
};

/** The view loads nothing: it names no origin, and clients allow none. */
const WISHES = { ui: { csp: {}, prefersBorder: true } };

/** Registers the page in which clients can show the state of a run. */
export function registerReportView(server: McpServer): void {
  server.registerResource(
    'report-view',
    ADDRESS,
    {
      title: 'Report of a run, as a view',
      description: 'For clients that show MCP Apps: reads deliberate://run/{id}/report.html.',
      mimeType: MIME_TYPE,
      _meta: WISHES,
    },
    ({ href: uri }) => ({
      contents: [{ uri, mimeType: MIME_TYPE, text: readView(), _meta: WISHES }],
    }),
  );
}

/** Returns the page, with the hash of its script in its policy, so that no other script runs in it. */
function readView(): string {
  const text = (readText(VIEW) ?? '').replace('{version}', readVersion());
  const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(text) ?? [];
  return text.replace('{script}', `sha256-${createHash('sha256').update(script).digest('base64')}`);
}
