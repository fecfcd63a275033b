import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSegment, deleteSegment } from '../../audience/segments/index.ts';
import type { Operation } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { createTemplate } from '../../content/templates/index.ts';
import { decodeLink } from '../../mail/message/index.ts';
import { previewEmail } from '../../mail/sending/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { findNeglectedCampaigns, readCampaignStep, startCampaign } from './campaign-delivery.ts';
import { content, frozenCampaign, having, people, withoutHints } from './campaigns.fixture.ts';
import { cancelCampaign } from './cancel-campaign.ts';
import { createCampaign } from './create-campaign.ts';
import { deleteCampaign } from './delete-campaign.ts';
import { duplicateCampaign } from './duplicate-campaign.ts';
import { freezeAudience } from './freeze-audience.ts';
import { getCampaign } from './get-campaign.ts';
import { getCampaignAudience } from './get-campaign-audience.ts';
import { listCampaigns } from './list-campaigns.ts';
import { listRecipients } from './list-recipients.ts';
import { pauseCampaign } from './pause-campaign.ts';
import { previewAudience } from './preview-audience.ts';
import { resumeCampaign } from './resume-campaign.ts';
import { retryCampaign } from './retry-campaign.ts';
import { sendCampaign } from './send-campaign.ts';
import { testCampaign } from './test-campaign.ts';
import { unscheduleCampaign } from './unschedule-campaign.ts';
import { updateCampaign } from './update-campaign.ts';

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
const valid = { ...content, audienceType: 'ALL' };
const create = (input: object = {}) => createCampaign.runRaw(project.ctx, { ...valid, ...input });
const setStatus = (id: string, status: 'DRAFT' | 'SENT' | 'SENDING' | 'SCHEDULED' | 'CANCELLED') =>
  prisma().campaign.update({ where: { id }, data: { status } });
const unknown = '01a1fbbb-6049-7208-955a-65aac1f35b72';

