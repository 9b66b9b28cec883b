/** Converts a request to one text, as coding agents take no system prompt and no roles. */
import type { Folder } from '../kernel/tools/tools.ts';
import type { ProviderRequest } from '../models/provider.ts';

/** Returns a whole conversation, with its system prompt, as one text for an agent. */
export function promptText(request: ProviderRequest, folders: readonly Folder[]): string {
  const [only, ...more] = request.messages;
  const turns =
    more.length === 0 && only !== undefined
      ? [textOf(only)]
      : request.messages.map((message) =>
          message.role === 'assistant'
            ? `You answered before:\n${textOf(message)}`
            : textOf(message),
        );
  return [request.system, placeText(folders), ...turns].filter((part) => part !== '').join('\n\n');
}

/** Returns the text of a message, its parts joined. */
export function textOf({ parts }: ProviderRequest['messages'][number]): string {
  return parts.map(({ text }) => text).join('\n\n');
}

/**
 * Returns the description of the agent's surroundings; without it the agent would try to change something,
 * or ask.
 */
function placeText(folders: readonly Folder[]): string {
  const task = 'Answer with text alone: nothing can be written here, and nobody answers questions.';
  const [first, ...more] = folders;
  if (first === undefined) return `${task} Your working folder is empty.`;
  const others = more.map(({ name, path }) => `; ${name} is ${path}`).join('');
  return `${task} You may read the files below your working folder (${first.name})${others}. Cite lines of a file by its path below the folder, like src/a.ts#L10-L20.`;
}
