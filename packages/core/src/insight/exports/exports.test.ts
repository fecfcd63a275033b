import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteContact, sweepJobs, upsertContact } from '../../audience/contacts/index.ts';
import { trackEvent } from '../../audience/events/index.ts';
import { createSegment } from '../../audience/segments/index.ts';
import { createTopic, updateTopic } from '../../audience/topics/index.ts';
import { createCampaign } from '../../automation/campaigns/index.ts';
import { createGoal } from '../../automation/goals/index.ts';
import { newId } from '../../base/lib/index.ts';
import { sendEmail } from '../../mail/sending/index.ts';
import { recordFailedLogin } from '../../people/audit/index.ts';
import {
  createTestProject,
  createTestServices,
  refuseWrites,
  sendingCampaign,
  type TestProject,
  type TestServices,
  verifiedDomain,
  waitingMail,
} from '../../testing/index.ts';
import { getExport } from './get-export.ts';
import { openExportFile } from './open-export-file.ts';
import { startExport } from './start-export.ts';
import { writeChunk } from './write-chunk.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
});

type Request = Parameters<typeof startExport.run>[1];

async function start(request: Request): Promise<string> {
  return (await startExport.run(project.ctx, request)).id;
}

async function fileOf(jobId: string): Promise<string> {
  const parts: Buffer[] = [];
  for await (const bytes of (await openExportFile(project.ctx, jobId)).chunks) parts.push(bytes);
  return Buffer.concat(parts).toString();
}

/** The lines of a file whose cells have no line breaks; the first is the header. */
async function exported(request: Request): Promise<string[]> {
  const jobId = await start(request);
  while (await writeChunk(test.services, jobId));
  const text = await fileOf(jobId);
  expect(text.endsWith('\r\n')).toBe(true);
  const lines = text.slice(0, -2).split('\r\n');
  expect((await getExport.run(project.ctx, { jobId })).result).toEqual({ rows: lines.length - 1 });
  return lines;
}

async function contact(email: string, data: object = {}, createdAt = new Date()): Promise<string> {
  const id = newId();
  await test.services.database.prisma.contact.create({
    data: { id, projectId: project.id, email, data: { ...data }, createdAt },
  });
  return id;
}

const addresses = (lines: string[]): string[] =>
  lines
    .slice(1)
    .map((line) => line.match(/[a-z0-9]+@people\.test/)?.[0] ?? '')
    .sort();

const plan = (value: string) => ({
  logic: 'AND' as const,
  groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value }] }],
});

describe('contacts', () => {
  it('have a column for each known field; texts are quoted, and never formulas', async () => {
    const at = new Date('2026-03-01T09:30:00Z');
    const id = await contact(
      'ann@people.test',
      { 'a.b': '=1+1', name: 'Ann "A", Müller', note: 'two\r\nlines', debt: -5, vip: true, tab: '\tx' },
      at,
    );
    const jobId = await start({ type: 'contacts' });
    expect(await writeChunk(test.services, jobId)).toBe(false);
    const { updatedAt } = await test.services.database.prisma.contact.findUniqueOrThrow({ where: { id } });
    expect(await fileOf(jobId)).toBe(
      [
        'id,email,externalId,subscribed,status,snoozedUntil,topics.general,topicDefaults,unsubscribedBy,consentBasis,consentedAt,consent.confirmedAt,consent.source,projectId,createdAt,updatedAt,data.a.b,data.debt,data.name,data.note,data.tab,data.vip',
        `${id},ann@people.test,,true,subscribed,,,true,,unknown,,,,${project.id},${at.toISOString()},${updatedAt.toISOString()},'=1+1,-5,"Ann ""A"", Müller","two\r\nlines","'\tx",true`,
        '',
      ].join('\r\n'),
    );
  });

  it('are those of the filter, the segment and the period', async () => {
    await contact('a@people.test', { plan: 'pro' }, new Date('2026-01-01T00:00:00Z'));
    await contact('b@people.test', { plan: 'pro' }, new Date('2026-02-01T00:00:00Z'));
    await contact('c@people.test', { plan: 'free' }, new Date('2026-03-01T00:00:00Z'));
    const segment = await createSegment.run(project.ctx, { name: 'Free', condition: plan('free') });
    const found = async (request: object) => addresses(await exported({ type: 'contacts', ...request }));
    expect(await found({ filter: plan('pro') })).toEqual(['a@people.test', 'b@people.test']);
    expect(await found({ segmentId: segment.id })).toEqual(['c@people.test']);
    expect(await found({ segmentId: segment.id, filter: plan('pro') })).toEqual([]);
    expect(await found({ from: '2026-02-01T00:00:00Z', to: '2026-03-01T00:00:00Z' })).toEqual([
      'b@people.test',
    ]);
  });
});

