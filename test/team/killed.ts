/**
 * Runs a team in a process that kills itself at a given call: `node killed.ts ROOT FOLDER DATABASE METHOD
 * TIMES [RUN]`. METHOD is a method of the workshop, `merge` (while several commits are merged) or `call`
 * (during a call to a model); the process ends at its TIMES-th call. With RUN, that run is resumed.
 */
import { SEATS } from '../../src/protocols/team/config.ts';
import { makeSeat } from '../kernel/scripted-models.ts';
import { openPersonRepository } from '../workshop/place.ts';
import { GOAL, TeamRunner } from './harness.ts';
import { LEVEL_MODELS, makeModelsOf } from './wired.ts';

const [root = '', folder = '', database = '', method = '', times = '1', run] =
  process.argv.slice(2);
const env = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  XDG_STATE_HOME: process.env.XDG_STATE_HOME,
};
const runner = new TeamRunner(openPersonRepository(root, folder, env), database);
let left = Number(times);

function countDownToKill(): void {
  left -= 1;
  if (left <= 0) process.kill(process.pid, 'SIGKILL');
}

const store = runner.openStore();
const models = makeModelsOf({ url: process.env.SERVER ?? '', chats: () => [] });
const { session } = runner.openSession(store, run, {
  models: {
    ...models,
    price: () => 0,
    call: (...given) => {
      // The kill comes after the call has begun and before the model's answer has arrived.
      if (method === 'call') setImmediate(countDownToKill);
      return models.call(...given);
    },
  },
  wrapWorkshop: (workshop) => ({
    ...workshop,
    commit: async (...given) => {
      const made = await workshop.commit(...given);
      if (method === 'commit') countDownToKill();
      return made;
    },
    join: async (...given) => {
      // With METHOD `join` or `merge`, this process counts joins and kills itself at the TIMES-th one. A join
      // of a single commit merges nothing and is not counted.
      const merges = given[0].length > 1;
      if (method === 'merge' && merges) setTimeout(countDownToKill, 15);
      const made = await workshop.join(...given);
      if (method === 'join' && merges) countDownToKill();
      return made;
    },
    prepare: async (...given) => {
      if (method === 'prepare') setTimeout(countDownToKill, 20);
      return workshop.prepare(...given);
    },
    check: async (...given) => {
      // With METHOD `check`, this process counts checks and kills itself at the TIMES-th one. A check is
      // counted 300 ms after its start, so that the kill comes while the check runs.
      if (method === 'check') setTimeout(countDownToKill, 300);
      return workshop.check(...given);
    },
    deliver: async (...given) => {
      const done = await workshop.deliver(...given);
      if (method === 'deliver') countDownToKill();
      return done;
    },
  }),
});
if (run !== undefined) await session.resume({ kind: 'convene' });
else
  await session.begin({
    question: GOAL,
    seats: SEATS.map((id) => makeSeat(id)),
    config: { ...runner.makeConfig({ levels: LEVEL_MODELS }) },
  });
