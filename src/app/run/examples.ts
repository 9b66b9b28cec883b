/** The recorded examples that come with the program: `presets/examples/ID.jsonl.gz`. */

export interface Example {
  readonly id: string;
  readonly protocol: string;
  readonly title: string;
  readonly about: string;
}

export const EXAMPLES: readonly Example[] = [
  {
    id: 'board',
    protocol: 'board',
    title: 'A board',
    about: 'three advisors on a plan to move a database, their vote and the synthesis',
  },
  {
    id: 'rounds',
    protocol: 'rounds',
    title: 'Rounds',
    about: 'four roles test a design in three rounds: claims, verdicts, signals',
  },
  {
    id: 'agent',
    protocol: 'agent',
    title: 'Agents',
    about: 'three advisors and the agent that weighs what they found',
  },
];
