import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { actionName, inWords } from './action-name.rules.ts';

it.each([
  ['templates.create', 'Template created'],
  ['contacts.bulkSubscribe', 'Contacts subscribed'],
  ['auth.login_failed', 'Login failed'],
  ['orders.sendInvoice', 'Orders: send invoice'],
])('%s is shown as "%s"', (operation, name) => {
  expect(actionName(operation)).toBe(name);
});

it('fields are shown in words', () => {
  expect(inWords('scheduledFor')).toBe('scheduled for');
  expect(inWords('acknowledge.postal_address_missing')).toBe('accepted: postal address missing');
});

/** These write no entry, or are no matter of a project. */
const unrecorded =
  /^(auth|users|sending|tracking|preferences|graphql|provider)[.]|^(forms[.]submit|subscriptionRequests[.]answer|events[.](track|record)|contacts[.](lookup|verifyAddress|previewLimits)|campaigns[.](preflight(Draft)?|adviseTest)|workflows[.](test|previewPublish|simulate)|billing[.]receive)$/;

it('every operation of the API that changes a project has a name in words', async () => {
  const file = new URL('../../../../../api/contracts/openapi.json', import.meta.url);
  const { paths } = JSON.parse(await readFile(file, 'utf8')) as {
    paths: Record<string, Record<string, { operationId?: string }>>;
  };
  const changing = Object.values(paths).flatMap(({ get: _, ...methods }) =>
    Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
  );
  const recorded = changing.filter((operation) => !unrecorded.test(operation));
  expect(recorded.length).toBeGreaterThan(60);
  expect(recorded.filter((operation) => actionName(operation).includes(':'))).toEqual([]);
});
