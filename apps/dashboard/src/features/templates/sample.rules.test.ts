import { describe, expect, it } from 'vitest';
import { readSample, withNamesOf } from './sample.rules.ts';

describe('sample values', () => {
  it.each([
    ['', { data: {} }],
    [' \n', { data: {} }],
    ['{"name": "Ada", "items": [1]}', { data: { name: 'Ada', items: [1] } }],
  ])('%j is read', (text, expected) => expect(readSample(text)).toEqual(expected));

  it.each(['[1]', 'null', '"Ada"', '{"name": ', '{name: 1}'])('%s is told to be none', (text) =>
    expect(readSample(text)).toEqual({ problem: expect.stringMatching(/JSON|object/) }),
  );
});

describe('the names of a letter', () => {
  it('get a place each, once, beside what is filled in already', () => {
    const body = '{{ name ?? there }} {{- data.plan | upcase }} {{name}}';
    expect(JSON.parse(withNamesOf('{"plan": "pro"}', 'For {{first_name}}', body))).toEqual({
      plan: 'pro',
      first_name: '',
      name: '',
    });
  });

  it('are not those that a mail has by itself, nor objects and what a loop makes', () => {
    const body = '{{email}} {{unsubscribeUrl}} {{item.title}} {{list[0]}}';
    expect(withNamesOf('', body)).toBe('{}');
  });

  it('leave alone what is no JSON', () => expect(withNamesOf('{"na', '{{name}}')).toBe('{"na'));
});
