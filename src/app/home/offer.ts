/** What the home screen has to offer: protocols, boards, roles and questions, as plain data. */

import type {
  BoardOffer,
  Choices,
  HomeOffer,
  QuestionOffer,
  RoleOffer,
} from '../../console/home/offer.ts';
import { BOARD_KIND, QUESTION_KIND, ROLE_KIND } from '../../io/preset-kinds.ts';
import { listPresets } from '../../io/presets.ts';
import type { HomeParts } from '../../protocols/home-parts.ts';
import type { Invocation } from '../invocation.ts';
import { EXAMPLES } from '../run/examples.ts';
import type { Config } from '../settings/config.ts';
import { DEFAULT_BOARD } from '../settings/panel.ts';
import { readChoices } from './choices.ts';

export function homeOffer(
  call: Pick<Invocation, 'flags' | 'env'>,
  config: Config,
  parts: HomeParts,
): HomeOffer {
  const { env } = call;
  const catalogs = {
    roles: listPresets(ROLE_KIND, env),
    boards: listPresets(BOARD_KIND, env),
    questions: listPresets(QUESTION_KIND, env),
  };
  const roles = catalogs.roles.presets.map(
    ({ slug, value: { name, description, model, brief } }): RoleOffer => ({
      slug,
      name,
      about: description,
      model,
      brief,
    }),
  );
  const boards = catalogs.boards.presets.map(
    ({ slug, value: { name, description, seats } }): BoardOffer => ({
      slug,
      name,
      about: description,
      seats,
    }),
  );
  const questions = catalogs.questions.presets.map(
    ({ value: { name, question } }): QuestionOffer => ({ title: name, text: question }),
  );
  return {
    protocols: [...parts.values()].map((part) => part.offer(call)),
    boards,
    roles,
    questions,
    examples: EXAMPLES,
    choices: choicesFor(readChoices(env), boards, roles, config),
    defaults: { model: config.model, chair: config.synthesizer },
    problems: Object.values(catalogs).flatMap(({ problems }) => problems),
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
