/** An MCP client in a process of its own, to be killed: `client.ts ERA COMMAND… -- TOOL JSON`. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const words = process.argv.slice(2);
const [era, command = '', ...args] = words.slice(0, words.indexOf('--'));
const [name = '', given = '{}'] = words.slice(words.indexOf('--') + 1);

const client = new Client(
  { name: 'test', version: '1' },
  { versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } } },
);
const transport = new StdioClientTransport({
  command,
  args,
  env: Object.fromEntries(
    Object.entries(process.env).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, value]],
    ),
  ),
});
await client.connect(transport);
console.log(JSON.stringify({ server: transport.pid }));
const began = performance.now();
const result = await client.callTool({ name, arguments: JSON.parse(given) });
console.log(JSON.stringify({ result, took: performance.now() - began }));
await client.close();
