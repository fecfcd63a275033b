import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendCampaignNow, untilCampaignSent } from '@postrider/harness/campaign';
import { createProject, insertContacts } from '@postrider/harness/project.store';
import { ROOT } from '@postrider/local/root';
import { hasBothBranches, startBranchingTraffic } from '../harness/branching-traffic.ts';
import { failedEmails, giveToOwners } from '../harness/owners.store.ts';
import { sendUntilStored } from '../harness/send-until-stored.ts';
import { untilSettled } from '../harness/until-settled.ts';
import { compareLedgerWithSink } from '../ledger/compare-ledger-with-sink.ts';
import { describeReport } from './describe-report.ts';
import type { Scenario, ScenarioResult } from './scenario.ts';
import { slowTemplate } from './tenant/attacks.ts';
import { withStack } from './with-stack.ts';

/** What each thread loads; an upgrade in place replaces it under the running processes. */
const moduleOfTasks = join(ROOT, 'packages/core/src/adapters/threads/thread-tasks.ts');
const goneMs = 20_000;
const stallMs = 180_000;

export const upgrade: Scenario = {
  name: 'upgrade',
  summary:
    'the files of the threads are gone for 20 s under running processes, during a campaign and single sends: nothing fails, is lost or doubled',
  recipients: 2_000,
  mostSeeds: 1,
  run: (options) =>
    withStack(
      options,
      { env: { MAIL_WORKERS: '2', SEND_RATE_PER_SECOND: '100' }, sink: { keepRaw: true } },
      async (chaos): Promise<ScenarioResult> => {
        const api = chaos.stack.urls.api;
        const key = { appSecret: chaos.stack.env.APP_SECRET ?? '', signed: false };
        const [project, slow] = [
          await createProject(chaos.db, key),
          await createProject(chaos.db, { ...key, domain: 'slow.test' }),
        ];
        await giveToOwners(chaos.db, [project, slow], { accounts: 'each', proven: true });
        await insertContacts(chaos.db, project.id, options.recipients);
        const campaignId = await sendCampaignNow(api, project);
        const traffic = startBranchingTraffic(api, project, 5);
        await sleep(3_000);
        await rename(moduleOfTasks, `${moduleOfTasks}.replaced`);
        try {
          options.log('the files of the threads are gone');
          // Each ends a thread, and the next one cannot load its code.
          const body = slowTemplate(200);
          for (let n = 0; n < 8; n += 1)
            await sendUntilStored(api, slow, `slow-${n}`, {
              to: `slow${n}@people.test`,
              subject: `Slow ${n}`,
              body,
            });
          await sleep(goneMs);
        } finally {
          await rename(`${moduleOfTasks}.replaced`, moduleOfTasks);
        }
        options.log('they are back');
        await sleep(5_000);
        await traffic.stop();
        await untilCampaignSent(chaos.db, campaignId, { stallMs });
        await untilSettled(chaos, { stallMs });
        const report = await compareLedgerWithSink(chaos.db, chaos.sink);
        const failed = await failedEmails(chaos.db);
        const both = (await chaos.sink.messages()).filter(hasBothBranches).length;
        return {
          reports: [report],
          problems: [
            ...(failed === 0 ? [] : [`${failed} emails are FAILED`]),
            ...(both === 0 ? [] : [`${both} messages have both branches`]),
          ],
          notes: describeReport(report),
        };
      },
    ),
};
