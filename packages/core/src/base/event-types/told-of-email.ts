import { constant, type Prisma } from '../db/index.ts';

/** The contact that is told of an email: none of a copy, so that its events start no workflow and match no filter (behaviour B15.2). */
export const toldContact = (alias: string): Prisma.Sql =>
  constant(`CASE WHEN ${alias}."recipientType" IS NULL THEN ${alias}."contactId" END`);

/** The id of a copy, by which what is told of it is erased; null for every other email. */
export const copyOf = (alias: string): Prisma.Sql =>
  constant(`CASE WHEN ${alias}."recipientType" IS NOT NULL THEN ${alias}."id" END`);

/** To whom an email goes, as every webhook of an email says it (behaviour B11.3). */
export const emailRecipient = (alias: string): Prisma.Sql =>
  constant(
    `jsonb_build_object('to', ${alias}."to", 'recipientType', coalesce(${alias}."recipientType"::text, 'TO'))`,
  );
