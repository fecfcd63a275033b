import { webhookTypes } from '@postrider/core/base/event-types/contract';
import { isEventType } from '@postrider/core/insight/webhook-endpoints/contract';
import { describe, expect, it } from 'vitest';
import { tickedTypes, typeField, typeNamed, typesInWords } from './endpoint-types.rules.ts';

it.each([
  [['*'], 'All'],
  [['email.sent', '*'], 'All'],
  [['email.sent', 'email.open'], 'email.sent, email.open'],
  [['email.sent', 'email.open', 'email.click'], 'email.sent, email.open and 1 more'],
])('%j is summarized as %s', (types, words) => expect(typesInWords(types)).toBe(words));

it('a form gives the types that are ticked, and no other field', () => {
  const types = ['email.sent', 'event.type:a=b'];
  const ticked = Object.fromEntries(types.map((type) => [typeField(type), 'on']));
  expect(tickedTypes({ url: 'https://example.com', ...ticked })).toEqual(types);
});

describe('an entered text', () => {
  it.each([...webhookTypes, 'segment.Buyers.entry', 'event.signed up'])('%s is a type as it is', (type) =>
    expect(typeNamed(` ${type} `)).toBe(type),
  );

  it('that is no type names an event of the project', () => {
    expect(typeNamed('signed up')).toBe('event.signed up');
    expect(isEventType('event.signed up')).toBe(true);
  });

  it.each(['', '  ', '*'])('%j names none', (text) => expect(typeNamed(text)).toBeNull());
});
