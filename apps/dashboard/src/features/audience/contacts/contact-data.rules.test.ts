import { describe, expect, it } from 'vitest';
import { dataChanges, parseDataLines } from './contact-data.rules.ts';

describe('contact data edited as lines of text', () => {
  it('reads numbers and booleans as their type and anything else as a string', () => {
    expect(parseDataLines('plan: pro\nseats: 3\nrate: -0.5\ntrial: false\nzip: 01234\nphone: "42"')).toEqual({
      plan: 'pro',
      seats: 3,
      rate: -0.5,
      trial: false,
      zip: '01234',
      phone: '42',
    });
  });

  it('keeps colons in values and skips empty lines', () => {
    expect(parseDataLines('\nsite: https://example.com\n\n')).toEqual({ site: 'https://example.com' });
  });

  it('rejects a line without a colon and quotes it', () => {
    expect(() => parseDataLines('plan pro')).toThrow('“plan pro” is not a key and a value');
  });

  it('reads a pasted JSON object, and rejects JSON that no contact can hold', () => {
    expect(parseDataLines('{"plan": "pro",\n "seats": 3}')).toEqual({ plan: 'pro', seats: 3 });
    for (const text of ['{plan: pro}', '[1]', '{"plan": {"name": "pro"}}'])
      expect(() => parseDataLines(text)).toThrow('Write one field per line');
  });

  it('sends changed keys with their values and removed keys as null', () => {
    expect(
      dataChanges({ plan: 'pro', seats: 3, name: 'Ada' }, { plan: 'pro', seats: 4, city: 'Bern' }),
    ).toEqual({
      seats: 4,
      city: 'Bern',
      name: null,
    });
  });
});
