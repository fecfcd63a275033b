import { z } from 'zod';
import { command, recordId, type Services, systemContext } from '../../../base/kernel/index.ts';
import { hasFirstAttempts } from '../../../mail/ledger/index.ts';
import { deliverCampaignJob } from '../campaigns.jobs.ts';
import {
  type CampaignRow,
  changeCampaign,
  lockCampaign,
  noteLook,
  readCampaign,
} from '../campaigns.store.ts';
import { decideLocked, releaseRest } from './decide-locked.ts';
import { testOf } from './present-test.ts';
import { readCounted, resultsOf } from './read-results.ts';
import { tellUndecided } from './tell-undecided.ts';
import { verdictOf } from './verdict.rules.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Between two looks at a test: until its sample has begun, and while it runs. */
const beforeMs = 10 * second;
const whileMs = 5 * minute;
/** From the end of a test that waits for a person until they are told again. */
const againMs = 24 * hour;

type Looked = Pick<
  CampaignRow,
  'status' | 'testState' | 'testStartedAt' | 'testEndsAt' | 'testLookedAt' | 'testTold'
>;

/** Whether a look at the test of a campaign is due. @param now milliseconds */
export function isLookDue(campaign: Looked, now: number): boolean {
  const { status, testState, testStartedAt, testEndsAt, testLookedAt, testTold } = campaign;
  if (status !== 'SENDING') return false;
  const endsAt = testEndsAt?.getTime() ?? Number.POSITIVE_INFINITY;
  if (testState === 'UNDECIDED') return testTold === 1 && now >= endsAt + againMs;
  if (testState !== 'RUNNING') return false;
  const looked = testLookedAt?.getTime() ?? Number.NEGATIVE_INFINITY;
  return now >= endsAt || now >= looked + (testStartedAt === null ? beforeMs : whileMs);
}

/** A look at the test of a campaign (behaviour B13.12): begins its time, decides it, or tells that a person has to. */
const judgeTest = command({
  name: 'campaigns.judgeTest',
  summary: 'Decides the test of a campaign by what its variants did',
  permission: 'internal',
  risk: 'none',
  internal: true,
  input: z.object({
    id: recordId.describe('Id of the campaign.'),
    projectId: recordId.describe('Id of its project.'),
    now: z.number().describe('The present time, in milliseconds.'),
  }),
  output: z.object({ changed: z.boolean().describe('False when the test goes on as it is.') }),
  async handler(ctx, { id, projectId, now }) {
    const campaign = await lockCampaign(ctx.db, projectId, id);
    const test = campaign && testOf(campaign);
    // One of several processes gets here first.
    if (!campaign || !test || !isLookDue(campaign, now)) return { changed: false };
    const at = new Date(now);
    const changed = (...fields: string[]) => {
      ctx.audit({ targetType: 'campaign', targetId: id, projectId, changed: fields });
      return { changed: true };
    };
    if (campaign.testState === 'UNDECIDED') {
      await changeCampaign(ctx.db, id, { testTold: 2 });
      await tellUndecided(ctx.services, ctx.db, campaign);
      ctx.afterCommit(() => ctx.services.platformMail.notify());
      return { changed: false };
    }
    await noteLook(ctx.db, id, at);
    if (campaign.testStartedAt === null) {
      if (await hasFirstAttempts(ctx.db, id)) return { changed: false };
      const testEndsAt = new Date(now + test.hours * hour);
      await changeCampaign(ctx.db, id, { testStartedAt: at, testEndsAt });
      return { changed: false };
    }
    const results = resultsOf(test, (await readCounted(ctx.db, projectId, [campaign]))(id));
    const verdict = verdictOf(
      test,
      results,
      now >= (campaign.testEndsAt?.getTime() ?? Number.POSITIVE_INFINITY),
    );
    if (verdict.kind === 'goes_on') return { changed: false };
    ctx.afterCommit(() => ctx.services.workflows.signal(deliverCampaignJob, { campaignId: id }));
    if (verdict.kind === 'undecided') {
      const testMismatch = verdict.mismatch;
      await changeCampaign(ctx.db, id, { testState: 'UNDECIDED', testMismatch, testTold: 1 });
      await tellUndecided(ctx.services, ctx.db, { ...campaign, testMismatch });
      ctx.afterCommit(() => ctx.services.platformMail.notify());
      return changed('test.state');
    }
    await decideLocked(ctx.db, campaign, { ...verdict, at });
    ctx.afterCommit(() => releaseRest(ctx.services, { projectId, campaignId: id }));
    return changed('test.winner');
  },
});

/** Looks at the test of a campaign, if it is time. Any number of processes may do it. @param now milliseconds */
export async function lookAtTest(services: Services, campaignId: string, now: number): Promise<void> {
  const campaign = await readCampaign(services.database.prisma, campaignId);
  if (!campaign || !isLookDue(campaign, now)) return;
  await judgeTest.run(systemContext(services), { id: campaignId, projectId: campaign.projectId, now });
}
