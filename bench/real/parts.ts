/** The parts of the cache: what each needs, how long it takes, and how it is made. */
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { emptyFolder, PATHS } from './cache.ts';
import { runCommand } from './commands.ts';
import { downloadModel, ggufOf } from './download.ts';
import { importModel } from './import.ts';
import { MODELS, type RealModel } from './models.ts';

/** A part of the cache of `bench/real`, such as a server or a model. */
export interface Part {
  readonly name: string;
  readonly version: string;
  /** What the part is, for a person. */
  readonly title: string;
  /** Programs that must be on `PATH`. */
  readonly tools: readonly string[];
  /** The names of the parts that must be made before this one. */
  readonly after: readonly string[];
  /** How many seconds making the part takes, measured on two idle cores. */
  readonly seconds: number;
  /** How many megabytes the part keeps on disk. */
  readonly megabytes: number;
  /** Makes the part in its folder of the cache. */
  readonly make: () => Promise<void>;
}

/** The version of node-llama-cpp. */
const LLAMA_SOURCE = '3.22.1';
/**
 * A compiler flag. Virtual machines may list Intel's matrix extension without letting programs use it: a
 * server that was built for it ends with an illegal instruction when it loads a model.
 */
const NO_MATRICES = '-U__AMX_INT8__';
const LLAMA_CPP_PYTHON = '0.3.36';
/** The newest version that can be built from the Go module alone. Later ones fetch llama.cpp while building. */
const OLLAMA = 'v0.24.0';

/** All servers and models that `npm run real -- setup` can install, in the order in which they are made. */
export const PARTS: readonly Part[] = [
  ...MODELS.map(
    (model): Part => ({
      name: model.name,
      version: model.version,
      title: `model ${model.name} (${model.licence})`,
      tools: model.write === undefined ? ['python3'] : [],
      after: [],
      seconds: Math.ceil(model.megabytes / 20),
      megabytes: model.megabytes,
      make: () => (model.write === undefined ? downloadModel(model) : makeModel(model)),
    }),
  ),
  {
    name: 'llama-source',
    version: LLAMA_SOURCE,
    title: 'source of llama.cpp (MIT), out of the npm package node-llama-cpp',
    tools: ['npm', 'tar', 'git'],
    after: [],
    seconds: 10,
    megabytes: 175,
    make: unpackLlamaSource,
  },
  {
    name: 'llama-server',
    version: LLAMA_SOURCE,
    title: 'server of llama.cpp',
    tools: ['cmake', 'c++'],
    after: ['llama-source'],
    seconds: 310,
    megabytes: 15,
    make: makeLlamaServer,
  },
  {
    name: 'ollama',
    version: OLLAMA,
    title: `Ollama ${OLLAMA} (MIT), from its Go module`,
    tools: ['go', 'c++'],
    after: ['llama-source'],
    seconds: 200,
    megabytes: 57,
    make: makeOllama,
  },
  ...MODELS.map(
    (model): Part => ({
      name: `ollama-${model.name}`,
      version: `${OLLAMA} ${model.version}`,
      title: `model ${model.name} in Ollama`,
      tools: [],
      after: ['ollama', model.name],
      seconds: Math.ceil(model.megabytes / 50),
      megabytes: model.megabytes,
      make: () => importModel(model),
    }),
  ),
  {
    name: 'llama-cpp-python',
    version: LLAMA_CPP_PYTHON,
    title: `llama-cpp-python ${LLAMA_CPP_PYTHON} (MIT) with its server, from PyPI`,
    tools: ['python3', 'cmake', 'c++'],
    after: [],
    seconds: 400,
    megabytes: 175,
    make: makeLlamaCppPython,
  },
];

async function makeModel(model: RealModel): Promise<void> {
  mkdirSync(PATHS.models, { recursive: true });
  model.write?.(ggufOf(model));
}

