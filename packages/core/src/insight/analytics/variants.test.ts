import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  frozenCampaign,
  people,
  settleSome,
  withoutHints,
} from '../../automation/campaigns/campaigns.fixture.ts';
import { decideTest, getCampaignStats } from '../../automation/campaigns/index.ts';
import { openTestLedger, type TestLedger } from '../../mail/ledger/ledger.fixture.ts';
import { updateProject } from '../../people/projects/index.ts';
import {
  createTestProject,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { openExportFile, startExport } from '../exports/index.ts';
import { writeChunk } from '../exports/write-chunk.ts';
import { foldBatch } from './fold.store.ts';
import { getBreakdown, getCampaignReport } from './index.ts';

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

/** A campaign to 200 people, half of whom are the sample of two subjects; the sample was sent. */
async function tested(): Promise<string> {
  await people(test, project, 200);
  const id = await frozenCampaign(test, project, {
    test: { variants: [{ subject: 'Other' }], sample: 50 },
  });
  await settleSome(test, id, 'SENT', 200);
  const [opened] = await prisma().email.findMany({ where: { campaignId: id, variant: 2 }, take: 1 });
  await prisma().email.updateMany({
    where: { id: opened?.id ?? '' },
    data: { openedAt: new Date(), clickedAt: new Date() },
  });
  return id;
}

async function exported(campaignId: string): Promise<Record<string, string>[]> {
  const { id: jobId } = await startExport.run(project.ctx, { type: 'variants', campaignId });
  while (await writeChunk(test.services, jobId));
  const parts: Buffer[] = [];
  for await (const bytes of (await openExportFile(project.ctx, jobId)).chunks) parts.push(bytes);
  const [header = '', ...rows] = Buffer.concat(parts).toString().trim().split('\r\n');
  const names = header.split(',');
  return rows.map((row) => {
    const cells = row.split(',');
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
  });
}

it('statistics, report, breakdown and export of a test have the same figures, before and after they are added up', async () => {
  const id = await tested();
  for (const isFolded of [false, true]) {
    if (isFolded) while ((await foldBatch(prisma(), project.id, 1_000)) > 0);
    const { test: stats } = await getCampaignStats.run(project.ctx, { id });
    const variants = stats?.variants ?? [];
    expect(variants.map(({ key }) => key)).toEqual(['A', 'B', 'REST']);
    expect(variants.reduce((sum, { recipients }) => sum + recipients, 0)).toBe(200);
    const [a, b, rest] = variants;
    expect(b).toMatchObject({ sent: b?.recipients, opened: 1, clicked: 1 });
    expect(a).toMatchObject({ opened: 0 });
    const report = await getCampaignReport.run(project.ctx, { id });
    expect(report.variants).toEqual(variants);
    expect(report.sent).toBe((a?.sent ?? 0) + (b?.sent ?? 0) + (rest?.sent ?? 0));
    const { data } = await getBreakdown.run(project.ctx, { by: 'variant', campaignId: id });
    expect(data.map(({ key, sent, clickRate }) => ({ key, sent, clickRate }))).toEqual(
      variants.map(({ key, sent, clickRate }) => ({ key, sent, clickRate })),
    );
    expect((await exported(id)).map(({ key, sent, clickRate }) => ({ key, sent, clickRate }))).toEqual(
      variants.map(({ key, sent, clickRate }) => ({ key, sent: `${sent}`, clickRate: `${clickRate}` })),
    );
  }
});

it('a campaign without a test has no variants; one of another project is not found', async () => {
  await people(test, project, 1);
  const id = await frozenCampaign(test, project);
  expect((await getBreakdown.run(project.ctx, { by: 'variant', campaignId: id })).data).toEqual([]);
  expect((await getCampaignReport.run(project.ctx, { id })).variants).toEqual([]);
  expect(await exported(id)).toEqual([]);
  const other = await createTestProject(test.services);
  await expect(getBreakdown.run(other.ctx, { by: 'variant', campaignId: id })).rejects.toMatchObject({
    code: 'CAMPAIGN_NOT_FOUND',
  });
});

it.each([
  [{ by: 'variant' }, 'required'],
  [{ by: 'tag', campaignId: '0190f5c0-0000-7000-8000-000000000000' }, 'unsupported_field'],
])('%j is refused at campaignId: %s', async (input, code) => {
  await expect(getBreakdown.runRaw(project.ctx, input)).rejects.toMatchObject({
    errors: [{ field: 'campaignId', code }],
  });
});

it('the tags of links name the variant; those of the rest the winner', async () => {
  const utm = { enabled: true, hosts: ['shop.example'] };
  await updateProject.runRaw(await project.userCtx('OWNER'), { id: project.id, utm });
  const id = await tested();
  const contentOf = async (variant: number): Promise<unknown> => {
    const email = await prisma().email.findFirstOrThrow({ where: { campaignId: id, variant } });
    return (await prisma().content.findUniqueOrThrow({ where: { id: email.contentId ?? '' } })).utm;
  };
  expect(await contentOf(1)).toMatchObject({ campaign: 'spring', content: 'A' });
  expect(await contentOf(2)).toMatchObject({ content: 'B' });
  await decideTest.run(project.ctx, { id, winner: 'B' });
  expect(await contentOf(0)).toMatchObject({ campaign: 'spring', content: 'B' });
});
