/** The recorded examples that come with the program, in `presets/examples/ID.jsonl.gz`. */

interface Example {
  readonly id: string;
  readonly protocol: string;
  readonly title: string;
  readonly about: string;
  /** The command that asks a question of one's own in the same way. */
  readonly again: string;
}

/** The recorded examples that are part of the program. */
export const EXAMPLES: readonly Example[] = [
  {
    id: 'board',
    protocol: 'board',
    title: 'A board',
    about: 'three advisors discuss a database migration: answers, vote, synthesis',
    again: 'deliberate board "Should we …?"',
  },
  {
    id: 'rounds',
    protocol: 'rounds',
    title: 'Rounds',
    about: 'four roles test a design in three rounds: claims, verdicts, signals',
    again: 'deliberate rounds "Should we …?"',
  },
  {
    id: 'stress',
    protocol: 'rounds',
    title: 'A stress round',
    about: 'the critic breaks a plan, then is left out: what a round without one role shows',
    again: 'deliberate rounds "Should we …?" --rounds 2 --stress R2=critic',
  },
  {
    id: 'agent',
    protocol: 'agent',
    title: 'Agents',
    about: 'three advisors report to an agent that decides',
    again: 'deliberate agent NAME "Should we …?"',
  },
  {
    id: 'team',
    protocol: 'team',
    title: 'A team',
    about: 'a team adds a command to a small program; tests written first catch the mistakes',
    again: 'deliberate team "Add …, with tests"',
  },
  {
    id: 'decision',
    protocol: 'board',
    title: 'A decision and what came of it',
    about:
      'a board predicts, somebody decides, and three months later the predictions are answered',
    again: 'deliberate board "Should we …?" --predict 3',
  },
];
