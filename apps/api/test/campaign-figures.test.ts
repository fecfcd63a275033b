import { sendingCampaign } from '@postrider/core/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Send, startApp, type TestApp } from './harness.ts';

/** The doors show the same figures of campaigns under the same names (behaviour B13.10, B13.11). */
let test: TestApp;
let send: Send;
let goalId: string;
let ids: string[];

beforeAll(async () => {
  test = await startApp();
  send = test.withKey(test.project.secretKey);
  const { prisma } = test.services.database;
  const value = { property: 'amount', currency: 'EUR' };
  const made = (await send('POST', '/goals', { name: 'Purchase', eventName: 'order.paid', value })).body;
  goalId = (made.data ?? made).id;
  ids = [];
  for (const name of ['March', 'April']) {
    const id = await sendingCampaign(test.services, test.project.id);
    await prisma.campaign.update({
      where: { id },
      data: { name, goalId, totalRecipients: 120, status: 'SENT' },
    });
    await prisma.campaignCounter.update({
      where: { campaignId: id },
      data: {
        ...{ sentCount: 96, refusedCount: 4, bouncedCount: 10, openedCount: 48, clickedCount: 12 },
        ...{ unsubscribedCount: 3, failedCount: 4, skippedCount: 20 },
      },
    });
    await prisma.campaignSkip.create({ data: { campaignId: id, reason: 'held_out', count: 12 } });
    ids.push(id);
  }
});
afterAll(() => test.close());

const counters = {
  ...{ sentCount: 96, acceptedCount: 90, refusedCount: 4, deliveredCount: 0, bouncedCount: 10 },
  ...{ openedCount: 48, clickedCount: 12, unsubscribedCount: 3, deliveryReported: false },
};
const rates = {
  ...{ openRate: 50, clickRate: 12.5, clickToOpenRate: 25, bounceRate: 10, acceptRate: 90 },
  ...{ deliveryRate: 0, complaintRate: 0, unsubscribeRate: 3.13 },
};
const figures = {
  ...{ sent: 96, accepted: 90, refused: 4, delivered: 0, bounced: 10, opened: 48, clicked: 12 },
  ...{ unsubscribed: 3, deliveryReported: false },
};

it('a campaign, its statistics, its report, a comparison and the figures of a period agree in REST', async () => {
  const [id] = ids;
  const read = async (path: string) => {
    const { status, body } = await send('GET', path);
    expect(status, path).toBe(200);
    return body.data ?? body;
  };
  const ofGoal = { convertedCount: 0, convertedValue: 0 };
  const kept = { failedCount: 4, skippedCount: 20, heldOutCount: 12 };
  expect(await read(`/campaigns/${id}`)).toMatchObject({ ...counters, ...kept, ...ofGoal, goalId });
  expect(await read(`/campaigns/${id}/stats`)).toMatchObject({
    ...{ ...counters, ...kept, ...ofGoal, ...rates, pendingCount: 0, conversionRate: 0 },
  });
  expect(await read(`/campaigns/${id}/report`)).toMatchObject({
    ...{ ...figures, ...rates, machine: { opens: 0, clicks: 0 } },
    goal: { id: goalId, name: 'Purchase', currency: 'EUR', converted: 0, conversionRate: 0, credited: 0 },
  });
  const comparison = await read(`/analytics/compare?campaignIds=${ids.join(',')}`);
  expect(comparison.data ?? comparison).toMatchObject(
    ids.map((each) => ({ id: each, ...figures, ...rates, converted: 0, value: 0 })),
  );
  const period = await read('/analytics/campaign-stats');
  expect(period.totals).toMatchObject({ sentCount: 192, acceptedCount: 180, refusedCount: 8, ...rates });
  expect(period.campaigns[0]).toMatchObject({ ...counters, ...rates });
});

it('GraphQL shows the same', async () => {
  const [id] = ids;
  const names = (shown: object) => Object.keys(shown).join(' ');
  const { body } = await send('POST', '/graphql', {
    query: `{
      campaign(id: "${id}") { ${names(counters)} heldOutCount convertedCount stats { ${names(counters)} ${names(rates)} } }
      campaignReport(id: "${id}") { ${names(figures)} ${names(rates)} goal { name converted } lift { ratio } }
      campaignComparison(campaignIds: "${ids.join(',')}") { data { id ${names(figures)} ${names(rates)} curve { hour opened } } }
    }`,
  });
  expect(body.errors).toBeUndefined();
  expect(body.data.campaign).toMatchObject({
    ...counters,
    heldOutCount: 12,
    stats: { ...counters, ...rates },
  });
  expect(body.data.campaignReport).toMatchObject({ ...figures, ...rates, goal: { name: 'Purchase' } });
  expect(body.data.campaignComparison.data).toMatchObject(
    ids.map((each) => ({ id: each, ...figures, ...rates, curve: [{ hour: 0, opened: 0 }] })),
  );
});

it('a comparison names what it cannot read', async () => {
  const [id] = ids;
  const refusal = async (campaignIds: string) => {
    const { status, body } = await send('GET', `/analytics/compare?campaignIds=${campaignIds}`);
    return [status, body.error?.code ?? body.code];
  };
  expect((await refusal(id ?? ''))[0]).toBe(422);
  expect((await refusal(`${id},x`))[0]).toBe(422);
  expect(await refusal(`${id},01a1fbbb-6049-7208-955a-65aac1f35b72`)).toEqual([404, 'CAMPAIGN_NOT_FOUND']);
});

it('the recipients of a campaign whose emails were removed are a list that says so, in REST and GraphQL', async () => {
  const [id, other] = ids;
  const { prisma } = test.services.database;
  await prisma.expiredEmails.create({
    data: { scopeId: id ?? '', counter: 'emails', projectId: test.project.id, count: 120 },
  });
  const none = { data: [], cursor: null, hasMore: false };
  expect((await send('GET', `/campaigns/${id}/recipients`)).body).toEqual({
    ...none,
    total: 120,
    expired: true,
  });
  expect((await send('GET', `/campaigns/${other}/recipients`)).body.expired).toBe(false);
  const query = `query ($id: ID!) {
    campaignRecipients(id: $id) { expired totalCount edges { cursor } }
    campaigns { data { id recipients(first: 2) { expired } } }
  }`;
  const { data } = (await send('POST', '/graphql', { query, variables: { id } })).body;
  expect(data.campaignRecipients).toEqual({ expired: true, totalCount: 120, edges: [] });
  expect(
    new Map(
      data.campaigns.data.map((each: { id: string; recipients: object }) => [each.id, each.recipients]),
    ),
  ).toEqual(
    new Map([
      [id, { expired: true }],
      [other, { expired: false }],
    ]),
  );
  expect((await send('POST', `/campaigns/${id}/retry`, { statuses: ['FAILED'] })).body).toMatchObject({
    error: { code: 'CONFLICT', message: 'Emails of the campaign were removed for their age' },
  });
});
