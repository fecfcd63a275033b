import type { Db } from '../db/index.ts';
import { type AppError, conflict, suggestions } from '../kernel/index.ts';
import { findReferences, type References, type Referrer } from './references.store.ts';

/** The records that use another one, by their kind. */
export type Users = Partial<Record<keyof typeof kinds, readonly Referrer[]>>;

const kinds = {
  templates: 'templates',
  segments: 'segments',
  campaigns: 'campaigns',
  workflows: 'workflows',
  goals: 'goals',
  webhookEndpoints: 'webhook endpoints',
  forms: 'forms',
  emails: 'waiting emails',
} as const satisfies Partial<Record<keyof References | 'webhookEndpoints' | 'forms' | 'emails', string>>;

const usedKinds = (users: Users): (keyof typeof kinds)[] =>
  (Object.keys(kinds) as (keyof typeof kinds)[]).filter((kind) => (users[kind] ?? []).length > 0);

export const isUsed = (users: Users): boolean => usedKinds(users).length > 0;

/** The refusal of a change that these records would suffer from, which `details.usedBy` lists by kind. */
export function stillUsed(message: string, users: Users): AppError {
  const used = usedKinds(users);
  return conflict(message, {
    details: { usedBy: Object.fromEntries(used.map((kind) => [kind, users[kind]])) },
    suggestion: suggestions.CONFLICT.segmentUsed(used.map((kind) => kinds[kind])),
  });
}

/**
 * Refuses to delete a record that a filter of a segment, of an open campaign or of a workflow refers to.
 *
 * @param reference as in the `reads` columns, such as `campaign.<id>`
 * @param own the record itself, whose own filters do not keep it
 * @throws AppError CONFLICT
 */
export async function assertNotReferenced(
  db: Db,
  projectId: string,
  reference: `${'campaign' | 'workflow' | 'template'}.${string}`,
  own: string,
): Promise<void> {
  const { segments, campaigns, workflows } = await findReferences(db, projectId, [reference]);
  const others = <Each extends Referrer>(list: readonly Each[]) => list.filter(({ id }) => id !== own);
  const users = { segments, campaigns: others(campaigns), workflows: others(workflows) };
  if (isUsed(users)) throw stillUsed('A filter refers to this record', users);
}
