import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { upsertContact } from '../../audience/contacts/index.ts';
import { createSegment, updateSegment } from '../../audience/segments/index.ts';
import { content, having, people, withoutHints } from '../../automation/campaigns/campaigns.fixture.ts';
import {
  createCampaign,
  deleteCampaign,
  duplicateCampaign,
  freezeAudience,
  getCampaign,
  listCampaigns,
  preflightCampaign,
  preflightDraft,
  sendCampaign,
  startCampaign,
  stateOf,
  unscheduleCampaign,
  updateCampaign,
} from '../../automation/campaigns/index.ts';
import type { Context } from '../../base/kernel/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { approveApproval, declineApproval } from './decide-approval.ts';
import { getApproval, listApprovals } from './list-approvals.ts';
import { previewApproval } from './preview-approval.ts';
import { requestApproval } from './request-approval.ts';

/** Behaviour B13.9: a campaign that needs it is sent as a second person has approved it, or not at all. */
let test: TestServices;
let project: TestProject;
let owner: Context;
let admin: Context;
let member: Context;

beforeAll(async () => {
  test = withoutHints(await createTestServices());
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'shop.test');
  [owner, admin, member] = await Promise.all([
    project.userCtx('OWNER'),
    project.userCtx('ADMIN'),
    project.userCtx('MEMBER'),
  ]);
  await settings('ALWAYS');
  await people(test, project, 2, { data: { plan: 'gold' } });
});

const prisma = () => test.services.database.prisma;
const settings = (approvalRequired: 'NEVER' | 'ABOVE' | 'ALWAYS', approvalAbove: number | null = null) =>
  prisma().project.update({ where: { id: project.id }, data: { approvalRequired, approvalAbove } });
const valid = { ...content, audienceType: 'ALL' as const };
const create = async (by: Context = member, input: object = {}) =>
  (await createCampaign.runRaw(by, { ...valid, ...input })).id;
const read = (id: string) => getCampaign.run(project.ctx, { id });
const ask = (id: string, by: Context = member) => requestApproval.run(by, { id, note: 'For the sale' });
const approve = async (approval: { id: string; hash: string }, by: Context = owner) =>
  approveApproval.run(by, { id: approval.id, hash: approval.hash });
const send = (id: string, more: object = {}, by: Context = member) =>
  sendCampaign.runRaw(by, { id, ...more });
const userIdOf = ({ actor }: Context) => (actor.type === 'user' ? actor.userId : '');
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const eventsOf = (name: string) =>
  prisma().event.findMany({ where: { projectId: project.id, name }, orderBy: { createdAt: 'asc' } });
const emails = (campaignId: string) => prisma().email.findMany({ where: { campaignId } });
const start = (id: string) => startCampaign(test.services, id, Date.now() + 7_200_000);

/** A campaign that is approved, by another than who wrote it. */
async function approved(input: object = {}) {
  const id = await create(member, input);
  await approve(await ask(id));
  return id;
}

