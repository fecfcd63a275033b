import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { upsertContact } from '../../audience/contacts/index.ts';
import { createSegment, deleteSegment, updateSegment } from '../../audience/segments/index.ts';
import { createTopic } from '../../audience/topics/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { content, having, people, withoutHints } from './campaigns.fixture.ts';
import { createCampaign } from './create-campaign.ts';
import { getCampaign } from './get-campaign.ts';
import { preflightCampaign } from './preflight-campaign.ts';
import { preflightDraft } from './preflight-draft.ts';
import { sendCampaign } from './send-campaign.ts';
import { updateCampaign } from './update-campaign.ts';

/** The checks before sending, of what is stored (behaviour B13.2); the rules themselves are tested in `automation/preflight`. */
let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = withoutHints(await createTestServices());
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'shop.test');
});

const prisma = () => test.services.database.prisma;
const valid = { ...content, audienceType: 'ALL' as const };
const create = async (input: object = {}) =>
  (await createCampaign.runRaw(project.ctx, { ...valid, ...input })).id;
const check = (id: string) => preflightCampaign.run(project.ctx, { id });
const rulesOf = ({ findings }: { findings: { rule: string }[] }) => findings.map(({ rule }) => rule);
const configure = (data: { sendGate?: 'STRICT' | 'ADVISORY'; brand?: object }) =>
  prisma().project.update({ where: { id: project.id }, data });
const address = { address: '1 Main Street, London' };