describe('the required fields of a campaign, created or replaced', () => {
  const tree = having('plan', 'gold');
  const refusals: [object, object][] = [
    [{ name: ' ' }, { errors: [{ field: 'name', code: 'required' }] }],
    [{ name: 'x'.repeat(201) }, { errors: [{ field: 'name', code: 'too_big' }] }],
    [{ subject: 'a\nb' }, { errors: [{ field: 'subject', code: 'custom' }] }],
    [{ subject: 'x'.repeat(999) }, { errors: [{ field: 'subject', code: 'too_big' }] }],
    [{ body: '' }, { errors: [{ field: 'body', code: 'required' }] }],
    [{ from: 'nobody' }, { errors: [{ field: 'from', code: 'invalid_string' }] }],
    [{ audienceType: null }, { errors: [{ field: 'audienceType', code: 'required' }] }],
    [{ audienceType: 'SOME' }, { errors: [{ field: 'audienceType', code: 'invalid_enum_value' }] }],
    [{ audienceType: 'constructor' }, { errors: [{ field: 'audienceType', code: 'invalid_enum_value' }] }],
    [{ audienceType: 'SEGMENT' }, { errors: [{ field: 'segmentId', code: 'required' }] }],
    [{ audienceType: 'FILTERED' }, { errors: [{ field: 'audienceCondition', code: 'required' }] }],
    [
      { segmentId: 'x', audienceType: 'SEGMENT' },
      { errors: [{ field: 'segmentId', code: 'invalid_string' }] },
    ],
    [
      { audienceType: 'FILTERED', audienceCondition: { logic: 'AND', groups: [] } },
      { errors: [{ field: 'audienceCondition.groups', code: 'too_small' }] },
    ],
    [
      { body: 'one\n {{ x | nope }}' },
      {
        errors: [{ field: 'body', code: 'template_syntax' }],
        details: { field: 'body', line: 2, column: 2 },
      },
    ],
    [{ audienceType: 'SEGMENT', segmentId: unknown }, { code: 'SEGMENT_NOT_FOUND' }],
    [{ templateId: unknown }, { code: 'TEMPLATE_NOT_FOUND' }],
    [{ from: 'a@other.test' }, { code: 'INTERNAL_SERVER_ERROR', kind: 'forbidden' }],
  ];

  it.each(refusals)('%j is refused', async (change, error) => {
    const expected = { code: 'VALIDATION_ERROR', ...error };
    await expect(create(change)).rejects.toMatchObject(expected);
    expect(await prisma().campaign.count({ where: { projectId: project.id } })).toBe(0);
    const before = await create({ description: 'note' });
    const replacement = { ...valid, ...change, id: before.id };
    await expect(updateCampaign.runRaw(project.ctx, replacement)).rejects.toMatchObject(expected);
    expect(await getCampaign.run(project.ctx, { id: before.id })).toEqual(before);
  });

  it.each([
    ['ALL', { segmentId: 'no uuid', audienceCondition: {} }],
    ['ALL', { segmentId: 42, audienceCondition: 'no tree' }],
    ['SEGMENT', { audienceCondition: { logic: 'MAYBE' } }],
    ['FILTERED', { segmentId: newId() }],
  ])(
    'to %s stores null for the fields that it does not need, whatever they hold: %j',
    async (audienceType, unneeded) => {
      const segment = await createSegment.run(project.ctx, { name: 'S', type: 'STATIC' });
      const needed = {
        ALL: {},
        SEGMENT: { segmentId: segment.id },
        FILTERED: { audienceCondition: having('plan', 'pro') },
      }[audienceType];
      const { id } = await createCampaign.runRaw(project.ctx, {
        ...valid,
        audienceType,
        ...needed,
        ...unneeded,
      });
      const stored = await updateCampaign.runRaw(project.ctx, {
        id,
        ...valid,
        audienceType,
        ...needed,
        ...unneeded,
      });
      expect(stored).toMatchObject({ segmentId: null, audienceCondition: null, ...needed });
    },
  );

  it('stores the fields that its audience needs and null for the rest, and counts its recipients', async () => {
    await people(test, project, 3, { data: { plan: 'gold' } });
    await people(test, project, 2, { data: { plan: 'gold' }, subscribed: false });
    await people(test, project, 4);
    const template = await createTemplate.run(project.ctx, content);
    const filtered = await create({
      audienceType: 'FILTERED',
      audienceCondition: tree,
      segmentId: unknown,
      templateId: template.id,
    });
    expect(filtered).toMatchObject({
      status: 'DRAFT',
      audienceCondition: tree,
      segmentId: null,
      templateId: template.id,
      totalRecipients: 3,
      type: 'MARKETING',
    });
    const row = await prisma().campaign.findUniqueOrThrow({ where: { id: filtered.id } });
    expect(row.reads).toEqual(['data.plan']);
    expect(await create({ audienceCondition: tree })).toMatchObject({
      audienceCondition: null,
      totalRecipients: 7,
    });
    expect(await create({ type: 'TRANSACTIONAL' })).toMatchObject({ totalRecipients: 9 });
  });

  it('a replacement clears omitted fields', async () => {
    const before = await create({
      description: 'note',
      fromName: 'Shop',
      replyTo: 'a@shop.test',
      type: 'HEADLESS',
    });
    const after = await updateCampaign.runRaw(project.ctx, { ...valid, id: before.id, name: 'New' });
    expect(after).toEqual({
      ...before,
      name: 'New',
      description: null,
      fromName: null,
      replyTo: null,
      type: 'MARKETING',
      updatedAt: expect.any(String),
    });
  });

  it('a scheduled campaign keeps its date when it is replaced', async () => {
    await people(test, project, 1);
    const { id } = await create();
    const scheduledFor = new Date(Date.now() + 86_400_000).toISOString();
    await sendCampaign.run(project.ctx, { id, scheduledFor });
    expect(await updateCampaign.runRaw(project.ctx, { ...valid, id, name: 'New' })).toMatchObject({
      status: 'SCHEDULED',
      scheduledFor,
      name: 'New',
    });
  });
});

