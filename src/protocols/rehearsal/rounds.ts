/**
 * Acts out rounds as a panel whose run goes well, or goes wrong in the way that its model is named after
 * (`temper.ts`). Ids and places come from the request or its schema.
 */
import { entryOf } from '../../kernel/entry.ts';
import { EARLIER_EXAM, findExamForm, makeExam } from '../entrance/entrance.ts';
import { Chance } from './chance.ts';
import { chooseSome, type Template, TemplateFiller } from './fill.ts';
import { findLastCitation } from './looking.ts';
import { findQuotableSentences } from './quoting.ts';
import { fillText, fillWords, getMaxItems, parseRoundOfId, type Scene } from './scene.ts';
import { drawVerdict } from './temper.ts';
import * as words from './words/rounds.ts';

/**
 * Returns the function that makes the stand-in's artifact (written work) for a role, with its
 * claims.
 */
export function chooseArtifactMaker(role: string): (scene: Scene) => unknown {
  return (scene) => ({
    ...Object(
      role === 'guardian'
        ? makeGuardianArtifact(scene)
        : role === 'critic'
          ? makeCriticArtifact(scene)
          : fillWords(scene, words.FORMS[`rounds/artifact/${role}`] ?? ''),
    ),
    ...raiseClaims(scene),
  });
}

/** Makes the guardian's artifact, with others' words as evidence. */
function makeGuardianArtifact(scene: Scene): unknown {
  const { heard, topic, chance } = scene;
  const filling = new TemplateFiller(topic, chance);
  const quotes = heard
    .filter(({ from }) => from !== 'the log')
    .flatMap(({ from, text }) =>
      findQuotableSentences(text).map((quote) => ({ quote, source: from })),
    );
  const evidence =
    quotes.length > 0
      ? chance.some(quotes, 3)
      : [{ quote: topic.question, source: 'the question' }];
  return {
    ...Object(filling.fill(words.INVARIANT)),
    evidence: evidence.map((quote) => ({ ...quote, bears: filling.fill(words.BEARS) })),
  };
}

/** Makes the critic's artifact, whose target may be a recorded claim. */
function makeCriticArtifact(scene: Scene): unknown {
  const known = scene.items.filter((id) => !id.startsWith('V'));
  const earlier = scene.chance.some(known, 1)[0];
  const form = words.FORMS['rounds/artifact/critic'] ?? '';
  return fillWords(scene, form, earlier === undefined ? {} : { earlier });
}

/** Makes the stand-in's answer to the verifier's task of checking a role's work and giving a verdict. */
export function check(scene: Scene): unknown {
  const { temper, seed, about, round, items, chance } = scene;
  const result = drawVerdict(temper, seed, round, about.turn ?? 1);
  const looked = findLastCitation(scene.seen);
  const places = [...chooseEvidence(items, chance), ...(looked === undefined ? [] : [looked])];
  const refs = temper.citesOnePlace(round) ? places.slice(0, 1) : places;
  const { why, note } = words.VERDICTS[result];
  return {
    reasoning: `Rehearsal: the two were laid side by side at ${refs.join(' and ')}. ${fillText(scene, why)}`,
    result,
    evidence_refs: refs,
    notes: `Rehearsal: ${fillText(scene, note)}.`,
  };
}

/** Anchors of the parts of an artifact that carry an argument. */
const TELLING = ['#attack', '#trace', '#friction', '#step', '#evidence', '#invariant'];

/** Chooses two or three places that carry an argument, from different artifacts if possible. */
function chooseEvidence(places: readonly string[], chance: Chance): string[] {
  const telling = places.filter((place) => TELLING.some((anchor) => place.includes(anchor)));
  const files = Map.groupBy(
    telling.length >= 2 ? telling : places,
    (place) => place.split('#', 1)[0],
  );
  const each = chance.some([...files.values()], 2).flatMap((all) => chance.some(all, 1));
  const rest = places.filter((place) => !each.includes(place));
  const more = Math.max(2 - each.length, chance.next() < 0.35 ? 1 : 0);
  return [...each, ...chance.some(rest, more)];
}

const PANEL = ['action', 'guardian', 'observer', 'critic'];

