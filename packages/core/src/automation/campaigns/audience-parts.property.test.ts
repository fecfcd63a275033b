import fc, { runs } from '@postrider/vitest/fast-check.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Filter } from '../../audience/segments/filters.rules.ts';
import { createSegment, updateSegment } from '../../audience/segments/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { canExclude, inCampaign, inSegment, writeAudience } from './audience-parts.rules.ts';
import { content, frozenCampaign, having, people, settleSome, withoutHints } from './campaigns.fixture.ts';
import { createCampaign } from './create-campaign.ts';
import { freezeAudience } from './freeze-audience.ts';
import { getCampaignAudience } from './get-campaign-audience.ts';
import { previewAudience } from './preview-audience.ts';
import { sendCampaign } from './send-campaign.ts';

/** What is included and excluded (behaviour B13.3): every door and the freeze find the contacts that a plain reading of the parts finds. */
let test: TestServices;
let project: TestProject;
/** by the filter that asks for them */
const members = new Map<Filter, ReadonlySet<string>>();
let everyone: readonly string[];

beforeAll(async () => {
  test = withoutHints(await createTestServices());
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'shop.test');
  const gold = await people(test, project, 6, { data: { plan: 'gold', colour: 'red' } });
  const silver = await people(test, project, 6, { data: { plan: 'silver', colour: 'red' } });
  const bare = await people(test, project, 4);
  const sentId = await frozenCampaign(test, project, {
    audienceType: 'FILTERED',
    audienceCondition: having('colour', 'red'),
  });
  await settleSome(test, sentId, 'SENT', 7);
  const sent = await prisma().email.findMany({ where: { campaignId: sentId, status: 'SENT' } });
  const opened = sent.slice(0, 3);
  await prisma().email.updateMany({
    where: { id: { in: opened.map(({ id }) => id) } },
    data: { openedAt: new Date() },
  });
  const list = await createSegment.run(project.ctx, { name: 'List', type: 'STATIC' });
  const listed = [...gold.slice(4), ...silver.slice(4), ...bare.slice(2)];
  await prisma().segmentMembership.createMany({
    data: listed.map((contactId) => ({ segmentId: list.id, contactId, projectId: project.id })),
  });
  const dynamic = await createSegment.run(project.ctx, {
    ...{ name: 'Silver', type: 'DYNAMIC', condition: having('plan', 'silver') },
  });
  const tracked = await createSegment.run(project.ctx, {
    ...{ name: 'Tracked', type: 'DYNAMIC', condition: having('plan', 'silver'), trackMembership: true },
  });
  // Its stored members follow later; a campaign asks for its condition.
  await updateSegment.run(project.ctx, { id: tracked.id, condition: having('plan', 'gold') });
  const idsOf = (emails: { contactId: string | null }[]) =>
    emails.flatMap(({ contactId }) => contactId ?? []);
  everyone = [...gold, ...silver, ...bare];
  for (const [filter, ids] of [
    [inSegment(list.id), listed],
    [inSegment(dynamic.id), silver],
    [inSegment(tracked.id), gold],
    [inCampaign(sentId, 'sent'), idsOf(sent)],
    [inCampaign(sentId, 'opened'), idsOf(opened)],
    [{ field: 'data.plan', operator: 'exists' }, [...gold, ...silver]],
    [{ field: 'data.plan', operator: 'notExists' }, bare],
  ] satisfies [Filter, string[]][])
    members.set(filter, new Set(ids));
});
afterAll(() => test.close());

const prisma = () => test.services.database.prisma;
const matches = (id: string, filter: Filter): boolean => members.get(filter)?.has(id) ?? false;

it('the parts say the same in the preview, of a stored campaign and in its freeze', async () => {
  const filters = [...members.keys()];
  const chosen = fc.constantFrom(...filters.keys());
  const parts = fc
    .record({
      include: fc.array(fc.uniqueArray(chosen, { minLength: 1, maxLength: 2 }), { maxLength: 3 }),
      exclude: fc.uniqueArray(
        chosen.filter((index) => canExclude(filters[index] as Filter)),
        { maxLength: 3 },
      ),
    })
    .filter(({ include, exclude }) => include.length + exclude.length > 0);
  await fc.assert(
    fc.asyncProperty(parts, async (given) => {
      const filter = (index: number): Filter => filters[index] as Filter;
      const include = given.include.map((group) => group.map(filter));
      const exclude = given.exclude.map(filter);
      const included = everyone.filter(
        (id) => include.length === 0 || include.some((group) => group.every((each) => matches(id, each))),
      );
      const excluded = everyone.filter((id) => exclude.some((each) => matches(id, each)));
      const expected = included.filter((id) => !excluded.includes(id));
      const audience = {
        audienceType: 'FILTERED' as const,
        audienceCondition: writeAudience({ include, exclude }),
      };
      const counts = {
        included: included.length,
        excluded: excluded.length,
        matched: expected.length,
        willSend: expected.length,
      };
      expect(await previewAudience.runRaw(project.ctx, audience)).toMatchObject(counts);
      const { id } = await createCampaign.runRaw(project.ctx, { ...content, ...audience });
      expect(await getCampaignAudience.run(project.ctx, { id })).toMatchObject(counts);
      if (expected.length > 0) {
        await sendCampaign.run(project.ctx, { id });
        await freezeAudience(test.services, id);
        const frozen = await prisma().email.findMany({ where: { campaignId: id } });
        expect(frozen.map(({ contactId }) => contactId).toSorted()).toEqual(expected.toSorted());
      }
    }),
    { numRuns: runs(15) },
  );
});

it('an audience without parts has no counts of them', async () => {
  const none = { included: null, excluded: null };
  expect(await previewAudience.runRaw(project.ctx, { audienceType: 'ALL' })).toMatchObject(none);
  const plain = { audienceType: 'FILTERED', audienceCondition: having('plan', 'gold') };
  expect(await previewAudience.runRaw(project.ctx, plain)).toMatchObject({ ...none, matched: 6 });
});
