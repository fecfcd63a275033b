/** The pages of records, by the kind of a target. */
const pages: Readonly<Record<string, string>> = {
  campaign: 'campaigns',
  contact: 'contacts',
  domain: 'domains',
  email: 'emails',
  goal: 'goals',
  segment: 'segments',
  template: 'templates',
  webhookEndpoint: 'webhooks',
  workflow: 'workflows',
  approval: 'approvals',
};

interface Entry {
  operation: string;
  targetType: string | null;
  targetId: string | null;
  targetName: string | null;
}

/** What an entry is about: its name, and its page in the dashboard while there is one. Null without a name. */
export function targetOf({ operation, targetType, targetId, targetName }: Entry): {
  name: string;
  path: string | null;
} | null {
  if (targetName === null || targetType === null || targetId === null) return null;
  const page = pages[targetType];
  const isGone = /[.](delete|remove)$/.test(operation);
  if (targetType === 'contactField') return { name: fieldName(targetName), path: fieldPath(targetName) };
  if (targetType === 'event')
    return { name: targetName, path: `events/of?name=${encodeURIComponent(targetName)}` };
  return { name: targetName, path: page === undefined || isGone ? null : `${page}/${targetId}` };
}

const prefix = 'data.';
const fieldName = (field: string): string => (field.startsWith(prefix) ? field.slice(prefix.length) : field);
const fieldPath = (field: string): string =>
  `contacts/fields/${encodeURIComponent(`${prefix}${fieldName(field)}`)}`;
