import fc from '@postrider/vitest/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseInput } from '../../base/kernel/index.ts';
import { type ContactChange, collapseChanges, type DataMode, splitContactData } from './contacts.rules.ts';
import { contactData } from './contacts.schema.ts';
import { noDefinitions, settleData } from './fields/definitions.rules.ts';

/** In a project without definitions. */
const split = (data: Record<string, unknown>, mode: DataMode = 'transient-allowed') => {
  const parts = splitContactData(data, mode);
  const settled = settleData(parts, noDefinitions, 'UTC', mode === 'stored-only' ? 'strict' : 'lenient');
  const { set, unset, transient, lists, warnings } = settled;
  expect([...parts.issues, ...settled.issues, ...warnings, ...Object.keys(lists)]).toEqual([]);
  return { set, unset, transient };
};

/** The field errors that a request with this data gets. */
function refusals(data: unknown, mode: DataMode = 'transient-allowed'): unknown[] {
  try {
    const input = parseInput(z.object({ data: contactData(mode) }), { data });
    const { issues } = settleData(input.data, noDefinitions, 'UTC', 'lenient');
    return issues.map(({ path, code }) => `${['data', ...path].join('.')} ${code}`);
  } catch (error) {
    return (error as { errors: { field: string; code: string }[] }).errors.map(
      ({ field, code }) => `${field} ${code}`,
    );
  }
}

describe('valid data', () => {
  it('stores primitives, removes null values and ignores empty strings', () => {
    const data = { name: 'Ann', age: 0, vip: false, old: null, blank: '' };
    expect(split(data, 'stored-only')).toEqual({
      set: { name: 'Ann', age: 0, vip: false },
      unset: ['old'],
      transient: {},
    });
  });

  it('drops reserved keys with any value, without an error', () => {
    const reserved = {
      id: [],
      svc_id: 1,
      svc_email: 1,
      email: {},
      unsubscribeUrl: 1,
      subscribeUrl: 1,
      manageUrl: 1,
    };
    expect(split({ ...reserved, Email: 'kept' }, 'stored-only').set).toEqual({ Email: 'kept' });
  });

  it('unwraps {value, persistent: true} and applies the same rules to its value', () => {
    const wrap = (value: unknown) => ({ value, persistent: true });
    expect(split({ a: wrap('x'), b: wrap(null), c: wrap('') })).toEqual({
      set: { a: 'x' },
      unset: ['b'],
      transient: {},
    });
  });

  it('keeps {value, persistent: false} for the operation alone, and without effect where nothing can be transient', () => {
    const data = {
      code: { value: [1, { a: null }], persistent: false },
      none: { value: null, persistent: false },
    };
    expect(split(data)).toEqual({ set: {}, unset: [], transient: { code: [1, { a: null }], none: null } });
    expect(split(data, 'stored-only')).toEqual({ set: {}, unset: [], transient: {} });
  });

  it('uses arrays and plain objects for the operation alone', () => {
    const data = { items: [1], order: { total: 2, value: 3 } };
    expect(split(data)).toEqual({ set: {}, unset: [], transient: data });
  });

  it('accepts keys of 100 characters, keys with dots and names that JavaScript uses', () => {
    const data = JSON.parse(`{"${'k'.repeat(100)}": 1, "a.b": 2, "__proto__": 3, "constructor": 4}`);
    const { set } = splitContactData(data, 'stored-only');
    expect(Object.entries(set)).toEqual(Object.entries(data));
    expect(Object.getPrototypeOf(set)).toBe(Object.prototype);
  });

  it('accepts 64 KiB of JSON, counted in bytes', () => {
    expect(split({ a: 'x'.repeat(65_536 - 8) }).set['a']).toHaveLength(65_528);
    expect(split({ a: 'é'.repeat((65_536 - 8) / 2) }).set['a']).toHaveLength(32_764);
  });

  it.each(['transient-allowed', 'stored-only'] as const)('stores any primitive as locale (%s)', (mode) => {
    const stored = (locale: unknown) => split({ locale }, mode).set['locale'];
    expect(['fil', 'de_DE.UTF-8', 'C', 'english please', '!', 5, 0, true, false].map(stored)).toEqual([
      'fil',
      'de-DE',
      'C',
      'english please',
      '!',
      5,
      0,
      true,
      false,
    ]);
    expect(stored({ value: 'zh_hant_tw', persistent: true })).toBe('zh-Hant-TW');
    expect(split({ locale: null }, mode).unset).toEqual(['locale']);
    expect(split({ locale: '' }, mode)).toEqual({ set: {}, unset: [], transient: {} });
  });

  it('a locale for the operation alone may be any JSON, like every other key', () => {
    expect(split({ locale: { value: '!', persistent: false } }).transient).toEqual({ locale: '!' });
    expect(split({ locale: ['en'] }).transient).toEqual({ locale: ['en'] });
  });

  it('treats missing and null data as empty', () => {
    const schema = z.object({ data: contactData('stored-only') });
    for (const raw of [{}, { data: null }, { data: {} }]) {
      expect(parseInput(schema, raw).data).toEqual({ set: {}, unset: [], transient: {} });
    }
  });
});