describe('a version of a campaign', () => {
  it('is replaced only if it is the one that the caller has', async () => {
    const before = await create();
    const first = await updateCampaign.runRaw(project.ctx, {
      ...valid,
      id: before.id,
      name: 'First',
      ifUpdatedAt: before.updatedAt,
    });
    const late = { ...valid, id: before.id, name: 'Second', ifUpdatedAt: before.updatedAt };
    // Both replacements can fall into one millisecond, which is the precision of the version.
    await prisma().campaign.update({
      where: { id: before.id },
      data: { updatedAt: new Date(Date.now() + 5) },
    });
    await expect(updateCampaign.runRaw(project.ctx, late)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await getCampaign.run(project.ctx, { id: before.id })).toMatchObject({ name: first.name });
  });
});

describe('unscheduling', () => {
  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

  it('makes a draft without a date that can be changed, scheduled again and sent', async () => {
    await people(test, project, 2);
    const { id } = await create();
    await sendCampaign.run(project.ctx, { id, scheduledFor: inAnHour() });
    expect(await unscheduleCampaign.run(project.ctx, { id })).toMatchObject({
      status: 'DRAFT',
      scheduledFor: null,
      sentAt: null,
      totalRecipients: 2,
    });
    await startCampaign(test.services, id, Date.now() + 7_200_000);
    expect(await readCampaignStep(test.services, id, Date.now())).toEqual({ kind: 'end' });
    expect(await getCampaign.run(project.ctx, { id })).toMatchObject({ status: 'DRAFT' });
    const again = await sendCampaign.run(project.ctx, { id, scheduledFor: inAnHour() });
    expect(again).toMatchObject({ status: 'SCHEDULED' });
    expect(await sendCampaign.run(project.ctx, { id })).toMatchObject({ status: 'SENDING' });
  });

  it('at the moment of the start either prevents it or is a conflict, never both', async () => {
    await people(test, project, 1);
    for (let round = 0; round < 8; round++) {
      const { id } = await create();
      await sendCampaign.run(project.ctx, { id, scheduledFor: inAnHour() });
      const [unscheduled] = await Promise.allSettled([
        unscheduleCampaign.run(project.ctx, { id }),
        startCampaign(test.services, id, Date.now() + 7_200_000),
      ]);
      const { status } = await getCampaign.run(project.ctx, { id });
      if (unscheduled.status === 'fulfilled') expect(status).toBe('DRAFT');
      else {
        expect(unscheduled.reason).toMatchObject({ code: 'CONFLICT' });
        expect(status).toBe('SENDING');
      }
    }
  });
});

describe('the preview of an audience', () => {
  it('counts as the stored campaign would, before anything is stored', async () => {
    await people(test, project, 3, { data: { plan: 'gold' } });
    await people(test, project, 2, { subscribed: false, data: { plan: 'gold' } });
    await people(test, project, 4);
    const audience = { audienceType: 'FILTERED', audienceCondition: having('plan', 'gold') };
    const { id } = await create(audience);
    const preview = await previewAudience.runRaw(project.ctx, { ...audience, from: content.from });
    expect(preview).toEqual(await getCampaignAudience.run(project.ctx, { id }));
    expect(preview).toMatchObject({ matched: 5, willSend: 3, skipped: { unsubscribed: 2 } });
    expect(
      await previewAudience.runRaw(project.ctx, { audienceType: 'ALL', type: 'TRANSACTIONAL' }),
    ).toMatchObject({ matched: 9, willSend: 9 });
  });

  it('refuses a segment of another project and an audience without its filter', async () => {
    const other = await createTestProject(test.services);
    const segment = await createSegment.runRaw(other.ctx, { name: 'Theirs', type: 'STATIC' });
    await expect(
      previewAudience.runRaw(project.ctx, { audienceType: 'SEGMENT', segmentId: segment.id }),
    ).rejects.toMatchObject({ code: 'SEGMENT_NOT_FOUND' });
    await expect(previewAudience.runRaw(project.ctx, { audienceType: 'FILTERED' })).rejects.toMatchObject({
      errors: [{ field: 'audienceCondition', code: 'required' }],
    });
  });
});

