import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { identifyRest, settlePauses } from '../../../mail/ledger/index.ts';
import { openTestLedger, type TestLedger } from '../../../mail/ledger/ledger.fixture.ts';
import { getEmail, previewEmail } from '../../../mail/sending/index.ts';
import { type TestProject, type TestServices, verifiedDomain } from '../../../testing/index.ts';
import { content, frozenCampaign, people, withoutHints } from '../campaigns.fixture.ts';
import { cancelCampaign } from '../cancel-campaign.ts';
import { createCampaign } from '../create-campaign.ts';
import { createSequel } from '../create-sequel.ts';
import { duplicateCampaign } from '../duplicate-campaign.ts';
import { freezeAudience } from '../freeze-audience.ts';
import { getCampaign } from '../get-campaign.ts';
import { getCampaignStats } from '../get-campaign-stats.ts';
import { pauseCampaign } from '../pause-campaign.ts';
import { resumeCampaign } from '../resume-campaign.ts';
import { sendCampaign } from '../send-campaign.ts';
import { decideTest } from './decide-test.ts';
import { variantOfDraw } from './variants.rules.ts';

let ledger: TestLedger;
let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  ledger = await openTestLedger();
  test = withoutHints(ledger.test);
});
afterAll(() => ledger.close());
beforeEach(async () => {
  project = await ledger.newProject();
  await verifiedDomain(test.services, project.id, 'shop.test');
});

const prisma = () => test.services.database.prisma;
const emailsOf = (campaignId: string) => prisma().email.findMany({ where: { campaignId } });
const read = (id: string) => getCampaign.run(project.ctx, { id });
const decide = (id: string, winner: 'A' | 'B' | 'C' | 'H') => decideTest.run(project.ctx, { id, winner });
const claimed = async () =>
  (await ledger.take(project.id, { kind: 'bulk', maxEmails: 10_000 })).flatMap(({ emails }) => emails);

const compared = {
  variants: [{ subject: 'Other' }, { body: '<p>Third</p>', fromName: 'Anna', from: 'anna@shop.test' }],
  sample: 30,
};

/** A campaign of 300 people whose variants are compared. */
async function tested(input: object = {}, setup: object = {}): Promise<string> {
  await people(test, project, 300);
  return frozenCampaign(test, project, { test: { ...compared, ...setup }, text: 'Plain', ...input });
}

const drawOf = (campaignId: string, contactId: string): number =>
  createHash('md5').update(`${campaignId}${contactId}`).digest().readUInt32BE(0);

