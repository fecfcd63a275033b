import type { z } from 'zod';
import { clientOf, hashedAddress, type Statement } from '../../audience/consent/index.ts';
import { type AttemptLimit, takeAttempts } from '../../base/attempts/index.ts';
import { plainTransaction, retryConflicts } from '../../base/db/index.ts';
import { direct, type RequestInfo, type Services } from '../../base/kernel/index.ts';
import { longestAddress, normalizeAddress } from '../../base/lib/addresses.rules.ts';
import { leaveEverywhere } from './leave-everywhere.ts';
import { snoozeEnd } from './preferences.rules.ts';
import { changePreferencesOf, leaveAfterDeletion, type PreferencesRow } from './preferences.store.ts';
import { readPreferences } from './read-preferences.ts';
import { type PreferencesChange, preferencesChange, preferencesChanged } from './tracking.schema.ts';

type Changed = z.input<typeof preferencesChanged>;

export const changePreferences = direct({
  name: 'tracking.changePreferences',
  summary:
    'Subscribes, unsubscribes or snoozes the contact of a link, or chooses its topics; null for an invalid link',
  permission: 'public',
  risk: 'closed',
  allowDisabled: true,
  input: preferencesChange,
  output: preferencesChanged.nullable(),
  // A contact that becomes one with another, or is deleted, at this moment is found as what it is now.
  handler: async ({ services, request }, input) =>
    (await applyOnce(services, request, input)) ?? applyOnce(services, request, input),
});

/** Subscriptions of one contact by its pages: nobody chooses more often in an hour (behaviour B12.4). */
const mostSubscriptions = 20;

const subscriptionsOf = (projectId: string, contactId: string): AttemptLimit => ({
  scope: 'page_subscriptions',
  key: contactId.replaceAll('-', ''),
  project: projectId,
  most: mostSubscriptions,
  seconds: 3_600,
});

async function applyOnce(
  services: Services,
  request: RequestInfo,
  input: PreferencesChange,
): Promise<Changed | null> {
  const owner = await readPreferences(services, input.token);
  if (!owner) return null;
  const { database } = services;
  if (owner.kind === 'erased') {
    const leaves = input.action === 'unsubscribe';
    if (leaves) await leaveAfterDeletion(database.durable, owner.contactId, input.source);
    return { found: owner.preferences, result: leaves ? 'changed' : 'unchanged' };
  }
  if (owner.kind === 'lost') {
    const result = await leaveAsLost(services, request, owner.contactId, input);
    return { found: owner.preferences, result };
  }
  const { projectId, contactId, emailId, row, preferences: before } = owner;
  if (contactId === null) return { found: before, result: 'unchanged' };
  const wish = wishOf(input, row);
  if (wish.subscribes) {
    const { over } = await plainTransaction(database.asyncCommit, (db) =>
      takeAttempts(db, [subscriptionsOf(projectId, contactId)]),
    );
    if (over !== null) return { found: before, result: 'limited' };
  }
  const changed = await retryConflicts(() =>
    changePreferencesOf(database.durable, {
      projectId,
      emailId,
      endsTopic: wish.endsTopic,
      saying: {
        by: 'recipient',
        actor: 'recipient',
        source: input.source,
        always: true,
        reason: input.action === 'snooze' ? 'snooze' : input.source,
        emailId,
        ...clientOf(request),
      },
      statement: {
        ...wish.statement,
        contact: contactId,
        optOut: hashedAddress(services.secrets, projectId, row.email),
      },
    }),
  );
  if (!changed) return null;
  const now = await readPreferences(services, input.token);
  if (now?.kind !== 'contact') return now && { found: now.preferences, result: 'unchanged' };
  const { status } = now.preferences;
  if (changed.refusal === 'not_subscribed') return { found: now.preferences, result: 'not_subscribed' };
  const isStill = status === 'subscribed' || status === 'snoozed';
  return { found: now.preferences, result: wish.endsTopic && isStill ? 'topic_ended' : 'changed' };
}

/** One click names no address, so it ends nothing: the page asks for it. */
async function leaveAsLost(
  services: Services,
  request: RequestInfo,
  contactId: string,
  { action, source, email }: PreferencesChange,
): Promise<Changed['result']> {
  if (action !== 'unsubscribe' || source !== 'page') return 'unchanged';
  const text = email ?? '';
  const address = text.length > 4 * longestAddress ? null : normalizeAddress(text);
  if (address === null) return 'bad_address';
  return (await leaveEverywhere(services, request, { contactId, address })) ? 'changed' : 'limited';
}

interface Wish {
  statement: Omit<Statement, 'contact'>;
  subscribes: boolean;
  endsTopic: boolean;
}

/** What a choice on a page says, as an act (behaviour B12.7). */
function wishOf(input: PreferencesChange, { topics, emailTopic }: PreferencesRow): Wish {
  const stays = { subscribes: false, endsTopic: false };
  switch (input.action) {
    case 'snooze':
      return {
        ...stays,
        statement: { kind: 'snooze', until: snoozeEnd(input.duration ?? '2w', new Date()) },
      };
    case 'subscribe':
      return {
        ...stays,
        subscribes: true,
        statement: { kind: 'state', wanted: true, ...(emailTopic && { yes: [emailTopic.number] }) },
      };
    case 'save': {
      const wanted = new Set(input.topics ?? []);
      const yes = topics.flatMap(({ key, number }) => (wanted.has(key) ? number : []));
      const no = topics.flatMap(({ key, number }) => (wanted.has(key) ? [] : number));
      const chosen = { kind: 'state', yes, no, defaults: false } as const;
      // Who wants nothing leaves; who pauses goes on to pause, whatever is chosen for later.
      return yes.length === 0
        ? { ...stays, statement: { ...chosen, wanted: false } }
        : { ...stays, subscribes: true, statement: { ...chosen, keepsPause: true } };
    }
    case 'unsubscribe': {
      // One click ends what the email was about; a page what it offers first.
      const offered = input.source === 'one_click' || emailTopic?.isPublic ? 'topic' : 'all';
      return (input.scope ?? offered) === 'topic' && emailTopic
        ? {
            ...stays,
            endsTopic: true,
            statement: { kind: 'state', no: [emailTopic.number], endsIfNothing: true },
          }
        : { ...stays, statement: { kind: 'state', wanted: false } };
    }
  }
}
