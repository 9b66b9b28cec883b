/** A part of the home screen for protocols that take a text and one model for all, and choose who works on it. */
import type { Invocation } from '../invocation.ts';
import type { HomePart } from './part.ts';

/** What such a protocol has of its own. */
interface Topic {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** What it will take, in a phrase. */
  readonly estimate: string;
  readonly usesTools: boolean;
  /** Holds it; the text and the model are in the call. */
  readonly begin: (call: Invocation) => Promise<unknown>;
}

export function topicPart({ estimate, begin, ...words }: Topic): HomePart {
  return {
    offer: () => ({ ...words, attaches: false, looks: false, chair: 'Model', roles: [] }),
    convene: async (call, _config, { question, chair, rehearse }) => {
      const model = rehearse || chair === undefined ? {} : { model: chair };
      await begin({ ...call, words: [question], flags: { ...call.flags, rehearse, ...model } });
      return true;
    },
    estimate: () => estimate,
  };
}