describe('the freeze of a test', () => {
  it.each([
    [0, 30],
    [25, 30],
    [10, 100],
  ])('draws by the formula: holdout %i, sample %i', async (holdout, sample) => {
    const id = await tested({ holdout }, { sample });
    const emails = await emailsOf(id);
    expect(emails).toHaveLength(300);
    for (const { contactId, variant } of emails)
      expect(variant).toBe(variantOfDraw(drawOf(id, contactId ?? ''), { holdout, sample, variants: 3 }));
    expect(new Set(emails.map(({ variant }) => variant)).size).toBe(
      3 + Number(holdout > 0) + Number(sample < 100),
    );
  });

  it('gives each variant its content, and the rest one of its own, which nothing can claim', async () => {
    const id = await tested();
    const emails = await emailsOf(id);
    const contents = await prisma().content.findMany({
      where: { id: { in: [...new Set(emails.map(({ contentId }) => contentId))] } },
    });
    const contentOf = (variant: number) => {
      const ids = new Set(
        emails.filter((email) => email.variant === variant).map(({ contentId }) => contentId),
      );
      expect(ids.size).toBe(1);
      return contents.find((each) => ids.has(each.id));
    };
    expect(contentOf(1)).toMatchObject({ subject: content.subject, body: content.body, text: 'Plain' });
    expect(contentOf(2)).toMatchObject({ subject: 'Other', body: content.body, text: 'Plain' });
    expect(contentOf(3)).toMatchObject({
      ...{ subject: content.subject, body: '<p>Third</p>', text: null },
      ...{ from: 'anna@shop.test', fromName: 'Anna' },
    });
    expect(contentOf(0)).toMatchObject({ id: identifyRest(id).id, subject: content.subject });
    expect(emails.every(({ templateId }) => templateId === null)).toBe(true);
    const inHand = await claimed();
    const sample = emails.filter(({ variant }) => (variant ?? 0) > 0);
    expect(inHand.map((email) => email.id).sort()).toEqual(sample.map((email) => email.id).sort());
    await settlePauses(prisma());
    expect(await claimed()).toEqual([]);
  });

  it('in parts gives the same as one in a whole', async () => {
    await people(test, project, 300);
    const { id } = await createCampaign.runRaw(project.ctx, {
      ...content,
      audienceType: 'ALL',
      test: compared,
    });
    await sendCampaign.run(project.ctx, { id });
    await freezeAudience(test.services, id, 40);
    const emails = await emailsOf(id);
    const setup = { holdout: 0, sample: 30, variants: 3 };
    for (const { contactId, variant } of emails)
      expect(variant).toBe(variantOfDraw(drawOf(id, contactId ?? ''), setup));
    const { test: figures } = await getCampaignStats.run(project.ctx, { id });
    const countOf = (number: number) => emails.filter(({ variant }) => variant === number).length;
    expect(figures?.variants.map(({ key, recipients }) => [key, recipients])).toEqual([
      ...(['A', 'B', 'C'] as const).map((key, index) => [key, countOf(index + 1)]),
      ['REST', countOf(0)],
    ]);
    expect(await read(id)).toMatchObject({ test: { state: 'RUNNING', startedAt: null, winner: null } });
  });

  it('is shown by its emails, and by the preview of the rest', async () => {
    const id = await tested();
    const [rest] = await prisma().email.findMany({ where: { campaignId: id, variant: 0 } });
    const thirds = await prisma().email.findMany({ where: { campaignId: id, variant: 3 } });
    const waits = await Promise.all(
      thirds.slice(0, 2).map((email) => getEmail.run(project.ctx, { id: email.id })),
    );
    const [third] = thirds;
    expect(await getEmail.run(project.ctx, { id: rest?.id ?? '' })).toMatchObject({
      variant: 'REST',
      heldBy: 'test',
    });
    // The first email of a queue waits for nothing.
    expect(waits).toEqual([
      expect.objectContaining({ variant: 'C' }),
      expect.objectContaining({ variant: 'C' }),
    ]);
    expect(waits.map(({ heldBy }) => heldBy)).toContain('queue');
    expect(await previewEmail.run(project.ctx, { id: rest?.id ?? '' })).toMatchObject({ undecided: true });
    expect(await previewEmail.run(project.ctx, { id: third?.id ?? '' })).not.toHaveProperty('undecided');
    await decide(id, 'C');
    const decided = await previewEmail.run(project.ctx, { id: rest?.id ?? '' });
    expect(decided).not.toHaveProperty('undecided');
    expect(decided.html).toContain('Third');
  });
});

