/**
 * Runs deliberations in rounds in which a test chooses what roles claim, what readers find and what verdicts
 * change. Everything else is answered validly.
 */

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

/** A claim before it has a number, as a test writes it. Fields that are absent get valid values. */
export interface ClaimDraft {
  readonly text: string;
  /** The test that would decide the claim. */
  readonly testable_as?: string;
  /** How the claim can be decided: by reading documents, running a command or asking a person. */
  readonly decided_by?: 'reading' | 'running' | 'asking';
  /** Whether the claim says that its subject holds or that it fails. */
  readonly says?: 'holds' | 'fails';
  /** The subject of the claim: a document, the proposed plan or both. */
  readonly about?: 'document' | 'plan' | 'both';
  /** What would change in the answer if the claim were false. */
  readonly if_false?: string;
  /** The id of the claim that this claim is to replace; empty for none. */
  readonly replaces?: string;
}

/** The claims, withdrawals and disputes that a role hands in for a round, besides its text. */
export interface RoleSubmission {
  /** New claims. */
  readonly claims?: readonly ClaimDraft[];
  /** The ids of claims that the role withdraws. */
  readonly concedes?: readonly string[];
  /** Claims of other roles that the role disputes, each with a quotation. */
  readonly disputes?: readonly { readonly claim: string; readonly quotation: string }[];
}

/** What a reader says about a statement. Fields that are absent get valid values. */
export interface Finding {
  /** The finding, such as `true_in_text`, `absent` or `needs_a_test`. */
  readonly finding: string;
  /** The quotations from the document. */
  readonly quotes?: readonly string[];
  /** The words that the reader searched for in vain. */
  readonly sought?: readonly string[];
  /** What the absence of the words in `sought` makes of the statement: `true`, `false` or `undecided`. */
  readonly absence_makes_it?: string;
  /** The part of the statement that the finding covers. */
  readonly covered?: string;
  readonly why?: string;
}

/** The answers that a test chooses for the models in a deliberation. All other requests get valid answers. */
export interface Script {
  /**
   * Returns the claims, withdrawals and disputes that a role hands in. A role for which it returns undefined
   * hands in none.
   */
  readonly hands?: (role: string, round: number) => RoleSubmission | undefined;
  /**
   * Returns what the reader finds about a statement. A statement for which it returns undefined needs a test.
   */
  readonly reads?: (statement: string, asked: ModelRequest) => Finding | undefined;
  /** Whether `reads` also answers about the controls. Otherwise the reader is right about all controls. */
  readonly errs?: boolean;
  /** Returns the verdict of the second look at a statement. */
  readonly looks?: (statement: string, asked: ModelRequest) => 'true' | 'false' | 'undecided';
  /** Returns the verifier's answers to what verdicts of a round mean for claims; if absent, it gives none. */
  readonly weighs?: (round: number, asked: ModelRequest) => readonly object[];
  /** Returns the result of a check; undefined for a valid one. */
  readonly results?: (check: number, round: number) => string | undefined;
  /** Returns fields of the lead's assessment of a round in place of the usual ones. */
  readonly assesses?: (round: number, asked: ModelRequest) => Value | undefined;
  /** Returns the answer to any request; undefined leaves the request to the fields above. */
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

/** Returns models that answer as a script says. */
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

/**
 * Returns the right finding about a statement that is a control; undefined for other statements, and if the
 * reader errs.
 */
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

/** Returns the result of a call whose answer is this value. */
export function answerWithValue(value: unknown): ModelResult {
  return makeAnswer(JSON.stringify(value), { value });
}

/** Runs a deliberation of one round by a script to its end. `config` replaces some settings. */
export function runScriptedRounds(
  script: Script,
  config: Partial<RoundsConfig> = {},
): Promise<FinishedRounds> {
  return runRounds(makeScriptedModels(script), { rounds: 1, ...config });
}

/**
 * Returns the claim with this text.
 *
 * @throws Error if there is no such claim
 */
export function getClaim({ claims }: RoundsView, text: string): ClaimView {
  const found = Object.values(claims).find((claim) => claim.text === text);
  if (found === undefined) throw new Error(`nobody claims that ${text}`);
  return found;
}

/** Returns what was refused in a round as `KIND of ROLE: REASON`; an empty list if nothing was. */
export function listRefusals({ rounds }: RoundsView, round = 1): string[] {
  const found = rounds.find((roundView) => roundView.round === round);
  return (found?.refusals ?? []).map(({ kind, by, why }) => `${kind} of ${by}: ${why}`);
}

/** Returns the texts of all requests of a kind (`kindOf`), in their order. */
export function listPrompts({ models }: FinishedRounds, kind: string): string[] {
  return models.requests.filter((request) => kindOf(request) === kind).map(textOf);
}
