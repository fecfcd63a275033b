import { expect, it } from 'vitest';
import { isEventType, webhookKindOf } from './event-types.rules.ts';

it.each(['*', 'email.sent', 'email.uncertain', 'project.disabled', 'segment.vip.entry', 'event.signed up'])(
  'an endpoint may ask for %s',
  (type) => expect(isEventType(type)).toBe(true),
);

it.each([
  '',
  'email',
  'email.*',
  'email.opened',
  'workflow.started',
  'signed_up',
  'event.',
  'segment.entry',
  '**',
])('but not for %j, which is no exact name of a type', (type) => expect(isEventType(type)).toBe(false));

it.each([
  ['email.sent', 'email.sent'],
  ['webhook.test', 'webhook.test'],
  ['segment.vip.entry', 'segment.entry'],
  ['segment.a.exit.b.exit', 'segment.exit'],
  ['event.signed_up', 'event'],
  ['event.segment.vip.entry', 'event'],
])('payloads of %s are of kind %s', (type, kind) => expect(webhookKindOf(type)).toBe(kind));