describe('deciding', () => {
  it('gives the rest the content of the winner and releases it, once', async () => {
    const id = await tested();
    await claimed();
    const answers = await Promise.allSettled([decide(id, 'B'), decide(id, 'C')]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = answers.find((answer) => answer.status === 'rejected');
    expect(refused).toMatchObject({ reason: { code: 'CONFLICT' } });
    const { test: decided } = await read(id);
    expect(decided).toMatchObject({
      ...{ state: 'DECIDED', decidedBy: 'USER', proven: null, decidedAt: expect.any(String) },
    });
    const rest = await prisma().content.findUniqueOrThrow({ where: { id: identifyRest(id).id } });
    expect(rest).toMatchObject(
      decided?.winner === 'B'
        ? { subject: 'Other', body: content.body, text: 'Plain' }
        : { subject: content.subject, body: '<p>Third</p>', text: null, from: 'anna@shop.test' },
    );
    const emails = await emailsOf(id);
    expect((await claimed()).map((email) => email.id).sort()).toEqual(
      emails
        .filter(({ variant }) => variant === 0)
        .map((email) => email.id)
        .sort(),
    );
    const told = await prisma().event.findMany({
      where: { projectId: project.id, name: 'campaign.test_decided' },
    });
    expect(told.map(({ data }) => data)).toEqual([
      {
        ...{ campaignId: id, campaignName: content.name, winner: decided?.winner },
        ...{ decidedBy: 'USER', proven: null, metric: 'CLICKS' },
      },
    ]);
  });

  it('while the campaign is paused sends nothing until it is resumed', async () => {
    const id = await tested();
    await claimed();
    await pauseCampaign.run(project.ctx, { id });
    await decide(id, 'A');
    expect(await claimed()).toEqual([]);
    await settlePauses(prisma());
    expect(await claimed()).toEqual([]);
    await resumeCampaign.run(project.ctx, { id });
    expect((await claimed()).length).toBe(
      await prisma().email.count({ where: { campaignId: id, variant: 0 } }),
    );
  });

  it('resuming alone does not send the rest', async () => {
    const id = await tested();
    await pauseCampaign.run(project.ctx, { id });
    await resumeCampaign.run(project.ctx, { id });
    const inHand = new Set((await claimed()).map((email) => email.id));
    for (const { id: emailId, variant } of await emailsOf(id))
      expect(inHand.has(emailId)).toBe((variant ?? 0) > 0);
  });

  it('is refused for a variant that there is not, before the freeze, and without a test', async () => {
    const id = await tested();
    await expect(decide(id, 'H')).rejects.toMatchObject({
      errors: [{ field: 'winner', code: 'invalid_enum_value' }],
    });
    const draft = await createCampaign.runRaw(project.ctx, {
      ...content,
      audienceType: 'ALL',
      test: compared,
    });
    await expect(decide(draft.id, 'A')).rejects.toMatchObject({ code: 'CONFLICT' });
    const plain = await frozenCampaign(test, project);
    await expect(decide(plain, 'A')).rejects.toMatchObject({ code: 'CONFLICT', message: /no test/ });
  });

  it('is over with a cancellation, which skips the rest', async () => {
    const id = await tested();
    await cancelCampaign.run(project.ctx, { id });
    expect(await prisma().email.count({ where: { campaignId: id, variant: 0, status: 'SKIPPED' } })).toBe(
      await prisma().email.count({ where: { campaignId: id, variant: 0 } }),
    );
    await expect(decide(id, 'A')).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await read(id)).toMatchObject({ status: 'CANCELLED', test: { state: 'UNDECIDED' } });
  });

  it('with a pace releases the rest at that pace', async () => {
    const id = await tested({ pace: { perHour: 600 } });
    expect(await claimed()).toEqual([]);
    await decide(id, 'B');
    expect(await prisma().deliveryBatch.count({ where: { campaignId: id, held: false } })).toBe(0);
    expect(await read(id)).toMatchObject({ test: { state: 'DECIDED' } });
  });
});

describe('copies of a campaign with a test', () => {
  it('have the test, but not how far it is; what is left of a cancelled one has the winner', async () => {
    const id = await tested();
    await decide(id, 'C');
    const copy = await duplicateCampaign.run(project.ctx, { id });
    expect(copy.test).toMatchObject({ ...compared, state: null, winner: null });
    await cancelCampaign.run(project.ctx, { id });
    expect(await createSequel.run(project.ctx, { id, kind: 'REST' })).toMatchObject({
      ...{ test: null, body: '<p>Third</p>', text: null, from: 'anna@shop.test' },
    });
  });
});
