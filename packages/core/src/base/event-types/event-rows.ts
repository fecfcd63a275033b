import { constant, Prisma } from '../db/index.ts';
import { eventTypes, type StoredType } from './event-types.rules.ts';

/** What an event is stored as: constants or expressions of SQL. */
export interface StoredAs {
  kind: Prisma.Sql;
  name: Prisma.Sql;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Events of one type. */
export const storedAs = (type: StoredType): StoredAs => ({
  kind: constant(`${quoted(eventTypes[type].kind)}::"EventKind"`),
  name: constant(quoted(type)),
});

/** Events whose type depends on the row: that of the first condition that holds, or `otherwise`. */
export function storedWhere(
  cases: readonly [condition: string, type: StoredType][],
  otherwise: StoredType,
): StoredAs {
  const choose = (part: keyof StoredAs): Prisma.Sql =>
    Prisma.sql`CASE ${Prisma.join(
      cases.map(([condition, type]) => Prisma.sql`WHEN ${constant(condition)} THEN ${storedAs(type)[part]}`),
      ' ',
    )} ELSE ${storedAs(otherwise)[part]} END`;
  return { kind: choose('kind'), name: choose('name') };
}

/** Events of customers and of segments: their names are not fixed. */
export const storedWithName = (kind: 'CUSTOM' | 'SYSTEM', name: Prisma.Sql): StoredAs => ({
  kind: constant(`${quoted(kind)}::"EventKind"`),
  name,
});

export interface EventRow extends StoredAs {
  id?: Prisma.Sql;
  projectId: Prisma.Sql;
  /** jsonb */
  data: Prisma.Sql;
  contactId: Prisma.Sql;
  emailId?: Prisma.Sql;
  /** without it the time of the transaction */
  createdAt?: Prisma.Sql;
}

/** What every statement that stores events begins with; `eventRow` has the columns in this order. */
export const insertEvents = Prisma.sql`INSERT INTO "Event" ("id", "projectId", "kind", "name", "data", "contactId", "emailId", "createdAt")`;

const newId = constant('uuid7()');
const noEmail = constant('NULL::uuid');
const present = constant('now()');

/** `SELECT` with the columns of an event, to be followed by `FROM`, `WHERE` and `UNION ALL`. */
export const eventRow = (
  row: EventRow,
): Prisma.Sql => Prisma.sql`SELECT ${row.id ?? newId}, ${row.projectId}, ${row.kind}, ${row.name}, ${row.data},
    ${row.contactId}, ${row.emailId ?? noEmail}, ${row.createdAt ?? present}`;
