import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { emailAddress, instant, notGiven, queryBoolean, uuid } from './fields.ts';
import { logged } from './logged.ts';
import { replyMailboxes } from './mailbox-fields.ts';
import { idsOf, redact, shownMailbox } from './redact.ts';

const id = '0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90';
const most = 4_000;
const shown = (schema: z.ZodType, value: unknown) => JSON.parse(JSON.stringify(redact(schema, value, most)));

describe('redact', () => {
  const schema = z.object({
    id: notGiven(uuid),
    text: z.string(),
    flag: z.boolean(),
    fromQuery: queryBoolean('fromQuery'),
    count: z.int(),
    kind: z.enum(['A', 'B']),
    when: notGiven(instant),
    event: z.string().register(logged, { as: 'text' }).describe('A described copy.'),
    email: emailAddress,
    reply: replyMailboxes.describe('A described copy.'),
    data: z.record(z.string(), z.unknown()),
  });

  it.each([
    ['id', id, id],
    ['id', 'secret', { length: 6 }],
    ['text', 'secret', { length: 6 }],
    ['flag', true, true],
    ['flag', 'secret', { length: 6 }],
    ['fromQuery', 'false', 'false'],
    ['count', 7, 7],
    ['count', '7', '7'],
    ['count', 'secret', { length: 6 }],
    ['kind', 'B', 'B'],
    ['kind', 'secret', { length: 6 }],
    ['when', '2026-11-28T09:00:00Z', '2026-11-28T09:00:00Z'],
    ['when', 'secret', { length: 6 }],
    ['event', 'signed_up', 'signed_up'],
    ['event', 'x'.repeat(300), { length: 300 }],
    ['event', 'ann@example.net left', { length: 20 }],
    ['email', 'Ann@Example.net', 'A…@Example.net'],
    ['email', 'secret', { length: 6 }],
    ['reply', 'Ann Smith <ann@example.net>', 'a…@example.net'],
    [
      'data',
      { plan: 'secret', age: 41, 'ann@example.net': true },
      { plan: { length: 6 }, age: { type: 'number' }, '(15 characters)': { type: 'boolean' } },
    ],
    ['unknown', 'secret', { length: 6 }],
    ['unknown', 4111, { type: 'number' }],
    ['text', null, null],
    ['text', { nested: ['secret'] }, { nested: [{ length: 6 }] }],
    ['flag', Buffer.from('secret'), { size: 6 }],
  ])('shows %s: %j as %j', (field, value, expected) => {
    expect(shown(schema, { [field]: value })).toEqual({ [field]: expected });
  });

  it('costs and keeps little of what is large', () => {
    const wide = { data: Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`key${n}`, 'x'])) };
    const long = { data: { list: Array.from({ length: 100_000 }, () => 'x') } };
    let deep: unknown = 'x';
    for (let n = 0; n < 10_000; n += 1) deep = { deep };
    for (const value of [wide, long, { data: deep }, deep])
      expect(JSON.stringify(redact(schema, value, most)).length).toBeLessThan(most * 1.5);
    expect(JSON.stringify(redact(schema, long, most))).toMatch(/"…":\d{5}/);
  });

  it('is not confused by names of the prototype', () => {
    const value = JSON.parse('{"__proto__": {"text": "secret"}, "constructor": "secret"}');
    expect(JSON.stringify(redact(schema, value, most))).not.toContain('secret');
  });

  it('shows the first letter and the domain of an address, and of nothing else', () => {
    expect(shownMailbox('Ann <ann@bücher.example>')).toBe('a…@bücher.example');
    for (const text of ['ann', '@example.net', 'ann@', 'ann@a b', `${'a'.repeat(500)}@example.net`])
      expect(shownMailbox(text)).toBeNull();
  });
});

describe('idsOf', () => {
  const reply = z.object({
    emails: z.array(
      z.object({
        contact: z.object({ id: z.guid(), email: z.string() }),
        email: z.guid().describe('Id.').register(logged, { as: 'email' }),
      }),
    ),
    name: z.string(),
  });

  it('has the ids at their places, and those of emails', () => {
    const emails = [{ contact: { id, email: 'ann@example.net' }, email: id }];
    expect(idsOf(reply, { emails, name: 'secret' }, most)).toEqual({
      ids: { emails: [{ contact: { id }, email: id }] },
      emailIds: [id],
    });
    expect(idsOf(reply, { emails: [], name: 'secret' }, most)).toEqual({ ids: null, emailIds: [] });
  });

  it('stops at its limit', () => {
    const emails = Array.from({ length: 1_000 }, () => ({ contact: { id, email: 'a' }, email: id }));
    const { ids, emailIds } = idsOf(reply, { emails, name: '' }, most);
    expect(JSON.stringify(ids).length).toBeLessThan(most * 1.5);
    expect(emailIds).toHaveLength(10);
  });
});
