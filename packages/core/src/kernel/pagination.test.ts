import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { newId } from './ids.ts';
import { cursorQuery, pageQuery } from './page-schemas.ts';
import { cursorPage, decodeCursor, encodeCursor, pageOf } from './pagination.ts';

const refused = expect.objectContaining({ code: 'BAD_REQUEST', kind: 'bad_request' });

describe('a cursor', () => {
  it('names where the page ended', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.uuid(), (value, id) => {
        expect(decodeCursor(encodeCursor({ value, id }), 'text')).toEqual({ value, id });
      }),
    );
    const at = { value: '2026-03-01T09:30:00.000Z', id: newId() };
    expect(decodeCursor(encodeCursor(at))).toEqual(at);
  });

  it.each([
    '',
    'x',
    'null',
    Buffer.from('{}').toString('base64url'),
    Buffer.from('["2026-03-01T09:30:00.000Z"]').toString('base64url'),
    Buffer.from('["2026-03-01T09:30:00.000Z","no uuid"]').toString('base64url'),
    encodeCursor({ value: 'yesterday', id: newId() }),
    encodeCursor({ value: '+200000-01-01T00:00:00.000Z', id: newId() }),
    encodeCursor({ value: '0000-01-01T00:00:00.000Z', id: newId() }),
  ])('%j is 400', (cursor) => {
    expect(() => decodeCursor(cursor)).toThrow(refused);
  });

  it('of a text that cannot be stored is 400', () => {
    for (const value of ['a\0', '\ud800'])
      expect(() => decodeCursor(encodeCursor({ value, id: newId() }), 'text')).toThrow(refused);
  });

  it('of any other text is 400, never another failure', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => decodeCursor(text)).toThrow(refused);
      }),
    );
  });
});

describe('a cursor list', () => {
  const rows = Array.from({ length: 3 }, (_row, index) => ({ id: newId(), createdAt: new Date(index) }));
  const page = (limit: number) => cursorPage(rows, limit, (row) => row.createdAt, 3);

  it('goes on after its last row while there is more', () => {
    const { data, cursor, hasMore, total } = page(2);
    expect(data).toEqual(rows.slice(0, 2));
    expect(decodeCursor(String(cursor))).toEqual({ value: '1970-01-01T00:00:00.001Z', id: rows[1]?.id });
    expect([hasMore, total]).toEqual([true, 3]);
  });

  it('ends without a cursor', () => {
    expect(page(3)).toEqual({ data: rows, cursor: null, hasMore: false, total: 3 });
    expect(cursorPage([], 20, () => '', 0)).toEqual({ data: [], cursor: null, hasMore: false, total: 0 });
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
