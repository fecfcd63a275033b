import { callApi } from '@postrider/harness/call-api';
import { sendCampaignNow, untilCampaignSent } from '@postrider/harness/campaign';
import { type ChaosStack, startChaosStack } from '@postrider/harness/chaos-stack';
import { createProject, type TestProject } from '@postrider/harness/project.store';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

let chaos: ChaosStack;
let project: TestProject;

beforeAll(async () => {
  chaos = await startChaosStack({ build: true, env: { PROFILE: 'small' } });
  const appSecret = chaos.stack.env['APP_SECRET'] ?? '';
  project = await createProject(chaos.db, { appSecret, signed: false });
}, 300_000);
afterAll(() => chaos?.stop());

const call = <Answer>(path: string, body: object): Promise<Answer> =>
  callApi<Answer>(chaos.stack.urls.api, project.secretKey, path, body);

async function sendAndAwait(to: string): Promise<void> {
  await call('/v1/send', { to, from: project.from, subject: 'Hello', body: '<p>Hello.</p>' });
  await vi.waitUntil(async () => (await chaos.sink.byRecipient()).has(to), { timeout: 60_000 });
}

it('one process accepts an email, delivers it, and runs a campaign', async () => {
  const { api, worker } = chaos.stack.processes;
  expect(worker).toBe(api);
  await sendAndAwait('first@people.test');
  await Promise.all(
    Array.from({ length: 30 }, (_, n) => call('/contacts', { email: `c${n}@people.test`, subscribed: true })),
  );
  const campaignId = await sendCampaignNow(chaos.stack.urls.api, project);
  await untilCampaignSent(chaos.db, campaignId, { stallMs: 60_000 });
});

it('after a kill it is started again, and goes on', async () => {
  const { api } = chaos.stack.processes;
  await api.kill();
  await api.ready();
  expect(api.restarts).toBe(1);
  await sendAndAwait('second@people.test');
});
