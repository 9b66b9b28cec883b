/** The coding agents that can take seats: those that come with the program, and a person's own. */
import * as z from 'zod';
import type { CodingAgent } from '../../coding-agents/agent.ts';
import { builtInAgents } from '../../coding-agents/built-in.ts';
import { PROVIDERS } from '../../kernel/providers/names.ts';
import { PROVIDER_NAME } from '../../kernel/providers/spec.ts';

const variable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of an environment variable');

const inHome = z
  .string()
  .regex(/^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$)).+$/, 'expected a path inside your home folder');

/** The schema of a person's own coding agent, or of changes to a built-in one. */
const agentSchema = z.strictObject({
  command: z.string().min(1).describe('Its program, on your PATH or by its whole path.').optional(),
  args: z.array(z.string()).describe('Its arguments: [acp].').optional(),
  env: z
    .array(variable)
    .describe('Variables of yours that it is told, to sign in: [MY_AGENT_TOKEN].')
    .optional(),
  home: z
    .array(inHome)
    .describe('Files and folders of your home that are copied for it: [.config/my-agent].')
    .optional(),
  login: z
    .array(inHome)
    .describe('Files of your home with its login; a renewed one is copied back.')
    .optional(),
  mode: z.string().min(1).describe('The mode that its sessions are set to.').optional(),
  authenticate: z.string().min(1).describe('The way to sign in that it is told.').optional(),
});

type Entries = Readonly<Record<string, z.infer<typeof agentSchema>>>;

const isBuiltIn = (name: string): boolean => builtInAgents().some((agent) => agent.name === name);
const isProviderName = (name: string): boolean => (PROVIDERS as readonly string[]).includes(name);

/** Schema of the coding agents in a person's configuration, by name. */
export const agentsSchema = z
  .record(
    z
      .string()
      .regex(PROVIDER_NAME, 'expected a name of letters, digits, dots and dashes, without a slash')
      .refine((name) => !isProviderName(name), 'this is the name of a provider; use another one'),
    agentSchema,
  )
  .superRefine((agents, context) => {
    for (const [name, { command }] of Object.entries(agents))
      if (command === undefined && !isBuiltIn(name))
        context.addIssue({
          code: 'custom',
          path: [name],
          message: 'an agent that does not come with the program needs a command',
        });
  });

/** The assumed tokens of an unknown agent's own prompt: as many as the largest that was measured. */
const UNKNOWN_PROMPT = 22_000;

/**
 * Returns all coding agents, the built-in ones first. An entry of the configuration with the name
 * of a built-in agent replaces only the fields that it contains; its `env` is added to the agent's.
 */
export function agentsOf({
  agents = {},
}: {
  readonly agents?: Entries | undefined;
}): CodingAgent[] {
  const own = new Map(Object.entries(agents));
  const known = builtInAgents().map((agent) => withOwn(agent, own.get(agent.name)));
  const more = [...own].flatMap(([name, entry]): CodingAgent[] => {
    const { command } = entry;
    if (command === undefined || isBuiltIn(name)) return [];
    const plain = { name, title: name, command, args: [], env: [], home: [], login: [] };
    return [withOwn({ ...plain, promptTokens: UNKNOWN_PROMPT }, entry)];
  });
  return [...known, ...more];
}

function withOwn(agent: CodingAgent, own: Entries[string] = {}): CodingAgent {
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  return { ...agent, ...given, env: [...new Set([...agent.env, ...(own.env ?? [])])] };
}