describe('the filters of a list', () => {
  it('restrict its export', async () => {
    const { prisma } = test.services.database;
    const { ctx, id: projectId } = project;
    const domainId = await verifiedDomain(test.services, projectId, `${newId()}.test`);
    const { domain } = await prisma.domain.findUniqueOrThrow({ where: { id: domainId } });
    const mail = { subject: 'Hello', body: '<p>x</p>', from: `a@${domain}` };
    const sent = await sendEmail.run(ctx, {
      ...mail,
      to: ['a@people.test', 'b@people.test', 'c@people.test'],
    });
    const campaign = await createCampaign.run(ctx, { ...mail, name: 'May', audienceType: 'ALL' });
    const ids = sent.emails.map(({ email }) => email);
    await prisma.email.updateMany({ where: { id: { in: ids } }, data: { campaignId: campaign.id } });
    const openedAt = new Date();
    await prisma.email.updateMany({
      where: { id: ids[0] ?? '' },
      data: { status: 'CLICKED', openedAt, clickedAt: openedAt },
    });
    await prisma.email.updateMany({ where: { id: ids[1] ?? '' }, data: { status: 'SKIPPED' } });
    await prisma.contact.updateMany({
      where: { projectId, email: 'c@people.test' },
      data: { subscribed: true, consentSeq: 1n },
    });
    await prisma.suppression.createMany({
      data: [
        { projectId, email: 'a@people.test', reason: 'BOUNCE' },
        { projectId, email: 'b@people.test', reason: 'MANUAL' },
      ],
    });
    await trackEvent.run(project.publicCtx, { email: 'a@people.test', event: 'home' });
    await trackEvent.run(project.publicCtx, { email: 'b@people.test', event: 'home' });
    await trackEvent.run(project.publicCtx, { email: 'a@people.test', event: 'away' });
    const found = async (request: Request) =>
      addresses(await exported(request))
        .map((address) => address.slice(0, 1))
        .join('');

    expect(await found({ type: 'contacts', search: 'A@' })).toBe('a');
    expect(await found({ type: 'contacts', status: 'subscribed' })).toBe('c');
    expect(await found({ type: 'emails', search: 'b@people' })).toBe('b');
    expect(await found({ type: 'emails', status: 'CLICKED' })).toBe('a');
    expect(await found({ type: 'emails', sourceType: 'WORKFLOW' })).toBe('');
    expect(await found({ type: 'suppressions', reason: 'MANUAL' })).toBe('b');
    expect(await found({ type: 'suppressions', search: 'a@', reason: 'BOUNCE' })).toBe('a');
    expect(await found({ type: 'events', eventName: 'home' })).toBe('ab');
    expect(await found({ type: 'events', eventName: 'home', contact: 'b@people.test' })).toBe('b');
    expect(await found({ type: 'recipients', campaignId: campaign.id, status: 'opened' })).toBe('a');
    expect(await found({ type: 'recipients', campaignId: campaign.id, status: 'skipped' })).toBe('b');
    expect(await found({ type: 'contacts', search: '' })).toBe('abc');
  });

  it.each([
    [{ type: 'contacts', status: 'SENT' }, 'status', 'invalid_enum_value'],
    [{ type: 'emails', status: 'opened' }, 'status', 'invalid_enum_value'],
    [{ type: 'events', search: 'a' }, 'search', 'unsupported_field'],
    [{ type: 'contacts', reason: 'MANUAL' }, 'reason', 'unsupported_field'],
  ])('%j is refused', async (request, field, code) => {
    await expect(startExport.runRaw(project.ctx, request)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field, code }],
    });
  });

  it('a template that the project does not have is unknown', async () => {
    await expect(start({ type: 'emails', templateId: newId() })).rejects.toMatchObject({
      code: 'TEMPLATE_NOT_FOUND',
    });
  });
});

