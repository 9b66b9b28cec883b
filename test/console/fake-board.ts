/**
 * A board's run whose facts a test records itself: three seats with ballots, and what can follow their
 * answers.
 */
import { FakeRun, PANEL } from './fake-run.ts';

/** The first question of the board. */
export const QUESTION = 'Should we split the monolith into services?';

const ANSWERS: Readonly<Record<string, string>> = {
  advocate:
    '**Split the checkout first.** Three teams wait for one pipeline, and *the weekly deploy is the bottleneck* of all of them.\n\n- Start with the part that changes most.\n- Keep one database until the second service is out.',
  critic:
    '**Wait a quarter.** Nobody has measured where the time goes. The weekly deploy is a habit, not a limit of the code.\n\nOn-call for six services is more than the team can carry today.',
  analyst:
    '**Split the checkout first,** then look. Of 212 incidents last year 140 began in the checkout; the deploy is slow because of its tests.',
};

const BALLOTS = [
  ['critic', 'Wait a quarter and measure where the time goes', 'wait a quarter', 0.55],
  ['advocate', 'Move the checkout to a service of its own', 'split the checkout', 0.8],
  ['analyst', 'Split off the checkout, then decide on the rest', 'split checkout', 0.7],
] as const;

/** Returns a synthesis with the four headings of a board. Only its recommendation varies. */
export function formatSynthesis(recommendation: string): string {
  return [
    '## Consensus\n\nThe checkout is where the pain is; all three say so in their own words.',
    '## Points of Agreement\n\n- The weekly deploy costs three teams time.\n- Six services at once is too much.',
    '## Points of Divergence\n\nWhether to measure first, or to begin with the checkout and measure by doing it.',
    `## Recommendation\n\n${recommendation}`,
  ].join('\n\n');
}

const FIRST =
  'Split the checkout into a service of its own this quarter, keep one database, and drop the plan if the number of incidents does not fall.';
const SECOND =
  'Measure the deploy for a quarter, keep one database, and drop the plan if the number of incidents does not fall.';

/**
 * Returns a run in which all three seats have answered and cast a ballot, except that the seats in `silent`
 * cast none.
 */
export function makeAnsweredRun(silent: readonly string[] = []): FakeRun {
  const run = new FakeRun().open(QUESTION).ask('advocate', 'critic', 'analyst').wait(900);
  for (const { id } of PANEL) {
    run
      .send(id)
      .say(id, ANSWERS[id] ?? '')
      .wait(1700)
      .done(id);
  }
  for (const [seat, position, option, confidence] of BALLOTS)
    if (!silent.includes(seat))
      run.tell('ballot.cast', {
        question: 1,
        seat,
        model: PANEL.find(({ id }) => id === seat)?.model ?? '',
        position,
        option,
        confidence,
        step: `seat/${seat}`,
      });
  return run;
}

/** Records a synthesis of a question's answers, whose recommendation is `text`, and returns the run. */
export function synthesizeRun(run: FakeRun, version = 1, text = FIRST, question = 1): FakeRun {
  const synthesizer = `synthesizer/${version}`;
  run.ask(synthesizer).send(synthesizer).say(synthesizer, formatSynthesis(text)).wait(2000);
  return run.synthesize(version, {
    labels: { A: 'analyst', B: 'advocate', C: 'critic' },
    ...(question === 1 ? {} : { question }),
  });
}

/**
 * Records the table of positions of version 1 of the synthesis, with two quotations that were dropped, and
 * returns the run.
 */
