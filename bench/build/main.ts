/**
 * Bundles the program from `src` into `dist`. The types of `deliberate/protocol` are written
 * by tsc afterwards.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { chunkNames } from './chunks.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The folder of the bundle: `dist`, or the first argument. */
const OUT = join(ROOT, process.argv[2] ?? 'dist');

/**
 * Makes Yoga, Ink's layout engine, decode its WebAssembly itself. It asks `fetch` for a `data:` address
 * otherwise, which loads Node's HTTP client before the first frame.
 */
const decodeYoga = {
  name: 'decode-yoga',
  transform(code: string, id: string): string | undefined {
    if (!id.endsWith('/yoga-wasm-base64-esm.js')) return undefined;
    const parts = code.split('"function"!=typeof fetch');
    if (parts.length !== 3) throw new Error(`${id} no longer asks whether there is a fetch`);
    return parts.join('true');
  },
};

rmSync(OUT, { recursive: true, force: true });
await build({
  cwd: ROOT,
  input: {
    'cli/main': 'src/cli/main.ts',
    'sdk/protocol': 'src/sdk/protocol.ts',
    'documents/formats/process': 'src/documents/formats/process.ts',
    'documents/formats/thread': 'src/documents/formats/thread.ts',
  },
  platform: 'node',
  // Build without tsconfig.json: some of its `paths` point to type declarations, which contain no code to bundle.
  tsconfig: false,
  external: [
    // This package contains native code, which cannot be bundled.
    'better-sqlite3',
    // Dependencies name the three packages `react-devtools-core`, `canvas` and `@napi-rs/canvas`, but the program
    // never calls these packages.
    'react-devtools-core',
    'canvas',
    '@napi-rs/canvas',
    // The Restate SDK is optional: whoever wants it installs it.
    '@restatedev/restate-sdk',
  ],
  plugins: [decodeYoga],
  resolve: { alias: { 'deliberate/protocol': join(ROOT, 'src/sdk/protocol.ts') } },
  transform: { target: 'node22', define: { 'process.env.NODE_ENV': '"production"' } },
  logLevel: 'silent',
  output: {
    dir: OUT,
    format: 'esm',
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
    entryFileNames: '[name].js',
    chunkFileNames: 'cli/chunk-[name]-[hash].js',
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: chunkNames(join(ROOT, 'src')) }],
    },
  },
});
