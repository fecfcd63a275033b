import fc from '@postrider/vitest/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AppError } from './errors.ts';
import { emailAddress, filterEnum, instant, notGiven, queryBoolean, requiredText, uuid } from './fields.ts';
import { parseInput } from './validation.ts';

function refusalOf(schema: z.ZodType, input: unknown): AppError {
  try {
    parseInput(schema, input);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('accepted');
}
const errorsOf = (schema: z.ZodType, input: unknown) => refusalOf(schema, input).errors ?? [];
const codes = (schema: z.ZodType, input: unknown) =>
  errorsOf(schema, input).map(({ field, code }) => [field, code]);

describe('field codes (B7.1)', () => {
  const name = z.object({ name: requiredText(5) });
  it.each([
    [{}, 'required'],
    [{ name: null }, 'required'],
    [{ name: '' }, 'required'],
    [{ name: ' \t' }, 'required'],
    [{ name: 5 }, 'invalid_type'],
    [{ name: 'abcdef' }, 'too_big'],
  ])('a required text: %j is %s', (input, code) => {
    expect(codes(name, input)).toEqual([['name', code]]);
  });

  it.each([
    [z.object({ email: emailAddress }), {}, 'email', 'required'],
    [z.object({ email: emailAddress }), { email: 'nobody' }, 'email', 'invalid_string'],
    [z.object({ id: uuid }), { id: 'x' }, 'id', 'invalid_string'],
    [z.object({ id: uuid }), { id: '' }, 'id', 'required'],
    [z.object({ at: instant }), { at: 'soon' }, 'at', 'invalid_date'],
    [z.object({ kind: z.enum(['A', 'B']) }), { kind: 'C' }, 'kind', 'invalid_enum_value'],
    [z.object({ kind: z.enum(['A', 'B']) }), {}, 'kind', 'required'],
    [z.object({ list: z.array(z.string()).min(1) }), { list: [] }, 'list', 'too_small'],
    [z.object({ list: z.array(z.string()).max(1) }), { list: ['a', 'b'] }, 'list', 'too_big'],
    [z.object({ on: z.boolean() }), { on: 'yes' }, 'on', 'invalid_type'],
    [z.object({ to: z.union([z.string(), z.object({ a: z.string() })]) }), { to: 5 }, 'to', 'invalid_union'],
  ])('case %#', (schema, input, field, code) => {
    expect(codes(schema, input)).toEqual([[field, code]]);
  });

  it('every problem has an item, with a dot path into arrays and objects', () => {
    const schema = z.object({ to: z.array(z.object({ email: emailAddress })), subject: requiredText(10) });
    expect(codes(schema, { to: [{ email: 'a@example.com' }, { email: 'x' }, {}] })).toEqual([
      ['to.1.email', 'invalid_string'],
      ['to.2.email', 'required'],
      ['subject', 'required'],
    ]);
  });

  it('names the received type only when the type is wrong', () => {
    const schema = z.object({ a: z.string(), b: z.string(), c: z.string() });
    const errors = errorsOf(schema, { a: 5, b: ['x'] });
    expect(errors.map(({ received }) => received)).toEqual(['number', 'array', undefined]);
  });

  it('the envelope says that validation failed', () => {
    expect(refusalOf(name, {})).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'Request validation failed',
    });
  });
});

describe('the input', () => {
  it('null counts as omitted, unknown fields are dropped, a missing body counts as an empty object', () => {
    const schema = z.object({ a: notGiven(z.string()), b: notGiven(z.string()) });
    expect(parseInput(schema, { a: null, extra: 1 })).toEqual({ a: undefined, b: undefined });
    expect(parseInput(schema, undefined)).toEqual({ a: undefined, b: undefined });
  });

  it.each([['text'], [5], [['a']], [true]])('%j is not an object', (input) => {
    expect(refusalOf(z.object({}), input).code).toBe('VALIDATION_ERROR');
  });
});

