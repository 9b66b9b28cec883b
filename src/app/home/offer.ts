/** What the home screen has to offer: protocols, boards, roles and questions, as plain data. */

import type {
  BoardOffer,
  Choices,
  HomeOffer,
  ProtocolOffer,
  QuestionOffer,
  RoleOffer,
} from '../../console/home/offer.ts';
import { BOARD_KIND, QUESTION_KIND, ROLE_KIND } from '../../io/preset-kinds.ts';
import { listPresets } from '../../io/presets.ts';
import { entryOf } from '../../kernel/entry.ts';
import { Catalog } from '../../protocols/agents/files/catalog.ts';
import { patternOf } from '../../protocols/agents/graph.ts';
import { ROLE_INFO } from '../../protocols/rounds/cast.ts';
import { ROLES } from '../../protocols/rounds/records/types.ts';
import type { Invocation } from '../invocation.ts';
import type { Config } from '../settings/config.ts';
import { DEFAULT_BOARD } from '../settings/panel.ts';
import { readChoices } from './choices.ts';

const PROTOCOLS: readonly ProtocolOffer[] = [
  {
    id: 'board',
    title: 'Board',
    about: 'advisors answer side by side, then a synthesis',
    attaches: true,
    chair: 'Synthesizer',
  },
  {
    id: 'rounds',
    title: 'Rounds',
    about: 'four roles test each other in rounds; who plays them is asked next',
    attaches: true,
    chair: 'Verifier',
    roles: ROLES.map((slug) => ({
      slug,
      name: ROLE_INFO[slug].title,
      about: ROLE_INFO[slug].question,
      brief: ROLE_INFO[slug].duty,
    })),
  },
];

/** The agents there are, one of which is set to work. */
function agentOffer(call: Pick<Invocation, 'flags' | 'env'>): ProtocolOffer {
  const { agents, graph } = Catalog.open(call);
  return {
    id: 'agent',
    title: 'Agent',
    about: 'one agent, and those that its file says it works with',
    roles: agents.map(({ id, title, description, brief }) => ({
      slug: id,
      name: title,
      about: `${patternOf(entryOf(graph, id) ?? {})}: ${description}`,
      brief,
    })),
    one: 'Agent',
    attaches: false,
    chair: 'Model',
  };
}

export function homeOffer(call: Pick<Invocation, 'flags' | 'env'>, config: Config): HomeOffer {
  const { env } = call;
  const shelves = {
    roles: listPresets(ROLE_KIND, env),
    boards: listPresets(BOARD_KIND, env),
    questions: listPresets(QUESTION_KIND, env),
  };
  const roles = shelves.roles.presets.map(
    ({ slug, value: { name, description, model, brief } }): RoleOffer => ({
      slug,
      name,
      about: description,
      model,
      brief,
    }),
  );
  const boards = shelves.boards.presets.map(
    ({ slug, value: { name, description, seats } }): BoardOffer => ({
      slug,
      name,
      about: description,
      seats,
    }),
  );
  const questions = shelves.questions.presets.map(
    ({ value: { name, question } }): QuestionOffer => ({ title: name, text: question }),
  );
  return {
    protocols: [...PROTOCOLS, agentOffer(call)],
    boards,
    roles,
    questions,
    choices: choicesFor(readChoices(env), boards, roles, config),
    defaults: { model: config.model, chair: config.synthesizer },
    problems: Object.values(shelves).flatMap(({ problems }) => problems),
  };
}

/** What was chosen last, as far as it still exists; else what sits when nothing is said. */
export function choicesFor(
  last: Choices | undefined,
  boards: readonly BoardOffer[],
  roles: readonly RoleOffer[],
  config: Config,
): Choices {
  const wanted = config.preset ?? DEFAULT_BOARD;
  const first = boards.find(({ slug }) => slug === wanted) ?? boards[0];
  const proposed = first?.seats ?? [];
  if (last === undefined)
    return { protocol: 'board', board: first?.slug ?? '', panels: { board: proposed } };
  const known = (last.panels.board ?? []).filter(({ role }) =>
    roles.some(({ slug }) => slug === role),
  );
  return { ...last, panels: { ...last.panels, board: known.length > 0 ? known : proposed } };
}
