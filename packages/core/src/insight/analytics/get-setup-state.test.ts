import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { upsertContact } from '../../audience/contacts/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { sendingCampaign } from '../../testing/mail.ts';
import { getSetupState } from './index.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

describe('getSetupState', () => {
  it('200: a new project has nothing yet', async () => {
    const { id, ctx } = await createTestProject(test.services);
    expect(await getSetupState.run(ctx, { id })).toEqual({
      hasSubscription: false,
      hasVerifiedDomain: false,
      contactCount: 0,
      lastCampaignSentAt: null,
      hasEnabledWorkflow: false,
    });
  });

  it('200: a domain, contacts and a campaign show up', async () => {
    const { id, ctx } = await createTestProject(test.services);
    await verifiedDomain(test.services, id, 'example.com');
    await upsertContact.run(ctx, { email: 'ada@example.com' });
    await sendingCampaign(test.services, id);
    expect(await getSetupState.run(ctx, { id })).toMatchObject({
      hasVerifiedDomain: true,
      contactCount: 1,
      lastCampaignSentAt: expect.any(String),
    });
  });

  it("403 PROJECT_ACCESS_DENIED: for another project's id", async () => {
    const { ctx } = await createTestProject(test.services);
    const foreign = await createTestProject(test.services);
    await expect(getSetupState.run(ctx, { id: foreign.id })).rejects.toMatchObject({
      code: 'PROJECT_ACCESS_DENIED',
    });
  });
});
