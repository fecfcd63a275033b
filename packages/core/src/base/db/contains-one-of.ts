import { Prisma } from './generated/client.ts';

const like = (column: Prisma.Sql, pattern: string): Prisma.Sql => Prisma.sql`${column} LIKE ${pattern}`;
/** A text as part of a pattern of LIKE, which matches it as it is. */
export const likeText = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

const anyOf = (conditions: readonly Prisma.Sql[]): Prisma.Sql =>
  conditions.length === 1 ? Prisma.join(conditions) : Prisma.sql`(${Prisma.join(conditions, ' OR ')})`;

/** Whether a text of a column contains one of these, in the same case. Comparisons that are joined by OR use the index of each. */
export const containsOneOf = (column: Prisma.Sql, texts: readonly string[]): Prisma.Sql =>
  anyOf(texts.map((text) => like(column, `%${likeText(text)}%`)));

/** Whether a text of a column begins with one of these, in the same case. */
export const beginsWithOneOf = (column: Prisma.Sql, texts: readonly string[]): Prisma.Sql =>
  anyOf(texts.map((text) => like(column, `${likeText(text)}%`)));

/** Whether a text of a column ends with one of these, in the same case. */
export const endsWithOneOf = (column: Prisma.Sql, texts: readonly string[]): Prisma.Sql =>
  anyOf(texts.map((text) => like(column, `%${likeText(text)}`)));