function raiseClaims(scene: Scene): object {
  const own = entryOf(words.CLAIMS, scene.role) ?? words.CLAIMS.action ?? [];
  const kept = scene.chance.some(own, claimsOf(scene));
  const claims = fillWords(scene, chooseSome(kept.length, kept));
  const place = findLastCitation(scene.seen);
  return {
    claims: (Array.isArray(claims) ? claims : []).map((claim) => ({
      text: `${claim.text} ${fillText(scene, words.SEEN)}`,
      testable_as: `${claim.testable_as} ${fillText(scene, words.CASES)}${place === undefined ? '' : ` (${place})`}`,
      decided_by: scene.chance.pick(['running', 'asking']),
      says: isAboutFailure(String(claim.text)) ? 'fails' : 'holds',
      about: 'plan',
      if_false: fillText(scene, words.IF_FALSE),
      replaces: '',
    })),
    concedes: [],
    disputes: [],
  };
}

/** Returns whether a claim of the stand-in's says that something fails; such claims contain this word. */
function isAboutFailure(claim: string): boolean {
  return claim.includes(' fails ');
}

/**
 * Makes the answers in the reading test in a rehearsal, which are always right. They let a
 * rehearsal go on, and say nothing about a model.
 */
export function sitExam({ seed, items }: Scene): unknown {
  const keys = new Map(
    [findExamForm(items.length), EARLIER_EXAM]
      .flatMap((form) => makeExam(seed, form).items)
      .map(({ text, key }) => [text, key]),
  );
  return {
    answers: items.map((text, index) => {
      const key = keys.get(text) ?? 'undecided';
      return {
        item: index + 1,
        finding:
          key === 'true' ? 'true_in_text' : key === 'false' ? 'false_in_text' : 'needs_a_test',
      };
    }),
  };
}

/**
 * Makes the stand-in's answer to the reader's task: a claim is true if a document contains it word
 * for word, otherwise undecided.
 */
export function read({ heard, items }: Scene): unknown {
  return {
    findings: items.map((text, index) => {
      const stands = heard.some((document) => document.text.includes(text));
      return {
        item: index + 1,
        finding: stands ? 'true_in_text' : 'needs_a_test',
        quotes: stands ? [text] : [],
        sought: [],
        absence_makes_it: 'undecided',
        covered: '',
        why: 'Rehearsal: the words were compared, and nothing else.',
      };
    }),
  };
}

/**
 * Makes the stand-in's answer to the task of checking findings by their quotations alone. It is
 * always `undecided`.
 */
export function lookAgain({ items }: Scene): unknown {
  return {
    looks: items.map((_, index) => ({
      item: index + 1,
      verdict: 'undecided',
      why: 'Rehearsal: a stand-in decides nothing.',
    })),
  };
}

/** Returns how many claims the seat raises. Seats do not see each other, but agree through the run's seed. */
function claimsOf({ about, schema, temper, seed, role, round }: Scene): number {
  const { count: { least, most } = { least: 1, most: 2 }, absent } = about;
  const chance = new Chance('claims', seed, round);
  // A rehearsal in the mood `inflating` shows a panel with too many claims: every role raises as many claims as the
  // schema allows.
  if (temper.mood === 'inflating') return getMaxItems(schema, 'claims') ?? most;
  // A rehearsal in the mood `starving` shows a panel with too few claims: in each round, two roles at most raise a
  // claim, and only one each.
  if (temper.mood === 'starving')
    return chance.some(PANEL, chance.between(0, 2)).includes(role) ? 1 : 0;
  const present = PANEL.filter((member) => member !== absent);
  const missing = PANEL.length - present.length;
  const generous = chance.some(present, chance.between(1 + missing, 3)).includes(role);
  return generous ? most : least;
}

/**
 * Makes the stand-in's answer to the task of judging which verdicts decide which claims. Some
 * claims, drawn at random, are decided by a random verdict; the others stay open.
 */
