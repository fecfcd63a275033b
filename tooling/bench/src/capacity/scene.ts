import { createSecrets } from '@postrider/core/base/kernel';
import { encodeLink } from '@postrider/core/mail/message';
import { callApi } from '@postrider/harness/call-api';
import { sendCampaignNow, untilCampaignSent } from '@postrider/harness/campaign';
import { createProject, insertContacts, type TestProject } from '@postrider/harness/project.store';
import { createWorkflow } from '@postrider/harness/workflow';
import { newsletterBody, newsletterSubject } from '../campaign/campaign-content.ts';
import type { BenchStack } from '../harness/bench-stack.ts';
import { csvOf } from '../import/import-rows.ts';
import { importFile } from '../memory/phases.ts';
import { nextSendRequest } from '../send/send-request.ts';
import { onePathEach, reader } from '../tracking/tracked-links.ts';
import { emailIdsOf } from '../tracking/tracking.store.ts';
import { holdMail, isFrozen } from './capacity.store.ts';
import type { Requests } from './drive.ts';
import { Meter } from './meter.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

/** Endpoints that hear of each sent email of the webhooks' project. */
export const endpoints = 4;
const enters = 'entered';
const plain = 'used';
const stallMs = 300_000;

/** Emails that were sent to people, whose links are followed. */
export interface SentEmails {
  campaignId: string;
  /** those that have not been opened */
  opens: string[];
  clicks: string[];
  /** opens and clicks asked for so far */
  asked: number;
}

/** A project for each kind of work, so that none sees the rows or the settings of another. */
export interface Scene {
  stack: BenchStack;
  meter: Meter;
  api: string;
  sends: TestProject;
  signed: TestProject;
  audience: TestProject;
  events: TestProject;
  entries: TestProject;
  hooks: TestProject;
  rows: TestProject;
  /** contacts of `events` and `entries` each */
  people: number;
}

export async function prepareScene(
  stack: BenchStack,
  receiver: WebhookReceiver,
  { people, recipients }: { people: number; recipients: number },
): Promise<Scene> {
  const api = stack.stack.urls.api.replace('localhost', '127.0.0.1');
  const project = (name: string, signed = false): Promise<TestProject> =>
    createProject(stack.db, {
      appSecret: stack.stack.env['APP_SECRET'] ?? '',
      signed,
      domain: `${name}.test`,
    });
  const scene: Scene = {
    ...{ stack, meter: new Meter(stack), api, people },
    sends: await project('sends'),
    signed: await project('signed', true),
    audience: await project('audience'),
    events: await project('events'),
    entries: await project('entries'),
    hooks: await project('hooks'),
    rows: await project('rows'),
  };
  await insertContacts(stack.db, scene.audience.id, recipients);
  for (const one of [scene.events, scene.entries]) await insertContacts(stack.db, one.id, people);
  await buildWorkflow(api, scene.entries);
  for (let index = 0; index < endpoints; index += 1)
    await addEndpoint(scene, scene.hooks, receiver.urlOf(index));
  return scene;
}

export const addEndpoint = ({ api }: Scene, { secretKey }: TestProject, url: string): Promise<unknown> =>
  callApi(api, secretKey, '/webhook-endpoints', { url, types: ['email.sent'] });

/** TRIGGER → CONDITION → UPDATE_CONTACT → EXIT */
async function buildWorkflow(api: string, project: TestProject): Promise<void> {
  const workflow = await createWorkflow(api, project, { name: 'Steps', eventName: enters });
  const isPro = await workflow.add('CONDITION', 'On the plan pro?', {
    ...{ field: 'event.plan', operator: 'equals', value: 'pro' },
  });
  const note = await workflow.add('UPDATE_CONTACT', 'Note', { data: { entered: true } });
  const exit = await workflow.add('EXIT', 'Done', {});
  await workflow.join(workflow.triggerId, isPro);
  await workflow.join(isPro, note, { branch: 'yes' });
  await workflow.join(note, exit);
  await workflow.enable();
}

/** `/v1/send` to one new address each. */
export const sending = ({ api }: Scene, { secretKey, from }: TestProject, run: string): Requests => ({
  origin: api,
  authorization: `Bearer ${secretKey}`,
  status: 200,
  next: () => ({ path: '/v1/send', body: nextSendRequest(run, from) }),
});

/** `/v1/track` for one contact after another. `entries` end with the last contact: each enters once. */
export function tracking(scene: Scene, project: TestProject, from = 0): Requests & { reached(): number } {
  const isEntering = project === scene.entries;
  const event = isEntering ? enters : plain;
  let number = from;
  return {
    origin: scene.api,
    authorization: `Bearer ${project.publicKey}`,
    status: 200,
    next() {
      if (isEntering && number >= scene.people) return null;
      const email = `p${(number % scene.people) + 1}@people.test`;
      number += 1;
      return { path: '/v1/track', body: JSON.stringify({ email, event, data: { plan: 'pro', number } }) };
    },
    reached: () => number,
  };
}

/** Opens, or clicks, of one email after another, until each had one. */
export function reading(
  { stack, api }: Scene,
  emails: SentEmails,
  what: 'opens' | 'clicks',
  most: number,
): Requests {
  const appSecret = stack.stack.env['APP_SECRET'] ?? '';
  const ids = emails[what].splice(0, most);
  const secrets = createSecrets(appSecret);
  const paths =
    what === 'clicks'
      ? onePathEach(appSecret, ids)
      : ids.map((emailId) => `/t/o/${encodeLink(secrets, { kind: 'open', emailId })}.gif`);
  const waiting = paths.values();
  return {
    ...{ origin: api, authorization: null, headers: reader, status: what === 'clicks' ? 302 : 200 },
    next() {
      const { value, done } = waiting.next();
      if (done) return null;
      emails.asked += 1;
      return { path: value };
    },
  };
}

/** Sends the newsletter to the audience while all email is held, until the audience is frozen. @returns its id */
export async function freeze({ stack, api }: Scene, project: TestProject): Promise<string> {
  await holdMail(stack.db, true);
  const content = { subject: newsletterSubject, body: newsletterBody };
  const campaignId = await sendCampaignNow(api, project, content);
  while (!(await isFrozen(stack.db, campaignId))) await new Promise((resolve) => setTimeout(resolve, 50));
  return campaignId;
}

export async function letLeave({ stack }: Scene, campaignId?: string): Promise<void> {
  await holdMail(stack.db, false);
  if (campaignId !== undefined) await untilCampaignSent(stack.db, campaignId, { stallMs });
}

export async function sentEmails({ stack }: Scene, campaignId: string): Promise<SentEmails> {
  const ids = await emailIdsOf(stack.db, campaignId);
  return { campaignId, opens: [...ids], clicks: [...ids], asked: 0 };
}

/** Imports new contacts, a file after another, until the time is over. @returns rows */
export async function importRows(
  { stack, api, rows }: Scene,
  from: number,
  { perFile, seconds }: { perFile: number; seconds: number },
): Promise<number> {
  const until = performance.now() + seconds * 1_000;
  let count = 0;
  do {
    await importFile({ api, project: rows, db: stack.db }, csvOf(from + count, perFile));
    count += perFile;
  } while (performance.now() < until);
  return count;
}
