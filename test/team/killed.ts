/** A team in a process of its own, which is killed where it is told to: `node killed.ts FOLDER DATABASE METHOD TIMES`. */

import { SEATS } from '../../src/protocols/team/config.ts';
import { seat } from '../kernel/scripted-models.ts';
import { at } from '../workshop/place.ts';
import { GOAL, House, playing } from './harness.ts';

const [root = '', folder = '', database = '', method = '', times = '1'] = process.argv.slice(2);
const env = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  XDG_STATE_HOME: process.env.XDG_STATE_HOME,
};
const house = new House(at(root, folder, env), database);
let left = Number(times);

function die(): void {
  left -= 1;
  if (left <= 0) process.kill(process.pid, 'SIGKILL');
}

const store = house.open();
const models = playing({}, () => {
  if (method === 'call') die();
  return undefined;
});
const { session } = house.session(store, undefined, {
  models,
  around: (workshop) => ({
    ...workshop,
    commit: async (...given) => {
      const made = await workshop.commit(...given);
      if (method === 'commit') die();
      return made;
    },
    check: (...given) => {
      // While it runs.
      if (method === 'check') setTimeout(die, 150);
      return workshop.check(...given);
    },
    deliver: async (...given) => {
      const done = await workshop.deliver(...given);
      if (method === 'deliver') die();
      return done;
    },
  }),
});
await session.begin({
  question: GOAL,
  seats: SEATS.map((id) => seat(id)),
  config: { ...house.config() },
});