export function mapPositions(run: FakeRun): FakeRun {
  return run.tell('agreement.mapped', {
    question: 1,
    version: 1,
    model: 'anthropic/claude-sonnet-5-5',
    options: [
      { option: 'split the checkout', seats: ['advocate', 'analyst'] },
      { option: 'wait a quarter', seats: ['critic'] },
    ],
    points: [
      {
        text: 'The weekly deploy is the bottleneck',
        cells: [
          {
            seat: 'advocate',
            side: 'for',
            quote: 'the weekly deploy is the bottleneck of all of them',
          },
          {
            seat: 'critic',
            side: 'against',
            quote: 'The weekly deploy is a habit, not a limit of the code.',
          },
          { seat: 'analyst', side: 'partly', quote: 'the deploy is slow because of its tests' },
        ],
      },
      {
        text: 'On-call for several services is more than the team of today can carry, whatever the split',
        cells: [
          {
            seat: 'critic',
            side: 'for',
            quote: 'On-call for six services is more than the team can carry today.',
          },
        ],
      },
    ],
    dropped: [
      { seat: 'analyst', side: 'for', quote: 'nobody said this', point: 'On-call' },
      { seat: 'advocate', side: 'for', quote: 'nor this', point: 'On-call' },
    ],
    step: 'agreement/1',
    rehearsal: false,
  });
}

/**
 * Records the ablation of version 1 of the synthesis and the end of the run, and returns the run. Without the
 * critic the recommendation is another one. `chance` is how far a synthesis of all seats differs from version
 * 1.
 */
export function addAblations(run: FakeRun, chance: 'detail' | 'course' = 'detail'): FakeRun {
  run.tell('run.resumed', { request: { kind: 'weigh', base: 1, first: 2 } });
  const results = [
    ['advocate', 'same', 'The checkout is split first, as before.'],
    ['critic', 'course', 'Nothing is measured first any more; the split begins at once.'],
    ['analyst', 'detail', 'The incidents are no condition any more.'],
    [null, chance, 'The condition to drop the plan is put in other words.'],
  ] as const;
  for (const [index, [without, change, how]] of results.entries()) {
    const version = index + 2;
    const synthesizer = `synthesizer/${version}`;
    run
      .ask(synthesizer)
      .send(synthesizer)
      .say(synthesizer, formatSynthesis(change === 'course' ? SECOND : FIRST))
      .wait(900);
    const included = PANEL.map(({ id }) => id).filter((id) => id !== without);
    run.synthesize(version, {
      included,
      excluded: without === null ? [] : [{ seat: without, reason: 'left out' }],
    });
    run.tell('influence.weighed', {
      question: 1,
      base: 1,
      without,
      version,
      change,
      how,
      step: `influence/1/${version}`,
      rehearsal: false,
    });
  }
  return run.end('done');
}

/** Records two baselines, one answer of a model and a vote of five answers, and returns the run. */
export function addBaselines(run: FakeRun): FakeRun {
  const panel = { panelTokens: 41_000, panelCostUsd: 0.031, rehearsal: false, question: 1 };
  return run
    .tell('baseline.completed', {
      ...panel,
      kind: 'single',
      model: 'ollama/qwen3:8b',
      samples: 1,
      text: formatSynthesis('Split the checkout this quarter and measure as you go.'),
      groups: [],
      tokens: 2900,
      costUsd: 0.002,
    })
    .tell('baseline.completed', {
      ...panel,
      kind: 'vote',
      model: 'ollama/qwen3:8b',
      samples: 5,
      text: formatSynthesis('Split the checkout.'),
      groups: [
        { option: 'split the checkout', samples: 3 },
        { option: 'wait', samples: 2 },
      ],
      tokens: 14_500,
    });
}

/**
 * Returns a run that has ended with everything that a board can have: ballots, a synthesis, a table of
 * positions, baselines and an ablation.
 */
export function makeFullBoard(): FakeRun {
  const run = mapPositions(synthesizeRun(makeAnsweredRun()));
  return addAblations(addBaselines(run).end('done'));
}

/** Records a second question with its answers, its synthesis and the end of the run, and returns the run. */
export function askFollowUp(run: FakeRun): FakeRun {
  const question = 'And who carries the pager for it?';
  run.tell('run.resumed', { request: { kind: 'follow-up', number: 2, question } });
  run.tell('question.asked', { number: 2, text: question });
  const seats = PANEL.map(({ id }) => `${id}#2`);
  run.ask(...seats).wait(500);
  for (const seat of seats)
    run.send(seat).say(seat, `**The checkout team.** Said by ${seat}.`).done(seat);
  return synthesizeRun(run, 6, 'The checkout team carries it, with a second line.', 2).end('done');
}
