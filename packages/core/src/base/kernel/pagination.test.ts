import fc from '@postrider/vitest/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { newId } from '../lib/ids.ts';
import { cursorQuery, pageQuery } from './page-schemas.ts';
import { cursorsOf, pageOf } from './pagination.ts';

const refused = expect.objectContaining({ code: 'BAD_REQUEST', kind: 'bad_request' });

const first = cursorsOf('contacts.list', { limit: 2, sort: 'createdAt' } as { limit: number });
/** The same list with a cursor. */
const at = (
  cursor: string,
  kind?: 'date' | 'text',
  scope: object = { sort: 'createdAt' },
  list = 'contacts.list',
) => cursorsOf(list, { limit: 2, cursor, ...scope }).after(kind);
const encode = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
const mark = (
  JSON.parse(Buffer.from(first.encode({ value: '', id: '' }), 'base64url').toString()) as string[]
)[0];

describe('a cursor', () => {
  it('contains the position where the page ended', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.uuid(), (value, id) => {
        expect(at(first.encode({ value, id }), 'text')).toEqual({ value, id });
      }),
    );
    const end = { value: '2026-03-01T09:30:00.000Z', id: newId() };
    expect(at(first.encode(end))).toEqual(end);
    expect(first.after()).toBeNull();
  });

  it.each([
    '',
    'x',
    'null',
    'A'.repeat(3_000),
    'A'.repeat(1_000_000),
    Buffer.from('{}').toString('base64url'),
    encode(mark, '2026-03-01T09:30:00.000Z'),
    encode(mark, '2026-03-01T09:30:00.000Z', 'no uuid'),
    encode('2026-03-01T09:30:00.000Z', newId()),
    first.encode({ value: 'yesterday', id: newId() }),
    first.encode({ value: '+200000-01-01T00:00:00.000Z', id: newId() }),
    first.encode({ value: '0000-01-01T00:00:00.000Z', id: newId() }),
  ])('%.60s is 400', (cursor) => {
    expect(() => at(cursor)).toThrow(refused);
  });

  it('of a text that cannot be stored is 400', () => {
    for (const value of ['a\0', '\ud800'])
      expect(() => at(first.encode({ value, id: newId() }), 'text')).toThrow(refused);
  });

  it('of any other text is 400, never another failure', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => at(text)).toThrow(refused);
      }),
    );
  });

  it('is refused with another list, order or filter', () => {
    const cursor = first.encode({ value: '2026-03-01T09:30:00.000Z', id: newId() });
    expect(at(cursor, 'date', { search: undefined, sort: 'createdAt' })).not.toBeNull();
    for (const scope of [{}, { sort: 'email' }, { sort: 'createdAt', dir: 'asc' }])
      expect(() => at(cursor, 'date', scope)).toThrow(refused);
    expect(() => at(cursor, 'date', { sort: 'createdAt' }, 'sending.listEmails')).toThrow(refused);
  });
});

describe('a cursor list', () => {
  const rows = Array.from({ length: 3 }, (_row, index) => ({ id: newId(), createdAt: new Date(index) }));
  const page = (limit: number) => cursorsOf('contacts.list', { limit }).page(rows, (row) => row.createdAt, 3);

  it('continues after its last row while there is more', () => {
    const { data, cursor, hasMore, total } = page(2);
    expect(data).toEqual(rows.slice(0, 2));
    expect(at(String(cursor), 'date', {})).toEqual({ value: '1970-01-01T00:00:00.001Z', id: rows[1]?.id });
    expect([hasMore, total]).toEqual([true, 3]);
  });

  it('ends without a cursor', () => {
    expect(page(3)).toEqual({ data: rows, cursor: null, hasMore: false, total: 3 });
    expect(first.page([], () => '', 0)).toEqual({ data: [], cursor: null, hasMore: false, total: 0 });
  });
});

it('a page list has as many pages as its rows fill, none when there are none', () => {
  expect(pageOf([], 1, 20, 0)).toMatchObject({ totalPages: 0 });
  expect(pageOf([], 3, 20, 40)).toEqual({ data: [], page: 3, pageSize: 20, total: 40, totalPages: 2 });
  expect(pageOf([], 1, 20, 41)).toMatchObject({ totalPages: 3 });
});

describe('numbers in queries', () => {
  it.each([
    [undefined, 20],
    ['5', 5],
    ['0', 1],
    ['-3', 1],
    ['100', 100],
    ['101', 100],
    ['1e9', 100],
    ['2.5', 20],
    ['many', 20],
    ['', 20],
    [null, 20],
  ])('limit=%j means %i', (limit, meant) => {
    expect(z.object(cursorQuery).parse({ limit })).toMatchObject({ limit: meant });
    expect(z.object(pageQuery).parse({ pageSize: limit })).toMatchObject({ pageSize: meant });
  });

  it('pages begin at 1', () => {
    expect(z.object(pageQuery).parse({ page: '0' })).toMatchObject({ page: 1 });
    expect(z.object(pageQuery).parse({})).toEqual({ page: 1, pageSize: 20 });
  });
});