describe('a campaign that needs an approval', () => {
  it('is not sent before it has one, by whatever credential, and says where it is asked for', async () => {
    const id = await create();
    for (const by of [project.ctx, owner, member])
      for (const more of [{}, { scheduledFor: inAnHour() }])
        await expect(send(id, more, by)).rejects.toMatchObject({
          code: 'APPROVAL_REQUIRED',
          details: {
            approvalId: null,
            url: expect.stringMatching(new RegExp(`/campaigns/${id}$`)),
            expiresAt: null,
            summary: expect.any(String),
          },
        });
    const finding = { rule: 'approval', level: 'error', blocks: true, field: null };
    expect(await preflightCampaign.run(member, { id })).toMatchObject({
      ok: false,
      findings: expect.arrayContaining([expect.objectContaining(finding)]),
    });
    const draft = await preflightDraft.runRaw(member, valid);
    expect(draft.findings).toEqual(expect.arrayContaining([expect.objectContaining(finding)]));
    expect(await emails(id)).toEqual([]);
  });

  it('is sent once an owner or admin has approved it who is a second person', async () => {
    const id = await create(admin);
    const asked = await ask(id, member);
    expect(asked).toMatchObject({
      ...{ operation: 'campaigns.send', campaignId: id, status: 'PENDING', input: null, expiresAt: null },
      ...{ note: 'For the sale', requestedBy: { type: 'user', id: userIdOf(member) } },
      summary: 'Send the campaign “Spring” to 2 people',
    });
    await expect(send(id)).rejects.toMatchObject({
      code: 'APPROVAL_REQUIRED',
      details: {
        approvalId: asked.id,
        url: expect.stringMatching(new RegExp(`/approvals/${asked.id}$`)),
        summary: asked.summary,
      },
    });
    // A member may not, nor who has changed it last, nor a key.
    await expect(approve(asked, member)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(approve(asked, admin)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(approve(asked, project.ctx)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    for (const by of [member, admin])
      await expect(declineApproval.run(by, { id: asked.id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(approve({ ...asked, hash: 'other' })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await read(id)).approval).toMatchObject({ status: 'PENDING', valid: false, decidedBy: null });
    expect(await approve(asked)).toMatchObject({
      ...{ status: 'APPROVED', result: null, decidedBy: { id: userIdOf(owner) } },
    });
    expect((await read(id)).approval).toMatchObject({
      ...{ id: asked.id, status: 'APPROVED', valid: true, changed: [] },
      ...{ requestedBy: { id: userIdOf(member) }, decidedBy: { id: userIdOf(owner) } },
      decidedAt: expect.any(String),
    });
    expect(await emails(id)).toEqual([]);
    expect(await send(id)).toMatchObject({ status: 'SENDING' });
    await freezeAudience(test.services, id);
    expect(await emails(id)).toHaveLength(2);
    expect((await read(id)).approval).toMatchObject({ status: 'APPROVED', valid: true });
  });

  it('is not approved by who has asked, also as the owner', async () => {
    const id = await create(member);
    const asked = await ask(id, owner);
    await expect(approve(asked, owner)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await approve(asked, admin)).toMatchObject({ status: 'APPROVED' });
  });

  it('tells webhooks and the activity, the audit log, and those who may decide', async () => {
    const id = await create(admin);
    const asked = await ask(id, member);
    await approve(asked);
    const facts = { campaignId: id, campaignName: 'Spring', hash: asked.hash, recipients: 2 };
    const [requested] = await eventsOf('campaign.approval_requested');
    expect(requested?.data).toEqual({ ...facts, by: asked.requestedBy.label, note: 'For the sale' });
    const [told] = await eventsOf('campaign.approved');
    expect(told?.data).toMatchObject({ ...facts, note: 'For the sale' });
    const audited = await prisma().auditLog.findMany({
      where: { projectId: project.id, operation: { in: ['campaigns.requestApproval', 'approvals.approve'] } },
      orderBy: { createdAt: 'asc' },
    });
    expect(audited).toMatchObject([
      { operation: 'campaigns.requestApproval', targetId: id, changed: ['approval'] },
      { operation: 'approvals.approve', targetId: asked.id, changed: ['status'] },
    ]);
    // Neither who has asked nor who has changed it last: of the leaders there is the owner alone.
    const written = await prisma().email.findMany({
      where: { to: { in: await addresses([owner, admin, member]) } },
      select: { to: true },
    });
    expect(written).toEqual(await addresses([owner]).then((to) => to.map((each) => ({ to: each }))));
  });

  it('is asked for once for each state, and not where it is approved or over', async () => {
    const id = await create();
    const asked = await ask(id);
    expect(await ask(id, admin)).toEqual(asked);
    await approve(asked);
    await expect(ask(id)).rejects.toMatchObject({ code: 'CONFLICT' });
    await send(id);
    await expect(ask(id)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(approve(asked)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await listApprovals.runRaw(owner, {})).data).toHaveLength(1);
  });

  it('that is declined can be asked for again', async () => {
    const id = await create();
    const asked = await ask(id);
    expect(await declineApproval.run(owner, { id: asked.id, reason: 'Wrong audience' })).toMatchObject({
      ...{ status: 'DECLINED', reason: 'Wrong audience' },
    });
    const [told] = await eventsOf('campaign.declined');
    expect(told?.data).toMatchObject({ campaignId: id, reason: 'Wrong audience', recipients: 2 });
    await expect(send(id)).rejects.toMatchObject({
      code: 'APPROVAL_REQUIRED',
      details: { approvalId: null },
    });
    const again = await ask(id);
    expect(again.id).not.toBe(asked.id);
    await approve(again);
    expect(await send(id)).toMatchObject({ status: 'SENDING' });
  });

  it('of a key is seen by that kind of key and decided by one person', async () => {
    const id = await create(project.ctx);
    const asked = await ask(id, project.ctx);
    expect(await getApproval.run(project.ctx, { id: asked.id })).toMatchObject({ id: asked.id });
    await approve(asked);
    expect(await send(id, {}, project.ctx)).toMatchObject({ status: 'SENDING' });
  });

  it('shows the email and the first recipients to who decides', async () => {
    const id = await create();
    const asked = await ask(id);
    const preview = await previewApproval.run(owner, { id: asked.id });
    expect(preview).toMatchObject({ refusal: null, total: 2, email: { from: content.from } });
    expect(preview.recipients).toHaveLength(2);
    await updateSubject(id, 'Other');
    expect(await previewApproval.run(owner, { id: asked.id })).toMatchObject({
      refusal: { code: 'CONFLICT' },
      recipients: [],
    });
  });

  it('is not taken along by a copy', async () => {
    const id = await approved();
    const copy = await duplicateCampaign.run(member, { id });
    expect(copy.approval).toBeNull();
    await expect(send(copy.id)).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
  });

  it('that is deleted waits for no one', async () => {
    const id = await create();
    const asked = await ask(id);
    await deleteCampaign.run(member, { id });
    expect(await getApproval.run(owner, { id: asked.id })).toMatchObject({ status: 'EXPIRED' });
    await expect(approve(asked)).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

const updateSubject = (id: string, subject: string, by: Context = member, more: object = {}) =>
  updateCampaign.runRaw(by, { id, ...valid, subject, ...more });

async function addresses(contexts: Context[]): Promise<string[]> {
  const users = await prisma().user.findMany({ where: { id: { in: contexts.map(userIdOf) } } });
  return users.map(({ email }) => email);
}

describe('a change', () => {
  it('of what is sent ends an approval; one of the name does not', async () => {
    const id = await approved();
    await updateCampaign.run(member, { id, ...valid, name: 'Other name', description: 'note' });
    expect((await read(id)).approval).toMatchObject({ valid: true, changed: [] });
    await updateSubject(id, 'Other', member, { pace: { perHour: 600 }, guard: false });
    expect((await read(id)).approval).toMatchObject({
      ...{ status: 'APPROVED', valid: false, changed: ['guard', 'pace', 'subject'] },
    });
    await expect(send(id)).rejects.toMatchObject({
      code: 'APPROVAL_REQUIRED',
      details: { approvalId: null },
    });
    const { data } = await listCampaigns.runRaw(project.ctx, {});
    expect(data).toMatchObject([{ id, approval: { valid: false, changed: ['guard', 'pace', 'subject'] } }]);
  });

  it('ends what waits, and of who made it the right to decide the next one', async () => {
    const id = await create();
    const asked = await ask(id);
    await updateSubject(id, 'Other', admin);
    expect(await getApproval.run(owner, { id: asked.id })).toMatchObject({ status: 'EXPIRED' });
    await expect(approve(asked)).rejects.toMatchObject({ code: 'CONFLICT' });
    const again = await ask(id);
    // A new name is no change of what is sent, nor is that of a key one of a person.
    await updateSubject(id, 'Other', member, { name: 'New' });
    await updateSubject(id, 'Other', project.ctx, { name: 'Newer' });
    await expect(approve(again, admin)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await approve(again, owner)).toMatchObject({ status: 'APPROVED' });
  });

  it('of a segment behind the audience ends it too', async () => {
    await people(test, project, 1, { data: { plan: 'silver' } });
    const segment = await createSegment.run(project.ctx, {
      ...{ name: 'Gold', type: 'DYNAMIC', condition: having('plan', 'gold') },
    });
    const id = await create(member, { audienceType: 'SEGMENT', segmentId: segment.id });
    const asked = await ask(id);
    const turn = (plan: string) =>
      updateSegment.runRaw(project.ctx, { id: segment.id, condition: having('plan', plan) });
    await turn('silver');
    await expect(approve(asked)).rejects.toMatchObject({ code: 'CONFLICT' });
    await turn('gold');
    await approve(asked);
    await turn('silver');
    expect((await read(id)).approval).toMatchObject({ valid: false, changed: ['segments'] });
    await expect(send(id)).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
    await turn('gold');
    await send(id, { scheduledFor: inAnHour() });
    await turn('silver');
    await start(id);
    expect(await read(id)).toMatchObject({ status: 'CANCELLED', statusReason: 'approval_missing' });
  });

  it('of a segment between the start and the freeze leaves no contact with an email', async () => {
    const segment = await createSegment.run(project.ctx, {
      ...{ name: 'Gold', type: 'DYNAMIC', condition: having('plan', 'gold') },
    });
    const id = await approved({ audienceType: 'SEGMENT', segmentId: segment.id });
    await send(id);
    await updateSegment.runRaw(project.ctx, { id: segment.id, condition: having('plan', 'silver') });
    await people(test, project, 3, { data: { plan: 'silver' } });
    await freezeAudience(test.services, id);
    expect(await read(id)).toMatchObject({ status: 'CANCELLED', statusReason: 'approval_missing' });
    expect(await emails(id)).toEqual([]);
  });

  it('of a campaign that is scheduled with an approval is refused until it is unscheduled', async () => {
    const id = await approved();
    await send(id, { scheduledFor: inAnHour() });
    await expect(updateSubject(id, 'Other')).rejects.toMatchObject({ code: 'CONFLICT' });
    // Another time needs no other approval.
    expect(await send(id, { scheduledFor: inAnHour() })).toMatchObject({ status: 'SCHEDULED' });
    await unscheduleCampaign.run(member, { id });
    expect((await read(id)).approval).toMatchObject({ valid: true });
    await updateSubject(id, 'Other');
    await expect(send(id)).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
  });
});

describe('a project that needs it above a number of recipients', () => {
  beforeEach(() => settings('ABOVE', 2));

  it('asks for none up to there', async () => {
    const id = await create();
    expect((await preflightCampaign.run(member, { id })).findings.map(({ rule }) => rule)).not.toContain(
      'approval',
    );
    expect(await send(id)).toMatchObject({ status: 'SENDING' });
    await freezeAudience(test.services, id);
    expect(await emails(id)).toHaveLength(2);
  });

  it('does not count who gets nothing', async () => {
    await people(test, project, 2, { subscribed: false });
    expect(await send(await create())).toMatchObject({ status: 'SENDING' });
  });

  it('asks above it', async () => {
    await people(test, project, 1);
    const id = await create();
    await expect(send(id)).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
    await approve(await ask(id));
    expect(await send(id)).toMatchObject({ status: 'SENDING' });
    await freezeAudience(test.services, id, 1);
    expect(await emails(id)).toHaveLength(3);
  });

  it('cancels a campaign whose audience has grown above it by the freeze, before anything of it is sent', async () => {
    const id = await create();
    await send(id, { scheduledFor: inAnHour() });
    await upsertContact.run(project.ctx, { email: 'third@people.test' });
    await start(id);
    expect(await read(id)).toMatchObject({ status: 'SENDING' });
    await freezeAudience(test.services, id, 1);
    expect(await read(id)).toMatchObject({ status: 'CANCELLED', statusReason: 'approval_missing' });
    expect(await emails(id)).toEqual([]);
  });
});

describe('the settings', () => {
  it('that change after the scheduling count at the start', async () => {
    await settings('NEVER');
    const [first, second] = [await create(), await create()];
    for (const id of [first, second]) await send(id, { scheduledFor: inAnHour() });
    await settings('ALWAYS');
    await approve(await ask(second));
    await expect(updateSubject(second, 'Other')).rejects.toMatchObject({ code: 'CONFLICT' });
    for (const id of [first, second]) await start(id);
    expect(await read(first)).toMatchObject({ status: 'CANCELLED', statusReason: 'approval_missing' });
    expect(await read(second)).toMatchObject({ status: 'SENDING' });
    await freezeAudience(test.services, second);
    expect(await emails(second)).toHaveLength(2);
  });

  it('that need none leave campaigns as they were', async () => {
    await settings('NEVER');
    const id = await create(owner);
    await ask(id, owner);
    expect(await send(id, { scheduledFor: inAnHour() }, owner)).toMatchObject({ status: 'SCHEDULED' });
    await updateSubject(id, 'Other');
    expect(await read(id)).toMatchObject({ subject: 'Other', approval: { status: 'EXPIRED' } });
  });
});

describe('edits, approvals and sends at the same time', () => {
  it('send nothing whose state a second person did not approve', async () => {
    await people(test, project, 3, { data: { plan: 'silver' } });
    const plans = ['gold', 'silver'];
    const segment = await createSegment.run(project.ctx, {
      ...{ name: 'Plan', type: 'DYNAMIC', condition: having('plan', 'gold') },
    });
    const turn = (plan: string) =>
      updateSegment.runRaw(project.ctx, { id: segment.id, condition: having('plan', plan) });
    const audience = { audienceType: 'SEGMENT', segmentId: segment.id };
    const ids = await Promise.all(Array.from({ length: 20 }, () => create(admin, audience)));
    let step = 0;
    /** Every other one is expected to be refused by what another has just done. */
    const tried = (work: Promise<unknown>) =>
      work.catch((error: { code?: string }) => {
        // On a busy machine one may not get a connection in time.
        expect(['CONFLICT', 'APPROVAL_REQUIRED', 'FORBIDDEN', 'P2028']).toContain(error.code);
      });
    const waiting = async (campaignId: string) =>
      prisma().approval.findFirst({ where: { campaignId, status: 'PENDING' } });
    const decide = async (id: string, by: Context) => {
      const asked = await waiting(id);
      if (asked) await tried(approve(asked, by));
    };
    const acts: ((id: string) => Promise<unknown>)[] = [
      (id) => tried(updateSubject(id, `Subject ${++step % 3}`, project.ctx, audience)),
      () => tried(turn(plans[++step % 2] ?? 'gold')),
      (id) => tried(ask(id, project.ctx)),
      (id) => tried(ask(id, member)),
      (id) => decide(id, owner),
      (id) => decide(id, admin),
      (id) => tried(send(id)),
      (id) => tried(send(id, { scheduledFor: inAnHour() })),
      (id) => freezeAudience(test.services, id),
      (id) => tried(unscheduleCampaign.run(member, { id })),
    ];
    const jobs = Array.from({ length: 1_000 }, (_, index) => {
      const id = ids[index % ids.length] ?? '';
      return () => acts[Math.floor(index / ids.length + index) % acts.length]?.(id);
    });
    await Promise.all(
      Array.from({ length: 12 }, async () => {
        for (let job = jobs.shift(); job; job = jobs.shift()) await job();
      }),
    );
    for (const id of ids) {
      await start(id);
      await freezeAudience(test.services, id);
    }
    const hashes = new Map<string, Map<string, string>>();
    for (const plan of plans) {
      await turn(plan);
      for (const id of ids) {
        const row = await prisma().campaign.findUniqueOrThrow({ where: { id } });
        const { hash } = await stateOf(prisma(), project.id, row as never);
        hashes.set(id, (hashes.get(id) ?? new Map<string, string>()).set(hash, plan));
      }
    }
    let sent = 0;
    for (const id of ids) {
      const written = await emails(id);
      if (written.length === 0) continue;
      sent += 1;
      const { approvedHash } = await prisma().campaign.findUniqueOrThrow({ where: { id } });
      const approvals = await prisma().approval.findMany({
        where: { campaignId: id, status: 'APPROVED', hash: approvedHash ?? '' },
      });
      expect(approvals.length).toBeGreaterThan(0);
      for (const { decidedById, actorId } of approvals) {
        expect(decidedById).toBe(userIdOf(owner));
        expect(actorId).not.toBe(decidedById);
      }
      // The plan whose contacts have got it is that of the approved state.
      const plan = hashes.get(id)?.get(approvedHash ?? '');
      const contacts = await prisma().contact.findMany({
        where: { id: { in: written.flatMap(({ contactId }) => contactId ?? []) } },
      });
      expect(new Set(contacts.map(({ data }) => (data as { plan: string }).plan))).toEqual(new Set([plan]));
    }
    expect(sent).toBeGreaterThan(0);
  }, 240_000);
});
