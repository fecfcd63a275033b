import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createTestProject,
  createTestServices,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { content, people, withoutHints } from './campaigns.fixture.ts';
import { createCampaign } from './create-campaign.ts';
import { duplicateCampaign } from './duplicate-campaign.ts';
import { getCampaignAudience } from './get-campaign-audience.ts';
import { sendCampaign } from './send-campaign.ts';
import { updateCampaign } from './update-campaign.ts';

let test: TestServices;
beforeAll(async () => {
  test = withoutHints(await createTestServices());
});
afterAll(() => test.close());

it('an audience that cannot be evaluated within 10 seconds is 400, wherever it is counted, and changes nothing', async () => {
  const { services } = test;
  const project = await createTestProject(services);
  await verifiedDomain(services, project.id, 'shop.test');
  await people(test, project, 1);
  const input = { ...content, audienceType: 'ALL' as const };
  const ids = { read: '', replaced: '', sent: '', copied: '' };
  for (const name of Object.keys(ids) as (keyof typeof ids)[]) {
    ids[name] = (await createCampaign.run(project.ctx, input)).id;
  }
  const blocker = await services.database.durable.connect();
  try {
    // No condition is slow on a table of this size: a lock on it makes every query over it wait.
    await blocker.query('BEGIN');
    await blocker.query('LOCK TABLE "Contact" IN ACCESS EXCLUSIVE MODE');
    const results = await Promise.allSettled([
      getCampaignAudience.run(project.ctx, { id: ids.read }),
      createCampaign.run(project.ctx, input),
      updateCampaign.run(project.ctx, { ...input, id: ids.replaced, name: 'Changed' }),
      sendCampaign.run(project.ctx, { id: ids.sent }),
      duplicateCampaign.run(project.ctx, { id: ids.copied }),
    ]);
    const refusal = expect.objectContaining({ code: 'BAD_REQUEST', kind: 'bad_request' });
    expect(results).toEqual(results.map(() => ({ status: 'rejected', reason: refusal })));
  } finally {
    await blocker.query('ROLLBACK');
    blocker.release();
  }
  const rows = await services.database.prisma.campaign.findMany({ where: { projectId: project.id } });
  expect(rows.map(({ name, status }) => [name, status])).toEqual(
    Object.keys(ids).map(() => [content.name, 'DRAFT']),
  );
}, 180_000);
