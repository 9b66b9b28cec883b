/**
 * The stand-in's texts for rounds, by task: each has the required form, without an idea of its own, and talks
 * about steps that anything takes.
 */
import {
  chooseNumber,
  chooseOne,
  chooseSome,
  fillPlaceholders,
  splitPairs,
  type Template,
} from '../fill.ts';

const STEPS = splitPairs('action', 'state_delta', [
  'A request about the {thing} comes in → open requests +1',
  'Somebody reads it and looks up who is responsible → the request has a name on it',
  'The current state of the {thing} is copied aside → way back: rehearsed',
  'The smallest part of the {thing} is changed → one part differs from its copy',
  'A second person looks at the change → seen by two',
  'The change is put in front of a tenth of the users → a tenth see the new {thing}',
  'The counter is read after an hour → one more reading in the log',
  'A second request arrives meanwhile → open requests +1',
  'The two requests are found to touch the same {thing} → both wait for one answer',
  'The older request is settled first → open requests -1',
  'The rest of the users follow → everybody sees the new {thing}',
  'The copy is kept for a week → way back: written down',
  'The person who asked is told → the request is closed',
  'The log is read by somebody who was not there → one question about it',
]);

const makeTrace = (kind: string, thing: string, name: string): Template =>
  fillPlaceholders(
    { thing },
    {
      kind,
      name,
      initial_state: [
        { variable: '{thing} in use', value: '{20-90} a day' },
        { variable: 'open requests', value: '{0-6}' },
        { variable: 'who is responsible', value: '{one person|a pair|nobody}' },
        { variable: 'way back', value: '{rehearsed|written down|none}' },
      ],
      steps: chooseSome([6, 8], STEPS),
      outcome: chooseOne([
        'The {thing} is used {21-99} times by evening and the list of open requests is empty.',
        'One request about the {thing} is answered a day late; the log shows which, and why.',
        'The {thing} is back where it began, and {2-9} notes tell what was tried.',
      ]),
    },
  );

const DOINGS = splitPairs('does', 'outcome', [
  'Opens the message and looks for what to do first → Finds a link to the {a}',
  'Follows the link → Sees a page that was last changed a month ago',
  'Looks for a name to ask → Finds two',
  'Asks the first of them → Gets an answer after six minutes',
  'Tries the smallest step on the {a} → It works, without saying so',
  'Tries it again to be sure → It is refused, and the reason is a number',
  'Looks the number up → Finds it under another name',
  'Writes down what was done so far → Has three lines to show',
  'Goes on to the next step → The {a} now looks as the message promised',
  'Checks with the person next door → They see something else',
  'Reloads, as everybody does → Both see the same',
  'Reports it as done → {name} is thanked, and asked what exactly was done',
]);

const FRICTION = chooseOne([
  'Two places tell different things about the {b}; {name} takes the first.',
  'It is not said what happens to the {a} if this is left half done.',
  '{name} waits for an answer that nobody knows they owe.',
]);

const ATTACKS = splitPairs('step', 'expected', [
  'Begin the change to the {a} and stop halfway → Half of it is new, and nothing says so',
  'Let a second person begin the same change → Both believe to be alone',
  'Take the one who knows away → Questions go unanswered for an hour',
  'Repeat yesterday’s request unchanged → It is carried out twice',
  'Undo the first half only → The {a} matches neither the old nor the new description',
  'Ask a user what they see → The answer differs from the log',
  'Restore the copy → What happened since is gone',
  'Read the log from the beginning → The moment of the mistake is not in it',
]);

/** Placeholder answers to tasks for which filling in a template suffices, by the task's name. */
export const FORMS: Readonly<Record<string, Template>> = {
  'rounds/artifact/action': {
    title: 'Rehearsal: traces of the {a} and the {b}',
    traces: [
      makeTrace('happy', '{a}', 'the {a} on an ordinary day'),
      makeTrace('edge', '{b}', 'the {b} when two people act at once'),
    ],
    self_score: chooseNumber(2, 4),
  },
  'rounds/artifact/observer': fillPlaceholders(
    { name: '{Noor|Tomasz|Ines|Bram}' },
    {
      title: 'Rehearsal: {name} and the {a}',
      persona: chooseOne([
        '{name}, who came back from leave on Monday; knows the {a} by name only and has twenty minutes.',
        '{name}, who covers for a colleague this week; knows the {a} by name only and has twenty minutes.',
        '{name}, who reads instructions only when something fails, and has twenty minutes for the {a}.',
      ]),
      goal: 'Get one thing about the {b} done before noon.',
      starting_context: 'A message says that it has been decided. Nothing else has reached {name}.',
      steps: chooseSome([9, 11], DOINGS),
      friction: chooseSome(
        [2, 3],
        [1, 3, 5, 6, 8].map((step) => ({ step, point: FRICTION, severity: chooseNumber(2, 4) })),
      ),
      goal_reached: '{yes|partially|partially|no}',
    },
  ),
  'rounds/artifact/critic': fillPlaceholders(
    {
      target: chooseOne([
        'the step at which the {a} changes hands',
        'the promise that the {b} can be put back',
        'the first week of the {a}',
        'what {earlier} takes for granted',
      ]),
    },
    {
      title: 'Rehearsal: an attack on {target}',
      target: '{target}',
      hypothesis:
        'If the two people who know the {a} are away on the same day, {target} fails and nobody notices until evening.',
      preconditions: [
        'The {a} is changed on a {Friday|Monday|public holiday}.',
        chooseOne([
          'Somebody works from a copy of the {b} that is a day old.',
          'A request comes in while the change is under way.',
        ]),
      ],
      attack_steps: chooseSome([5, 7], ATTACKS),
      load_bearing_assumption: 'Whoever changes the {a} also reads what was written about the {b}.',
      verdict: '{BROKEN|BROKEN|ROBUST|UNCLEAR}',
      confidence: chooseNumber(2, 4),
    },
  ),
};