describe('invalid data', () => {
  it.each([
    [{ a: [1] }, 'stored-only', ['data.a invalid_type']],
    [{ a: { b: 1 } }, 'stored-only', ['data.a invalid_type']],
    [{ a: { value: [1], persistent: true } }, 'transient-allowed', ['data.a invalid_type']],
    [{ a: { value: 1, persistent: 'yes' } }, 'transient-allowed', ['data.a invalid_type']],
    [{ a: { persistent: false } }, 'transient-allowed', ['data.a.value required']],
    [{ '': 1 }, 'transient-allowed', ['data. custom']],
    [{ ['k'.repeat(101)]: 1 }, 'transient-allowed', [`data.${'k'.repeat(101)} custom`]],
    [{ 'a\nb': 1 }, 'transient-allowed', ['data.a\nb custom']],
    [{ locale: ['en'] }, 'stored-only', ['data.locale invalid_type']],
    [{ a: 'x'.repeat(65_536 - 7) }, 'transient-allowed', ['data too_big']],
    [{ a: 'é'.repeat(32_765) }, 'stored-only', ['data too_big']],
    [{ a: [], b: {} }, 'stored-only', ['data.a invalid_type', 'data.b invalid_type']],
    ['text', 'stored-only', ['data invalid_type']],
    [[1], 'transient-allowed', ['data invalid_type']],
    [5, 'transient-allowed', ['data invalid_type']],
    [{ a: 'x\u0000' }, 'transient-allowed', ['data.a custom']],
  ] as [unknown, DataMode, string[]][])('%j (%s)', (data, mode, errors) => {
    expect(refusals(data, mode)).toEqual(errors);
  });
});

const key = fc.constantFrom('a', 'b', 'c', '__proto__');
const value = fc.oneof(fc.string(), fc.boolean(), fc.integer());
const change: fc.Arbitrary<ContactChange> = fc.record({
  email: fc.constantFrom('x@a.test', 'y@a.test'),
  subscribed: fc.constantFrom(true, false, null),
  set: fc.dictionary(key, value),
  unset: fc.uniqueArray(key),
});

it('changes of one address merged into one have the same result as in sequence', () => {
  const apply = (data: Map<string, unknown>, entries: Iterable<[string, unknown]>) => {
    for (const [name, content] of entries) {
      if (content === null) data.delete(name);
      else data.set(name, content);
    }
    return data;
  };
  fc.assert(
    fc.property(fc.array(change, { maxLength: 8 }), fc.dictionary(key, value), (changes, start) => {
      const collapsed = collapseChanges(changes);
      for (const email of new Set(changes.map((one) => one.email))) {
        const model = new Map<string, unknown>(Object.entries(start));
        let subscribed: boolean | null = null;
        for (const one of changes.filter((each) => each.email === email)) {
          apply(model, Object.entries(one.set));
          apply(
            model,
            one.unset.map((name) => [name, null]),
          );
          subscribed = one.subscribed ?? subscribed;
        }
        const patch = collapsed.get(email);
        expect(apply(new Map(Object.entries(start)), Object.entries(patch?.patch ?? {}))).toEqual(model);
        expect(patch?.subscribed).toBe(subscribed);
      }
      expect(collapsed.size).toBe(new Set(changes.map((one) => one.email)).size);
    }),
  );
});
