/** `deliberate protocol new FILE`: writes a file with a minimal protocol to start from. */
import { existsSync, writeFileSync } from 'node:fs';
import { basename, extname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Invocation } from '../app/invocation.ts';
import { getStartCommand } from '../app/suggest.ts';
import { errorCode, explainCode } from '../io/text-file.ts';
import { UsageError } from '../kernel/errors.ts';
import { BUILT_IN } from '../protocols/table.ts';
import { toLine } from '../text/line.ts';

const ENDINGS = ['.ts', '.mts', '.js', '.mjs'];

/**
 * Runs `deliberate protocol new FILE`: writes a minimal protocol file to start from. Resolves to
 * the exit code.
 */
export async function protocol(call: Invocation): Promise<number> {
  const [what, file, ...more] = call.words;
  if (what !== 'new' || file === undefined || more.length > 0)
    throw new UsageError('no file given', 'Example: deliberate protocol new red-team.ts');
  const ending = extname(file);
  if (!ENDINGS.includes(ending))
    throw new UsageError(
      `${file}: not a TypeScript or JavaScript file`,
      `A protocol file ends in one of ${ENDINGS.join(', ')}.`,
    );
  if (existsSync(file)) throw new UsageError(`${file} already exists`, 'Name another file.');
  try {
    writeFileSync(file, formatStarter(nameFor(basename(file, ending))), { flag: 'wx' });
  } catch (error) {
    throw new UsageError(`${file}: ${explainCode(errorCode(error))}`);
  }
  call.out.write(`${toLine(file)}\n`);
  if (!call.flags.quiet) call.err.write(formatHint(file, call.env));
  return 0;
}

/** Derives the protocol's name from the file's name; returns `my-protocol` if no valid name is left. */
function nameFor(base: string): string {
  const name = base
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '');
  return name === '' || BUILT_IN.has(name) ? 'my-protocol' : name;
}

function formatStarter(name: string): string {
  return `import { protocol, quote, z } from 'deliberate/protocol';

export default protocol({
  name: '${name}',
  settings: z.object({ rounds: z.number().int().min(1).max(5).default(1) }),
  seats: {
    author: 'You answer the question, plainly and in under 300 words.',
    critic: 'You look for what breaks. You name the weakest point first.',
  },
  calls: ({ rounds }) => [1 + 2 * rounds, 1 + 2 * rounds],
  async run({ question, settings, ask, conclude }) {
    let answer = await ask('draft', 'author', question);
    for (let n = 1; n <= settings.rounds; n++) {
      const objection = await ask(\`objection/\${n}\`, 'critic', \`What is wrong here?\\n\${quote(answer)}\`);
      answer = await ask(
        \`amended/\${n}\`,
        'author',
        \`\${question}\\n\\nAmend your answer where the objection holds.\\n\${quote(answer, objection)}\`,
      );
    }
    return conclude(answer);
  },
});
`;
}

/**
 * Returns what to do next: try the new file, and tell the editor where the program's types are, which it cannot
 * know.
 */
function formatHint(file: string, env: Invocation['env']): string {
  const types = fileURLToPath(new URL('../sdk/protocol.d.ts', import.meta.url));
  const config = ['.ts', '.mts'].includes(extname(file)) ? 'tsconfig.json' : 'jsconfig.json';
  const paths = { compilerOptions: { paths: { 'deliberate/protocol': [types] } } };
  return [
    `Try it: ${getStartCommand(env)} run ${relative('.', resolve(file))} --rehearse "Should we split the monolith?"`,
    `If your editor cannot find 'deliberate/protocol', put this in ${config} beside it:`,
    JSON.stringify(paths),
    '',
  ].join('\n');
}