describe('the report', () => {
  it('of a campaign in order has no findings and counts its recipients', async () => {
    await configure({ brand: address });
    await people(test, project, 3);
    await people(test, project, 2, { subscribed: false });
    expect(await check(await create())).toEqual({
      hash: expect.any(String),
      ok: true,
      recipients: 3,
      recipientsByBasis: { confirmed: 0, given: 3, customer: 0, default: 0, unknown: 0 },
      findings: [],
    });
  });

  it('is the same for a campaign that is not stored', async () => {
    await people(test, project, 1);
    const { id: segmentId } = await createSegment.run(project.ctx, {
      ...{ name: 'Gold', type: 'DYNAMIC', condition: having('plan', 'gold') },
    });
    for (const input of [
      {},
      { type: 'HEADLESS', description: 'note', design: { b: 1, a: [{ d: 1, c: 2 }] } },
      { audienceType: 'SEGMENT', segmentId },
      { audienceType: 'FILTERED', audienceCondition: having('plan', 'gold'), segmentId: 'not needed' },
    ]) {
      const stored = await check(await create(input));
      const report = await preflightDraft.runRaw(project.ctx, { ...valid, ...input, name: 'Another' });
      expect(report).toEqual(stored);
    }
  });

  it('names what blocks with the code that sending answers', async () => {
    const { id: segmentId } = await createSegment.run(project.ctx, { name: 'Gone', type: 'STATIC' });
    const id = await create({ audienceType: 'SEGMENT', segmentId });
    await prisma().campaign.update({ where: { id }, data: { status: 'SENT' } });
    await deleteSegment.run(project.ctx, { id: segmentId });
    await prisma().campaign.update({ where: { id }, data: { status: 'DRAFT', from: 'a@other.test' } });
    const { ok, findings } = await check(id);
    expect(ok).toBe(false);
    expect(findings.filter(({ blocks }) => blocks)).toMatchObject([
      { rule: 'reference', level: 'error', field: 'segmentId', details: { code: 'SEGMENT_NOT_FOUND' } },
      {
        rule: 'sender',
        field: 'from',
        message: 'The sender domain other.test is not verified for this project',
        details: { code: 'INTERNAL_SERVER_ERROR', domain: 'other.test' },
      },
    ]);
    await expect(sendCampaign.run(project.ctx, { id })).rejects.toMatchObject({ code: 'SEGMENT_NOT_FOUND' });
  });

  it('says that nobody would get it', async () => {
    await people(test, project, 1, { subscribed: false });
    const report = await check(await create());
    expect(report).toMatchObject({ ok: false, recipients: 0 });
    expect(rulesOf(report)).toEqual(['recipients', 'postal_address_missing']);
  });

  it('warns of a transactional campaign to contacts that are not subscribed', async () => {
    await people(test, project, 2);
    await people(test, project, 3, { subscribed: false });
    const report = await check(await create({ type: 'TRANSACTIONAL' }));
    expect(report).toMatchObject({
      ok: true,
      recipients: 5,
      findings: [{ rule: 'transactional_audience', details: { count: 3 } }],
    });
  });

  it('counts recipients by what their subscription rests on, and warns of those of whom it is not known', async () => {
    await configure({ brand: address });
    const [gone = ''] = await people(test, project, 6);
    for (const consentBasis of ['confirmed', 'customer', 'default', 'unknown', 'unknown'] as const) {
      const [id = ''] = await people(test, project, 1, { data: { plan: 'gold' } });
      await prisma().contact.update({ where: { id }, data: { consentBasis } });
    }
    await people(test, project, 2, { subscribed: false });
    await people(test, project, 1, { email: 'not an address' });
    const { email } = await prisma().contact.findUniqueOrThrow({ where: { id: gone } });
    await prisma().suppression.create({ data: { projectId: project.id, email, reason: 'MANUAL' } });
    await upsertContact.run(project.ctx, { email: 'no@people.test', topics: { general: false } });
    expect(await check(await create())).toMatchObject({
      ok: true,
      recipients: 10,
      recipientsByBasis: { confirmed: 1, given: 5, customer: 1, default: 1, unknown: 2 },
      findings: [{ rule: 'basis_unknown', details: { count: 3 } }],
    });
    const gold = { audienceType: 'FILTERED', audienceCondition: having('plan', 'gold') };
    expect((await check(await create(gold))).recipientsByBasis).toMatchObject({ given: 0, unknown: 2 });
    const transactional = await check(await create({ type: 'TRANSACTIONAL' }));
    expect(transactional.findings.map(({ rule }) => rule)).toEqual(['transactional_audience']);
  });

  it('warns where recipients can choose between topics and it names none', async () => {
    await configure({ brand: address });
    await people(test, project, 1);
    const topic = { name: { en: 'News' }, default: 'IN' };
    await createTopic.runRaw(project.ctx, { ...topic, key: 'internal', visibility: 'PRIVATE' });
    expect(rulesOf(await check(await create()))).toEqual([]);
    await createTopic.runRaw(project.ctx, { ...topic, key: 'news' });
    expect(rulesOf(await check(await create()))).toEqual(['topic_missing']);
    expect(rulesOf(await check(await create({ topic: 'news' })))).toEqual([]);
  });

  it('changes and reserves nothing', async () => {
    await people(test, project, 1);
    const id = await create();
    const before = await getCampaign.run(project.ctx, { id });
    await check(id);
    expect(await getCampaign.run(project.ctx, { id })).toEqual(before);
    expect(
      await prisma().auditLog.count({ where: { operation: { startsWith: 'campaigns.preflight' } } }),
    ).toBe(0);
  });

  it('is of the own project', async () => {
    const other = await createTestProject(test.services);
    const id = await create();
    await expect(preflightCampaign.run(other.ctx, { id })).rejects.toMatchObject({
      code: 'CAMPAIGN_NOT_FOUND',
    });
    const { id: segmentId } = await createSegment.run(project.ctx, { name: 'Mine', type: 'STATIC' });
    await expect(
      preflightDraft.runRaw(other.ctx, { ...valid, audienceType: 'SEGMENT', segmentId }),
    ).rejects.toMatchObject({ code: 'SEGMENT_NOT_FOUND' });
  });
});

describe('the hash of a campaign', () => {
  it('changes with what is sent to whom, and with nothing else', async () => {
    const { id: inner } = await createSegment.run(project.ctx, {
      ...{ name: 'Inner', type: 'DYNAMIC', condition: having('plan', 'gold') },
    });
    const memberOf = (segment: string) => ({
      logic: 'AND',
      groups: [{ filters: [{ field: `segment.${segment}`, operator: 'memberOfSegment' }] }],
    });
    const { id: segmentId } = await createSegment.runRaw(project.ctx, {
      ...{ name: 'Outer', type: 'DYNAMIC', condition: memberOf(inner) },
    });
    const input = { ...valid, audienceType: 'SEGMENT' as const, segmentId };
    const { id } = await createCampaign.run(project.ctx, input);
    const hashes = [(await check(id)).hash];
    const change = async (work: () => Promise<unknown>) => {
      await work();
      hashes.push((await check(id)).hash);
    };
    await change(() => updateCampaign.run(project.ctx, { id, ...input, name: 'New', description: 'note' }));
    expect(new Set(hashes).size).toBe(1);
    await change(() => updateCampaign.run(project.ctx, { id, ...input, subject: 'New' }));
    await change(() => updateCampaign.run(project.ctx, { id, ...input, exemptFromLimits: true }));
    await change(() => updateSegment.runRaw(project.ctx, { id: inner, condition: having('plan', 'silver') }));
    expect(new Set(hashes).size).toBe(4);
    await change(() => updateCampaign.run(project.ctx, { id, ...input, guard: false }));
    await change(() => updateCampaign.run(project.ctx, { id, ...input, pace: { perHour: 60 } }));
    expect(new Set(hashes).size).toBe(6);
    await change(() => updateSegment.runRaw(project.ctx, { id: inner, condition: having('plan', 'gold') }));
    await change(() => updateCampaign.run(project.ctx, { id, ...input }));
    expect(hashes.at(-1)).toBe(hashes[0]);
  });
});