describe('the other types', () => {
  it('emails and recipients are those of the campaign, one row each', async () => {
    const { ctx, id: projectId } = project;
    const domainId = await verifiedDomain(test.services, projectId, `${newId()}.test`);
    const { name } = await test.services.database.prisma.domain
      .findUniqueOrThrow({ where: { id: domainId } })
      .then(({ domain }) => ({ name: domain }));
    const mail = { subject: '+1, hello', body: '<p>x</p>', from: `a@${name}` };
    const sent = await sendEmail.run(ctx, { ...mail, to: ['a@people.test', 'b@people.test'] });
    const campaign = await createCampaign.run(ctx, { ...mail, name: 'May', audienceType: 'ALL' });
    const [first] = sent.emails;
    await test.services.database.prisma.email.updateMany({
      where: { id: first?.email ?? '' },
      data: { campaignId: campaign.id },
    });
    const emails = await exported({ type: 'emails' });
    expect(addresses(emails)).toEqual(['a@people.test', 'b@people.test']);
    expect(emails[0]).toMatch(/^id,projectId,contactId,to,/);
    expect(emails[1]).toContain(`,"'+1, hello",`);
    const ofCampaign = await exported({ type: 'emails', campaignId: campaign.id });
    expect(addresses(ofCampaign)).toEqual(['a@people.test']);
    const recipients = await exported({ type: 'recipients', campaignId: campaign.id });
    expect(recipients[0]).toBe(
      'emailId,contactId,email,status,reason,error,diagnosis.class,diagnosis.code,diagnosis.reply,diagnosis.text,diagnosis.at,occurredAt,opens,clicks,value',
    );
    expect(recipients.slice(1)).toEqual([
      expect.stringMatching(`^${first?.email},${first?.contact?.id},a@people.test,PENDING,,,,,,,,20`),
    ]);
  });

  it('events have the address of their contact, and their data as JSON', async () => {
    await trackEvent.run(project.publicCtx, { email: 'a@people.test', event: '@home', data: { n: 1 } });
    const lines = await exported({ type: 'events' });
    expect(lines[0]).toContain('contact.id,contact.email');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(`,'@home,`);
    expect(lines[1]).toContain('"{""n"":1}"');
    expect(lines[1]).toContain('a@people.test');
    expect(await exported({ type: 'events', to: '2020-01-01T00:00:00Z' })).toHaveLength(1);
  });

  it('suppressions are those of this project', async () => {
    const other = await createTestProject(test.services);
    const { prisma } = test.services.database;
    const createdAt = new Date('2026-03-01T09:30:00Z');
    await prisma.suppression.createMany({
      data: [
        { projectId: project.id, email: 'a@people.test', reason: 'BOUNCE', createdAt },
        { projectId: other.id, email: 'b@people.test', reason: 'BOUNCE', createdAt },
      ],
    });
    expect(await exported({ type: 'suppressions' })).toEqual([
      'email,reason,emailId,class,text,expiresAt,createdAt',
      'a@people.test,BOUNCE,,,,,2026-03-01T09:30:00.000Z',
    ]);
  });
});

