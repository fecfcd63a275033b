import { expect, it } from 'vitest';
import { actionName } from './action-name.rules.ts';

it.each([
  ['templates.create', 'Templates: create'],
  ['contacts.bulkSubscribe', 'Contacts: bulk subscribe'],
  ['auth.login_failed', 'Auth: login failed'],
])('%s is shown as "%s"', (operation, name) => {
  expect(actionName(operation)).toBe(name);
});
