import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosStack } from '@postrider/harness/chaos-stack';
import { mailProcessesOf } from '@postrider/harness/process-tree';
import { createProject } from '@postrider/harness/project.store';
import { hasBothBranches, startBranchingTraffic } from '../harness/branching-traffic.ts';
import { giveToOwners, limitedContents } from '../harness/owners.store.ts';
import { untilSettled } from '../harness/until-settled.ts';
import { compareLedgerWithSink } from '../ledger/compare-ledger-with-sink.ts';
import { describeReport } from './describe-report.ts';
import type { Scenario, ScenarioResult } from './scenario.ts';
import { withStack } from './with-stack.ts';

/** Longer than any task may wait, if its patience were measured by the clock. */
const pauseMs = 32_000;
const stallMs = 120_000;

export const paused: Scenario = {
  name: 'paused',
  summary:
    'each process is stopped for 32 s while it works on templates with tags: no content reaches a limit by it, no message has both branches, none is lost or doubled',
  recipients: 1,
  mostSeeds: 3,
  run: (options) =>
    withStack(
      options,
      { env: { MAIL_WORKERS: '1' }, sink: { keepRaw: true } },
      async (chaos): Promise<ScenarioResult> => {
        const key = { appSecret: chaos.stack.env.APP_SECRET ?? '', signed: false };
        const project = await createProject(chaos.db, key);
        await giveToOwners(chaos.db, [project], { accounts: 'one', proven: true });
        const traffic = startBranchingTraffic(chaos.stack.urls.api, project, 20);
        await sleep(3_000);
        for (const [name, pid] of await processesOf(chaos)) {
          options.log(`stopping the ${name}`);
          process.kill(pid, 'SIGSTOP');
          await sleep(pauseMs);
          process.kill(pid, 'SIGCONT');
          await sleep(3_000);
        }
        const sent = await traffic.stop();
        await untilSettled(chaos, { stallMs });
        const report = await compareLedgerWithSink(chaos.db, chaos.sink);
        const limited = await limitedContents(chaos.db);
        const both = (await chaos.sink.messages()).filter(hasBothBranches).length;
        return {
          reports: [report],
          problems: [
            ...(limited === 0 ? [] : [`${limited} contents reached a limit`]),
            ...(both === 0 ? [] : [`${both} messages have both branches`]),
            ...(report.emails === sent
              ? []
              : [`${sent} emails were accepted, and ${report.emails} are stored`]),
          ],
          notes: describeReport(report),
        };
      },
    ),
};

async function processesOf({ stack }: ChaosStack): Promise<[name: string, pid: number][]> {
  const { api, worker } = stack.processes;
  if (api.pid === undefined || worker.pid === undefined) throw new Error('A process does not run.');
  const mail = await mailProcessesOf(worker.pid);
  return [
    ...mail.map((pid): [string, number] => ['delivery process', pid]),
    ['worker', worker.pid],
    ['api', api.pid],
  ];
}
