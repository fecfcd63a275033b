import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { violations, wear } from './accessibility.ts';
import { type DemoApp, startDemoApp, visitDemo } from './app.ts';
import { marketerDay, marketerOnPhone, namesOfDay, readerCount } from './marketer-day.ts';

let app: DemoApp;
beforeAll(async () => {
  app = await startDemoApp();
});
afterAll(() => app?.close());

async function ask<Answer>(path: string): Promise<Answer> {
  const answer = await fetch(app.stack.urls.api + path, {
    headers: { authorization: `Bearer ${app.demo.secretKey}` },
  });
  expect(answer.ok, `${path}: ${answer.status}`).toBe(true);
  return (await answer.json()) as Answer;
}

interface Campaign {
  id: string;
  name: string;
  status: string;
  totalRecipients: number;
  sentCount: number;
}

async function campaignNamed(name: string): Promise<Campaign> {
  const { data } = await ask<{ data: Campaign[] }>('/campaigns');
  const campaign = data.find((each) => each.name === name);
  if (!campaign) throw new Error(`There is no campaign “${name}”`);
  return campaign;
}

/** In both colour schemes, and that nothing is wider than the screen. What a dialog hides keeps no focus either, which the rule about it does not see. */
async function faults(page: Page): Promise<string[]> {
  const found: string[] = [];
  // Colours of what the pointer is on are mixed, which the engine cannot read.
  await page.mouse.move(0, 0);
  for (const scheme of ['light', 'dark'] as const) {
    await wear(page, scheme);
    found.push(...(await violations(page)).filter((each) => !each.startsWith('aria_hidden_nontabbable')));
  }
  await wear(page, 'light');
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  return wide > 0 ? [...found, `${wide} pixels wider than the screen`] : found;
}

it('a marketer imports, segments, writes, compares subjects, pauses, resumes, decides, reads the report and reminds', async () => {
  const own = app.demo.secretKey.slice(-8).toLowerCase();
  const { campaign } = namesOfDay(own);
  const page = await visitDemo(app, { viewport: { width: 1440, height: 900 } });
  const project = page.url();
  const findings: Record<string, string[]> = {};
  const look = async (stage: string, on: Page) => {
    const found = await faults(on);
    if (found.length > 0) findings[stage] = found;
  };
  const seen: string[] = [];
  for await (const stage of marketerDay(page, { project, mailbox: app.stack.urls.mailbox ?? '', own })) {
    seen.push(stage);
    await look(stage, page);
    if (stage === 'paused') {
      const { id } = await campaignNamed(campaign);
      expect(await ask(`/campaigns/${id}`)).toMatchObject({ pausedAt: expect.any(String) });
    }
  }
  expect(seen.at(-1)).toBe('sequel-composer');
  // All who agreed have got it once, and only those who did not open it are in the sequel.
  const { id } = await campaignNamed(campaign);
  const isSent = async () => (await ask<Campaign>(`/campaigns/${id}`)).status === 'SENT';
  await expect.poll(isSent, { timeout: 120_000 }).toBe(true);
  expect(await ask(`/campaigns/${id}/stats`)).toMatchObject({
    ...{ totalRecipients: readerCount, sentCount: readerCount, openedCount: 2, clickedCount: 2 },
  });
  const sequel = await campaignNamed(`${campaign} (2)`);
  expect(await ask(`/campaigns/${sequel.id}/audience`)).toMatchObject({ willSend: readerCount - 2 });
  await page.context().close();

  const phone = await visitDemo(app, { viewport: { width: 400, height: 800 } });
  for await (const stage of marketerOnPhone(phone, { project, own })) await look(`${stage}, phone`, phone);
  await phone.context().close();
  expect(findings).toEqual({});
}, 600_000);
