/**
 * SQL for whether an address is a contact that gets no email but transactional: snoozed, or no longer subscribed. One that never was
 * subscribed has not opted out. @param project, address expressions
 */
export const hasOptedOut = (project: string, address: string): string => `EXISTS (
  SELECT FROM "Contact" o WHERE o."projectId" = ${project} AND o."email" = ${address}
    AND (o."snoozedUntil" IS NOT NULL OR NOT o."subscribed" AND coalesce(o."optedOutAt", o."subscriptionChangedAt") IS NOT NULL))`;
