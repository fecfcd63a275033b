import { createForm, submissionsProcessed } from '@postrider/core/mail/forms';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../test/harness.ts';

/** A flood of sign-ups (behaviour B12.6): who sends it, to whom, and how often each client sends. */
const clients = 50;
const addresses = 500;
const perClient = 30;
/** Of one network in ten minutes. */
const taken = 20;

let test: TestApp;
beforeAll(async () => {
  test = await startApp();
});
afterAll(async () => {
  await submissionsProcessed(test.services);
  await test.close();
});

it('of 500 addresses by 50 clients: each client is limited, no address gets a second email, and no one is subscribed', {
  timeout: 120_000,
}, async () => {
  const { prisma } = test.services.database;
  const { ctx, id: projectId } = test.project;
  const from = test.services.config.sandboxFrom;
  await prisma.project.update({
    where: { id: projectId },
    data: { consent: { confirmation: { from, fromName: null, replyTo: null, templateId: null } } },
  });
  const form = await createForm.run(ctx, {
    ...{ name: 'Footer', enabled: true, title: { en: 'News' }, consentText: { en: 'Yes, send me news.' } },
  });
  const send = (client: number, time: number) =>
    test.app.inject({
      method: 'POST',
      url: `/f/${form.id}`,
      remoteAddress: `198.51.100.${client}`,
      payload: { email: `delivered+${(client * perClient + time) % addresses}@postrider.test` },
    });
  const counts = new Map<number, number>();
  for (let time = 0; time < perClient; time += 1) {
    const answers = await Promise.all(
      Array.from({ length: clients }, async (_, client) => ({ client, answer: await send(client, time) })),
    );
    for (const { client, answer } of answers) {
      expect([202, 429]).toContain(answer.statusCode);
      if (answer.statusCode === 429) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      else expect(answer.json()).toEqual({ status: 'received' });
      if (answer.statusCode === 202) counts.set(client, (counts.get(client) ?? 0) + 1);
    }
  }
  await submissionsProcessed(test.services);
  expect(Math.max(...counts.values())).toBeLessThanOrEqual(taken);
  const emails = await prisma.email.groupBy({ by: ['to'], where: { projectId }, _count: true });
  expect(emails.length).toBeGreaterThan(0);
  expect(emails.length).toBeLessThanOrEqual(addresses);
  expect(emails.filter(({ _count }) => _count > 1)).toEqual([]);
  expect(
    await prisma.contact.count({ where: { projectId, OR: [{ subscribed: true }, { stated: true }] } }),
  ).toBe(0);
  const acts = await prisma.consentAct.groupBy({
    by: ['contactId'],
    where: { projectId, action: 'request', effect: 'changed' },
    _count: true,
  });
  expect(acts.filter(({ _count }) => _count > 1)).toEqual([]);
  expect(acts).toHaveLength(emails.length);
});
