import tools from './generated/tools.gen.json' with { type: 'json' };

/** `read` changes nothing; `write` changes records; `send` makes email leave, and needs a confirmation. */
export type ToolKind = 'read' | 'write' | 'send';

export interface Tool {
  /** Such as `contacts_list`. */
  name: string;
  /** Name of the operation in the API. */
  operation: string;
  kind: ToolKind;
  /** Removes or ends something. */
  destructive: boolean;
  description: string;
  inputSchema: { type: 'object'; [keyword: string]: unknown };
}

export interface Offer {
  /** Whether tools that write and send are offered. */
  allowWrites: boolean;
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

const groupOf = ({ operation }: Tool): string => operation.slice(0, operation.indexOf('.'));
