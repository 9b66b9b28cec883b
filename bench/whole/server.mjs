// A model server whose cost is known: every answer takes the same time. Writes when each request came
// and each answer ended to stdout, one line of JSON each. It speaks Ollama's API and OpenAI's chat
// completions. Usage: node server.mjs LATENCY_MS FIRST_TOKEN_MS WORDS WORDS_PER_SECOND
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const [latencyMs, firstTokenMs, words, rate] = process.argv.slice(2).map(Number);
const MODELS = Array.from({ length: 6 }, (_, at) => `m${at + 1}`);
const SENDS_PER_SECOND = 20;

const now = () => performance.timeOrigin + performance.now();
const tell = (event) => process.stdout.write(`${JSON.stringify({ at: now(), ...event })}\n`);

const server = createServer(async (request, response) => {
  let body = '';
  for await (const bytes of request) body += bytes;
  const { url: path } = request;
  const isChat = path === '/api/chat' || path === '/v1/chat/completions';
  tell({ type: isChat ? 'asked' : 'looked up', path });
  await sleep(latencyMs);
  if (isChat) return answer(path === '/api/chat', JSON.parse(body), response);
  const found = lookUp(path);
  response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(found ?? { error: { message: 'no such path' } }));
});

async function answer(isOllama, { model }, response) {
  const chunk = isOllama
    ? (content, done) =>
        `${JSON.stringify({ model, message: { role: 'assistant', content }, ...(done ? { done: true, done_reason: 'stop', prompt_eval_count: 400, eval_count: words } : { done: false }) })}\n`
    : (content, done) =>
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model, choices: [{ index: 0, delta: { content }, finish_reason: done ? 'stop' : null }] })}\n\n`;
  response.writeHead(200, {
    'content-type': isOllama ? 'application/x-ndjson' : 'text/event-stream',
  });
  await sleep(firstTokenMs);
  const each = Math.max(1, Math.round(rate / SENDS_PER_SECOND));
  for (let said = 0; said < words; said += each) {
    if (said > 0) await sleep(1_000 / SENDS_PER_SECOND);
    response.write(chunk('word '.repeat(Math.min(each, words - said)), false));
  }
  response.write(chunk('', true));
  if (!isOllama) response.write('data: [DONE]\n\n');
  response.end();
  tell({ type: 'answered' });
}

function lookUp(path) {
  const details = { family: 'test', parameter_size: '1B', quantization_level: 'Q4' };
  switch (path) {
    case '/api/version':
      return { version: '0.12.0' };
    case '/api/tags':
      return {
        models: MODELS.map((name) => ({ name, model: name, digest: name, size: 1, details })),
      };
    case '/api/ps':
      return { models: [] };
    case '/api/show':
      return {
        details,
        model_info: { 'general.architecture': 'test', 'test.context_length': 32_768 },
        capabilities: ['completion'],
      };
    case '/v1/models':
      return { object: 'list', data: MODELS.map((id) => ({ id, object: 'model' })) };
    default:
      return undefined;
  }
}

server.listen(0, '127.0.0.1', () => tell({ type: 'listening', port: server.address().port }));
