/** Puts models into Ollama, by its own interface. */
import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  linkSync,
  openAsBlob,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { SetupError } from './commands.ts';
import { ggufOf, safetensorsOf } from './download.ts';
import type { RealModel } from './models.ts';
import { startServer, THREADS } from './servers.ts';

/**
 * Creates a model in Ollama. An embedding model is converted on the way, and kept as GGUF for other servers.
 *
 * @throws {SetupError} if Ollama does not start or refuses the model
 */
export async function importModel(model: RealModel): Promise<void> {
  const server = await startServer('ollama');
  try {
    const files: Record<string, string> = {};
    for (const [name, path] of filesOf(model)) {
      files[name] = await uploadFile(server.baseUrl, path);
    }
    await post(`${server.baseUrl}/api/create`, {
      model: model.name,
      files,
      template: model.template,
      parameters: { num_thread: THREADS },
      stream: false,
    });
    if (model.kind === 'embedding') await linkConverted(server.baseUrl, model);
  } finally {
    await server.stop();
  }
}

/** Returns a model's files with the names that Ollama should know them by. */
function filesOf(model: RealModel): (readonly [string, string])[] {
  if (model.kind === 'chat') return [[`${model.name}.gguf`, ggufOf(model)]];
  const folder = safetensorsOf(model);
  // Name each file with its path in the model's folder. Ollama's own command line leaves out subfolders, so that
  // one config.json would replace another.
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => [name, join(folder, name)] as const)
    .filter(([, path]) => statSync(path).isFile());
}

/** Uploads a file, and returns the digest by which a request names it. */
async function uploadFile(baseUrl: string, path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  const digest = `sha256:${hash.digest('hex')}`;
  await post(`${baseUrl}/api/blobs/${digest}`, await openAsBlob(path));
  return digest;
}

async function linkConverted(baseUrl: string, model: RealModel): Promise<void> {
  const shown = await post(`${baseUrl}/api/show`, { model: model.name });
  const { modelfile = '' } = JSON.parse(shown) as { modelfile?: string };
  const [, blob] = /^FROM (\/.+)$/m.exec(modelfile) ?? [];
  if (blob === undefined || !existsSync(blob)) {
    throw new SetupError('Ollama did not say where it keeps a model that it converted');
  }
  rmSync(ggufOf(model), { force: true });
  linkSync(blob, ggufOf(model));
}

async function post(url: string, body: Blob | object): Promise<string> {
  const reply = await fetch(url, {
    method: 'POST',
    body: body instanceof Blob ? body : JSON.stringify(body),
  });
  const text = await reply.text();
  if (!reply.ok || text.startsWith('{"error"')) {
    throw new SetupError(`Ollama refused the model: ${text.slice(0, 160)}`);
  }
  return text;
}