async function unpackLlamaSource(): Promise<void> {
  const log = 'llama-source';
  const work = emptyFolder('work', log);
  await runCommand(log, ['npm', 'pack', '--silent', `node-llama-cpp@${LLAMA_SOURCE}`], {
    cwd: work,
  });
  const archive = readdirSync(work).find((file) => file.endsWith('.tgz')) ?? '';
  const bundle = 'package/llama/gitRelease.bundle';
  await runCommand(log, ['tar', '-xzf', archive, bundle], { cwd: work });
  rmSync(PATHS.llamaSource, { recursive: true, force: true });
  await runCommand(log, ['git', 'clone', '--quiet', bundle, PATHS.llamaSource], { cwd: work });
  rmSync(join(PATHS.llamaSource, '.git'), { recursive: true });
  rmSync(work, { recursive: true });
}

async function makeLlamaServer(): Promise<void> {
  const log = 'llama-server';
  const work = emptyFolder('work', log);
  const options = [
    ...['LLAMA_OPENSSL=OFF', 'LLAMA_CURL=OFF', 'LLAMA_BUILD_UI=OFF', 'LLAMA_USE_PREBUILT_UI=OFF'],
    ...['LLAMA_BUILD_TESTS=OFF', 'LLAMA_BUILD_EXAMPLES=OFF', 'BUILD_SHARED_LIBS=OFF'],
    ...['GGML_NATIVE=ON', 'CMAKE_BUILD_TYPE=Release'],
    ...[`CMAKE_C_FLAGS=${NO_MATRICES}`, `CMAKE_CXX_FLAGS=${NO_MATRICES}`],
  ];
  const settings = options.map((option) => `-D${option}`);
  await runCommand(log, ['cmake', '-S', PATHS.llamaSource, '-B', work, ...settings]);
  await runCommand(log, [
    ...['cmake', '--build', work, '--target', 'llama-server'],
    ...['--parallel', String(cpus().length)],
  ]);
  emptyFolder(log);
  copyFileSync(join(work, 'bin', 'llama-server'), PATHS.llamaServer);
  rmSync(work, { recursive: true });
}

async function makeOllama(): Promise<void> {
  // Compile for this processor: Ollama's default flags use only what the oldest processors of the
  // architecture can do.
  const flags = `-O3 -march=native ${NO_MATRICES}`;
  const module = 'github.com/ollama/ollama';
  const version = `-ldflags=-X=${module}/version.Version=${OLLAMA.slice(1)}`;
  await runCommand('ollama', ['go', 'install', version, `${module}@${OLLAMA}`], {
    env: {
      GOBIN: join(PATHS.ollama, '..'),
      CGO_ENABLED: '1',
      CGO_CFLAGS: flags,
      CGO_CXXFLAGS: flags,
      // Go modules leave out Ollama's folder `vendor` with headers of llama.cpp, so use llama.cpp's own copy.
      CGO_CPPFLAGS: `-I${join(PATHS.llamaSource, 'vendor')}`,
    },
  });
}

async function makeLlamaCppPython(): Promise<void> {
  const log = 'llama-cpp-python';
  const folder = emptyFolder(log);
  await runCommand(log, ['python3', '-m', 'venv', folder]);
  await runCommand(
    log,
    [
      PATHS.python,
      '-m',
      'pip',
      'install',
      '--quiet',
      `llama-cpp-python[server]==${LLAMA_CPP_PYTHON}`,
    ],
    {
      env: {
        CMAKE_ARGS: [
          '-DGGML_NATIVE=ON -DLLAVA_BUILD=OFF -DLLAMA_OPENSSL=OFF -DLLAMA_CURL=OFF',
          `-DCMAKE_C_FLAGS=${NO_MATRICES} -DCMAKE_CXX_FLAGS=${NO_MATRICES}`,
        ].join(' '),
        CMAKE_BUILD_PARALLEL_LEVEL: String(cpus().length),
      },
    },
  );
}
