import { sendNowAndThen } from '@postrider/harness/many-projects';
import { createProjects } from '@postrider/harness/project.store';
import { createRandom } from '@postrider/harness/random';
import { percentile } from '@postrider/harness/statistics';
import { untilSettled } from '../harness/until-settled.ts';
import { compareLedgerWithSink } from '../ledger/compare-ledger-with-sink.ts';
import { describeReport } from './describe-report.ts';
import type { Scenario } from './scenario.ts';
import { withStack } from './with-stack.ts';

/** Each project sends about once in 40 seconds: no project is ever busy, and many are active. */
const perSecond = 50;
const seconds = 40;
/** The first emails wait for code that every process still has to compile. */
const warmUpSeconds = 5;
const mostMs = 1_000;
const stallMs = 120_000;

export const projects: Scenario = {
  name: 'projects',
  summary: 'very many projects send an email now and then: 95 of 100 reach the mail server within a second',
  recipients: 2_000,
  mostSeeds: 1,
  run(options) {
    const { recipients: count, seed, log } = options;
    return withStack(options, { env: { DELIVERY_LEASE_SECONDS: '60' } }, async (chaos) => {
      const key = { appSecret: chaos.stack.env.APP_SECRET ?? '', signed: false };
      const many = await createProjects(chaos.db, count, key);
      log(`${count} projects send ${perSecond} emails a second for ${seconds} s`);
      const random = createRandom(seed);
      await sendNowAndThen(chaos, many, { round: 'warm-up', perSecond, seconds: warmUpSeconds, random });
      const ms = await sendNowAndThen(chaos, many, { round: 'measured', perSecond, seconds, random });
      await untilSettled(chaos, { stallMs });
      const report = await compareLedgerWithSink(chaos.db, chaos.sink);
      const at = (percent: number): number => percentile(ms, percent);
      return {
        reports: [report],
        problems:
          at(95) <= mostMs ? [] : [`5 % of the emails took more than ${at(95).toFixed(0)} ms to the sink`],
        notes: [
          ...describeReport(report),
          `answer of /v1/send to sink: p50 ${at(50).toFixed(0)} ms, p95 ${at(95).toFixed(0)} ms, max ${at(100).toFixed(0)} ms (${ms.length} emails of ${count} projects)`,
          `p95 of each tenth of the run: ${tenths(ms).join(', ')} ms`,
        ],
      };
    });
  },
};

function tenths(ms: readonly number[]): string[] {
  const size = Math.ceil(ms.length / 10);
  return Array.from({ length: 10 }, (_, index) =>
    percentile(ms.slice(index * size, (index + 1) * size), 95).toFixed(0),
  );
}
