/** What the stand-in answers from: the seat, the task, and the data of the request. */
import type { PromptContents, Quoted } from '../../kernel/model.ts';
import type { JsonSchema, ProviderRequest } from '../../models/provider.ts';
import { isRecord } from '../../text/json.ts';
import { Chance } from './chance.ts';
import { type Template, TemplateFiller } from './fill.ts';
import { chooseTemper, type Temper } from './temper.ts';
import { deriveTopic, type Topic } from './topic.ts';

/** The line in every prose text of the stand-in which says that no model wrote the text. */
export const REHEARSAL_LINE = '_Rehearsal: no model wrote this._';

/** What the stand-in for models knows when it answers a request. */
export interface Scene {
  readonly task: string;
  readonly about: PromptContents;
  readonly model: string;
  readonly role: string;
  readonly seed: number;
  /** The words of the question, and general words, from which the stand-in makes its texts. */
  readonly topic: Topic;
  /** The random numbers for this answer. */
  readonly chance: Chance;
  /** How the rehearsed deliberation goes: healthy, or with a failure mode. */
  readonly temper: Temper;
  readonly schema: JsonSchema | undefined;
  /** The texts of others that the request contains, each with its author or title. */
  readonly heard: readonly Quoted[];
  /** The items that the request is about, such as ids or statements. */
  readonly items: readonly string[];
  readonly round: number;
  /** The texts of tool results. */
  readonly seen: readonly string[];
}

/**
 * Derives from a request what the stand-in uses for its answer: mainly the data that the program sends along with the
 * prompt (`about`), the schema and the tool results. The words of the prompt, the model, the seat and the seed
 * determine the random choices. The last part of the prompt also serves as the question if the data contain none.
 */
export function deriveScene(request: ProviderRequest): Scene {
  const { task, about = {}, model, seatId, role, system, messages, schema, seed = 0 } = request;
  const texts = messages.flatMap(({ parts }) => parts.map(({ text }) => text));
  const { heard = [], items = [], round = 1 } = about;
  return {
    task,
    about,
    model,
    role,
    seed,
    schema,
    heard,
    items,
    round,
    seen: messages.flatMap(({ results = [] }) => results.map(({ text }) => text)),
    topic: deriveTopic(about.question ?? texts.at(-1) ?? ''),
    chance: new Chance(model, seatId, role, system, texts.join('\n\n'), seed),
    temper: chooseTemper(model, seed),
  };
}

/**
 * Fills in the placeholders of a template. Where the template offers alternatives, one is drawn at random.
 * @param values the values of placeholders besides those of the topic
 */
export function fillWords(
  { topic, chance }: Scene,
  words: Template,
  values: Readonly<Record<string, string>> = {},
): unknown {
  return new TemplateFiller(topic, chance, values).fill(words);
}

/** Fills in a template and returns the result as a text. */
export function fillText(
  scene: Scene,
  words: Template,
  values?: Readonly<Record<string, string>>,
): string {
  return String(fillWords(scene, words, values));
}

/** Returns how many items a schema allows in the list `name`, or undefined if there is no limit. */
export function getMaxItems(schema: JsonSchema | undefined, name: string): number | undefined {
  const list = isRecord(schema?.properties) ? schema.properties[name] : undefined;
  return isRecord(list) && typeof list.maxItems === 'number' ? list.maxItems : undefined;
}

/** Returns the round in a record's id: 3 for `C-3-1`. */
export function parseRoundOfId(id: string): number {
  return Number(id.split('-')[1]);
}
