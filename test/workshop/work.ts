/**
 * Does a piece of a team's work in a process of its own, so that it can be killed: it surveys the
 * repository, makes two commits, joins them and delivers the result. It prints the three commits.
 */
import process from 'node:process';
import { workshopFolder } from '../../src/workshop/clean.ts';
import { openWorkshop } from '../../src/workshop/workshop.ts';

const RUN = '019c1c38-a400-7abc-8def-0123456789ab';
const [, , repository = ''] = process.argv;
const { signal } = new AbortController();
const { env } = process;
const refuseToRun = () => Promise.reject(new Error('nothing is run here'));
const workshop = openWorkshop({
  repository,
  folder: workshopFolder(env, RUN),
  run: RUN,
  env,
  commands: () => ({
    sandbox: async () => 'none',
    provide: async () => undefined,
    clear: async () => undefined,
    check: refuseToRun,
    execute: refuseToRun,
  }),
});

const { base } = await workshop.survey(signal);
const { tree } = await workshop.prepare(base, { folders: [], files: [] }, signal);
const commitOf = async (path: string): Promise<string> => {
  const written = await workshop.tools.use(
    { name: 'write', arguments: { tree, path, text: `${path}\n` } },
    signal,
  );
  if (written.state === undefined) throw new Error(written.text);
  const wish = { tree: written.state, parents: [base], message: `Write ${path}` };
  const made = await workshop.commit(wish, signal);
  if (!made.done) throw new Error(JSON.stringify(made));
  return made.commit;
};
const a = await commitOf('a.ts');
const b = await commitOf('b.ts');
const joined = await workshop.join([a, b], 'Join', signal);
if (!joined.done) throw new Error(JSON.stringify(joined));
const { commit } = joined;
const home = await workshop.deliver({ how: 'forward', base, commit, title: '', body: '' }, signal);
if (!home.done) throw new Error(home.why);
process.stdout.write(`${a} ${b} ${commit}\n`);