describe('states', () => {
  it.each([
    ['SENT', updateCampaign, valid],
    ['SENDING', updateCampaign, valid],
    ['CANCELLED', updateCampaign, valid],
    ['SENT', sendCampaign, {}],
    ['CANCELLED', cancelCampaign, {}],
    ['DRAFT', unscheduleCampaign, {}],
    ['SENDING', unscheduleCampaign, {}],
    ['SENT', unscheduleCampaign, {}],
    ['DRAFT', pauseCampaign, {}],
    ['SCHEDULED', pauseCampaign, {}],
    ['SENT', pauseCampaign, {}],
    ['SENDING', resumeCampaign, {}],
    ['CANCELLED', resumeCampaign, {}],
    ['SCHEDULED', deleteCampaign, {}],
    ['SENDING', deleteCampaign, {}],
    ['CANCELLED', retryCampaign, { statuses: ['FAILED'] }],
    ['SCHEDULED', retryCampaign, { statuses: ['FAILED'] }],
  ] as const)('%s: $name is a conflict that names the state', async (status, operation, input) => {
    const { id } = await create();
    await setStatus(id, status);
    await expect(operation.runRaw(project.ctx, { ...input, id })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(status),
    });
    expect(await getCampaign.run(project.ctx, { id })).toMatchObject({ status });
  });

  it.each([
    updateCampaign,
    deleteCampaign,
    duplicateCampaign,
    sendCampaign,
    unscheduleCampaign,
    pauseCampaign,
    resumeCampaign,
    cancelCampaign,
    testCampaign,
    getCampaignAudience,
    listRecipients,
    retryCampaign,
  ])('$name knows no campaign of another project', async (operation) => {
    const { id } = await create();
    const other = await createTestProject(test.services);
    const input = { ...valid, id, email: 'a@people.test', statuses: ['FAILED'] };
    // Each takes what it needs of it.
    await expect((operation as Operation).run(other.ctx, input)).rejects.toMatchObject({
      code: 'CAMPAIGN_NOT_FOUND',
    });
  });

  it('SENT: sending again is a conflict, also when its segment was deleted meanwhile', async () => {
    const { id: segmentId } = await createSegment.runRaw(project.ctx, { name: 'Gone', type: 'STATIC' });
    const { id } = await create({ audienceType: 'SEGMENT', segmentId });
    await setStatus(id, 'SENT');
    await deleteSegment.run(project.ctx, { id: segmentId });
    await expect(sendCampaign.run(project.ctx, { id })).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('two concurrent sends start it once', async () => {
    await people(test, project, 3);
    const { id } = await create();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => sendCampaign.run(project.ctx, { id })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'CONFLICT' });
    }
    await Promise.all([freezeAudience(test.services, id), freezeAudience(test.services, id)]);
    expect(await prisma().email.count({ where: { campaignId: id } })).toBe(3);
  });

  it('a campaign without a permitted recipient cannot be sent', async () => {
    await people(test, project, 1, { subscribed: false });
    await people(test, project, 1, { email: 'nowhere@local' });
    const [bounced] = await people(test, project, 1, { email: 'bounced@people.test' });
    await prisma().suppression.create({
      data: { projectId: project.id, email: 'bounced@people.test', reason: 'BOUNCE' },
    });
    const { id } = await create();
    await expect(sendCampaign.run(project.ctx, { id })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await getCampaignAudience.run(project.ctx, { id })).toEqual({
      matched: 3,
      willSend: 0,
      skipped: { unsubscribed: 1, topic: 0, suppressed: 1, invalid: 1 },
      notSubscribed: { unsubscribed: 1, never: 0, pending: 0, snoozed: 0 },
    });
    const { id: transactional } = await create({ type: 'TRANSACTIONAL' });
    expect(await getCampaignAudience.run(project.ctx, { id: transactional })).toEqual({
      matched: 3,
      willSend: 1,
      skipped: { unsubscribed: 0, topic: 0, suppressed: 1, invalid: 1 },
      notSubscribed: { unsubscribed: 0, never: 0, pending: 0, snoozed: 0 },
    });
    expect(bounced).toBeDefined();
  });
});

