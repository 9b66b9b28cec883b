/** A panel that a test tells what to hand in, what to read and what to make of verdicts; else it is sound. */

import type { ModelRequest, ModelResult } from '../../src/kernel/model.ts';
import type { ClaimView, RoundsView } from '../../src/protocols/rounds/claims/rounds-view.ts';
import { LATEST, type RoundsConfig } from '../../src/protocols/rounds/config.ts';
import { makeControls } from '../../src/protocols/rounds/reader/controls.ts';
import { makeAnswer, textOf } from '../kernel/scripted-models.ts';
import { statementsIn } from '../protocols/answers.ts';
import {
  type FinishedRounds,
  kindOf,
  makeHealthyAnswer,
  makePanel,
  runRounds,
} from '../protocols/panel.ts';

type Value = Record<string, unknown>;

export interface ClaimDraft {
  readonly text: string;
  readonly testable_as?: string;
  readonly decided_by?: 'reading' | 'running' | 'asking';
  readonly says?: 'holds' | 'fails';
  readonly about?: 'document' | 'plan' | 'both';
  readonly if_false?: string;
  readonly replaces?: string;
}

export interface RoleSubmission {
  readonly claims?: readonly ClaimDraft[];
  readonly concedes?: readonly string[];
  readonly disputes?: readonly { readonly claim: string; readonly quotation: string }[];
}

export interface Finding {
  readonly finding: string;
  readonly quotes?: readonly string[];
  readonly sought?: readonly string[];
  readonly absence_makes_it?: string;
  readonly covered?: string;
  readonly why?: string;
}

export interface Script {
  /** What a role hands in beside its artifact; roles that are not named claim nothing. */
  readonly hands?: (role: string, round: number) => RoleSubmission | undefined;
  /** Of each statement, by its words; what is not found needs a test. */
  readonly reads?: (statement: string, asked: ModelRequest) => Finding | undefined;
  /** Controls are read by `reads` too; otherwise the reader is right about them. */
  readonly errs?: boolean;
  /** Of each statement in the second look; `again`: the one by another reader. */
  readonly looks?: (statement: string, asked: ModelRequest) => 'true' | 'false' | 'undecided';
  /** The whole answer of the bearings. */
  readonly weighs?: (round: number, asked: ModelRequest) => readonly object[];
  /** The result of a check. */
  readonly results?: (check: number, round: number) => string | undefined;
  readonly assesses?: (round: number, asked: ModelRequest) => Value | undefined;
  /** Anything else; undefined where the answers above hold. */
  readonly other?: (asked: ModelRequest, kind: string) => ModelResult | undefined;
}

const CLAIM = {
  decided_by: 'reading',
  says: 'holds',
  about: 'plan',
  replaces: '',
  if_false: 'The answer would be no.',
};

function makeHandedIn({ claims = [], concedes = [], disputes = [] }: RoleSubmission): Value {
  return {
    claims: claims.map((claim) => ({
      ...CLAIM,
      testable_as: `Look whether this can be seen: ${claim.text.split(' ').toReversed().join(' ')}`,
      ...claim,
    })),
    concedes,
    disputes,
  };
}

export function makeScriptedModels(script: Script) {
  return makePanel(
    (asked, kind) => script.other?.(asked, kind) ?? answerFromScript(script, asked, kind),
  );
}

function answerFromScript(
  script: Script,
  asked: ModelRequest,
  kind: string,
): ModelResult | undefined {
  const round = asked.about?.round ?? 0;
  const text = textOf(asked);
  const value = answerOf(asked);
  if (kind === 'artifact')
    return answerWithValue({
      ...value,
      ...makeHandedIn(script.hands?.(asked.seat.id, round) ?? {}),
    });
  if (kind === 'reading')
    return answerWithValue({
      findings: statementsIn(text).map((statement, at) => ({
        item: at + 1,
        quotes: [],
        sought: [],
        absence_makes_it: 'undecided',
        covered: '',
        why: 'read',
        ...(controlOf(script, asked, statement) ??
          script.reads?.(statement, asked) ?? { finding: 'needs_a_test' }),
      })),
    });
  if (kind === 'second-look' && script.looks !== undefined) {
    const statements = [...text.matchAll(/^\d+\. (.*)$/gm)].map(([, said = '']) => said);
    return answerWithValue({
      looks: statements.map((statement, at) => ({
        item: at + 1,
        verdict: script.looks?.(statement, asked),
        why: 'looked at',
      })),
    });
  }
  if (kind === 'bearings')
    return answerWithValue({ bearings: script.weighs?.(round, asked) ?? [] });
  if (kind.startsWith('check')) {
    const result = script.results?.(Number(kind.at(-1)), round);
    return result === undefined ? undefined : answerWithValue({ ...value, result });
  }
  if (kind === 'assessment') {
    const assessed = script.assesses?.(round, asked);
    return assessed === undefined ? undefined : answerWithValue({ ...value, ...assessed });
  }
  return undefined;
}

/** What code knows of a statement that it has made itself. */
function controlOf({ errs = false }: Script, asked: ModelRequest, statement: string) {
  if (errs) return undefined;
  const { heard = [], round = 1 } = asked.about ?? {};
  const documents = heard.map(({ from, text }) => ({ name: from, text }));
  const made = makeControls(documents, asked.seed ?? 0, round, LATEST.rules);
  const key = made.find(({ text }) => text === statement)?.key;
  return key === undefined ? undefined : { finding: key };
}

function answerOf(asked: ModelRequest): Value {
  const answered = makeHealthyAnswer(asked);
  return answered.status === 'done' ? ((answered.value ?? {}) as Value) : {};
}

export function answerWithValue(value: unknown): ModelResult {
  return makeAnswer(JSON.stringify(value), { value });
}

export function runScriptedRounds(
  script: Script,
  config: Partial<RoundsConfig> = {},
): Promise<FinishedRounds> {
  return runRounds(makeScriptedModels(script), { rounds: 1, ...config });
}

/** The claim with these words. */
export function getClaim({ claims }: RoundsView, text: string): ClaimView {
  const found = Object.values(claims).find((claim) => claim.text === text);
  if (found === undefined) throw new Error(`nobody claims that ${text}`);
  return found;
}

/** Why things were refused in a round, by kind. */
export function listRefusals({ rounds }: RoundsView, round = 1): string[] {
  const found = rounds.find((roundView) => roundView.round === round);
  return (found?.refusals ?? []).map(({ kind, by, why }) => `${kind} of ${by}: ${why}`);
}

export function listPrompts({ models }: FinishedRounds, kind: string): string[] {
  return models.requests.filter((request) => kindOf(request) === kind).map(textOf);
}
