import { constant, likeText, Prisma } from '../../base/db/index.ts';
import { maxNamePart, nameFields } from './names.rules.ts';

/** A text without case and accents; the letters that Unicode does not take apart are as they are typed without them. */
const plain = (text: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`lower(translate(regexp_replace(normalize(${text}, NFD), '[\\u0300-\\u036f]+', '', 'g'), 'ŁłØøĐđ', 'LlOoDd'))`;

const part = (field: string): Prisma.Sql =>
  constant(`' ' || left(coalesce("data" ->> '${field}', ''), ${maxNamePart})`);

/** The names of a contact, each after a blank: the words of the index `Contact_names`, which a change of them needs to be made for again. */
const names = plain(Prisma.join(nameFields.map(part), ' || '));

const hasNames = constant(`"data" ?| '{${nameFields.join(',')}}'::text[]`);

const matches = (before: string, text: string): Prisma.Sql =>
  Prisma.sql`${names} LIKE ${before}::text || ${plain(Prisma.sql`${likeText(text)}::text`)} || '%'`;

/** Each word is one condition more, so that those after these are looked for as they stand together. */
const mostWords = 5;

function wordsOf(text: string): string[] {
  const words = text.trim().split(/\s+/);
  return [...words.slice(0, mostWords - 1), words.slice(mostWords - 1).join(' ')].filter(
    (word) => word !== '',
  );
}

/** Whether the names of a contact contain every word of a text, in any order, whatever their case and accents. A condition over `"Contact"`. */
export const isNamed = (text: string): Prisma.Sql =>
  Prisma.sql`(${hasNames} AND ${Prisma.join(
    wordsOf(text).map((word) => matches('%', word)),
    ' AND ',
  )})`;

/** Whether a text begins a word of the names of a contact. A condition over `"Contact"`, which finds even a single letter by the index. */
export const isNamedFrom = (text: string): Prisma.Sql => Prisma.sql`(${hasNames} AND ${matches('% ', text)})`;