describe('freezing', () => {
  it('a filter selects matching subscribed contacts, with a skipped email for suppressed addresses', async () => {
    const matching = await people(test, project, 5, { data: { plan: 'gold' } });
    await people(test, project, 3, { data: { plan: 'gold' }, subscribed: false });
    await people(test, project, 3, { data: { plan: 'free' } });
    const [first = ''] = matching;
    await prisma().suppression.create({
      data: { projectId: project.id, email: `${first}@people.test`, reason: 'COMPLAINT' },
    });
    const id = await frozenCampaign(test, project, {
      audienceType: 'FILTERED',
      audienceCondition: having('plan', 'gold'),
    });
    const emails = await prisma().email.findMany({ where: { campaignId: id } });
    expect(emails.map(({ contactId }) => contactId).sort()).toEqual([...matching].sort());
    expect(emails.find(({ contactId }) => contactId === first)).toMatchObject({
      status: 'SKIPPED',
      reason: 'suppressed',
    });
    expect(await getCampaign.run(project.ctx, { id })).toMatchObject({ totalRecipients: 5, skippedCount: 1 });
  });

  it('a dynamic segment by its live condition, a static one by its active members', async () => {
    const gold = await people(test, project, 4, { data: { plan: 'gold' } });
    const others = await people(test, project, 3);
    const dynamic = await createSegment.run(project.ctx, {
      name: 'Gold',
      type: 'DYNAMIC',
      condition: having('plan', 'gold'),
    });
    const chosen = await createSegment.run(project.ctx, { name: 'Chosen', type: 'STATIC' });
    await prisma().segmentMembership.createMany({
      data: others.map((contactId, index) => ({
        projectId: project.id,
        segmentId: chosen.id,
        contactId,
        exitedAt: index === 0 ? new Date() : null,
      })),
    });
    const frozenFor = async (segmentId: string) => {
      const id = await frozenCampaign(test, project, { audienceType: 'SEGMENT', segmentId });
      const emails = await prisma().email.findMany({ where: { campaignId: id } });
      return emails.map(({ contactId }) => contactId).sort();
    };
    expect(await frozenFor(dynamic.id)).toEqual([...gold].sort());
    expect(await frozenFor(chosen.id)).toEqual(others.slice(1).sort());
  });

  it('a tracked segment by its live condition too, even before its memberships are computed', async () => {
    const gold = await people(test, project, 3, { data: { plan: 'gold' } });
    const segment = await createSegment.run(project.ctx, {
      name: 'Gold',
      type: 'DYNAMIC',
      condition: having('plan', 'gold'),
      trackMembership: true,
    });
    const { id } = await createCampaign.run(project.ctx, {
      ...content,
      audienceType: 'SEGMENT',
      segmentId: segment.id,
    });
    const late = await people(test, project, 2, { data: { plan: 'gold' } });
    const [gone = '', ...stay] = gold;
    await prisma().contact.update({ where: { id: gone }, data: { data: { plan: 'none' } } });
    expect(await getCampaignAudience.run(project.ctx, { id })).toMatchObject({ matched: 4, willSend: 4 });
    await sendCampaign.run(project.ctx, { id });
    await freezeAudience(test.services, id);
    const emails = await prisma().email.findMany({ where: { campaignId: id } });
    expect(emails.map(({ contactId }) => contactId).sort()).toEqual([...stay, ...late].sort());
  });
});

