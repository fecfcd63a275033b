import { constant, Prisma } from '../../base/db/index.ts';

/** Ways in which contacts are created that have a name of their own; any other is a request. */
export type ContactSource = 'api' | 'track' | 'send' | 'submission' | 'import';

/**
 * Names the way of the contacts that the same transaction creates, for the triggers of the database that follow new ones (follow-contacts.sql).
 * It must be evaluated before they are inserted, or in the same statement.
 */
export const namedSource = (source: ContactSource | Prisma.Sql): Prisma.Sql =>
  Prisma.sql`set_config('postrider.contact_source', ${typeof source === 'string' ? constant(`'${source}'`) : source}, true)`;
