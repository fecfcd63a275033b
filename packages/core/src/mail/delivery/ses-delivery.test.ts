import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createMailTransport } from '../../adapters/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { type SesStandIn, startSesStandIn } from '../../testing/ses-stand-in.ts';
import { getEmail } from '../sending/get-email.ts';
import { sendEmail } from '../sending/send-email.ts';
import { drained, statusesOf, withDelivery } from './delivery.fixture.ts';

let ses: SesStandIn;
let test: TestServices;
let project: TestProject;
beforeAll(async () => {
  ses = await startSesStandIn();
  vi.stubEnv('AWS_ENDPOINT_URL_SESV2', ses.url);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  test = await createTestServices({
    env: { MAIL_TRANSPORT: 'ses', AWS_REGION: 'eu-central-1', SES_CONFIGURATION_SET: 'events' },
  });
});
afterAll(async () => {
  await test.close();
  await ses.close();
  vi.unstubAllEnvs();
});
beforeEach(async () => {
  ses.messages.length = 0;
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'mail.test');
});

async function send(to: string): Promise<string> {
  const { emails } = await sendEmail.runRaw(project.ctx, {
    from: 'sender@mail.test',
    subject: 'Hello',
    body: '<p>Hi</p>',
    to,
  });
  return emails[0]?.email ?? '';
}

async function deliver(until: () => Promise<void>): Promise<void> {
  const transport = await createMailTransport(test.services.config, { connections: 1, processes: 1 });
  await withDelivery(test.services, transport, until);
}

const find = (id: string) => getEmail.run(project.ctx, { id });

it('an accepted email is SENT with the id of the provider, its header and its tag, and without our DKIM signature', async () => {
  const id = await send('ann@people.test');
  await deliver(() => drained(test.services, project.id));
  const [message] = ses.messages;
  expect(message).toMatchObject({
    to: ['ann@people.test'],
    tags: { postrider_email: id },
    configurationSet: 'events',
  });
  expect(message?.raw).toContain(`X-Postrider-Email: ${id}\r\n`);
  expect(message?.raw).not.toMatch(/^DKIM-Signature:/m);
  expect(await find(id)).toMatchObject({ status: 'SENT', messageId: 'ses-1', sentAt: expect.any(String) });
  const events = await test.services.database.prisma.event.findMany({
    where: { projectId: project.id, name: 'email.sent' },
  });
  expect(events).toMatchObject([{ emailId: id, data: { messageId: 'ses-1' } }]);
});

it('a rejected email is FAILED with the error text, and its address is not suppressed', async () => {
  const id = await send('ann@people.test');
  ses.refusals.push({ status: 400, name: 'MessageRejected', message: 'Email address is not verified.' });
  await deliver(() => drained(test.services, project.id));
  expect(await find(id)).toMatchObject({
    status: 'FAILED',
    error: 'MessageRejected: Email address is not verified.',
    bouncedAt: null,
  });
});

it('an email whose answer was lost is UNCERTAIN', async () => {
  const id = await send('ann@people.test');
  ses.refusals.push('reset');
  await deliver(() => expect.poll(async () => (await find(id)).status).toBe('UNCERTAIN'));
  expect(ses.messages).toEqual([]);
});

it('expired credentials pause the route: emails wait without an attempt, and go out afterwards', async () => {
  const ids = [await send('ann@people.test'), await send('ben@people.test')];
  ses.refusals.push({ status: 403, name: 'ExpiredTokenException', message: 'The token has expired.' });
  const transport = await createMailTransport(test.services.config, { connections: 1, processes: 1 });
  await withDelivery(
    test.services,
    transport,
    async () => {
      await expect
        .poll(async () => (await find(ids[1] ?? '')).error)
        .toContain('Waiting for the mail server: auth: ExpiredTokenException');
      await drained(test.services, project.id);
    },
    { authProbeSeconds: [1] },
  );
  expect(await statusesOf(test.services, project.id)).toEqual({ SENT: 2 });
  expect(await find(ids[0] ?? '')).toMatchObject({ attempts: 1 });
});
