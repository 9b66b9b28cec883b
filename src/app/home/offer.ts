/** Collects what the home screen offers (protocols, roles, questions) as plain data. */
import { basename } from 'node:path';
import type {
  Choices,
  HomeOffer,
  ProtocolOffer,
  QuestionOffer,
  RoleOffer,
  SeatDraft,
  ToolServerOffer,
} from '../../console/home/offer.ts';
import { QUESTION_KIND, ROLE_KIND } from '../../io/preset-kinds.ts';
import { listPresets } from '../../io/presets.ts';
import { EXAMPLES } from '../demo/examples.ts';
import type { HomeParts, Invocation } from '../invocation.ts';
import type { Config } from '../settings/config.ts';
import { readChoices } from './choices.ts';

/**
 * Collects what the home screen offers: protocols, roles, questions and examples.
 *
 * @param parts what each protocol offers on the home screen
 */
export function homeOffer(
  call: Pick<Invocation, 'flags' | 'env'>,
  config: Config,
  parts: HomeParts,
): HomeOffer {
  const { env } = call;
  const catalogs = {
    roles: listPresets(ROLE_KIND, env),
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
  const questions = catalogs.questions.presets.map(
    ({ value: { name, question } }): QuestionOffer => ({ title: name, text: question }),
  );
  const protocols = [...parts.values()].map((part) => part.offer(call, config));
  return {
    protocols,
    roles,
    questions,
    examples: EXAMPLES,
    toolServers: toolServersOf(config),
    choices: choicesFor(readChoices(env), protocols, roles),
    defaults: { model: config.model, chair: config.synthesizer },
    problems: [...Object.values(catalogs), ...protocols].flatMap(({ problems = [] }) => problems),
  };
}

function omitModel({ model: _model, ...seat }: SeatDraft): SeatDraft {
  return seat;
}

function toolServersOf({ tools = {} }: Config): ToolServerOffer[] {
  return Object.entries(tools).map(([name, { command, url = '' }]) => ({
    name,
    // Show only the name of the server's program, because its arguments may contain a key. Of an address, show
    // only the host.
    about: command === undefined ? (URL.parse(url)?.host ?? '') : basename(command[0] ?? ''),
  }));
}

/**
 * Returns the choices with which the home screen begins: the person's last choices, without seats
 * whose role no longer exists. A protocol without a seat gets the seats of its default preset.
 *
 * @param last the last choices; undefined for the defaults
 * @param protocols the protocols that can be chosen
 * @param roles the roles that can be chosen
 */
export function choicesFor(
  last: Choices | undefined,
  protocols: readonly ProtocolOffer[],
  roles: readonly RoleOffer[],
): Choices {
  const { presets = {}, panels = {}, protocol = protocols[0]?.id ?? '', ...rest } = last ?? {};
  const free = protocols.flatMap(({ id, panel, roles: own = roles }) => {
    if (panel === undefined) return [];
    const known = (panels[id] ?? []).filter(({ role }) => own.some(({ slug }) => slug === role));
    const first = panel.presets.find(({ slug }) => slug === panel.preset) ?? panel.presets[0];
    // Take the instructions of a seat from the preset: the file with the person's last choices contains none.
    const kept = panel.presets.find(({ slug }) => slug === presets[id])?.seats ?? [];
    const again = known.map((seat, index) =>
      kept[index]?.role === seat.role ? { ...omitModel(kept[index]), ...seat } : seat,
    );
    return [
      {
        id,
        preset: presets[id] ?? (last === undefined ? first?.slug : undefined),
        seats: again.length > 0 ? again : (first?.seats ?? []),
      },
    ];
  });
  return {
    ...rest,
    protocol,
    presets: Object.fromEntries(
      free.flatMap(({ id, preset }) => (preset === undefined ? [] : [[id, preset]])),
    ),
    panels: { ...panels, ...Object.fromEntries(free.map(({ id, seats }) => [id, seats])) },
  };
}
