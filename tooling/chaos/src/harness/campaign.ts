import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { callApi } from './call-api.ts';
import { campaignState, openDeliveries } from './campaign.store.ts';
import type { TestProject } from './project.store.ts';

const pollMs = 100;

export interface NewCampaign {
  subject?: string;
  body?: string;
}

const defaultBody =
  '<p>Dear {{name ?? reader}},</p><p>your plan is {{plan}}. <a href="https://example.com/offer">See more</a>.</p>' +
  '<p><a href="{{unsubscribeUrl}}">Unsubscribe</a></p>';

/** Makes a campaign to all contacts and sends it, through the public API. @returns its id */
export async function sendCampaignNow(
  api: string,
  project: TestProject,
  { subject = 'News for {{name ?? you}}', body = defaultBody }: NewCampaign = {},
): Promise<string> {
  const made = await callApi<{ data: { id: string } }>(api, project.secretKey, '/campaigns', {
    name: 'Campaign of a test run',
    subject,
    body,
    from: project.from,
    audienceType: 'ALL',
  });
  await callApi(api, project.secretKey, `/campaigns/${made.data.id}/send`, {});
  return made.data.id;
}

export interface Watch {
  /** gives up when the number of open emails has not changed for so long */
  stallMs: number;
  onProgress?: (open: number) => void;
}

/** Waits until the service itself says that the campaign is sent. @throws Error when nothing moves any more */
export async function untilCampaignSent(
  db: Pool,
  campaignId: string,
  { stallMs, onProgress }: Watch,
): Promise<void> {
  let last = '';
  let movedAt = Date.now();
  for (;;) {
    const state = await campaignState(db, campaignId).catch(() => null);
    if (state?.status === 'SENT') return;
    const open = state ? await openDeliveries(db, campaignId).catch(() => null) : null;
    if (open !== null) onProgress?.(open);
    const seen = `${state?.status} ${open}`;
    if (open !== null && seen !== last) {
      last = seen;
      movedAt = Date.now();
    }
    if (Date.now() - movedAt > stallMs) {
      throw new Error(
        `The campaign stands still for ${stallMs / 1_000} s: ${state?.status}, ${open} emails open.`,
      );
    }
    await sleep(pollMs);
  }
}
