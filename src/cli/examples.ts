/** Two examples for each command's help, the most common use first. A test runs the parser on them. */
import { entryOf } from '../kernel/entry.ts';

const EXAMPLES: Readonly<Record<string, readonly [string, string]>> = {
  board: [
    'board "Should we split the monolith?"',
    'board "Which database?" --attach docs/load.md --preset full-board',
  ],
  rounds: [
    'rounds "Should we rewrite it in Rust?" --preset software-review',
    'rounds "Is the launch safe?" --rounds brief --estimate',
  ],
  agent: ['agent triage "The build is red"', 'agent ./critic.md "Review this plan"'],
  plan: [
    'plan "Add an increment to the clock"',
    'plan docs/planning/increment/topic.md --preset software-product',
  ],
  team: [
    'team "Add --json to the list command, with tests"',
    'team --plan-only "Split the parser from the server"',
  ],
  debate: [
    'debate "How many weeks will the migration take?"',
    'debate --method tradeoff "Postgres, SQLite or files?" --seat seat=ollama/qwen3:8b --seat seat=ollama/llama3.2',
  ],
  agents: ['agents', 'agents check'],
  run: [
    'run ./red-team.ts "Should we ship?"',
    'run ./red-team.ts "Should we ship?" --set rounds=3',
  ],
  protocol: ['protocol new red-team.ts', 'protocol new protocols/review.ts --quiet'],
  worker: ['worker --once --jobs 8', 'worker --engine restate'],
  usage: ['usage --since 30d', 'usage --by day --json'],
  track: ['track', 'track --by lineage --json'],
  resume: ['resume latest', 'resume 0192f0 --budget-usd 2'],
  ask: ['ask latest "And if it fails?"', 'ask 0192f0 --file follow-up.md'],
  retry: ['retry latest --seat critic', 'retry latest --seat critic=ollama/qwen3:8b'],
  resynthesize: [
    'resynthesize latest --note "Weigh the cost of on-call"',
    'resynthesize latest --without critic',
  ],
  note: [
    'note latest "The critic found nothing until it was given the load figures"',
    'note 0192f0 "Eight rounds were enough"',
  ],
  decide: [
    'decide latest "Split billing first" --review 90d',
    'decide 0192f0 "Keep the monolith" --not-recommended --by "Ada"',
  ],
  due: [
    'due 0192f0 --resolve P-1-2=yes --evidence https://example.com/dashboard',
    'due 0192f0 --resolve P-1-3=later --date 30d',
  ],
  outcome: [
    'outcome 0192f0 --claim C-1-2 held --note "The queue kept up in March"',
    'outcome latest --claim C-2-1 failed --by "Ada"',
  ],
  fork: [
    'fork latest --at round-3/D --set verifier=ollama/qwen3:8b',
    'fork 0192f0 --at seat/critic --set seat.critic.model=ollama/qwen3:8b',
  ],
  diff: ['diff latest 0192f0', 'diff 0192f0 0192f4 --json'],
  test: ['test latest C-2-1 --command "npm test"', 'test latest'],
  open: ['open latest', 'open 0192f0'],
  history: ['history', 'history --search "monolith"'],
  watch: ['watch latest', 'watch latest --json'],
  answer: ['answer latest', 'answer 0192f0 continue'],
  stop: ['stop latest', 'stop 0192f0 --quiet'],
  demo: ['demo', 'demo rounds --speed 4'],
  replay: ['replay latest', 'replay 0192f0 --speed 4 --from synthesis/1'],
  list: ['list', 'list --search "monolith" --limit 10'],
  show: ['show latest', 'show 0192f0 --json'],
  export: ['export latest --open', 'export latest --format otlp --to trace.json'],
  import: ['import run.json', 'import -'],
  rm: ['rm 0192f0', 'rm 0192f0 0192f4 --yes'],
  validate: ['validate latest', 'validate ./records --json'],
  signals: ['signals latest', 'signals ./records --explain'],
  context: ['context add docs', 'context search "how runs resume" --explain'],
  presets: ['presets boards', 'presets copy roles/critic --to project'],
  config: ['config', 'config check'],
  completions: [
    'completions bash > ~/.local/share/bash-completion/completions/deliberate',
    'completions fish > ~/.config/fish/completions/deliberate.fish',
  ],
  eval: [
    'eval plan puzzles --arms single,vote,board',
    'eval flaws --arms single,vote,board --rehearse',
  ],
  mcp: ['mcp', 'mcp claude-code --to ~/plugins'],
  servers: [
    'servers',
    'servers add lab --speaks openai --url http://gpu-box:8000/v1 --key-env LAB_KEY',
  ],
  models: ['models', 'models openrouter qwen'],
  doctor: ['doctor', 'doctor ollama/qwen3:8b --quick'],
};

/** Returns the examples of a command; empty if it has none. */
export function examplesOf(command: string): readonly string[] {
  return entryOf(EXAMPLES, command) ?? [];
}
