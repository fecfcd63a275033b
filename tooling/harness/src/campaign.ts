import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { callApi } from './call-api.ts';
import { campaignStatus, openDeliveries } from './campaign.store.ts';
import type { TestProject } from './project.store.ts';

const pollMs = 100;
const countEveryMs = 5_000;

export interface NewCampaign {
  subject?: string;
  body?: string;
}

const defaultBody =
  '<p>Dear {{name ?? reader}},</p><p>your plan is {{plan}}. <a href="https://example.com/offer">See more</a>.</p>' +
  '<p><a href="{{unsubscribeUrl}}">Unsubscribe</a></p>';

/** Creates a campaign to all contacts and sends it, through the public API. @returns its id */
export async function sendCampaignNow(
  api: string,
  project: TestProject,
  content: NewCampaign = {},
): Promise<string> {
  const id = await createCampaign(api, project, content);
  await callApi(api, project.secretKey, `/campaigns/${id}/send`, {});
  return id;
}

/** Creates a campaign to all contacts and schedules it. @returns its id */
export async function scheduleCampaign(api: string, project: TestProject, at: Date): Promise<string> {
  const id = await createCampaign(api, project, {});
  await callApi(api, project.secretKey, `/campaigns/${id}/send`, { scheduledFor: at.toISOString() });
  return id;
}

async function createCampaign(
  api: string,
  project: TestProject,
  { subject = 'News for {{name ?? you}}', body = defaultBody }: NewCampaign,
): Promise<string> {
  const made = await callApi<{ data: { id: string } }>(api, project.secretKey, '/campaigns', {
    name: 'Campaign of a test run',
    subject,
    body,
    from: project.from,
    audienceType: 'ALL',
  });
  return made.data.id;
}

export interface Watch {
  /** gives up if the number of open emails has not changed for this time */
  stallMs: number;
}

/**
 * Waits until the campaign has the status SENT. Open emails are counted less often, because that makes the database
 * scan all of them. @throws Error if there is no progress for `stallMs`
 */
export async function untilCampaignSent(db: Pool, campaignId: string, { stallMs }: Watch): Promise<void> {
  let seen = '';
  let movedAt = Date.now();
  let countedAt = 0;
  for (;;) {
    // While a scenario keeps the database down, the query fails.
    const status = await campaignStatus(db, campaignId).catch(() => null);
    if (status === 'SENT') return;
    if (Date.now() - countedAt > countEveryMs) {
      countedAt = Date.now();
      const now = `${status}, ${await openDeliveries(db, campaignId).catch(() => 'unknown')} emails open`;
      if (now !== seen) movedAt = Date.now();
      seen = now;
    }
    if (Date.now() - movedAt > stallMs) {
      throw new Error(`The campaign stands still for ${stallMs / 1_000} s: ${seen}.`);
    }
    await sleep(pollMs);
  }
}
