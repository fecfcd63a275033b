import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { upsertContact } from '../../audience/contacts/index.ts';
import { createSegment, deleteSegment, updateSegment } from '../../audience/segments/index.ts';
import { createTopic } from '../../audience/topics/index.ts';
import { TaskLimitError } from '../../base/kernel/index.ts';
import type { DnsAnswer } from '../../base/kernel/ports/dns.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
  waitingMail,
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
let dmarc: DnsAnswer<string>;

beforeAll(async () => {
  test = withoutHints(await createTestServices());
  // The network of the machine says nothing about domains of tests.
  Object.assign(test.services.dns, { txt: async () => dmarc });
});
afterAll(() => test.close());
beforeEach(async () => {
  dmarc = { kind: 'unanswered' };
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'shop.test');
});

const prisma = () => test.services.database.prisma;
/** A campaign in order, but for the postal address of its project. */
const valid = {
  ...content,
  subject: 'Hello {{firstName ?? you}}',
  preheader: 'What is new',
  body: '<p>Hi {{firstName ?? you}}</p>',
  pace: { careful: true },
  audienceType: 'ALL' as const,
};
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

describe('the report says', () => {
  const only = async (input: object, rule: string) =>
    (await check(await create(input))).findings.filter((each) => each.rule === rule);

  beforeEach(async () => {
    await configure({ brand: address });
  });

  it('what is wrong with its texts, each at its place', async () => {
    await people(test, project, 1, { data: { plan: 'gold' } });
    const body = '<p>Hi {{plam}}</p><a href="shop">Shop</a><img alt="A" width="9">';
    const { ok, findings } = await check(await create({ subject: 'For {{Plan ?? x}}', body }));
    expect(ok).toBe(false);
    expect(findings).toMatchObject([
      { rule: 'link_target', level: 'error', field: 'body', offset: body.indexOf('<a') },
      { rule: 'image_source', level: 'error', field: 'body', offset: body.indexOf('<img') },
      { rule: 'unknown_variable', level: 'warning', field: 'subject', offset: 4, details: { meant: 'plan' } },
      { rule: 'unknown_variable', level: 'error', field: 'body', offset: body.indexOf('{{') },
    ]);
  });

  it('how many recipients lack a value, of those that get it', async () => {
    await people(test, project, 98, { data: { plan: 'gold' } });
    await people(test, project, 50, { subscribed: false });
    await people(test, project, 1, { data: { plan: '' } });
    const input = { body: '<p>Your plan: {{plan}}</p>' };
    expect(await only(input, 'missing_values')).toMatchObject([
      { details: { name: 'plan', count: 1, of: 99 } },
    ]);
    await people(test, project, 1, { data: { plan: 'gold' } });
    expect(await only(input, 'missing_values')).toEqual([]);
    const silver = { audienceType: 'FILTERED', audienceCondition: having('plan', '') };
    expect(await only({ ...input, ...silver }, 'missing_values')).toMatchObject([
      { details: { count: 1, of: 1 } },
    ]);
    await people(test, project, 1);
    expect(await only(input, 'missing_values')).toMatchObject([{ details: { count: 2, of: 101 } }]);
  });

  it('how many were never mailed, unless it begins carefully', async () => {
    const ids = await people(test, project, 195);
    const cold = { pace: null };
    expect(await only(cold, 'cold_audience')).toEqual([]);
    ids.push(...(await people(test, project, 10)));
    expect(await only(cold, 'cold_audience')).toMatchObject([{ details: { count: 205, of: 205 } }]);
    await waitingMail(test.services, project.id, { count: 5 });
    const emails = await prisma().email.findMany({ where: { projectId: project.id } });
    for (const [index, { id }] of emails.entries())
      await prisma().email.update({
        where: { id },
        data: { contactId: ids[index] ?? null, status: 'SENT', ...(index > 0 && { sentAt: new Date() }) },
      });
    const [finding] = await only(cold, 'cold_audience');
    expect(finding?.details).toMatchObject({ count: 206, of: 210 });
    expect(await only({}, 'cold_audience')).toEqual([]);
  });

  it('that the audience is far larger than any before, and that the same was sent today', async () => {
    await people(test, project, 7);
    const id = await create();
    const sentAt = new Date();
    const sentAs = async (data: object) =>
      prisma().campaign.update({
        where: { id },
        data: { status: 'SENT', sentAt, totalRecipients: 2, ...data },
      });
    await sentAs({});
    expect(await only({}, 'audience_jump')).toMatchObject([{ details: { count: 7, largestBefore: 2 } }]);
    expect(await only({}, 'repeated_subject')).toMatchObject([{ details: { campaignId: id } }]);
    expect(await only({ subject: 'Other' }, 'repeated_subject')).toEqual([]);
    const filtered = { audienceType: 'FILTERED', audienceCondition: having('plan', 'gold') };
    expect(await only(filtered, 'repeated_subject')).toEqual([]);
    await sentAs({ totalRecipients: 3, sentAt: new Date(Date.now() - 25 * 3_600_000) });
    expect(await only({}, 'audience_jump')).toEqual([]);
    expect(await only({}, 'repeated_subject')).toEqual([]);
    expect((await check(id)).findings.map(({ rule }) => rule)).not.toContain('audience_jump');
  });

  it('that a restore has lost what happened after it was made, for a week', async () => {
    await people(test, project, 1);
    const id = await create();
    const { createdAt } = await prisma().campaign.findUniqueOrThrow({ where: { id } });
    const made = (ms: number) => new Date(createdAt.getTime() + ms);
    const warned = async () => (await check(id)).findings.filter(({ rule }) => rule === 'restored');
    const restored = (data: object) =>
      prisma().epoch.upsert({
        where: { epoch: 90 },
        create: {
          ...{ epoch: 90, cause: 'restore', dataUntil: made(1_000), lostUntil: made(2_000) },
          ...data,
        },
        update: data,
      });
    expect(await warned()).toEqual([]);
    await restored({ startedAt: new Date() });
    const span = { dataUntil: made(1_000).toISOString(), lostUntil: made(2_000).toISOString() };
    expect(await warned()).toMatchObject([{ level: 'warning', field: null, details: span }]);
    await restored({ dataUntil: made(-1_000) });
    expect(await warned()).toEqual([]);
    await restored({ dataUntil: made(2_000) });
    expect(await warned()).toEqual([]);
    await restored({ dataUntil: made(1_000), startedAt: new Date(Date.now() - 8 * 86_400_000) });
    expect(await warned()).toEqual([]);
    await prisma().epoch.delete({ where: { epoch: 90 } });
  });

  it('that nothing is tracked, and that the domain has no DMARC record', async () => {
    await people(test, project, 1);
    dmarc = { kind: 'found', records: ['v=DMARC1; p=none'] };
    expect(await only({}, 'dmarc')).toEqual([]);
    await verifiedDomain(test.services, project.id, 'bare.test');
    dmarc = { kind: 'none' };
    expect(await only({ from: 'a@bare.test' }, 'dmarc')).toMatchObject([
      { details: { domain: 'bare.test' } },
    ]);
    await verifiedDomain(test.services, project.id, 'simulated.test');
    await prisma().domain.updateMany({ where: { domain: 'simulated.test' }, data: { verifiedBy: 'TEST' } });
    expect(await only({ from: 'a@simulated.test' }, 'dmarc')).toEqual([]);
    expect(await only({}, 'tracking_off')).toEqual([]);
    await prisma().project.update({ where: { id: project.id }, data: { tracking: 'MARKETING_ONLY' } });
    expect(await only({}, 'tracking_off')).toEqual([]);
    expect(await only({ type: 'TRANSACTIONAL' }, 'tracking_off')).toHaveLength(1);
  });

  it('that texts are not checked which take too long', async () => {
    const { threads } = test.services;
    const run = threads.run.bind(threads);
    Object.assign(threads, {
      run: async (task: { name: string }, ...rest: [never, never]) => {
        if (task.name === 'preflight.readContent') throw new TaskLimitError('time');
        return run(task as never, ...rest);
      },
    });
    try {
      expect(await only({ body: '<a href="">x</a>' }, 'unchecked')).toMatchObject([{ level: 'error' }]);
    } finally {
      Object.assign(threads, { run });
    }
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

  it('is refused by what is wrong with its texts, unless that is acknowledged', async () => {
    await configure({ sendGate: 'STRICT', brand: address });
    await people(test, project, 1);
    const id = await create({ body: '<p>{{plan}}</p><a href="#">Shop</a>' });
    await expect(sendCampaign.run(project.ctx, { id })).rejects.toMatchObject({
      code: 'PREFLIGHT_FAILED',
      details: {
        findings: [{ rule: 'link_target' }, { rule: 'unknown_variable', details: { name: 'plan' } }],
      },
    });
    await sendCampaign.run(project.ctx, { id, acknowledge: ['unknown_variable', 'link_target'] });
    expect(await audited(id)).toEqual([
      ...['status', 'scheduledFor', 'acknowledge.link_target', 'acknowledge.unknown_variable'],
    ]);
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
