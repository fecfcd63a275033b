import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '@postrider/harness/call-api';
import { scheduleCampaign, sendCampaignNow } from '@postrider/harness/campaign';
import type { TestProject } from '@postrider/harness/project.store';
import type { Random } from '@postrider/harness/random';
import { createTemplate, createWorkflow } from '@postrider/harness/workflow';

export interface MixedMail {
  /** of the campaign that goes out */
  campaignId: string;
  /** No more is accepted, and each request has ended. @returns how many were accepted */
  stop(): Promise<number>;
}

const everyMs = 50;
/** One in this many requests is scheduled for later. */
const laterEvery = 3;
const mostLaterSeconds = 60;
const entryEvent = 'joined';
/** Between the two emails of an execution. */
const waitSeconds = 8;

/**
 * Email of all kinds: a campaign that goes out, one that starts within the next 40 seconds, executions of a workflow with an email before and
 * after a wait, and transactional email now and for later.
 */
export async function startMixedMail(api: string, project: TestProject, random: Random): Promise<MixedMail> {
  await buildWorkflow(api, project);
  await scheduleCampaign(api, project, new Date(Date.now() + 5_000 + random.whole(0, 35_000)));
  const campaignId = await sendCampaignNow(api, project);
  let isOver = false;
  let accepted = 0;
  const send = async (n: number): Promise<void> => {
    const to = `one${n}@people.test`;
    const later = n % laterEvery === 0 ? random.whole(1_000, mostLaterSeconds * 1_000) : null;
    await callApi(api, project.secretKey, '/v1/send', {
      to,
      from: project.from,
      subject: `Receipt ${n}`,
      body: '<p>Thank you.</p>',
      ...(later !== null && { scheduledAt: new Date(Date.now() + later).toISOString() }),
    });
    await callApi(api, project.publicKey, '/v1/track', {
      email: to,
      event: entryEvent,
      subscribed: true,
    });
    accepted += 1;
  };
  const running = (async () => {
    for (let n = 0; !isOver; n += 1) {
      // The server goes away meanwhile. Only what was accepted is counted.
      await send(n).catch(() => undefined);
      await sleep(everyMs);
    }
  })();
  return {
    campaignId,
    async stop() {
      isOver = true;
      await running;
      return accepted;
    },
  };
}

async function buildWorkflow(api: string, project: TestProject): Promise<void> {
  const [hello, bye] = [
    await createTemplate(api, project, { name: 'Hello', type: 'MARKETING' }),
    await createTemplate(api, project, { name: 'Until soon', type: 'TRANSACTIONAL' }),
  ];
  const { add, join, enable, triggerId } = await createWorkflow(api, project, {
    name: 'Welcome',
    eventName: entryEvent,
  });
  const first = await add('SEND_EMAIL', 'Hello', {}, hello);
  const wait = await add('WAIT_FOR_EVENT', 'In vain', { eventName: 'never', timeout: waitSeconds });
  const second = await add('SEND_EMAIL', 'Until soon', {}, bye);
  await join(triggerId, first);
  await join(first, wait);
  await join(wait, second, { waitOutcome: 'TIMEOUT' });
  await enable();
}
