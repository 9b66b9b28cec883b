/**
 * Checks whether the sentence of a prediction says something that may turn out true or false, and that a
 * person could see. Wording is recognized in English only.
 */
import { contentWords, withoutDates } from './content-words.ts';

/** The parts of a draft that its prediction is judged by. */
interface PredictionWords {
  readonly sentence: string;
  readonly look: string;
  readonly command?: string | undefined;
}

/** Wording with which a sentence is true whatever happens. */
const HEDGED = /\b(?:may|might|could|can possibly|possibly|perhaps|maybe)\b/i;
const EITHER_WAY = /\bor not\b|\beither (?:\w+ ){1,4}or\b|\bat some point\b|\bsooner or later\b/i;
/** Words that together say only that the recommendation is followed, and nothing about its effects. */
const DECISION_WORDS =
  /\b(?:recommend(?:ed|ation)|decision|advice|proposal|panel|board|synthesis|course of action)\b/i;
const FOLLOWING_WORDS =
  /\b(?:follow|adopt|accept|implement|approv|endors|decid|chosen|choos|select|taken|made|agree|carried out|acted)/i;
const DECIDED =
  /\bwill have (?:been )?(?:decided|chosen|adopted|agreed|committed|opted|selected)\b/i;
/** Words whose truth is a matter of opinion unless a number says how much. */
const VAGUE_WORDS =
  /\b(?:better|worse|good|bad|success(?:ful(?:ly)?)?|improve[sd]?|improvement|significant(?:ly)?|substantial(?:ly)?|notabl[ey]|noticeabl[ey]|happy|happier|satisfied|effective(?:ly)?|efficient(?:ly)?|smooth(?:ly)?|easier|faster|slower|healthy|robust|stable|positive(?:ly)?|negative(?:ly)?|worth(?:while| it)|appropriate|reasonable|manageable|valuable|beneficial)\b/i;

/** Limits that every count or share keeps: `at least 0`, `at most 100 %`, `0 or more`. */
const NO_LIMIT =
  /\b(?:at least|no fewer than|no less than|more than -\d+\w*,?) (?:0|zero)\b(?![.,]\d)|\b(?:0|zero) or more\b|\b(?:at most|no more than|up to) 100 ?(?:%|per ?cent\b)/i;
/** Both sides of one limit: `more than 64 MB or less than 64 MB`. */
const BOTH_SIDES =
  /\b(?:more|less|fewer|above|below|over|under)(?: than)? (\d\S*)(?: \S+){0,2} or (?:more|less|fewer|above|below|over|under)(?: than)? \1(?:\s|[.!]|$)/i;
/** A course of events that was not taken: nobody can see what it would have led to. */
const COUNTERFACTUAL = /\b(?:would|could|might|should) (?:not )?have\b/i;
/** Matches wording about what somebody thinks or feels. */
const PRIVATE_SENTENCE =
  /\b(?:privately|secretly|silently|inwardly|deep down)\b|\bwill (?:\w+ )?(?:think|feel|believe|wish|regret|hope)\b/i;
const PRIVATE_LOOK =
  /^(?:what|how|whether) .*\b(?:thinks?|feels?|believes?|wants?|wishes)\b|\b(?:private|personal|honest|inner) (?:opinions?|views?|thoughts?|feelings?|impressions?)\b/i;
/** Moods, unless a survey or a score of them can be opened. */
const MOOD_LOOK =
  /^(?:the |our |a )?(?:general |overall )?(?:mood|morale|feelings?|impressions?|happiness|opinions?|sentiment)\b(?! (?:survey|poll|score|form|index))/i;
/** The people who decide, and verbs with which they do. */
const OWN_DECIDERS =
  /\b(?:we|teams?|owners?|board|panel|advisors?|management|managers?|leadership|leads?|stakeholders?|department|everybody|everyone|group|company|organi[sz]ation|developers?|engineers?)\b/i;
const WILL_DECIDE =
  /\bwill (?:\w+ )?(?:have )?(?:agreed?|decided?|approved?|voted?|opt(?:ed)?|endorsed?|sign(?:ed)? off|go(?:ne)? with|settled? on)\b/i;
const RECOMMENDED = /\brecommend(?:ed|ations?)\b/i;

/**
 * Checks a drafted prediction and returns the reason to refuse it, such as that it would be true
 * whatever happens; undefined if it is accepted.
 * @param recommendation the recommendation of the synthesis; empty if there is none
 * @param edition the version of these rules that the run recorded; version 2 has more rules than
 *   version 1
 */
export function findPredictionFault(
  prediction: PredictionWords,
  recommendation: string,
  edition: number,
): string | undefined {
  return (
    findFaultSince1(prediction, recommendation) ??
    (edition >= 2 ? findFaultSince2(prediction) : undefined)
  );
}

function findFaultSince2({ sentence, look }: PredictionWords): string | undefined {
  if (NO_LIMIT.test(sentence) || BOTH_SIDES.test(sentence))
    return 'it is true whatever comes: its limit excludes nothing';
  if (COUNTERFACTUAL.test(sentence))
    return 'it is about what would have been, which nobody can see';
  if (PRIVATE_SENTENCE.test(sentence) || PRIVATE_LOOK.test(look) || MOOD_LOOK.test(look))
    return 'it is about what somebody thinks, which nobody can look up';
  if (OWN_DECIDERS.test(sentence) && WILL_DECIDE.test(sentence))
    return 'it says what people will decide, not what will come of it';
  if (RECOMMENDED.test(sentence) && FOLLOWING_WORDS.test(sentence))
    return 'it says that the recommendation will be followed, not what will come of it';
  return undefined;
}

function findFaultSince1(
  { sentence, command }: PredictionWords,
  recommendation: string,
): string | undefined {
  if (EITHER_WAY.test(sentence) || (HEDGED.test(sentence) && !/\bwill\b/i.test(sentence)))
    return 'it is true whatever comes: it says only that something may happen';
  const isAboutDeciding =
    (DECISION_WORDS.test(sentence) &&
      FOLLOWING_WORDS.test(sentence) &&
      !/\d/.test(withoutDates(sentence))) ||
    DECIDED.test(sentence);
  if (isAboutDeciding || isRestatement(sentence, recommendation))
    return 'it is true by definition where the recommendation is followed';
  const figure = /\d/.test(withoutDates(sentence)) || NUMBER_WORDS.test(sentence);
  const [word] = VAGUE_WORDS.exec(sentence) ?? [];
  if (word !== undefined && !figure && command === undefined)
    return `nobody could answer it with yes or no: it says "${word}" without a figure`;
  return undefined;
}

const NUMBER_WORDS =
  /\b(?:no|none|zero|one|two|three|four|five|six|seven|eight|nine|ten|twice|half|every|any|all|first|double)\b/i;

/** Share of a prediction's words that must be in the recommendation for the prediction to restate it. */
const RESTATED = 0.75;
/**
 * Returns whether a prediction says no more than the recommendation: at least the share `RESTATED` of its
 * words is in the recommendation, and so are all of its figures.
 */
function isRestatement(sentence: string, recommendation: string): boolean {
  const own = contentWords(sentence);
  const recommendationWords = contentWords(recommendation);
  if (own.size < 2 || recommendationWords.size === 0) return false;
  const shared = [...own].filter((word) => recommendationWords.has(word)).length;
  const figures = [...own].filter((word) => /^\d/.test(word) && !recommendationWords.has(word));
  return figures.length === 0 && shared / own.size >= RESTATED;
}
