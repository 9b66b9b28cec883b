/**
 * `raw.ts ERA COMMAND…`: starts an MCP server, lists its tools and calls `convene`, and prints all lines
 * that the server has written to standard output. ERA is `legacy` or `modern`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const [era, command = '', ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
const lines: string[] = [];
const read = createInterface(server.stdout).on('line', (line) => lines.push(line));

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const call = {
  name: 'convene',
  arguments: { question: 'Should we?' },
  ...(era === 'modern' ? { _meta: META } : {}),
};
function sendMessage(message: object): void {
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
if (era === 'legacy') {
  const clientInfo = { name: 'raw', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  sendMessage({ id: 1, method: 'initialize', params });
  sendMessage({ method: 'notifications/initialized' });
}
sendMessage({ id: 2, method: 'tools/list', params: era === 'modern' ? { _meta: META } : {} });
sendMessage({ id: 3, method: 'tools/call', params: call });
while (!lines.some((line) => line.includes('"id":3'))) await once(read, 'line');
server.stdin.end();
await once(server, 'close');
console.log(JSON.stringify({ lines }));
