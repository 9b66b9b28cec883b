#!/usr/bin/env node
// Refuses a Node that is too old in plain words, prepares the environment, and loads the build.
// Everything up to the version check must parse on old versions.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    'deliberate needs Node 22.18 or newer; this is Node ' +
      process.versions.node +
      '. Inside the project, "npm start --" brings its own.',
  );
  process.exit(1);
}

// React's development build is several times slower. Ink reads the two colour variables when it is
// loaded, and does not know NO_COLOR, which is to have any value but the empty one.
process.env.NODE_ENV = 'production';
if (process.env.NO_COLOR || process.argv.includes('--no-color')) process.env.FORCE_COLOR = '0';

// zod looks here when it is loaded. It would compile each schema when that is used first, which pays
// from some four thousand facts on and takes a tenth of the processor's time of every start.
globalThis.__zod_globalConfig = { jitless: true };

const BUILD = new URL('../dist/', import.meta.url).href;

if (process.argv.length !== 3 || process.argv[2] !== '--version' || !(await saidVersion())) {
  const { enableCompileCache, registerHooks } = await import('node:module');
  enableCompileCache();
  registerHooks({ resolve: resolveChunk });
  let main;
  try {
    ({ main } = await import('../dist/cli/main.js'));
  } catch (error) {
    // The program cannot say it: it is not there. Mostly no further file can be opened, or there is no build.
    console.error(`deliberate: the program cannot be loaded: ${error.message}`);
    process.exit(1);
  }
  process.exit(await main(process.argv.slice(2)));
}

// The build is a hundred files that import each other by name. Where they lie need not be looked up,
// each with its real path and its package: that is a twelfth of the processor's time of a start.
function resolveChunk(name, from, next) {
  const { parentURL = '' } = from;
  if (!parentURL.startsWith(BUILD) || !/^\.\.?\/(?:cli\/)?chunk-/.test(name))
    return next(name, from);
  const file = name.slice(name.lastIndexOf('/') + 1);
  return { url: `${BUILD}cli/${file}`, format: 'module', shortCircuit: true };
}

// False where it could not be written: the build then tries again, and says why.
async function saidVersion() {
  const { createRequire } = await import('node:module');
  const require = createRequire(import.meta.url);
  try {
    require('node:fs').writeSync(1, `${require('../package.json').version}\n`);
    return true;
  } catch {
    return false;
  }
}
