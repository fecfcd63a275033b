import { describe, expect, it } from 'vitest';
import { isSame, parseDraft, readValues } from './draft.rules.ts';

const day = 24 * 60 * 60 * 1_000;
const draft = { at: 1_000, values: { name: 'Spring' }, extra: null };

describe('the values of a form', () => {
  it('leave out what the form does not save', () => {
    const entries: [string, string][] = [
      ['name', 'Spring'],
      ['sampleValues', '{"name": "Ada"}'],
    ];
    expect(readValues(entries)).toEqual({ name: 'Spring' });
  });

  it('are the same in any order, and other ones when a field is added or the filter changes', () => {
    const form = { values: { name: 'Spring', type: 'A' }, extra: null };
    expect(isSame(form, { values: { type: 'A', name: 'Spring' }, extra: null })).toBe(true);
    expect(isSame(form, { values: { ...form.values, segmentId: '' }, extra: null })).toBe(false);
    expect(isSame(form, { ...form, extra: { logic: 'OR' } })).toBe(false);
  });
});

describe('a stored draft', () => {
  it('is kept for 30 days', () => {
    const text = JSON.stringify(draft);
    expect(parseDraft(text, draft.at + 29 * day)).toEqual(draft);
    expect(parseDraft(text, draft.at + 31 * day)).toBeNull();
  });

  it('is ignored if it is not readable', () => {
    expect(parseDraft(null, 0)).toBeNull();
    expect(parseDraft('{', 0)).toBeNull();
    expect(parseDraft('{"at":1,"values":{"name":7}}', 2)).toBeNull();
  });
});
