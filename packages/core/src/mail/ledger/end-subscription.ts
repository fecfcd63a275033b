import { constant, Prisma } from '../../base/db/index.ts';

/**
 * What a hard bounce or complaint does to its contact (behaviour B3.2), whether the mail server's reply or a later report says so: it is
 * unsubscribed, and a snooze ends without subscribing it again. Only one that was subscribed emits `contact.unsubscribed`.
 */

/** Contacts that it changes. */
export const isReachable = Prisma.sql`("subscribed" OR "snoozedUntil" IS NOT NULL)`;

/** The columns of `"Contact" c` afterwards. @param before alias of the row that has `subscribed` as it was */
export const endSubscription = (before: string): Prisma.Sql => Prisma.sql`
  "subscribed" = false, "snoozedUntil" = NULL, "optedOutAt" = now(), "updatedAt" = now(),
  "subscriptionChangedAt" = CASE WHEN ${constant(before)}."subscribed" THEN now() ELSE c."subscriptionChangedAt" END`;
