/** What the home screen has to offer: protocols, boards, roles and questions, as plain data. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type {
  BoardOffer,
  Choices,
  HomeOffer,
  ProtocolOffer,
  QuestionOffer,
  RoleOffer,
} from '../console/home/offer.ts';
import { DeliberateError } from '../kernel/errors.ts';
import { ROLE_INFO } from '../protocols/rounds/cast.ts';
import { ROLES } from '../records/types.ts';
import { readChoices } from './choices.ts';
import { BUILT_IN, type Config } from './files.ts';
import type { Invocation } from './invocation.ts';
import { DEFAULT_BOARD } from './panel.ts';
import { readBoard, readRole } from './presets.ts';

type Env = Invocation['env'];

const PROTOCOLS: readonly ProtocolOffer[] = [
  {
    id: 'board',
    title: 'Board',
    about: 'advisors answer side by side, then a synthesis',
    chair: 'Synthesizer',
  },
  {
    id: 'rounds',
    title: 'Rounds',
    about: 'four roles test each other in rounds; who plays them is asked next',
    chair: 'Verifier',
    roles: ROLES.map((slug) => ({
      slug,
      name: ROLE_INFO[slug].title,
      about: ROLE_INFO[slug].question,
      brief: ROLE_INFO[slug].duty,
    })),
  },
];

export function homeOffer(env: Env, config: Config): HomeOffer {
  const problems: string[] = [];
  const roles = shelf<RoleOffer>('roles', '.md', problems, (slug) => {
    const { name, description, model, brief } = readRole(slug);
    return { slug, name, about: description, model, brief };
  });
  const boards = shelf<BoardOffer>('boards', '.yaml', problems, (slug) => {
    const { name, description, seats } = readBoard(slug);
    return { slug, name, about: description, seats };
  });
  return {
    protocols: PROTOCOLS,
    boards,
    roles,
    questions: presetQuestions(),
    choices: choicesFor(readChoices(env), boards, roles, config),
    defaults: { model: config.model, chair: config.synthesizer },
    problems,
  };
}

/** The presets of a kind that can be read; what is wrong with the others goes to `problems`. */
function shelf<T>(
  folder: string,
  ending: string,
  problems: string[],
  read: (slug: string) => T,
): T[] {
  return readdirSync(join(BUILT_IN, folder))
    .filter((name) => name.endsWith(ending))
    .sort()
    .flatMap((name) => {
      try {
        return [read(basename(name, ending))];
      } catch (error) {
        if (!(error instanceof DeliberateError)) throw error;
        problems.push(error.message);
        return [];
      }
    });
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

/** Questions to begin with. */
function presetQuestions(): QuestionOffer[] {
  return [
    {
      title: 'Split the monolith',
      text: 'Eight engineers, one deployment a day, three teams in one code base. Should we split the monolith into services this year?',
    },
    {
      title: 'Rewrite or repair',
      text: 'Our billing code is nine years old and nobody wants to touch it. Should we rewrite it, or repair it piece by piece?',
    },
    {
      title: 'Four-day week',
      text: 'Should a company of sixty people move to a four-day week at full pay?',
    },
    {
      title: 'Open the source',
      text: 'Should we publish the source of our main product under a permissive licence?',
    },
    {
      title: 'Build or buy',
      text: 'Should we build our own search, or buy one and live with what it cannot do?',
    },
  ];
}
