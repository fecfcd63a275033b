import { expect, it } from 'vitest';
import { targetOf } from './target.rules.ts';

const entry = (targetType: string | null, targetName: string | null, operation = 'templates.update') => ({
  ...{ operation, targetType, targetName },
  targetId: targetType === null ? null : '7',
});

it.each([
  [entry('template', 'Welcome'), { name: 'Welcome', path: 'templates/7' }],
  [entry('template', 'Welcome', 'templates.delete'), { name: 'Welcome', path: null }],
  [entry('webhookEndpoint', 'shop.example'), { name: 'shop.example', path: 'webhooks/7' }],
  [entry('member', 'ann@people.test', 'members.change'), { name: 'ann@people.test', path: null }],
  [entry('contactField', 'plan'), { name: 'plan', path: 'contacts/fields/data.plan' }],
  [entry('event', 'a b', 'events.delete'), { name: 'a b', path: 'events/of?name=a%20b' }],
  [entry('job', null), null],
  [entry(null, null), null],
])('%j is about %j', (given, target) => {
  expect(targetOf(given)).toEqual(target);
});