describe('figures', () => {
  const prisma = () => test.services.database.prisma;
  const sentAt = new Date('2026-03-01T09:30:00Z');

  async function campaignOf(status: 'SENT' | 'DRAFT', name: string, goalId: string | null = null) {
    const id = await sendingCampaign(test.services, project.id);
    await prisma().campaign.update({ where: { id }, data: { name, status, goalId, sentAt } });
    return id;
  }

  const goalOf = async (): Promise<string> => {
    const value = { property: 'amount', currency: 'EUR' };
    const given = { name: 'Purchase', eventName: 'order.paid', value };
    return ((await createGoal.runRaw(project.ctx, given)) as { id: string }).id;
  };

  /** The cells of a line by the names of the columns. */
  const cellsOf = (header = '', line = ''): Record<string, string> => {
    const cells = line.split(',');
    return Object.fromEntries(header.split(',').map((name, index) => [name, cells[index] ?? '']));
  };

  it('of campaigns: a row each, with what the list shows, of the state that is asked for', async () => {
    const goalId = await goalOf();
    const id = await campaignOf('SENT', 'March', goalId);
    await campaignOf('DRAFT', 'April');
    await prisma().campaignCounter.update({
      where: { campaignId: id },
      data: { sentCount: 8, refusedCount: 2, bouncedCount: 3, openedCount: 4, clickedCount: 1 },
    });
    const [header, ...rows] = await exported({ type: 'campaigns', status: 'SENT' });
    expect(rows).toHaveLength(1);
    expect(cellsOf(header, rows[0])).toMatchObject({
      ...{ id, name: 'March', status: 'SENT', sentCount: '8', acceptedCount: '7', refusedCount: '2' },
      ...{ acceptRate: '70', bounceRate: '30', openRate: '50', clickToOpenRate: '25', goalId },
      ...{ convertedCount: '0', conversionRate: '0', convertedValue: '0', sentAt: sentAt.toISOString() },
    });
    expect(await exported({ type: 'campaigns' })).toHaveLength(3);
    expect(await exported({ type: 'campaigns', to: '2020-01-01T00:00:00Z' })).toHaveLength(1);
  });

  it('of links and mailbox providers of a campaign', async () => {
    const id = await campaignOf('SENT', 'March');
    const entry = { projectId: project.id, campaignId: id, at: sentAt, source: 'CAMPAIGN' as const };
    await prisma().figureEntry.createMany({
      data: [
        { ...entry, provider: 'google', sent: 3, opened: 1 },
        { ...entry, provider: 'other', sent: 1, refused: 1, bounced: 1 },
        { ...entry, source: null, link: 'https://shop.test/', clicks: 2, clickers: 1 },
      ],
    });
    expect(await exported({ type: 'links', campaignId: id })).toEqual([
      'url,clicks,clickers',
      'https://shop.test/,2,1',
    ]);
    const [header, ...rows] = await exported({ type: 'providers', campaignId: id });
    expect(rows.map((row) => cellsOf(header, row))).toMatchObject([
      { provider: 'google', sent: '3', accepted: '3', openRate: '33.33' },
      { provider: 'other', sent: '1', accepted: '1', refused: '1', bounceRate: '50', acceptRate: '50' },
    ]);
  });

  it('of the conversions of a goal, with the address while there is a contact, and of the recipients who converted', async () => {
    const goalId = await goalOf();
    const id = await campaignOf('SENT', 'March', goalId);
    const contactId = await contact('ann@people.test', {}, sentAt);
    const [email] = await waitingMail(test.services, project.id, { count: 1, campaignId: id });
    if (!email) throw new Error('no email was made');
    await prisma().email.update({ where: { id: email.id }, data: { opens: 3, clicks: 1 } });
    const conversion = { projectId: project.id, goalId, emailId: email.id, campaignId: id };
    await prisma().conversion.createMany({
      data: [
        { ...conversion, id: newId(), eventId: newId(), contactId, at: sentAt, value: 9.5 },
        { ...conversion, id: newId(), eventId: newId(), at: new Date('2026-03-02T00:00:00Z') },
      ],
    });
    await prisma().recipientConversion.create({
      data: {
        ...{ goalId, emailId: email.id, projectId: project.id, campaignId: id, heldOut: false },
        ...{ conversions: 2, value: 9.5, at: sentAt },
      },
    });
    const [header, ...rows] = await exported({ type: 'conversions', goalId });
    expect(rows.map((row) => cellsOf(header, row))).toMatchObject([
      { email: '', value: '', currency: '', campaignId: id },
      { email: 'ann@people.test', value: '9.5', currency: 'EUR', emailId: email.id },
    ]);
    expect(await exported({ type: 'conversions', goalId, from: '2026-03-02T00:00:00Z' })).toHaveLength(2);
    const [heads, ...recipients] = await exported({ type: 'recipients', campaignId: id });
    expect(cellsOf(heads, recipients[0])).toMatchObject({ opens: '3', clicks: '1', value: '9.5' });
  });
});

