/** Rounds for coding agents. */
import type { ToolPart } from '../../../app/tool-part.ts';

/** What coding agents that start runs over MCP are told about rounds. */
export const tool: ToolPart = {
  about: 'four roles raise claims that are tested, about 20 calls a round',
  fields: {
    preset: 'a cast',
    seats: 'which model plays action, guardian, observer or critic, as critic=PROVIDER/MODEL',
    rounds: 'how many at most; 8 unless set. 3 are a brief look',
    gates: 'ask before it stops, instead of stopping by the signals',
  },
  line: ({ question, preset, seats, rounds, gates }) => ({
    words: [question],
    flags: {
      preset,
      seat: seats,
      ...(rounds === undefined ? {} : { rounds: String(rounds) }),
      ...(gates === undefined ? {} : { stopAt: gates ? 'ask' : '4' }),
    },
  }),
  command: async () => (await import('./convene.ts')).rounds,
};
