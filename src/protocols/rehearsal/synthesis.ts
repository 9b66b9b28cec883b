/**
 * Writes a synthesis without understanding the answers, from words that advisors share and from the
 * beginnings of their answers. Quotations are exact, except those of the model `invents`.
 */
import { entryOf } from '../../kernel/entry.ts';
import {
  cutFragment,
  findQuotableSentences,
  findStanceText,
  INVENTED,
  joinNames,
} from './quoting.ts';
import { fillText, REHEARSAL_LINE, type Scene } from './scene.ts';
import { findMeaningfulWords } from './topic.ts';
import { RECOMMENDATION } from './words/board.ts';
import { SYNTHESIS } from './words/rounds.ts';

interface Speaker {
  readonly from: string;
  /** The position at the beginning of its answer, if there is one. */
  readonly stance: string | undefined;
  readonly sentences: readonly { readonly text: string; readonly words: ReadonlySet<string> }[];
}

function speakersIn({ heard }: Scene): Speaker[] {
  return heard
    .map((passage) => ({
      from: passage.from,
      stance: findStanceText(passage),
      sentences: findQuotableSentences(passage.text).map((text) => ({
        text,
        words: new Set(findMeaningfulWords(text).map((word) => word.toLowerCase())),
      })),
    }))
    .filter(({ sentences }) => sentences.length > 0);
}

/**
 * Writes a report under the given headings. The report quotes what others said, and does not claim
 * to have weighed the arguments. For a deliberation in rounds, it has no quotations and names recorded claims and
 * decisions by their ids.
 */
export function writeRehearsedReport(scene: Scene, headings: readonly string[]): string {
  const quotes = speakersIn(scene).flatMap(({ from, sentences }) =>
    sentences.map(({ text }) => `- ${from}: “${cutFragment(text)}”`),
  );
  const { subject } = scene.topic;
  if (scene.task === 'rounds/synthesis') return ofRounds(scene, headings);
  const opening = `On “${subject}” the stand-in can only point at what stands in the record.\n\n`;
  const sections = headings.map((heading, index) => {
    const lines = scene.chance.some(quotes, 2).join('\n') || 'There is no record to draw on.';
    return `## ${heading}\n\n${index === 0 ? opening : ''}${lines}`;
  });
  return [...sections, REHEARSAL_LINE].join('\n\n');
}

/** Writes a synthesis of rounds in its own words under each heading, naming recorded items by id. */
function ofRounds(scene: Scene, headings: readonly string[]): string {
  const named = scene.heard.flatMap(({ text }) => text.match(/\b[CD]-\d+-\d+\b/g) ?? []);
  const ids = joinNames(scene.chance.some([...new Set(named)], 3).sort()) || 'Nothing';
  const sections = headings.map((heading) => {
    const words = entryOf(SYNTHESIS, heading) ?? 'The stand-in has nothing to say here.';
    return `## ${heading}\n\n${fillText(scene, words, { ids })}`;
  });
  return [...sections, REHEARSAL_LINE].join('\n\n');
}

/** Writes a synthesis under the four headings of a board. */
export function writeBoardSynthesis(scene: Scene): string {
  const speakers = speakersIn(scene);
  const { subject, words } = scene.topic;
  const shared = sharedWords(words, speakers);
  const names = speakers.map(({ from }) => from);
  const bold = joinNames(shared.map(({ word }) => `**${word}**`));
  const sections = {
    Consensus:
      speakers.length === 0
        ? 'Nobody answered, so there is nothing to draw together.'
        : shared.length > 0
          ? `On “${subject}” the stand-in compares words, not reasons: ${joinNames(names)} use ${bold} in common.`
          : `There is none: ${joinNames(names)} answer without a word in common.`,
    'Points of Agreement':
      shared
        .map(({ word, by }) =>
          endSentence(
            `- On **${word}**: ${by.map((speaker) => quoteSpeaker(speaker, word)).join('; ')}`,
          ),
        )
        .join('\n') || '- No argument is made by more than one advisor.',
    'Points of Divergence':
      speakers.length < 2
        ? '- With fewer than two answers there is nothing to diverge.'
        : [
            ...speakers.map((voice) => endSentence(`- ${describePosition(voice)}`)),
            ...inventQuotations(scene, speakers),
          ].join('\n'),
    Recommendation:
      speakers.length === 0
        ? 'Ask the board again.'
        : `${fillText(scene, RECOMMENDATION, { first: names[0] ?? '' })} Drop it if nobody can say afterwards what became better.`,
  };
  return [
    ...Object.entries(sections).map(([heading, body]) => `## ${heading}\n\n${body}`),
    REHEARSAL_LINE,
  ].join('\n\n');
}

/**
 * Returns false quotations for the model `invents`: words that nobody said, and words attributed to the wrong
 * advisor.
 */
function inventQuotations({ model }: Scene, [first, second]: readonly Speaker[]): string[] {
  const words = first?.sentences[0]?.text;
  if (model !== 'invents' || first === undefined || second === undefined || words === undefined)
    return [];
  return [
    `- ${first.from}: “${INVENTED}”.`,
    endSentence(`- ${second.from}: “${cutFragment(words)}”`),
  ];
}

/** Adds a full stop, unless the text ends with a quotation that has one. */
function endSentence(text: string): string {
  return /[.!?]”$/.test(text) ? text : `${text}.`;
}

/**
 * Returns at most three words that at least two advisors use: words of the question or, if these are few,
 * others.
 */
function sharedWords(
  asked: readonly string[],
  speakers: readonly Speaker[],
): { word: string; by: Speaker[] }[] {
  const found = new Map<string, Speaker[]>();
  const collectShared = (words: Iterable<string>) => {
    for (const word of words) {
      const key = word.toLowerCase();
      // The stand-in's synthesis quotes advisors who use the same word. So a word counts as used by an advisor only
      // if a sentence of this advisor that can be quoted contains the word.
      const by = speakers.filter(({ sentences }) =>
        sentences.some((sentence) => sentence.words.has(key)),
      );
      if (by.length >= 2 && key.length > 4) found.set(key, by);
    }
  };
  collectShared(asked);
  if (found.size < 2)
    collectShared(speakers[0]?.sentences.flatMap(({ words }) => [...words]) ?? []);
  return [...found]
    .sort((left, right) => right[1].length - left[1].length)
    .slice(0, 3)
    .map(([word, by]) => ({ word, by: by.slice(0, 3) }));
}

function quoteSpeaker({ from, sentences }: Speaker, word: string): string {
  const about = sentences.filter(({ words }) => words.has(word));
  // Prefer a sentence that is short enough to be quoted whole.
  const sentence = about.find(({ text }) => cutFragment(text) === text) ?? about[0];
  return `${from}: “${cutFragment(sentence?.text ?? '', word)}”`;
}

function describePosition({ from, stance, sentences }: Speaker): string {
  const reasons = sentences.filter(({ text }) => /^\p{Lu}/u.test(text) && text !== stance);
  const reason = reasons.find(({ text }) => cutFragment(text) === text) ?? reasons[0];
  const quotes = [stance, reason && cutFragment(reason.text)].filter(
    (quote) => quote !== undefined,
  );
  return `${from}: ${quotes.map((quote) => `“${quote}”`).join(' … ')}`;
}
