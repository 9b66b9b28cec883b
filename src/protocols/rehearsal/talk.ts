/** Writes prose of the requested length from a seat's role, naming recorded items by id. */
import { entryOf } from '../../kernel/entry.ts';
import type { NumberRange } from '../../kernel/model.ts';
import { TemplateFiller } from './fill.ts';
import { fillText, REHEARSAL_LINE, type Scene } from './scene.ts';
import { ASSENT, CITED, COMMON, ENDINGS, OPENINGS, VOICES } from './words/talk.ts';

/** The headings of a long text, each with its share of the length. Short texts have no headings. */
const PARTS = [
  ['Position', 0.33],
  ['How it goes', 0.35],
  ['How one would find out', 0.25],
] as const;
const LAST_PART = 'Where I give up';
const LONG = 400;
/** How many ids of records a text mentions, and from how many of the latest ids they are drawn. */
const SPOKEN_OF = 3;
const RECENT = 12;

/**
 * Writes prose for a role. Its number of words is roughly the middle between `least` and `most`, or less if the
 * role has too few sentences. In a run that one role dominates, every short text agrees with the lead, whose own
 * texts are long.
 */
export function writeProse(scene: Scene, { least, most }: NumberRange): string {
  const length = Math.round((least + most) / 2);
  const isShort = length < LONG;
  if (scene.temper.mood === 'dominated' && isShort)
    return `${fillText(scene, ASSENT)}\n\n${REHEARSAL_LINE}`;
  const addHeading = (heading: string, text: string) =>
    isShort ? text : `## ${heading}\n\n${text}`;
  const stock = makeSentences(scene);
  const parts = PARTS.map(([heading, share], index) => {
    const lines = index === 0 ? [fillText(scene, OPENINGS)] : [];
    while (wordsIn(lines) < share * length && stock.length > 0) lines.push(stock.pop() ?? '');
    return addHeading(heading, lines.join(' '));
  });
  return [...parts, addHeading(LAST_PART, fillText(scene, ENDINGS)), REHEARSAL_LINE].join('\n\n');
}

function wordsIn(sentences: readonly string[]): number {
  return sentences.reduce((total, sentence) => total + sentence.split(' ').length, 0);
}

/**
 * Returns sentences, of which the caller takes the last one first. Each sentence comes once; then
 * sentences about a word of the question come again, about other words.
 */
function makeSentences(scene: Scene): string[] {
  const { role, topic, items, chance } = scene;
  const filling = new TemplateFiller(topic, chance);
  const words = topic.words.slice(0, 5);
  const cited = chance.some(items.slice(-RECENT), SPOKEN_OF);
  const own = [...(entryOf(VOICES, role) ?? []), ...COMMON].map((sentence) =>
    chance
      .some(words, sentence.includes('{word}') ? 3 : 1)
      .map((word) => String(filling.about(sentence, word))),
  );
  const shuffleSentences = (all: readonly string[]) => chance.some(all, all.length);
  const again = own.flatMap(([_first, ...rest]) => rest);
  const once = own.flatMap(([first = '']) => first);
  const records = cited.map((id) => fillText(scene, { $any: CITED }, { id }));
  return [...shuffleSentences(again), ...shuffleSentences([...once, ...records])];
}
