/** Agents on the home screen, where one of them is chosen. */
import type { HomePart } from '../../../app/invocation.ts';
import { entryOf } from '../../../kernel/entry.ts';
import { Catalog } from '../files/catalog.ts';
import { formatPattern } from '../graph.ts';

/** The part of the home screen on which a person chooses an agent and writes a request to it. */
export const home: HomePart = {
  offer: (call) => {
    const { agents, graph } = Catalog.open(call);
    return {
      id: 'agent',
      title: 'Agent',
      about: 'one agent, with the agents its file links to',
      roles: agents.map(({ id, title, description, brief }) => ({
        slug: id,
        name: title,
        about: `${formatPattern(entryOf(graph, id) ?? {})}: ${description}`,
        brief,
      })),
      one: 'Agent',
      attaches: true,
      looks: true,
      usesTools: true,
      chair: 'Model',
    };
  },
  convene: async (call, _config, { question, seats, chair, attachments, look, rehearse }) => {
    const { agent } = await import('./convene.ts');
    const name = seats[0]?.role ?? '';
    const attach = attachments.map(({ path }) => path);
    const model = rehearse || chair === undefined ? {} : { model: chair };
    const flags = { ...call.flags, rehearse, attach, look: look.map(({ wish }) => wish), ...model };
    await agent({ ...call, words: [name, question], flags });
    return true;
  },
  estimate: () => 'the number of calls depends on the answers',
};