describe('consent', () => {
  it('has all acts with who said what, those of deleted contacts included, and the address while there is one', async () => {
    const ann = await upsertContact.run(project.ctx, {
      email: 'ann@people.test',
      subscribed: true,
      topics: { general: false },
      consent: { basis: 'confirmed', ip: '203.0.113.7', source: 'Fair' },
    });
    const bob = await upsertContact.run(project.ctx, { email: 'bob@people.test', subscribed: true });
    await deleteContact.run(project.ctx, { id: bob.id });
    const [header, ...rows] = await exported({ type: 'consent' });
    expect(header).toBe(
      'id,contactId,email,at,recordedAt,action,effect,refusal,topics,topicDefaults,until,source,actor.type,actor.id,actor.label,basis,liftsOptOut,wording.id,wording.language,wording.text,form.id,form.name,form.version,emailId,jobId,executionId,requestId,page,ip,userAgent,evidence',
    );
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatch(/^[^,]+,,,.*,subscribe,changed,.*,default,/);
    expect(rows[1]).toContain(`,${ann.id},ann@people.test,`);
    expect(rows[1]).toContain('"{""general"":false}"');
    expect(rows[1]).toContain(',confirmed,');
    expect(rows[1]).toContain(',203.0.113.7,,"{""source"":""Fair""}"');
    expect(await exported({ type: 'consent', contact: 'ann@people.test' })).toEqual([header, rows[1]]);
    expect(await exported({ type: 'consent', to: '2020-01-01T00:00:00Z' })).toEqual([header]);
    const contacts = await exported({ type: 'contacts' });
    expect(contacts[0]).toContain('consentBasis,consentedAt,consent.confirmedAt,consent.source,');
    expect(contacts[1]).toMatch(/,confirmed,(2[^,]+Z),\1,Fair,/);
  });

  it('403: to who may not see the addresses of clients; the file as well', async () => {
    const jobId = await start({ type: 'consent' });
    while (await writeChunk(test.services, jobId));
    const member = await project.userCtx('MEMBER');
    const forbidden = { code: 'FORBIDDEN' };
    await expect(startExport.run(member, { type: 'consent' })).rejects.toMatchObject(forbidden);
    await expect(openExportFile(member, jobId)).rejects.toMatchObject(forbidden);
    expect((await openExportFile(project.ctx, jobId)).name).toMatch(/^consent-/);
  });
});

it('topics are all of the project, archived ones at the end, with their texts as JSON', async () => {
  const { id } = await createTopic.runRaw(project.ctx, { key: 'old', name: { en: 'Old' }, default: 'OUT' });
  await createTopic.runRaw(project.ctx, { key: 'new', name: { en: 'New', de: 'Neu' }, default: 'IN' });
  await updateTopic.runRaw(project.ctx, { id, archived: true });
  const [header, ...rows] = await exported({ type: 'topics' });
  expect(header).toMatch(/^id,projectId,key,name,description,default,visibility,position,archived,/);
  expect(rows.map((row) => row.split(',')[2])).toEqual(['general', 'new', 'old']);
  expect(rows[1]).toContain('{""en"":""New"",""de"":""Neu""}');
});

describe('a refusal', () => {
  it.each([
    [{ type: 'people' }, 'type'],
    [{ type: 'recipients' }, 'campaignId'],
    [{ type: 'links' }, 'campaignId'],
    [{ type: 'conversions' }, 'goalId'],
    [{ type: 'campaigns', goalId: newId() }, 'goalId'],
    [{ type: 'campaigns', status: 'opened' }, 'status'],
    [{ type: 'emails', segmentId: newId() }, 'segmentId'],
    [{ type: 'events', campaignId: newId() }, 'campaignId'],
    [{ type: 'suppressions', filter: plan('pro') }, 'filter'],
    [{ type: 'events', from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }, 'to'],
  ])('%j names the field %s', async (request, field) => {
    const refusal = startExport.runRaw(project.ctx, request);
    await expect(refusal).rejects.toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field }] });
  });

  it('of another project is as unknown: segments, campaigns and jobs', async () => {
    const other = await createTestProject(test.services);
    const segment = await createSegment.run(other.ctx, { name: 'Free', condition: plan('free') });
    const job = await startExport.run(other.ctx, { type: 'contacts' });
    await writeChunk(test.services, job.id);
    const attempts = [
      start({ type: 'contacts', segmentId: segment.id }),
      start({ type: 'recipients', campaignId: newId() }),
      getExport.run(project.ctx, { jobId: job.id }),
      openExportFile(project.ctx, job.id),
      openExportFile(project.ctx, 'not-an-id'),
    ];
    const codes = (await Promise.allSettled(attempts)).map((each) =>
      each.status === 'rejected' ? each.reason.code : 'none',
    );
    const unknown = 'RESOURCE_NOT_FOUND';
    expect(codes).toEqual(['SEGMENT_NOT_FOUND', 'CAMPAIGN_NOT_FOUND', unknown, unknown, unknown]);
  });
});

