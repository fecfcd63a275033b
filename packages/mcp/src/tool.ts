import catalogue from './generated/tools.gen.json' with { type: 'json' };

/** What an operation can do beyond the records that it names; null of what changes nothing. */
export type Risk = 'none' | 'mail' | 'events' | 'large' | 'closed' | null;

export interface Tool {
  /** Such as `contacts_list`. */
  name: string;
  /** Name of the operation in the API. */
  operation: string;
  risk: Risk;
  /** Removes or ends something. */
  destructive: boolean;
  description: string;
  inputSchema: { type: 'object'; [keyword: string]: unknown };
}

export interface Offer {
  /** Whether what changes something is offered. */
  allowWrites: boolean;
  /** Whether it runs without a person's confirmation. */
  unattended?: boolean;
  /** Groups of operations such as `contacts`; all unless given. */
  groups?: readonly string[] | undefined;
  /** What is listed, where it is known what the key may call; all unless given. */
  allows?: (tool: Tool) => boolean;
  /** Whether the API keeps what sends and deletes from this key, where that is known. */
  apiAsks?: boolean;
}

/** Operations with a tool of their own; `run_operation` has the others. */
const listed = new Set([
  'explain.get',
  'sending.listEmails',
  'sending.getEmail',
  'sending.send',
  'sending.cancel',
  'sending.reschedule',
  'contacts.list',
  'contacts.get',
  'contacts.upsert',
  'contacts.update',
  'contacts.listFields',
  'contacts.listSuppressions',
  'events.names',
  'events.record',
  'segments.list',
  'segments.create',
  'templates.list',
  'templates.get',
  'templates.create',
  'templates.update',
  'campaigns.list',
  'campaigns.get',
  'campaigns.create',
  'campaigns.update',
  'campaigns.audience',
  'campaigns.send',
  'workflows.list',
  'workflows.get',
  'workflows.test',
  'analytics.timeseries',
  'analytics.breakdown',
  'domains.list',
  'domains.health',
  'activity.list',
]);

/** Operations that may be run, by a tool of their own or by `run_operation`. */
export function offeredTools({ allowWrites, groups }: Offer): Tool[] {
  const all = catalogue as Tool[];
  const known = new Set(all.map(groupOf));
  const unknown = groups?.find((group) => !known.has(group));
  if (unknown !== undefined)
    throw new Error(`--only: there is no group ${unknown}; there are ${[...known].join(', ')}`);
  return all.filter(
    (tool) => (allowWrites || tool.risk === null) && (groups?.includes(groupOf(tool)) ?? true),
  );
}

export const isListed = ({ operation }: Tool): boolean => listed.has(operation);

/** Whether a person has to agree to the call, unless the API asks one itself. */
export const needsConfirmation = (
  { risk, operation }: Tool,
  input: Readonly<Record<string, unknown>>,
): boolean =>
  risk !== null && risk !== 'none' && !(operation === 'workflows.update' && input['enabled'] === false);

const groupOf = ({ operation }: Tool): string => operation.slice(0, operation.indexOf('.'));
