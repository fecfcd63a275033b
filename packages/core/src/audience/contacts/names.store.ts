import { constant, Prisma } from '../../base/db/index.ts';
import { maxNamePart, nameFields } from './names.rules.ts';

/** A text without case and accents; the letters that Unicode does not take apart are as they are typed without them. */
const plain = (text: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`lower(translate(regexp_replace(normalize(${text}, NFD), '[\\u0300-\\u036f]+', '', 'g'), 'ŁłØøĐđ', 'LlOoDd'))`;

const names = constant(
  nameFields.map((field) => `left(coalesce("data" ->> '${field}', ''), ${maxNamePart})`).join(` || ' ' || `),
);

/** The words of a contact's names, as the index `Contact_names` has them: another expression needs another index. */
const words = Prisma.sql`array_to_tsvector(array_remove(regexp_split_to_array(${plain(names)}, '\\s+'), ''))`;

const hasNames = constant(`"data" ?| '{${nameFields.join(',')}}'::text[]`);

/** What begins with a word, in quotes: no sign of it has a meaning for a search. */
const beginning = (word: string): Prisma.Sql =>
  Prisma.sql`('''' || replace(replace(${plain(Prisma.sql`${word}::text`)}, '\\', '\\\\'), '''', '''''') || ''':*')::tsquery`;

/** A name has hardly more words; each is one search more. */
const mostWords = 8;

function wordsOf(text: string): string[] {
  const typed = text.split(/\s+/).map((word) => [...word].slice(0, maxNamePart).join(''));
  const hasLetters = (word: string): boolean => word.normalize('NFD').replace(/[\u0300-\u036f]+/g, '') !== '';
  return typed.filter(hasLetters).slice(0, mostWords);
}

/**
 * Whether each word of a text begins a word of the names of a contact, in any order, whatever their case and accents. A condition over
 * `"Contact"`.
 */
export function isNamed(text: string): Prisma.Sql {
  const wanted = wordsOf(text).map((word) => Prisma.sql`${words} @@ ${beginning(word)}`);
  return wanted.length === 0
    ? Prisma.sql`FALSE`
    : Prisma.sql`(${hasNames} AND ${Prisma.join(wanted, ' AND ')})`;
}
