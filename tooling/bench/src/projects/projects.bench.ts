import { sendNowAndThen } from '@postrider/harness/many-projects';
import { createProjects } from '@postrider/harness/project.store';
import { createRandom } from '@postrider/harness/random';
import { percentile } from '@postrider/harness/statistics';
import type { Bench } from '../harness/bench.ts';
import { startBenchStack } from '../harness/bench-stack.ts';

const count = 2_000;
const perSecond = 50;
const minimumSeconds = 20;

export const projectsBench: Bench = {
  name: 'projects',
  summary: '2,000 projects that send an email now and then: time from the answer to the mail server',
  async run(options) {
    const { rounds, log } = options;
    const seconds = Math.max(minimumSeconds, options.seconds);
    const stack = await startBenchStack(options);
    try {
      const key = { appSecret: stack.stack.env.APP_SECRET ?? '', signed: false };
      const projects = await createProjects(stack.db, count, key);
      const found: number[][] = [];
      const random = createRandom(0);
      // The first emails wait for code that every process still has to compile.
      await sendNowAndThen(stack, projects, { round: 'warm-up', perSecond, seconds: 5, random });
      for (let round = 1; round <= rounds; round += 1) {
        await stack.sink.clear();
        found.push(
          await sendNowAndThen(stack, projects, { round: `round-${round}`, perSecond, seconds, random }),
        );
        log(
          `round ${round}: p50 ${percentile(found.at(-1) ?? [], 50).toFixed(0)} ms, p95 ${percentile(found.at(-1) ?? [], 95).toFixed(0)} ms`,
        );
      }
      const of = (percent: number): number[] => found.map((ms) => percentile(ms, percent));
      return {
        series: [
          { label: 'to the sink, median', unit: 'ms', rounds: of(50) },
          { label: 'to the sink, p95', unit: 'ms', rounds: of(95), goal: { below: 1_000 } },
          { label: 'to the sink, slowest', unit: 'ms', rounds: of(100) },
        ],
        notes: [`${count} projects, ${perSecond} emails a second of all together, for ${seconds} s.`],
      };
    } finally {
      await stack.stop();
    }
  },
};