/** The placeholder artifact of the Guardian, without its evidence, which consists of quotations. */
export const INVARIANT: Template = {
  title: 'Rehearsal: what must stay true of the {a}',
  invariant: chooseOne([
    'Whoever relies on the {a} can still do tomorrow what they did yesterday, without asking.',
    'At any moment exactly one place says how things stand with the {a}.',
    'Nothing that was promised about the {b} is withdrawn without being said.',
  ]),
  measured_by:
    'Count, over {n} days, how often somebody has to ask about the {a} who did not have to ask before.',
  tolerance: 'At most {1-4} in {n} days; none twice for the same reason.',
  verdict: '{PASS|CONDITIONAL_PASS|CONDITIONAL_PASS|FAIL|INCONCLUSIVE}',
  confidence: chooseNumber(2, 4),
};
/** Placeholder sentences on what follows from a quotation. */
export const BEARS = chooseOne([
  'It names the {a} and leaves open who answers for it.',
  'It can be counted, and so the tolerance can be missed.',
  'It holds only as long as the {b} stays as it is.',
]);

/** Placeholder reasons and notes for each result of a check. */
export const VERDICTS = {
  BROKEN: {
    why: 'What the one expects of the {0} does not happen in the other, under conditions that occur.',
    note: 'the state of the {1} after the step is not the one that was promised',
  },
  ROBUST: {
    why: 'What the one tries, the other has a guard against: the copy of the {0} is looked at first.',
    note: 'the guard on the {1} held where it was tried',
  },
  UNCLEAR: {
    why: 'They speak of the same {0}, and neither reaches the point at which the other would have to answer.',
    note: 'the case of the {1} is argued and not shown',
  },
} as const;

const splitClaims = (of: readonly string[]): Template[] => splitPairs('text', 'testable_as', of);
const GENERAL_CLAIMS = [
  'A first part of the {word} can be done within {n} weeks without touching the rest. → Rehearsal: start it on a Monday; after {n} weeks the rest still has its old description.',
  'Nobody outside the group notices the change to the {word} in its first {n} days. → Rehearsal: count the questions that come in from outside; more than two refute it.',
  'The way back from the {word} takes less than {n} hours. → Rehearsal: go back once, on a copy, with a clock.',
];
/**
 * Placeholder claims in rounds, by role. Some of them say that what another seat relies on fails.
 */
export const CLAIMS: Readonly<Record<string, readonly Template[]>> = {
  action: splitClaims([
    'Every step that changes the {word} leaves a trace that tells who took it. → Rehearsal: pick {n} changes at random and name the person from the log alone.',
    'The {word} ends in the same state whichever of {n} requests is settled first. → Rehearsal: settle them in both orders and compare.',
    ...GENERAL_CLAIMS,
  ]),
  guardian: splitClaims([
    'At any moment one place alone says how things stand with the {word}. → Rehearsal: ask {n} people at the same minute; two answers refute it.',
    'Nothing promised about the {word} is withdrawn without a word for {n} weeks. → Rehearsal: compare the promises at the beginning and the end.',
    ...GENERAL_CLAIMS,
  ]),
  observer: splitClaims([
    'A newcomer gets something done with the {word} in {n} minutes without asking. → Rehearsal: watch one who has never seen it, in silence.',
    'Whoever looks for the {word} first finds a page that is out of date, and the task fails there. → Rehearsal: search as a user would and open the first {n} results.',
    ...GENERAL_CLAIMS,
  ]),
  critic: splitClaims([
    'The {word} fails when the one who knows it is away for {n} days. → Rehearsal: send that person on leave and count unanswered requests.',
    'With two changes to the {word} on one day, the second fails without being noticed. → Rehearsal: make both and look whether anybody speaks up within {n} hours.',
    'Putting the {word} back fails once {n} requests have come in since. → Rehearsal: restore the copy after so many and look for what is missing.',
    ...GENERAL_CLAIMS,
  ]),
};