describe('the file', () => {
  it('has every row once although two workers write it and one of them fails in between', async () => {
    const { prisma } = test.services.database;
    const count = 550;
    await prisma.contact.createMany({
      data: Array.from({ length: count }, (_, n) => ({
        id: newId(),
        projectId: project.id,
        email: `n${n}@people.test`,
      })),
    });
    const jobId = await start({ type: 'contacts' });
    const step = () => writeChunk(test.services, jobId, 1);
    expect(await step()).toBe(true);
    expect(await getExport.run(project.ctx, { jobId })).toMatchObject({ state: 'active', progress: 18 });
    await expect(openExportFile(project.ctx, jobId)).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
    const allow = await refuseWrites(test.services, 'Job', 'UPDATE');
    await expect(step()).rejects.toThrow('refused by the test');
    await allow();
    expect(await prisma.exportChunk.count({ where: { jobId } })).toBe(1);
    await Promise.all([step(), step(), step()]);
    while (await step());
    expect(await getExport.run(project.ctx, { jobId })).toMatchObject({
      state: 'completed',
      progress: 100,
      result: { rows: count },
    });
    const lines = (await fileOf(jobId)).slice(0, -2).split('\r\n');
    expect(lines).toHaveLength(count + 1);
    expect(new Set(addresses(lines)).size).toBe(count);
    expect(await step()).toBe(false);
  });

  it('is removed with its job after 7 days', async () => {
    const { prisma } = test.services.database;
    const jobId = await start({ type: 'contacts' });
    await writeChunk(test.services, jobId);
    const day = 86_400_000;
    await sweepJobs(test.services, new Date(Date.now() + 6.9 * day), 100);
    expect(await fileOf(jobId)).toContain('email');
    await sweepJobs(test.services, new Date(Date.now() + 7.1 * day), 100);
    await expect(openExportFile(project.ctx, jobId)).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
    expect(await prisma.exportChunk.count({ where: { jobId } })).toBe(0);
  });
});

describe('an export of the audit log', () => {
  it('has its entries with who acted, failed logins included', async () => {
    const owner = await project.userCtx('OWNER');
    await createSegment.run(owner, { name: 'Readers', type: 'STATIC' });
    await recordFailedLogin(test.services.database.prisma, project.ownerId, {
      id: 'req-1',
      ip: '203.0.113.7',
    });
    const [header, ...rows] = await exported({ type: 'audit' });
    expect(header).toBe(
      'id,operation,actor.type,actor.id,actor.label,targetType,targetId,targetName,changed,ip,requestId,createdAt',
    );
    expect(rows).toEqual([
      expect.stringContaining(',exports.start,key,'),
      expect.stringContaining(`,auth.login_failed,system,,Not signed in,user,${project.ownerId},`),
      expect.stringContaining(`,segments.create,user,${project.ownerId},`),
    ]);
  });

  it('403: to a MEMBER, who may not read the log either; the file as well', async () => {
    const jobId = await start({ type: 'audit' });
    while (await writeChunk(test.services, jobId));
    const member = await project.userCtx('MEMBER');
    const forbidden = { code: 'FORBIDDEN' };
    await expect(startExport.run(member, { type: 'audit' })).rejects.toMatchObject(forbidden);
    await expect(getExport.run(member, { jobId })).rejects.toMatchObject(forbidden);
    await expect(openExportFile(member, jobId)).rejects.toMatchObject(forbidden);
    const admin = await project.userCtx('ADMIN');
    expect((await openExportFile(admin, jobId)).name).toMatch(/^audit-/);
  });
});
