/**
 * Makes the home screen's part for protocols that take only a text and one model, and choose the workers
 * themselves.
 */
import type { HomePart, Invocation } from '../invocation.ts';

/** A protocol that needs only a text and one model, as the home screen offers it. */
interface Topic {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** What a run will take, in a phrase. */
  readonly estimate: string;
  readonly usesTools: boolean;
  /** Starts the run; the call contains the text and the model. */
  readonly begin: (call: Invocation) => Promise<unknown>;
}

/**
 * Creates what the home screen needs to offer a protocol that takes no seats: only a text and one
 * model.
 */
export function topicPart({ estimate, begin, ...words }: Topic): HomePart {
  return {
    offer: () => ({ ...words, attaches: true, looks: false, chair: 'Model', roles: [] }),
    convene: async (call, _config, { question, chair, attachments, rehearse }) => {
      const model = rehearse || chair === undefined ? {} : { model: chair };
      const attach = attachments.map(({ path }) => path);
      const flags = { ...call.flags, rehearse, attach, ...model };
      await begin({ ...call, words: [question], flags });
      return true;
    },
    estimate: () => estimate,
  };
}
