import { describe, expect, it } from 'vitest';
import { parseDataLines } from './contact-data.rules.ts';

describe('data of a contact, typed as lines', () => {
  it('gives numbers and truth values their type and leaves everything else a text', () => {
    expect(parseDataLines('plan: pro\nseats: 3\nrate: -0.5\ntrial: false\nzip: 01234\nphone: "42"')).toEqual({
      plan: 'pro',
      seats: 3,
      rate: -0.5,
      trial: false,
      zip: '01234',
      phone: '42',
    });
  });

  it('keeps colons of the value and skips empty lines', () => {
    expect(parseDataLines('\nsite: https://example.com\n\n')).toEqual({ site: 'https://example.com' });
  });

  it('names a line that is no pair', () => {
    expect(() => parseDataLines('plan pro')).toThrow('“plan pro” is no pair');
  });
});