describe('400 instead of 422', () => {
  it.each([
    [z.object({ status: filterEnum('status', z.enum(['A', 'B'])) }), { status: 'C' }],
    [z.object({ subscribed: queryBoolean('subscribed') }), { subscribed: 'yes' }],
  ])('case %#', (schema, input) => {
    expect(refusalOf(schema, input)).toMatchObject({
      code: 'BAD_REQUEST',
      kind: 'bad_request',
      errors: undefined,
    });
  });
});

describe('text that cannot be stored', () => {
  const anything = z.object({ data: z.record(z.string(), z.unknown()) });
  it.each([
    [{ data: { a: 'x\0y' } }, 'data.a'],
    [{ data: { a: 'x\ud800y' } }, 'data.a'],
    [{ data: { list: ['fine', { deep: '\udc00' }] } }, 'data.list.1.deep'],
    [{ data: {}, unknown: { field: '\0' } }, 'unknown.field'],
  ])('is 422 at its field, in unknown fields too: %#', (input, field) => {
    expect(errorsOf(anything, input)).toEqual([expect.objectContaining({ field, code: 'custom' })]);
  });

  it('as a key is 422 at that key, made printable', () => {
    const [error] = errorsOf(anything, { data: { 'a\0b': 1, 'c\ud800': 2 } });
    expect(error).toMatchObject({ field: 'data.a\ufffdb', code: 'custom' });
  });

  it('pairs of surrogates are text like any other', () => {
    expect(parseInput(anything, { data: { '😀': '😀' } })).toEqual({ data: { '😀': '😀' } });
  });
});

it('any input leads to a value or an AppError', () => {
  const schema = z.object({
    email: emailAddress,
    id: notGiven(uuid),
    at: notGiven(instant),
    to: notGiven(z.union([z.string(), z.array(z.object({ email: emailAddress }))])),
  });
  const input = fc.oneof(
    fc.jsonValue(),
    fc.record({ email: fc.jsonValue(), id: fc.jsonValue(), at: fc.jsonValue(), to: fc.jsonValue() }),
  );
  fc.assert(
    fc.property(input, (given) => {
      try {
        parseInput(schema, given);
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
      }
    }),
  );
});

describe('addresses (B1.1)', () => {
  const schema = z.object({ email: emailAddress });
  it('are trimmed and lower-cased', () => {
    expect(parseInput(schema, { email: '  Ada.Lovelace@EXAMPLE.com ' })).toEqual({
      email: 'ada.lovelace@example.com',
    });
  });

  it.each([
    'plain',
    'a@b',
    'a@@example.com',
    'a b@example.com',
    'a@exam ple.com',
    'a@example..com',
    'a@.example.com',
    'a@example.com.',
    '.a@example.com',
    'a.@example.com',
    'a..b@example.com',
    'a\u0007@example.com',
    '<a@example.com>',
    'a,b@example.com',
    `${'a'.repeat(243)}@example.com`,
  ])('%j is none', (email) => {
    expect(codes(schema, { email })).toEqual([['email', 'invalid_string']]);
  });

  it('have at most 254 characters', () => {
    expect(parseInput(schema, { email: `${'a'.repeat(242)}@example.com` }).email).toHaveLength(254);
  });
});

describe('input of extreme size', () => {
  const schema = z.object({ data: z.unknown(), list: z.array(z.string()).optional() });
  const nested = (depth: number): unknown => {
    let value: unknown = 'x';
    for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
    return value;
  };

  it.each([500, 100_000])('%i levels of nesting are too_big at the field that holds them', (depth) => {
    expect(codes(schema, { data: nested(depth) })).toEqual([['data', 'too_big']]);
  });

  it('499 levels are not', () => {
    expect(parseInput(schema, { data: nested(499) })).toEqual({ data: nested(499) });
  });

  it('a list of more than 100,000 elements is too_big, whatever they are', () => {
    expect(codes(schema, { data: { list: Array(100_001).fill(1) } })).toEqual([['data.list', 'too_big']]);
    expect(parseInput(schema, { data: Array(100_000).fill(1) })).toBeDefined();
  });

  it('of very many problems, a thousand are reported', () => {
    expect(errorsOf(schema, { list: Array(5_000).fill(1) })).toHaveLength(1_000);
  });
});
