import tools from './generated/tools.gen.json' with { type: 'json' };

/** `read` changes nothing; `write` changes records; `confirmed` can make email leave or destroy data, and a person confirms it. */
export type ToolKind = 'read' | 'write' | 'confirmed';

export interface Tool {
  /** Such as `contacts_list`. */
  name: string;
  /** Name of the operation in the API. */
  operation: string;
  kind: ToolKind;
  /** An input with one of these values is confirmed by a person as well. */
  confirmedWhen?: Readonly<Record<string, unknown>>;
  /** Removes or ends something. */
  destructive: boolean;
  description: string;
  inputSchema: { type: 'object'; [keyword: string]: unknown };
}

export interface Offer {
  /** Whether tools that change something are offered. */
  allowWrites: boolean;
  /** Whether they run without a person's confirmation. */
  unattended?: boolean;
  /** Groups of operations such as `contacts`; all unless given. */
  groups?: readonly string[] | undefined;
}

/** The tools that are offered. */
export function offeredTools({ allowWrites, groups }: Offer): Tool[] {
  const all = tools as Tool[];
  const known = new Set(all.map(groupOf));
  const unknown = groups?.find((group) => !known.has(group));
  if (unknown !== undefined)
    throw new Error(`--only: there is no group ${unknown}; there are ${[...known].join(', ')}`);
  return all.filter(
    (tool) => (allowWrites || tool.kind === 'read') && (groups?.includes(groupOf(tool)) ?? true),
  );
}

/** Whether a person has to confirm the call. */
export const needsConfirmation = (
  { kind, confirmedWhen = {} }: Tool,
  input: Readonly<Record<string, unknown>>,
): boolean =>
  kind === 'confirmed' || Object.entries(confirmedWhen).some(([name, value]) => input[name] === value);

const groupOf = ({ operation }: Tool): string => operation.slice(0, operation.indexOf('.'));
