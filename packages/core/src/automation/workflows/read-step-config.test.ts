import { describe, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import { readStepConfig } from './read-step-config.ts';
import type { StepType } from './steps/steps.schema.ts';

const condition = (change: object) => ({ field: 'data.a', operator: 'equals', value: 1, ...change });
const multi = (...branches: object[]) => ({ mode: 'multi', field: 'data.a', branches });
const branch = (change: object = {}) => ({ id: 'a', name: 'A', operator: 'exists', ...change });
const url = 'https://hooks.example.com/x';
const manyHeaders = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`X-${i}`, 'a']));

describe('a configuration that is refused', () => {
  it.each<[StepType, object, string, string]>([
    ['SEND_EMAIL', { recipient: { type: 'OTHER' } }, 'recipient.type', 'invalid_enum_value'],
    ['SEND_EMAIL', { recipient: { type: 'CUSTOM' } }, 'recipient.customEmail', 'required'],
    [
      'SEND_EMAIL',
      { recipient: { type: 'CUSTOM', customEmail: 'nobody' } },
      'recipient.customEmail',
      'invalid_string',
    ],
    [
      'SEND_EMAIL',
      { recipient: { type: 'CUSTOM', customEmail: '{% if %}' } },
      'recipient.customEmail',
      'template_syntax',
    ],
    ['SEND_EMAIL', { templateId: 'x' }, 'templateId', 'invalid_string'],
    ['DELAY', { unit: 'days' }, 'amount', 'required'],
    ['DELAY', { amount: 0, unit: 'days' }, 'amount', 'too_small'],
    ['DELAY', { amount: 1.5, unit: 'days' }, 'amount', 'invalid_type'],
    ['DELAY', { amount: '1', unit: 'days' }, 'amount', 'invalid_type'],
    ['DELAY', { amount: 1, unit: 'weeks' }, 'unit', 'invalid_enum_value'],
    ['DELAY', { amount: 366, unit: 'days' }, 'amount', 'too_big'],
    ['DELAY', { amount: 8761, unit: 'hours' }, 'amount', 'too_big'],
    ['WAIT_FOR_EVENT', {}, 'eventName', 'required'],
    ['WAIT_FOR_EVENT', { eventName: ' ' }, 'eventName', 'required'],
    ['WAIT_FOR_EVENT', { eventName: 'x', timeout: 0 }, 'timeout', 'too_small'],
    ['WAIT_FOR_EVENT', { eventName: 'x', timeout: 31_536_001 }, 'timeout', 'too_big'],
    ['CONDITION', { operator: 'exists' }, 'field', 'required'],
    ['CONDITION', condition({ field: 'name' }), 'field', 'unsupported_field'],
    ['CONDITION', condition({ field: 'contact.name' }), 'field', 'unsupported_field'],
    ['CONDITION', condition({ operator: 'triggered' }), 'operator', 'invalid_enum_value'],
    ['CONDITION', condition({ operator: 'within', value: 1 }), 'unit', 'required'],
    ['CONDITION', condition({ operator: 'within', value: '1', unit: 'days' }), 'value', 'invalid_type'],
    ['CONDITION', condition({ operator: 'isAnyOf', value: 'pro' }), 'value', 'invalid_type'],
    ['CONDITION', condition({ operator: 'isAnyOf', value: ['pro', null] }), 'value.1', 'invalid_type'],
    ['CONDITION', condition({ operator: 'onDay', value: 0.5 }), 'value', 'invalid_type'],
    ['CONDITION', multi(branch({ operator: 'startsWith', value: '' })), 'branches.0.value', 'required'],
    ['CONDITION', condition({ value: undefined }), 'value', 'required'],
    ['CONDITION', condition({ field: 'contact.createdAt', value: 'soon' }), 'value', 'invalid_date'],
    ['CONDITION', condition({ mode: 'other' }), 'mode', 'invalid_enum_value'],
    ['CONDITION', multi(), 'branches', 'too_small'],
    [
      'CONDITION',
      multi(...Array.from({ length: 21 }, (_, id) => branch({ id: `${id}` }))),
      'branches',
      'too_big',
    ],
    ['CONDITION', multi(branch({ id: 'default' })), 'branches.0.id', 'custom'],
    ['CONDITION', multi(branch(), branch()), 'branches.1.id', 'custom'],
    ['CONDITION', multi(branch({ operator: 'equals' })), 'branches.0.value', 'required'],
    ['CONDITION', multi(branch({ name: '' })), 'branches.0.name', 'required'],
    ['WEBHOOK', {}, 'url', 'required'],
    ['WEBHOOK', { url: 'ftp://example.com' }, 'url', 'invalid_string'],
    ['WEBHOOK', { url: 'example.com/x' }, 'url', 'invalid_string'],
    ['WEBHOOK', { url: 'javascript:alert(1)' }, 'url', 'invalid_string'],
    ['WEBHOOK', { url: 'https://x.test/{% if %}' }, 'url', 'template_syntax'],
    ['WEBHOOK', { url, method: 'HEAD' }, 'method', 'invalid_enum_value'],
    ['WEBHOOK', { url, headers: { 'X-A': 1 } }, 'headers.X-A', 'invalid_type'],
    ['WEBHOOK', { url, headers: { 'X-A': 'a\r\nb' } }, 'headers.X-A', 'invalid_string'],
    ['WEBHOOK', { url, headers: { 'X A': 'a' } }, 'headers.X A', 'invalid_string'],
    ['WEBHOOK', { url, headers: manyHeaders(51) }, 'headers', 'too_big'],
    ['WEBHOOK', { url, body: { a: 'x'.repeat(65_536) } }, 'body', 'too_big'],
    ['WEBHOOK', { url, body: Array(10_000).fill('{{a}}') }, 'body', 'too_big'],
    [
      'WEBHOOK',
      { url, body: { items: [{ a: '{{ a | no_such_filter }}' }] } },
      'body.items.0.a',
      'template_syntax',
    ],
    ['UPDATE_CONTACT', {}, 'data', 'required'],
    ['UPDATE_CONTACT', { data: { a: '' } }, 'data', 'required'],
    ['UPDATE_CONTACT', { subscriptionAction: 'none' }, 'data', 'required'],
    ['UPDATE_CONTACT', { topics: {} }, 'data', 'required'],
    ['UPDATE_CONTACT', { topics: { news: null } }, 'data', 'required'],
    ['UPDATE_CONTACT', { topics: { news: 'yes' } }, 'topics.news', 'invalid_type'],
    ['UPDATE_CONTACT', { subscriptionAction: 'leave' }, 'subscriptionAction', 'invalid_enum_value'],
    ['UPDATE_CONTACT', { data: { a: 'x'.repeat(65_536) } }, 'data', 'too_big'],
    ['UPDATE_CONTACT', { data: { 'a\u0001': 1 } }, 'data.a\u0001', 'custom'],
    ['EXIT', { reason: 'x'.repeat(201) }, 'reason', 'too_big'],
  ])('%s %j: config.%s is %s', (type, config, field, code) => {
    expect(() => readStepConfig(type, config as Record<string, unknown>)).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        errors: [expect.objectContaining({ field: `config.${field}`, code })],
      }),
    );
  });

  it('values that a contact cannot store, each at its key', () => {
    expect(() => readStepConfig('UPDATE_CONTACT', { data: { a: { b: 1 }, c: 1 } })).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ field: 'config.data.a' })] }),
    );
  });
});