export function weigh(scene: Scene): unknown {
  const { temper, heard, round, topic, chance } = scene;
  const verdicts = heard.filter(({ from }) => from.startsWith('V-'));
  const rate = temper.weighed(round);
  return {
    bearings: heard
      .filter(({ from }) => from.startsWith('C-') && chance.next() < rate)
      .flatMap(({ from: claim, text }) => {
        const [verdict] = chance.some(verdicts, 1);
        if (verdict === undefined) return [];
        const words = text.split('\n')[0] ?? '';
        const holds = /^\w+: ROBUST/.test(verdict.text);
        return [
          {
            verification: verdict.from,
            claim,
            makes: holds === !isAboutFailure(words) ? 'makes_true' : 'makes_false',
            covered: words,
            speaks_of: 'both',
            why: `Rehearsal: ${verdict.from} tried what ${claim} says of the ${chance.pick(topic.words)}.`,
          },
        ];
      }),
  };
}

/** Makes the stand-in's answer to the lead's task of deciding at the end of a round. */
export function decide(scene: Scene): unknown {
  const { temper, round, chance, items: ids } = scene;
  const lost = round >= temper.departure;
  const since = lost ? temper.departure : 1;
  const selectIds = (kind: string, from = since) =>
    ids.filter((id) => id.startsWith(kind) && parseRoundOfId(id) >= from);
  const earlier = selectIds('D-');
  const latestFirst = earlier.filter((id) => id.endsWith('-1')).slice(-1);
  const chooseCites = (first: boolean) => [
    ...chance.some(selectIds('C-', Math.max(since, round - 1)), 1),
    ...chance.some(selectIds('V-', round), chance.next() < 0.5 ? 1 : 0),
    ...(first ? latestFirst : chance.some(earlier, chance.next() < 0.5 ? 1 : 0)),
  ];
  const decisions = chance.some(words.DECISIONS, chance.pick([1, 2, 2, 3])).map((course, index) => {
    const found = chooseCites(index === 0);
    const cited = found.length > 0 ? found : ids.slice(-1);
    return {
      text: sayAnew(scene, lost ? words.LOST_DECISION : course),
      cites: (cited.length > 0 ? cited : ['C-1-1']).map((id) => ({
        id,
        relation: id.startsWith('V') ? 'supported-by' : 'based-on',
        takes_as: isRefuted(scene, id) ? 'false' : 'true',
      })),
      conditions: [],
      made_by: chance.pick(['consensus', 'round_lead', 'round_lead', 'adversary_concession']),
    };
  });
  return { decisions, ...Object(fillWords(scene, words.OPEN)) };
}

/** How often a sentence is filled in to find one that is not on record yet. */
const DRAWS = 12;

/**
 * Fills in the placeholders of a sentence, if possible so that the sentence is not on record yet.
 */
function sayAnew(scene: Scene, course: Template): string {
  let text = fillText(scene, course);
  for (let draw = 1; draw < DRAWS && isOnRecord(scene, text); draw += 1)
    text = fillText(scene, course);
  return text;
}

function isOnRecord({ heard }: Scene, sentence: string): boolean {
  return heard.some(({ text }) => text.includes(sentence));
}

/** Returns whether the record says that a claim is refuted, in the line that begins with its id. */
function isRefuted({ heard }: Scene, id: string): boolean {
  return heard.some(({ text }) =>
    text.split('\n').some((line) => {
      const [before = ''] = line.replace(/^- /, '').split(':', 1);
      return before.startsWith(`${id} `) && before.includes('refuted');
    }),
  );
}

/** Makes the stand-in's answer to the task of checking whether the deliberation still answers its question. */
export function answerDriftCheck(scene: Scene): unknown {
  const { temper, round, chance } = scene;
  const partial = temper.mood === 'overrunning' && chance.next() < 0.6;
  return fillWords(
    scene,
    words.DRIFT[round >= temper.departure ? 'FAIL' : partial ? 'PARTIAL' : 'PASS'],
  );
}

/** Makes the stand-in's answer to the task of predicting what a role's absence will change. */
export function predict(scene: Scene): unknown {
  const avoids = scene.temper.mood === 'stress-avoiding';
  return fillWords(scene, avoids ? words.NO_DIFFERENCE : words.PREDICTIONS, {
    absent: scene.about.absent ?? 'absent role',
  });
}

/** Makes the stand-in's answer to the task of comparing a round with the predictions. */
export function compare(scene: Scene): unknown {
  return {
    observed: scene.items.map((prediction) => ({
      prediction,
      ...Object(fillWords(scene, words.HAPPENED)),
    })),
    decorative: false,
    notes: 'Rehearsal: the round lacks what the absent role would have brought.',
  };
}
