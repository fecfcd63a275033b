import { setTimeout as sleep } from 'node:timers/promises';
import { sendCampaignNow, untilCampaignSent } from '@postrider/harness/campaign';
import type { ChaosStack } from '@postrider/harness/chaos-stack';
import { startPaced } from '@postrider/harness/paced';
import { createProject, insertContacts, limitSendRate } from '@postrider/harness/project.store';
import { createTemplate, createWorkflow } from '@postrider/harness/workflow';
import { untilExecutionsEnd } from '@postrider/harness/workflow-run';
import type { Answered } from '../../harness/answers.ts';
import { sendUntilStored } from '../../harness/send-until-stored.ts';
import { trackUntilStored } from '../../harness/track-event.ts';

export interface Traffic {
  /**
   * Sends one more email and waits until it is at the mail server: api and delivery work again.
   * @returns the seconds until the api had taken it, and from then until it arrived
   */
  sendOneThrough(): Promise<{ taken: number; sent: number }>;
  /** Sends a small campaign, and waits until it is SENT: the workflow engine works again. @returns the seconds */
  sendCampaignThrough(): Promise<number>;
  /** Stops sending, and waits until the campaign is SENT and every execution has ended. */
  finish(): Promise<Finished>;
}

export interface Finished {
  /** the number of emails there must be */
  emails: number;
  /** seconds until the campaign was SENT, and until every execution had ended */
  campaignSeconds: number;
  workflowSeconds: number;
}

const transactionalPerSecond = 12;
const eventsPerSecond = 5;
/** The campaign is limited to this rate, so that it lasts longer than the disturbances. */
const campaignPerSecond = 60;
/** contacts of a small campaign */
const lettersEach = 3;
const stallMs = 120_000;
const event = 'signed up';

/**
 * Starts transactional email with distinct bodies, a workflow that sends email, and a campaign, at the same time.
 *
 * @param answered is told what became of each request of the first two
 */
export async function startTraffic(
  chaos: ChaosStack,
  recipients: number,
  answered?: Answered,
): Promise<Traffic> {
  const { db, sink, stack } = chaos;
  const api = stack.urls.api;
  const keys = { appSecret: stack.env.APP_SECRET ?? '', signed: false };
  const shop = await createProject(db, { ...keys, domain: 'shop.test' });
  const magazine = await createProject(db, { ...keys, domain: 'magazine.test' });
  const template = await createTemplate(api, shop, { name: 'Welcome', type: 'MARKETING' });
  const workflow = await createWorkflow(api, shop, { name: 'Welcome', eventName: event });
  const mail = await workflow.add('SEND_EMAIL', 'Welcome', {}, template);
  await workflow.join(workflow.triggerId, mail);
  await workflow.enable();
  await insertContacts(db, magazine.id, recipients);
  await limitSendRate(db, magazine.id, campaignPerSecond);
  const campaignId = await sendCampaignNow(api, magazine);

  const transactional = startPaced(transactionalPerSecond, (index) =>
    sendUntilStored(
      api,
      shop,
      `receipt-${index}`,
      {
        to: `buyer${index}@people.test`,
        subject: `Receipt ${index}`,
        body: `<p>Receipt number ${index}</p>`,
      },
      answered,
    ),
  );
  const events = startPaced(eventsPerSecond, (index) =>
    trackUntilStored(
      api,
      shop.publicKey,
      `sign-up-${index}`,
      {
        email: `member${index}@people.test`,
        event,
        data: { code: `M${index}` },
      },
      answered,
    ),
  );
  let probes = 0;
  let letters = 0;
  return {
    async sendOneThrough() {
      probes += 1;
      const to = `probe${probes}@people.test`;
      const email = { to, subject: 'Probe', body: `<p>Probe ${probes}</p>` };
      const taken = await secondsOf(sendUntilStored(api, shop, `probe-${probes}`, email, answered));
      const begun = performance.now();
      const deadline = Date.now() + stallMs;
      while (!(await sink.byRecipient()).has(to)) {
        if (Date.now() > deadline) throw new Error(`No mail to ${to} within ${stallMs / 1_000} s.`);
        await sleep(50);
      }
      return { taken, sent: (performance.now() - begun) / 1_000 };
    },
    async sendCampaignThrough() {
      letters += 1;
      const club = await createProject(db, { ...keys, domain: `club${letters}.test` });
      await insertContacts(db, club.id, lettersEach);
      const sent = async () => untilCampaignSent(db, await sendCampaignNow(api, club), { stallMs });
      return secondsOf(sent());
    },
    async finish() {
      const [sent, tracked] = await Promise.all([transactional.stop(), events.stop()]);
      await limitSendRate(db, magazine.id, null);
      const [campaignSeconds, workflowSeconds] = await Promise.all([
        secondsOf(untilCampaignSent(db, campaignId, { stallMs })),
        secondsOf(untilExecutionsEnd(chaos, workflow.id, { executions: tracked, stallMs })),
      ]);
      return {
        emails: recipients + sent + tracked + probes + letters * lettersEach,
        campaignSeconds,
        workflowSeconds,
      };
    },
  };
}

async function secondsOf(work: Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work;
  return (performance.now() - begun) / 1_000;
}
