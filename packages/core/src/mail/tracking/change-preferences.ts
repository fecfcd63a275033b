import type { z } from 'zod';
import { clientOf, hashedAddress } from '../../audience/consent/index.ts';
import { retryConflicts } from '../../base/db/index.ts';
import { type Context, direct } from '../../base/kernel/index.ts';
import { changeSubscription } from './preferences.store.ts';
import { readPreferences } from './read-preferences.ts';
import { preferences, preferencesChange, type snoozeDurations } from './tracking.schema.ts';

const intervals: Record<(typeof snoozeDurations)[number], string> = {
  '2w': '14 days',
  '1m': '1 month',
  '6m': '6 months',
  '1y': '12 months',
};

export const changePreferences = direct({
  name: 'tracking.changePreferences',
  summary: 'Subscribes, unsubscribes or snoozes the contact of a link; null for an invalid link',
  permission: 'public',
  risk: 'closed',
  allowDisabled: true,
  input: preferencesChange,
  output: preferences.nullable(),
  // A contact that becomes one with another at this moment is found as that one.
  handler: async (ctx, input) => (await applyOnce(ctx, input)) ?? applyOnce(ctx, input),
});

async function applyOnce(
  { services, request }: Context,
  { token, action, duration, source }: z.output<typeof preferencesChange>,
): Promise<z.input<typeof preferences> | null> {
  const owner = await readPreferences(services, token);
  if (!owner) return null;
  const { projectId, contactId, emailId, preferences: before } = owner;
  if (contactId === null) return before;
  const { database, secrets } = services;
  const stored = await retryConflicts(() =>
    changeSubscription(database.durable, {
      projectId,
      contactId,
      emailId,
      action,
      snooze: action === 'snooze' && duration ? intervals[duration] : null,
      said: {
        ...{ by: 'recipient', source, actor: 'recipient', always: true },
        reason: action === 'snooze' ? 'snooze' : source,
        ...clientOf(request),
      },
      optOut: hashedAddress(secrets, projectId, before.email),
    }),
  );
  if (!stored) return null;
  return { ...before, subscribed: stored.subscribed, snoozedUntil: stored.snoozedUntil };
}
