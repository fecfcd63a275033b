import { createHash } from 'node:crypto';
import { z } from 'zod';
import { badRequest } from './errors.ts';

/** The end of a keyset page: the last row's value in the sort column, and its id to break ties. */
export interface Keyset {
  value: string;
  id: string;
}

/** The form of `toISOString` for the years that PostgreSQL accepts. */
const isoForm = /^(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Far above the longest cursor that a list gives out. */
const longestCursor = 4_000;

const cursorShape = z.tuple([z.string(), z.string(), z.guid()]);

interface CursorInput {
  limit: number;
  /** up to which number matches are counted */
  countTo?: number | undefined;
  cursor?: string | undefined;
}

/** A page of one of several parents. */
export interface PageOfParent<Row> {
  /** of the parent */
  id: string;
  data: Row[];
  hasMore: boolean;
  total: number;
}

interface CursorPage<Row> {
  data: Row[];
  cursor: string | null;
  hasMore: boolean;
  total: number;
}

/** The cursors of one list. They are of use only with the same list in the same order with the same filters. */
export interface Cursors {
  /**
   * Where the page that was asked for begins, null for the first one.
   *
   * @param kind what the sort column holds
   * @throws AppError BAD_REQUEST for any cursor that this list did not give out
   */
  after(kind?: 'date' | 'text'): Keyset | null;
  encode(keyset: Keyset): string;
  /**
   * Cuts a keyset read of `limit + 1` rows into a page.
   *
   * @param total the total number of matches, computed for the first page only; 0 on later pages
   */
  page<Row extends { id: string }>(
    rows: Row[],
    sortValueOf: (row: Row) => string | Date,
    total: number,
  ): CursorPage<Row>;
}

/**
 * @param list the name of the operation
 * @param input its parsed input; everything in it but `limit`, `cursor` and `countTo` decides which rows come in which order
 */
export function cursorsOf(list: string, input: CursorInput): Cursors {
  const { limit, cursor: given, countTo: _countTo, ...scope } = input;
  const mark = markOf(list, scope);
  const encode = ({ value, id }: Keyset): string =>
    Buffer.from(JSON.stringify([mark, value, id])).toString('base64url');
  return {
    encode,
    after(kind = 'date') {
      if (given === undefined) return null;
      const [itsMark, value, id] = readCursor(given);
      if (itsMark !== mark) throw refused('This cursor belongs to another list, order or filter');
      if (kind === 'date' ? !isDate(value) : !isStorable(value)) throw refused();
      return { value, id };
    },
    page(rows, sortValueOf, total) {
      const data = rows.slice(0, limit);
      const last = data.at(-1);
      if (rows.length <= limit || !last) return { data, cursor: null, hasMore: false, total };
      const value = sortValueOf(last);
      const cursor = encode({ value: typeof value === 'string' ? value : value.toISOString(), id: last.id });
      return { data, cursor, hasMore: true, total };
    },
  };
}

function markOf(list: string, scope: object): string {
  const entries = Object.entries(scope)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([list, entries]))
    .digest('base64url')
    .slice(0, 12);
}

function readCursor(cursor: string): [mark: string, value: string, id: string] {
  if (cursor.length > longestCursor) throw refused();
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch (cause) {
    throw refused('Invalid cursor', cause);
  }
  const shape = cursorShape.safeParse(parsed);
  if (!shape.success) throw refused();
  return shape.data;
}

const isDate = (value: string): boolean => isoForm.test(value) && !Number.isNaN(Date.parse(value));

const refused = (message = 'Invalid cursor', cause?: unknown) =>
  badRequest(message, { cause, suggestion: 'Pass the cursor of the previous page unchanged' });

export const pageOf = <Row>(data: Row[], page: number, pageSize: number, total: number) => ({
  data,
  page,
  pageSize,
  total,
  totalPages: Math.ceil(total / pageSize),
});

/**
 * Cuts a keyset read of up to `limit + 1` rows of each parent into their pages.
 *
 * @param totals the number of matches of each parent, where they were counted
 */
export function pagesOf<Row>(
  { ids, limit }: { ids: readonly string[]; limit: number },
  rows: Iterable<Row>,
  parentOf: (row: Row) => string | null,
  totals: readonly { id: string; count: number }[] = [],
): PageOfParent<Row>[] {
  const byParent = Map.groupBy(rows, parentOf);
  const counts = new Map(totals.map(({ id, count }) => [id, count]));
  return ids.map((id) => {
    const found = byParent.get(id) ?? [];
    return { id, data: found.slice(0, limit), hasMore: found.length > limit, total: counts.get(id) ?? 0 };
  });
}