describe('a copy', () => {
  it('is a draft with the same fields, from any status', async () => {
    await people(test, project, 2);
    const id = await frozenCampaign(test, project, { description: 'note' });
    const original = await getCampaign.run(project.ctx, { id });
    const copy = await duplicateCampaign.run(project.ctx, { id });
    expect(copy).toEqual({
      ...original,
      id: expect.not.stringMatching(id),
      name: 'Spring (Copy)',
      status: 'DRAFT',
      sentAt: null,
      scheduledFor: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });
});

describe('a test email', () => {
  const member = async (email: string) => {
    const userId = newId();
    await prisma().user.create({ data: { id: userId, email, emailVerified: true } });
    await prisma().member.create({ data: { projectId: project.id, userId } });
  };

  it('is sent to a member at once, marked, untracked and outside of the campaign', async () => {
    const email = `${newId()}@team.test`;
    await member(email);
    const { id } = await create();
    await setStatus(id, 'SENT');
    const answer = await testCampaign.run(project.ctx, { id, email: ` ${email.toUpperCase()} ` });
    expect(answer).toEqual({ emailId: expect.any(String), to: email });
    const stored = await prisma().email.findUniqueOrThrow({ where: { id: answer.emailId } });
    expect(stored).toMatchObject({
      to: email,
      contactId: null,
      campaignId: null,
      sourceType: 'TEST',
      type: 'MARKETING',
      tracked: false,
      status: 'PENDING',
    });
    const said = await prisma().content.findUniqueOrThrow({ where: { id: stored.contentId } });
    expect(said.subject).toBe('[TEST] Hello {{first ?? you}}');
    expect(
      await prisma().deliveryBatch.findUniqueOrThrow({ where: { id: stored.batchId ?? '' } }),
    ).toMatchObject({
      priority: 1,
      campaignId: null,
      domainId: expect.any(String),
    });
  });

  it('uses the data of the contact with that address, and its links change nothing', async () => {
    const email = `${newId()}@team.test`;
    await member(email);
    const [contactId] = await people(test, project, 1, { email, data: { first: 'Kim' } });
    const { id } = await create({ body: '<p>Hi {{first}}: <a href="{{unsubscribeUrl}}">leave</a></p>' });
    const { emailId } = await testCampaign.run(project.ctx, { id, email });
    expect(await prisma().email.findUniqueOrThrow({ where: { id: emailId } })).toMatchObject({ contactId });
    const { html } = await previewEmail.run(project.ctx, { id: emailId });
    expect(html).toContain('Hi Kim');
    const token = /\/u\/([\w-]+)\/unsubscribe/.exec(html ?? '')?.[1] ?? '';
    expect(decodeLink(test.services.secrets, token)).toEqual({
      kind: 'preferences',
      contactId: null,
      emailId,
    });
  });

  it('is refused for any other address', async () => {
    const { id } = await create();
    const invited = 'invited@team.test';
    await prisma().invitation.create({
      data: {
        id: newId(),
        projectId: project.id,
        email: invited,
        tokenHash: Uint8Array.from(Buffer.from(newId())),
        expiresAt: new Date(Date.now() + 60_000),
      },
    });
    for (const email of [invited, 'stranger@people.test']) {
      await expect(testCampaign.run(project.ctx, { id, email })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    await expect(testCampaign.runRaw(project.ctx, { id })).rejects.toMatchObject({
      errors: [{ field: 'email', code: 'required' }],
    });
    expect(await prisma().email.count({ where: { projectId: project.id } })).toBe(0);
  });
});

describe('a disabled project', () => {
  it('has its campaigns found within a minute and cancelled with the reason', async () => {
    await people(test, project, 3);
    const first = await frozenCampaign(test, project);
    const { id: second } = await create();
    await prisma().campaign.update({
      where: { id: second },
      data: { status: 'SCHEDULED', scheduledFor: new Date(Date.now() + 86_400_000) },
    });
    await prisma().project.update({ where: { id: project.id }, data: { disabled: true } });
    const found = await findNeglectedCampaigns(test.services, null, 100);
    expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining([first, second]));
    expect(await readCampaignStep(test.services, first, Date.now())).toEqual({ kind: 'skip' });
    for (const id of [first, second]) {
      expect(await getCampaign.run(project.ctx, { id })).toMatchObject({
        status: 'CANCELLED',
        statusReason: 'project_disabled',
      });
    }
  });
});

describe('listing', () => {
  it('searches name, subject and sender literally, filters by status, and refuses unknown values', async () => {
    await create({ name: '100% off' });
    await create({ name: '100 off', subject: 'Sale' });
    const names = async (query: object) =>
      (await listCampaigns.run(project.ctx, query)).data.map(({ name }) => name);
    expect(await names({ search: '0% O' })).toEqual(['100% off']);
    expect(await names({ search: 'sAlE' })).toEqual(['100 off']);
    expect(await names({ search: 'TEAM@shop' })).toHaveLength(2);
    expect(await names({ status: 'SENT' })).toEqual([]);
    await expect(names({ status: 'GONE' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});