describe('a configuration that is stored as given', () => {
  it.each<[StepType, Record<string, unknown>]>([
    ['SEND_EMAIL', {}],
    ['SEND_EMAIL', { recipient: { type: 'CONTACT' } }],
    ['SEND_EMAIL', { recipient: { type: 'CUSTOM', customEmail: '{{data.manager}}' } }],
    ['DELAY', { amount: 365, unit: 'days' }],
    ['WAIT_FOR_EVENT', { eventName: 'email.open', timeout: 31_536_000 }],
    ['CONDITION', condition({ value: null })],
    ['CONDITION', condition({ field: 'event.order.total', operator: 'greaterThan', value: 5 })],
    ['CONDITION', { field: 'contact.data.plan', operator: 'exists' }],
    ['CONDITION', multi(branch(), branch({ id: 'b', operator: 'equals', value: null }))],
    ['WEBHOOK', { url, method: 'PUT', headers: { 'X-A': '{{data.a}}' }, body: [1, { a: '{{email}}' }] }],
    ['WEBHOOK', { url: '{{data.hook}}/x', body: null }],
    ['WEBHOOK', { url, headers: manyHeaders(50), body: 'x'.repeat(65_534) }],
    ['UPDATE_CONTACT', { data: { a: '{{event.a}}', b: null, c: 1, d: true } }],
    ['UPDATE_CONTACT', { subscriptionAction: 'subscribe' }],
    ['UPDATE_CONTACT', { topics: { news: true, offers: false } }],
    ['EXIT', {}],
    ['EXIT', { reason: 'done' }],
  ])('%s %j', (type, config) => {
    expect(readStepConfig(type, config)).toEqual({ config, templateId: undefined });
  });
});

it('moves the template out of the configuration, and `updates` into `data`', () => {
  const templateId = newId();
  expect(readStepConfig('SEND_EMAIL', { templateId })).toEqual({ config: {}, templateId });
  expect(readStepConfig('UPDATE_CONTACT', { updates: { a: 1 } }).config).toEqual({ data: { a: 1 } });
});
