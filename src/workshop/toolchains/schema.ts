/**
 * The schema of toolchains.yaml: the files that identify a toolchain, its checks, its test files, the files
 * that determine what a check does, and the format of test runners' summaries. Patterns are regular
 * expressions; an invalid one is reported with its place in the file.
 */
import * as z from 'zod';

const pattern = z.string().max(1_000).refine(isPattern, { error: 'expected a regular expression' });
const word = z.string().regex(/^[a-z][a-z0-9-]*$/, 'expected a small word: "cargo-test"');
const globs = z.array(z.string().min(1)).default([]);
const command = z.array(z.string().min(1)).min(1, 'expected a command, word by word');

const conditionSchema = z.strictObject({
  file: z.string().min(1).describe('A glob within the project.'),
  says: pattern.describe('What a line of one of these files has to have.').optional(),
});

const checkSchema = z.strictObject({
  id: word.describe('What the check is called; of several with one id the first that fits.'),
  run: command.describe('The command, word by word: no shell reads it.'),
  if: z
    .array(conditionSchema)
    .describe('One of these has to hold; none: it always does.')
    .default([]),
  unless: word.describe('Not where a check of this id is suggested before it.').optional(),
  why: z
    .string()
    .describe('What a person reads of it; absent: which file marks the project.')
    .optional(),
  runner: word
    .describe('Which runner prints its summary; "none": it has no tests that could be counted.')
    .optional(),
  needs: z
    .array(z.string().min(1))
    .describe('Other programs that have to be installed.')
    .default([]),
  works: command
    .describe('Ends with 0 where what it needs is installed. Run in an empty folder.')
    .optional(),
  bundled: z.boolean().describe('Run through bundle exec where there is a Gemfile.').default(false),
});

const listedSchema = z.strictObject({
  in: z.array(z.string().min(1)).min(1).describe('The first of these files that is there.'),
  key: z.string().describe('JSON: the object whose names are meant.').optional(),
  matching: pattern
    .describe('Other files: a line with a group "name", or "names" apart by blanks.')
    .optional(),
  names: z.array(z.string()).describe('Those that check something, in their order.'),
  also: pattern.describe('Other names that do.').optional(),
  not: pattern.describe('Not where what stands behind the name says so.').optional(),
  id: z.string().describe('What the check is called: make-{name}.').default('{name}'),
  run: command.describe('{name} stands for the name.'),
  bundled: z.boolean().default(false),
});

const toolchainSchema = z.strictObject({
  name: word,
  marks: z.array(z.string().min(1)).min(1).describe('A folder with such a file is a project.'),
  unmarked: globs.describe(
    'Where no folder is marked: files by which one is a project all the same.',
  ),
  nested: z
    .enum(['own', 'part'])
    .describe('Whether a project within a project is one of its own.')
    .default('part'),
  listed: z.array(listedSchema).describe('Scripts and targets that files name.').default([]),
  instead: z
    .record(z.string(), z.string())
    .describe('Where this file is there, that program in place of the first word.')
    .default({}),
  checks: z.array(checkSchema).default([]),
  tests: globs.describe('Globs of tests.'),
  guarded: globs.describe('Globs of files that decide what a check means, there or not.'),
  needs: globs.describe('Ignored folders that checks need.'),
});
/**
 * A language or build tool, as toolchains.yaml describes it: how to recognise its projects, and
 * their checks.
 */
export type Toolchain = z.infer<typeof toolchainSchema>;
/** A check that a toolchain suggests. */
export type ToolchainCheck = Toolchain['checks'][number];
/** A file that lists scripts by name, such as package.json. */
export type ScriptList = Toolchain['listed'][number];

const ciSchema = z.strictObject({
  files: globs,
  keys: z.array(z.string()).describe('Keys whose text is commands.'),
  folder: z.array(z.string()).describe('Keys beside them that name the folder.').default([]),
  like: pattern.describe('Commands that check something.'),
  not: pattern.describe('Commands that do something else.'),
});
/** A continuous integration service, as toolchains.yaml describes it. */
export type ContinuousIntegration = z.infer<typeof ciSchema>;

const runnerSchema = z.strictObject({
  name: word,
  named: pattern.describe('A command or script that says so is of this runner.'),
  reader: z.string().describe("Read by the program's own code of this name.").optional(),
  summary: z.array(pattern).describe('Its last words, whose groups are numbers.').default([]),
  each: z.boolean().describe('One for each part, and all count.').default(false),
  failing: pattern.describe('A line that names a test that failed: group "name".').optional(),
  skipping: pattern
    .describe('The same of tests that were skipped, where no number says so.')
    .optional(),
});

/** The schema of toolchains.yaml. */
export const toolchainsSchema = z.strictObject({
  toolchains: z.array(toolchainSchema).default([]),
  tests: globs.describe('Globs of tests in any repository.'),
  guarded: globs.describe('Globs of guarded files in any repository.'),
  ci: ciSchema.describe('Where commands for continuous integration stand.').optional(),
  runners: z.array(runnerSchema).default([]),
});
/** The content of toolchains.yaml. */
export type Toolchains = z.infer<typeof toolchainsSchema>;

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'm');
    return true;
  } catch {
    return false;
  }
}