describe('sending', () => {
  const audited = async (id: string) =>
    (await prisma().auditLog.findFirst({ where: { targetId: id, operation: 'campaigns.send' } }))?.changed;
  const sloppy = { type: 'HEADLESS' };

  it('is not refused by errors in a project with the gate ADVISORY', async () => {
    await people(test, project, 1);
    const id = await create(sloppy);
    expect((await check(id)).ok).toBe(false);
    expect(await sendCampaign.run(project.ctx, { id })).toMatchObject({ status: 'SENDING' });
    expect(await audited(id)).toEqual(['status', 'scheduledFor']);
  });

  it('is refused by them with STRICT, at once and at a time, and changes nothing', async () => {
    await configure({ sendGate: 'STRICT' });
    await people(test, project, 1);
    const id = await create(sloppy);
    const before = await getCampaign.run(project.ctx, { id });
    const { findings } = await check(id);
    const later = new Date(Date.now() + 3_600_000).toISOString();
    for (const times of [{}, { scheduledFor: later }]) {
      await expect(sendCampaign.run(project.ctx, { id, ...times })).rejects.toMatchObject({
        code: 'PREFLIGHT_FAILED',
        kind: 'conflict',
        message: expect.stringContaining('unsubscribe_missing, postal_address_missing'),
        details: { findings },
      });
    }
    expect(await getCampaign.run(project.ctx, { id })).toEqual(before);
    await configure({ brand: address });
    await updateCampaign.run(project.ctx, { id, ...valid, body: '{{unsubscribeUrl}}', type: 'HEADLESS' });
    expect(await sendCampaign.run(project.ctx, { id })).toMatchObject({ status: 'SENDING' });
  });

  it('notes in the audit log which errors were acknowledged', async () => {
    await configure({ sendGate: 'STRICT' });
    await people(test, project, 1);
    const id = await create();
    const acknowledge = ['unsubscribe_missing', 'postal_address_missing', 'transactional_audience'] as const;
    await sendCampaign.run(project.ctx, { id, acknowledge: [...acknowledge] });
    expect(await audited(id)).toEqual(['status', 'scheduledFor', 'acknowledge.postal_address_missing']);
  });

  it('an address block in the design is enough for STRICT', async () => {
    await configure({ sendGate: 'STRICT' });
    await people(test, project, 1);
    const block = { type: 'address', attrs: { text: '1 Main Street' } };
    const design = { version: 1, settings: {}, content: { type: 'doc', content: [block] } };
    const id = await create({ design });
    expect(await sendCampaign.run(project.ctx, { id })).toMatchObject({ status: 'SENDING' });
  });

  it('what blocks is refused in the order of B3.1, with its own code', async () => {
    await configure({ sendGate: 'STRICT' });
    const id = await create(sloppy);
    await prisma().campaign.update({ where: { id }, data: { from: 'a@other.test' } });
    const sent = (input: object) => sendCampaign.runRaw(project.ctx, { id, ...input });
    await expect(sent({ scheduledFor: 'soon' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(sent({})).rejects.toMatchObject({ code: 'INTERNAL_SERVER_ERROR', kind: 'forbidden' });
    await prisma().campaign.update({ where: { id }, data: { from: content.from } });
    await expect(sent({ acknowledge: ['recipients'] })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'This campaign has no recipients',
    });
    await people(test, project, 1);
    await expect(sent({})).rejects.toMatchObject({ code: 'PREFLIGHT_FAILED' });
  });
});
