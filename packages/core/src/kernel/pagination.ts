import { z } from 'zod';
import { badRequest } from './errors.ts';

/** Where a keyset page ends: the value of the sort column of its last row, and that row's id, which breaks ties. */
export interface Keyset {
  value: string;
  id: string;
}

/** As `toISOString` writes the years that PostgreSQL reads. */
const isoForm = /^(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

const keysetShape = z.tuple([z.string(), z.guid()]);

export const encodeCursor = ({ value, id }: Keyset): string =>
  Buffer.from(JSON.stringify([value, id])).toString('base64url');

/** @throws AppError BAD_REQUEST for anything that we did not make */
export function decodeCursor(cursor: string, kind: 'date' | 'text' = 'date'): Keyset {
  const refuse = () =>
    badRequest('Invalid cursor', { suggestion: 'Pass the cursor of the previous page unchanged' });
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch (cause) {
    throw badRequest('Invalid cursor', { cause });
  }
  const shape = keysetShape.safeParse(parsed);
  if (!shape.success) throw refuse();
  const [value, id] = shape.data;
  if (kind === 'date' ? !isoForm.test(value) || Number.isNaN(Date.parse(value)) : !isStorable(value))
    throw refuse();
  return { value, id };
}

/**
 * Cuts a keyset read of `limit + 1` rows into a page.
 *
 * @param total the number of all matches, asked for on the first page only; later pages say 0
 */
export function cursorPage<Row extends { id: string }>(
  rows: Row[],
  limit: number,
  sortValueOf: (row: Row) => string | Date,
  total: number,
): { data: Row[]; cursor: string | null; hasMore: boolean; total: number } {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  const hasMore = rows.length > limit;
  if (!hasMore || !last) return { data, cursor: null, hasMore: false, total };
  const value = sortValueOf(last);
  const cursor = encodeCursor({
    value: typeof value === 'string' ? value : value.toISOString(),
    id: last.id,
  });
  return { data, cursor, hasMore, total };
}

export const pageOf = <Row>(data: Row[], page: number, pageSize: number, total: number) => ({
  data,
  page,
  pageSize,
  total,
  totalPages: Math.ceil(total / pageSize),
});
