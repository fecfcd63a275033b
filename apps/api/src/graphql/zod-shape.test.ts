import {
  clampedInt,
  cursorListOf,
  emailAddress,
  filterEnum,
  instant,
  isoDate,
  namedEnum,
  notGiven,
  optionalText,
  queryBoolean,
  requiredEnum,
  requiredText,
  sortEnum,
  uuid,
} from '@postrider/core/base/kernel';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { shapeOf } from './zod-shape.ts';

const scalar = (name: string) => ({ kind: 'scalar', name });
const values = ['A', 'B'] as const;

describe('the shape of an input', () => {
  it.each([
    ['required text', requiredText(10), scalar('String'), false],
    ['optional text', optionalText(10), scalar('String'), true],
    ['an address', emailAddress, scalar('String'), false],
    ['an id', uuid, scalar('String'), false],
    ['a flag', z.boolean().default(false), scalar('Boolean'), true],
    ['a flag of a query', queryBoolean('x'), scalar('Boolean'), true],
    ['a whole number of a query', clampedInt(20, 1, 100), scalar('Int'), true],
    ['an enum', z.enum(values), { kind: 'enum', values }, false],
    ['an enum filter', filterEnum('x', z.enum(values)), { kind: 'enum', values }, true],
    ['a sort column', sortEnum(z.enum(values), 'A'), { kind: 'enum', values }, true],
    [
      'an enum with a default',
      notGiven(z.enum(values)).transform((value) => value ?? 'A'),
      { kind: 'enum', values },
      true,
    ],
    ['a date', instant, scalar('DateTime'), false],
    ['free-form data', z.record(z.string(), z.unknown()), scalar('JSON'), false],
    ['a union of kinds', z.union([z.string(), z.object({ email: z.string() })]), scalar('JSON'), false],
    [
      'a union of enums',
      z.union([z.literal('A'), z.enum(['B'])]),
      { kind: 'enum', values: ['A', 'B'] },
      false,
    ],
    ['anything', z.unknown(), scalar('JSON'), true],
    ['something required again', z.string().optional().nonoptional(), scalar('String'), false],
  ])('%s', (_what, schema, shape, nullable) => {
    expect(shapeOf(schema as z.ZodType, 'input')).toMatchObject({ shape, nullable });
  });

  it('a list, with its own nullability and that of its items', () => {
    expect(shapeOf(z.array(z.string().nullable()).optional(), 'input')).toMatchObject({
      shape: { kind: 'list', item: { shape: scalar('String'), nullable: true } },
      nullable: true,
    });
  });

  it('a named enum keeps its name, however it is described where it is used', () => {
    const status = namedEnum('Status', values);
    const named = { kind: 'enum', values, name: 'Status' };
    for (const schema of [status, status.describe('Where it is'), notGiven(status), filterEnum('x', status)])
      expect(shapeOf(schema, 'input').shape).toEqual(named);
    expect(shapeOf(sortEnum(status, 'A'), 'input').shape).toEqual(named);
    expect(shapeOf(requiredEnum(status), 'input').shape).toEqual(named);
  });

  it('a nested object, and the description of a field', () => {
    const inner = z.object({ name: z.string() });
    expect(shapeOf(notGiven(inner).describe('Who'), 'input')).toEqual({
      shape: { kind: 'object', schema: inner },
      nullable: true,
      description: 'Who',
    });
  });
});

describe('the shape of an output', () => {
  it.each([
    ['a date', isoDate, scalar('DateTime'), false],
    ['a date that may be missing', isoDate.nullable(), scalar('DateTime'), true],
    ['a count', z.int(), scalar('Int'), false],
    ['a rate', z.number(), scalar('Float'), false],
    ['a literal', z.literal(true), scalar('Boolean'), false],
    ['a value with a default', z.string().default('x'), scalar('String'), false],
    ['any JSON', z.json(), scalar('JSON'), false],
  ])('%s', (_what, schema, shape, nullable) => {
    expect(shapeOf(schema as z.ZodType, 'output')).toMatchObject({ shape, nullable });
  });

  it('a list of records', () => {
    const record = z.object({ id: z.string() });
    const { shape } = shapeOf(cursorListOf(record), 'output');
    if (shape.kind !== 'object') throw new Error('a list is an object');
    expect(shapeOf(shape.schema.shape['data'] as z.ZodType, 'output').shape).toEqual({
      kind: 'list',
      item: { shape: { kind: 'object', schema: record }, nullable: false, description: undefined },
    });
  });
});
