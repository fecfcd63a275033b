import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestLedger, type TestLedger } from '../../mail/ledger/ledger.fixture.ts';
import { updateProject } from '../../people/projects/index.ts';
import { type TestProject, type TestServices, verifiedDomain } from '../../testing/index.ts';
import { content, frozenCampaign, people, withoutHints } from './campaigns.fixture.ts';
import { createCampaign } from './create-campaign.ts';
import { createSequel } from './create-sequel.ts';
import { duplicateCampaign } from './duplicate-campaign.ts';
import { getCampaign } from './get-campaign.ts';
import { preflightCampaign } from './preflight-campaign.ts';
import { updateCampaign } from './update-campaign.ts';

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
  await people(test, project, 1);
});

const set = async (utm: object | null) =>
  (await updateProject.runRaw(await project.userCtx('OWNER'), { id: project.id, utm })).utm;
const hosts = ['shop.example'];
const create = (input: object = {}) =>
  createCampaign.runRaw(project.ctx, { ...content, audienceType: 'ALL', ...input });

async function tagsOf(input: object = {}) {
  const id = await frozenCampaign(test, project, input);
  const { prisma } = test.services.database;
  const [email] = await prisma.email.findMany({ where: { campaignId: id } });
  return (await prisma.content.findUniqueOrThrow({ where: { id: email?.contentId ?? '' } })).utm;
}

describe('the tags of a campaign', () => {
  const base = { hosts, source: 'postrider', medium: 'email' };

  it('are those of the project, with its name as a slug', async () => {
    expect(await tagsOf()).toBeNull();
    await set({ hosts });
    expect(await tagsOf()).toBeNull();
    await set({ enabled: true });
    expect(await tagsOf({ name: 'Frühling & Co' })).toEqual({ ...base, campaign: 'frühling-co' });
    await set({ source: 'news', medium: 'mail' });
    expect(await tagsOf()).toEqual({ hosts, source: 'news', medium: 'mail', campaign: 'spring' });
  });

  it('are its own where it says so', async () => {
    await set({ hosts });
    expect(await tagsOf({ utm: { enabled: true, campaign: 'Sale 26' } })).toEqual({
      ...{ ...base, campaign: 'Sale 26' },
    });
    await set({ enabled: true });
    expect(await tagsOf({ utm: { enabled: false } })).toBeNull();
    expect(await tagsOf({ utm: { campaign: 'x' } })).toMatchObject({ campaign: 'x' });
  });

  it('need hosts of the project', async () => {
    await expect(create({ utm: { enabled: true } })).rejects.toMatchObject({
      errors: [{ field: 'utm.enabled', code: 'custom' }],
    });
    const { id } = await create();
    await expect(
      updateCampaign.runRaw(project.ctx, { ...content, id, audienceType: 'ALL', utm: { enabled: true } }),
    ).rejects.toMatchObject({ errors: [{ field: 'utm.enabled', code: 'custom' }] });
  });

  it('are cleared by a replacement without them, part of the hash, and copied', async () => {
    await set({ hosts });
    const utm = { enabled: true, campaign: 'x' };
    const { id } = await create({ utm });
    expect(await getCampaign.run(project.ctx, { id })).toMatchObject({ utm });
    const { hash } = await preflightCampaign.run(project.ctx, { id });
    const copy = await duplicateCampaign.run(project.ctx, { id });
    expect(copy).toMatchObject({ utm });
    await test.services.database.prisma.campaign.update({
      where: { id: copy.id },
      data: { status: 'CANCELLED' },
    });
    expect(await createSequel.run(project.ctx, { id: copy.id, kind: 'REST' })).toMatchObject({ utm });
    const replaced = await updateCampaign.runRaw(project.ctx, { ...content, id, audienceType: 'ALL' });
    expect(replaced).toMatchObject({ utm: null });
    expect((await preflightCampaign.run(project.ctx, { id })).hash).not.toBe(hash);
    expect(await create({ utm: {} })).toMatchObject({ utm: null });
  });

  it.each([
    [{ campaign: ' ' }, 'utm.campaign', 'required'],
    [{ campaign: 'x'.repeat(101) }, 'utm.campaign', 'too_big'],
    [{ enabled: 'yes' }, 'utm.enabled', 'invalid_type'],
    [{ source: 'x' }, 'utm.source', 'unsupported_field'],
  ])('%j is refused', async (utm, field, code) =>
    expect(create({ utm })).rejects.toMatchObject({ errors: [{ field, code }] }),
  );
});
