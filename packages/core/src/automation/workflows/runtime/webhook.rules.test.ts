import { describe, expect, it } from 'vitest';
import { recordedResponse } from './webhook.rules.ts';

const recorded = (body: string): unknown =>
  recordedResponse({ kind: 'answer', status: 200, body, isCut: false });

describe('the recorded answer of a webhook', () => {
  it('is its JSON, without characters that PostgreSQL cannot store, in keys too', () => {
    expect(recorded('{"a":["b\\u0000c"],"k\\u0000":1}')).toEqual({ a: ['bc'], k: 1 });
  });

  it.each(['plain', '{"a":', ''])('is its text when it is not JSON: %j', (body) => {
    expect(recorded(body)).toBe(body);
  });

  it('is its text when deeply nested, without overflowing the stack', () => {
    const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const objects = `${'{"a":'.repeat(1_600)}1${'}'.repeat(1_600)}`;
    expect(recorded(nested(5_000))).toBe(nested(5_000));
    expect(recorded(objects)).toBe(objects);
    expect(recorded(nested(101))).toBe(nested(101));
    expect(JSON.stringify(recorded(nested(100)))).toBe(nested(100));
  });
});
