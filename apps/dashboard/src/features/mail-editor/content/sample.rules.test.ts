import { describe, expect, it } from 'vitest';
import { readSample, withNamesOf } from './sample.rules.ts';

describe('sample values', () => {
  it.each([
    ['', { data: {} }],
    [' \n', { data: {} }],
    ['{"name": "Ada", "items": [1]}', { data: { name: 'Ada', items: [1] } }],
  ])('%j is read', (text, expected) => expect(readSample(text)).toEqual(expected));

  it.each(['[1]', 'null', '"Ada"', '{"name": ', '{name: 1}'])('%s is rejected', (text) =>
    expect(readSample(text)).toEqual({ problem: expect.stringMatching(/JSON|object/) }),
  );
});

describe('inserting the variables of an email into the sample', () => {
  it('adds each variable once and keeps existing values', () => {
    const body = '{{ name ?? there }} {{- data.plan | upcase }} {{name}}';
    expect(JSON.parse(withNamesOf('{"plan": "pro"}', ['For {{first_name}}', body]))).toEqual({
      plan: 'pro',
      first_name: 'Ada',
      name: 'Ada',
    });
  });

  it('leaves text unchanged that is not valid JSON', () =>
    expect(withNamesOf('{"na', ['{{name}}'])).toBe('{"na'));
});
