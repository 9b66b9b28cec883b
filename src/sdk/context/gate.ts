/** Asks the person at the console to choose an option, or to accept or edit a draft. */
import { type GateAnswer, type GateQuestion, readAnswer } from '../../kernel/handle.ts';
import type { Decision } from '../define.ts';

/** Asks the person a question, once per key. */
type Decide = (key: string, question: GateQuestion) => Promise<GateAnswer>;

/** Options from which a person chooses. */
export interface Choice {
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** The value of the option that is taken if nobody answers. */
  readonly default: string;
}

/** A text that a person can edit. `read` parses the edited text and throws if it is invalid. */
export interface Edit<V> {
  readonly draft: string;
  readonly read: (text: string) => V;
}

/**
 * Asks a person for a choice or an edit. After an invalid edit the person is asked again. If nobody answers, the
 * default option or the unchanged draft is taken.
 * @throws TypeError if the default is none of the options
 */
export async function openGate<V>(
  decide: Decide,
  key: string,
  prompt: string,
  asked: Choice | Edit<V>,
): Promise<Decision<V | string>> {
  if ('options' in asked) {
    if (!asked.options.some(({ value }) => value === asked.default))
      throw new TypeError(`gate ${key}: the default "${asked.default}" is none of its options`);
    const { answer, by } = await decide(key, { prompt, ...asked });
    return { value: answer, isPersons: by !== 'default' };
  }
  const { draft, read } = asked;
  /** What was wrong with the person's last edit, as a sentence; empty at first. */
  let wrong = '';
  for (let turn = 1; ; turn += 1) {
    const { answer, by } = await decide(turn === 1 ? key : `${key}/edit-${turn}`, {
      prompt: [...(wrong === '' ? [] : [wrong, '']), prompt, '', draft].join('\n'),
      options: [
        { value: TAKE, label: 'Take it as it stands' },
        { value: EDIT, label: 'Edit it', words: 'As it is to be:', draft },
      ],
      default: TAKE,
    });
    const isPersons = by !== 'default';
    const { value, words } = readAnswer(answer);
    if (value !== EDIT) return { value: read(draft), isPersons };
    try {
      return { value: read(words), isPersons };
    } catch (error) {
      wrong = `That cannot be used: ${error instanceof Error ? error.message : String(error)}.`;
    }
  }
}

const TAKE = 'take';
const EDIT = 'edit';
