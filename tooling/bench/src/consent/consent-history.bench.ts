import { fillConsentLog } from '@postrider/core/audience/consent';
import type { Services } from '@postrider/core/base/kernel';
import { beginHistory, fillOldContacts } from '@postrider/harness/old-contacts.store';
import { createProject } from '@postrider/harness/project.store';
import type { Bench, BenchOptions, BenchResult, Series } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';
import { ownServices } from '../harness/own-services.ts';
import { forgetContacts } from './consent-history.store.ts';

/** The small project has this part of the contacts of the large one. */
const smaller = 10;
/** Requests about a contact should not wait longer for the job, in milliseconds. */
const longestLock = 200;

export const consentHistoryBench: Bench = {
  name: 'consent-history',
  summary:
    'contacts from before there was a log are brought into it: --contacts (1000000) beside a tenth of them, and the time of a page, during which its contacts are locked',
  async run(options) {
    const stack = await startBenchStack(options);
    try {
      return await measure(stack, options);
    } finally {
      await stack.stop();
    }
  },
};

async function measure(stack: BenchStack, { contacts = 1_000_000, log }: BenchOptions): Promise<BenchResult> {
  // The worker is stopped: what is measured runs here.
  await stack.stack.processes.worker.stop();
  const appSecret = stack.stack.env.APP_SECRET ?? '';
  const services = ownServices(stack, { connections: 2 });
  try {
    const [few, many] = [Math.ceil(contacts / smaller), contacts];
    const series: Series[] = [];
    for (const count of [few, many]) {
      const { id } = await createProject(stack.db, { appSecret, signed: false });
      log(`storing ${count} contacts from before`);
      await fillOldContacts(stack.db, id, count);
      const { perSecond, longest, median } = await fill(services, stack, count);
      log(
        `${count} contacts: ${perSecond.toFixed(0)} a second, a page takes ${median.toFixed(0)} ms, at most ${longest.toFixed(0)} ms`,
      );
      series.push(
        { label: labelOf(count), unit: 'contacts/s', rounds: [perSecond] },
        { label: `a page of them, of ${count}`, unit: 'ms', rounds: [median] },
        {
          label: `the longest page, of ${count}`,
          unit: 'ms',
          rounds: [longest],
          goal: { below: longestLock },
        },
      );
      await forgetContacts(stack.db);
    }
    const large = series.find(({ label }) => label === labelOf(many));
    if (large) Object.assign(large, { against: labelOf(few), goal: { atLeast: 0.8 } });
    return {
      series,
      notes: [
        'Of ten contacts seven are subscribed, two have left and one was never heard of; every fifth has two events. None has an email.',
        'The large project should take as long for a contact as the small one. Contacts of a page that change are locked until its transaction ends, so no lock is held for longer than the longest page takes.',
      ],
    };
  } finally {
    await services.close();
  }
}

const labelOf = (count: number): string => `contacts brought into the log, of ${count}`;

/** One call for each page. */
async function fill(
  services: Services,
  stack: BenchStack,
  contacts: number,
): Promise<{ perSecond: number; longest: number; median: number }> {
  await beginHistory(stack.db);
  const pages: number[] = [];
  const begun = performance.now();
  for (let more = true; more; ) {
    const since = performance.now();
    more = await fillConsentLog(services, 0);
    pages.push(performance.now() - since);
  }
  const perSecond = contacts / ((performance.now() - begun) / 1_000);
  const sorted = pages.toSorted((a, b) => a - b);
  return {
    perSecond,
    longest: sorted.at(-1) ?? 0,
    median: sorted[Math.floor(sorted.length / 2)] ?? 0,
  };
}