/**
 * A placeholder sentence with random numbers, which makes a claim different from those of earlier
 * rounds.
 */
export const SEEN = 'That was seen {10-99} times in {10-99} places over {10-99} days.';
/**
 * A placeholder sentence with a random number, which makes a claim's test different from those of
 * earlier rounds.
 */
export const CASES = 'Take {100-999} cases.';

/** Placeholder texts on what would change if a claim were false. */
export const IF_FALSE: Template = chooseOne([
  'The {word} would wait until somebody has tried it.',
  'The way back would come first.',
  'The answer would be no.',
]);

/** Placeholder decisions of a round's lead. */
export const DECISIONS: readonly Template[] = [
  'Begin with the {word} in one place, for {n} weeks, and stop on the day that was agreed.',
  'Keep the {word} as it is until the count is there; ask again in {n} weeks.',
  'Give the {word} one owner, by name, before anything else is changed.',
  'Write down what would count as failure of the {word}, and have it signed by somebody who is against it.',
  'Take the objection about the {word} as a condition: nothing goes on until it has been tried.',
];
/** A placeholder decision in a deliberation that has left its question. */
export const LOST_DECISION =
  'Leave that aside and settle first who writes the minutes, in {2-9} weeks.';
/** Placeholder texts on what stays open at the end of a round, and what has changed. */
export const OPEN: Template = {
  tensions: chooseSome(
    [1, 2],
    [
      'Whether the {a} can be had without losing what it gives today.',
      'Whether the {b} has to wait until the rest is settled.',
    ],
  ),
  architecture_impact:
    'Rehearsal: the {word} gets an owner and a way back; nothing else changes yet.',
  answer:
    'Rehearsal: begin with the {word} in one place, with a way back, and look again in {2-6} weeks.',
};

/** Placeholder predictions of what a role's absence will change. */
export const PREDICTIONS: Template = {
  signature: chooseSome(
    [2, 3],
    [
      'Rehearsal: nobody asks the {absent}’s question about the {0}.',
      'Rehearsal: fewer of the checks apply, and those that do end ROBUST more often.',
      'Rehearsal: the decisions say nothing of what the {absent} would have handed in.',
      'Rehearsal: a claim about the {1} is raised that the {absent} would have refuted.',
    ],
  ),
};
/** A placeholder prediction that a role's absence will change nothing. */
export const NO_DIFFERENCE: Template = {
  signature: ['Rehearsal: no difference is expected without the {absent}.'],
};
/** A placeholder answer on whether a prediction came true, and where this can be seen. */
export const HAPPENED: Template = {
  happened: '{yes|yes|partly|no}',
  where: '{in the verdicts of the round|in the claims raised|in the decisions}',
};

/**
 * Placeholder answers to the check whether the deliberation still answers its question, by the
 * verdict.
 */
export const DRIFT: Readonly<Record<'PASS' | 'PARTIAL' | 'FAIL', Template>> = {
  PASS: {
    verdict: 'PASS',
    deviation_score: chooseNumber(1, 2),
    notes: 'Rehearsal: every decision names something about the question.',
  },
  PARTIAL: {
    verdict: 'PARTIAL',
    deviation_score: 3,
    notes: 'Rehearsal: half of the decisions answer another question.',
  },
  FAIL: {
    verdict: 'FAIL',
    deviation_score: chooseNumber(4, 5),
    notes:
      'Rehearsal: the last decisions are about the deliberation itself and no longer about the question.',
  },
};

/** The placeholder synthesis, by its headings. `{ids}` are recorded claims and decisions. */
export const SYNTHESIS: Readonly<Record<string, Template>> = {
  Answer:
    'Not yet: the stand-in cannot decide “{subject}”. What follows shows the form of an answer and holds no opinion.',
  'What to do':
    'Begin with the {0} in one place, for {n} weeks. It is done when the person named beforehand has judged it.',
  'What carries it': '{ids}: on record, and weighed by nobody.',
  'What was refuted':
    'See the claims of this run. The stand-in moves them by chance, so nothing follows from it.',
  'What stays open':
    '- Whether the {0} can be undone. Cheapest test: go back once, on a copy, with a clock.\n- Whether the {1} can wait. Cheapest test: count for a week.',
  'What would change the answer':
    '- Toward yes: a count of the {1} that stays low for {n} weeks.\n- Toward no: one step that cannot be undone.',
};
