import { describe, expect, it } from 'vitest';
import type { FormField } from './forms.schema.ts';
import { readAnswers } from './read-answers.rules.ts';

const field = (key: string, type: FormField['type'], more: Partial<FormField> = {}): FormField => ({
  key,
  label: { en: key },
  type,
  required: false,
  options: [],
  ...more,
});
const one = [{ key: 'general', number: 1 }];
const several = [...one, { key: 'product', number: 2 }];
const read = (
  given: { email?: unknown; topics?: unknown[]; fields?: Record<string, unknown> },
  form: { fields?: FormField[]; offered?: typeof several } = {},
) =>
  readAnswers(
    { fields: form.fields ?? [], offered: form.offered ?? one },
    { email: 'Ann@Example.com', topics: [], fields: {}, ...given },
  );

describe('the address', () => {
  it('is taken in its normal form', () => {
    expect(read({})).toEqual({ answers: { email: 'ann@example.com', topics: [1], data: {} } });
  });

  it.each([
    ['', 'required'],
    ['   ', 'required'],
    [undefined, 'required'],
    [{ a: 1 }, 'required'],
    ['ann', 'email'],
    ['ann@', 'email'],
    ['a b@example.com', 'email'],
    ['x'.repeat(100_000), 'email'],
  ])('%j: %s', (email, mistake) => {
    expect(read({ email })).toEqual({ mistakes: { email: mistake } });
  });
});

describe('topics', () => {
  it('of a form with one need not be chosen', () => {
    expect(read({ topics: ['other'] })).toMatchObject({ answers: { topics: [1] } });
  });

  it('of a form with several: at least one, and only those that it offers', () => {
    expect(read({ topics: ['product', 'x', 7] }, { offered: several })).toMatchObject({
      answers: { topics: [2] },
    });
    expect(read({ topics: [] }, { offered: several })).toEqual({ mistakes: { topics: 'topic' } });
    expect(read({ topics: ['x'] }, { offered: several })).toEqual({ mistakes: { topics: 'topic' } });
  });
});

describe('fields', () => {
  const fields = [
    field('name', 'TEXT', { required: true }),
    field('agree', 'CHECKBOX'),
    field('plan', 'SELECT', { options: [{ value: 'a', label: { en: 'A' } }] }),
    field('born', 'DATE'),
  ];

  it('are stored by their types; an empty one is none', () => {
    expect(
      read({ fields: { name: ' Ann ', agree: 'on', plan: 'a', born: '2001-02-03' } }, { fields }),
    ).toMatchObject({
      answers: { data: { name: 'Ann', agree: true, plan: 'a', born: '2001-02-03' } },
    });
    expect(read({ fields: { name: 'Ann', plan: '', born: ' ' } }, { fields })).toMatchObject({
      answers: { data: { name: 'Ann', agree: false } },
    });
  });

  it('tell all mistakes at once, and none of a field that the form does not have', () => {
    expect(
      read({ email: 'x', fields: { agree: 'maybe', plan: 'b', born: '31.12.2001', other: 1 } }, { fields }),
    ).toEqual({
      mistakes: {
        email: 'email',
        'fields.name': 'required',
        'fields.agree': 'value',
        'fields.plan': 'value',
        'fields.born': 'value',
      },
    });
    expect(read({ fields: { name: 'x'.repeat(501) } }, { fields })).toEqual({
      mistakes: { 'fields.name': 'value' },
    });
    expect(read({ fields: { name: { toString: 'x' } } }, { fields })).toEqual({
      mistakes: { 'fields.name': 'value' },
    });
  });
});
