import fc from '@postrider/vitest/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { filterTree } from '../../audience/segments/filters.schema.ts';
import { stepConfigSchema } from '../../automation/workflows/steps/steps.schema.ts';
import { sendInput } from '../../mail/sending/sending.schema.ts';
import { unknownFieldsOf } from './unknown-fields.ts';

const unknownIn = (schema: z.ZodType, input: unknown, returned?: z.ZodType) =>
  unknownFieldsOf(schema, input, returned, 1_000).map(({ field, message, code }) => {
    expect(code).toBe('unsupported_field');
    return message === 'Unknown field' ? field : `${field} → ${/"(.*)"/.exec(message)?.[1]}`;
  });

describe('a field that the schema does not describe', () => {
  const schema = z.object({
    email: z.string(),
    subscribed: z
      .boolean()
      .nullish()
      .transform((value) => value ?? undefined),
    scheduledFor: z.string().optional(),
    replyTo: z.string().default(''),
    data: z.record(z.string(), z.unknown()).optional(),
    owner: z.object({ id: z.string(), tags: z.array(z.object({ name: z.string() })) }).optional(),
  });

  it.each([
    [{ subscibed: true }, ['subscibed → subscribed']],
    [{ SUBSCRIBED: true }, ['SUBSCRIBED → subscribed']],
    [{ reply_to: 'a@b.example', sendAt: '' }, ['reply_to → replyTo', 'sendAt → scheduledFor']],
    [{ unsubscribed: true }, ['unsubscribed → subscribed']],
    [{ to: 1, xy: 2 }, ['to', 'xy']],
    [
      { owner: { id: '1', idd: 2, tags: [{ name: '' }, { nmae: '' }] } },
      ['owner.idd', 'owner.tags.1.nmae → name'],
    ],
    [{ email: { address: 1 }, owner: [{ id: 1 }], data: { anything: { at: ['all'] } } }, []],
    [{ _meta: 1, __proto: 2, email: '' }, []],
    [['not', 'an', 'object'], []],
    [null, []],
    ['text', []],
  ])('%j: %j', (input, expected) => {
    expect(unknownIn(schema, input)).toEqual(expected);
  });

  it('does not include the fields of the record that is returned, at their level', () => {
    const record = z.object({ id: z.string(), owner: z.object({ id: z.string(), since: z.string() }) });
    expect(unknownIn(schema, { id: '', since: '', owner: { since: '', id: '' } }, record)).toEqual(['since']);
  });

  it('is judged by the form of a union that its discriminator selects', () => {
    const union = z.discriminatedUnion('mode', [
      z.object({ mode: z.literal('ids'), ids: z.array(z.string()) }),
      z.object({ mode: z.literal('query'), filter: z.object({ search: z.string() }) }),
    ]);
    expect(unknownIn(union, { mode: 'ids', filter: {} })).toEqual(['filter']);
    expect(unknownIn(union, { mode: 'query', filter: { serach: '' } })).toEqual(['filter.serach → search']);
    expect(unknownIn(union, { mode: 'other', anything: 1 })).toEqual([]);
  });

  it('may be of any form of another union', () => {
    const union = z.union([z.object({ a: z.string() }), z.object({ b: z.string() }), z.string()]);
    expect(unknownIn(z.object({ x: z.array(union) }), { x: [{ a: '' }, { b: '' }, { c: '' }, 'd'] })).toEqual(
      ['x.2.c'],
    );
  });

  it('is found in mailboxes, attachments and headers of an email', () => {
    expect(
      unknownIn(sendInput, {
        to: [{ email: 'a@b.example', nmae: 'A' }, 'c@d.example'],
        from: { address: 'x@y.example' },
        copies: 'e@f.example',
        html: '<p>',
        type: 'html',
        name: 'A',
        attachments: [{ filename: 'a', type: 'text/plain' }],
        headers: { anything: '' },
        data: { anything: { value: 1, persistent: false, other: 1 } },
      }),
    ).toEqual(['to.0.nmae → name', 'from.address', 'copies', 'html → body', 'attachments.0.type']);
  });

  it('is found at every level of a filter tree', () => {
    const filter = { field: 'data.plan', operator: 'equals', value: { a: 1 }, unit: 'days' };
    const tree = {
      logic: 'AND',
      groups: [{ filters: [filter, { ...filter, fields: '' }], conditions: { logic: 'OR', group: [] } }],
      name: 'x',
    };
    expect(unknownIn(filterTree, tree)).toEqual([
      'groups.0.filters.1.fields → field',
      'groups.0.conditions.group → groups',
      'name',
    ]);
  });

  it('is found in time that grows with the input, however deep a recursive form is nested', () => {
    const deep = (levels: number): unknown =>
      levels === 0
        ? { logik: 'AND' }
        : { logic: 'AND', groups: [{ filters: [], conditions: deep(levels - 1) }] };
    expect(unknownIn(filterTree, deep(120))).toEqual([`${'groups.0.conditions.'.repeat(120)}logik → logic`]);
  });

  it.each([
    ['SEND_EMAIL', { templateID: '' }, ['templateID → templateId']],
    ['UPDATE_CONTACT', { updates: { anything: 1 } }, []],
    ['WEBHOOK', { url: '', headers: { a: '' }, body: { anything: 1 }, verb: '' }, ['verb']],
    ['CONDITION', { mode: 'multi', branches: [{ id: '', nam: '' }] }, ['branches.0.nam → name']],
  ] as const)('is found in the configuration of %s', (type, config, expected) => {
    expect(unknownIn(stepConfigSchema(type, config), config)).toEqual(expected);
  });

  it('is every name that is neither described nor begins with _', () => {
    const described = new Set(Object.keys(schema.shape));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), ({ owner: _, ...input }) => {
        const expected = Object.keys(input).filter((name) => !described.has(name) && !name.startsWith('_'));
        expect(unknownFieldsOf(schema, input, undefined, 1_000).map(({ field }) => field)).toEqual(expected);
      }),
    );
  });
});
