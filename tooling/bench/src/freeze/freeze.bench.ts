import { freezeAudience } from '@postrider/core/automation/campaigns';
import { newId } from '@postrider/core/base/lib';
import { createProject } from '@postrider/harness/project.store';
import { removeEmails } from '../audience/audience.store.ts';
import { fillConsents } from '../consent/consent.store.ts';
import type { Bench, BenchOptions, BenchResult, Series } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';
import { ownServices } from '../harness/own-services.ts';
import { insertShaped, type Shape, spreadOverZones } from './freeze.store.ts';

const zoneCount = 40;
const plain: Shape = { holdout: 0, test: null, localAt: null };
const test = {
  variants: [{ subject: 'Other news' }],
  ...{ sample: 20, metric: 'CLICKS', hours: 4, decide: 'MANUAL' },
};

export const freezeBench: Bench = {
  name: 'freeze',
  summary:
    'freezing --contacts (100000) with a holdout, a test and a local time in 40 zones beside a plain one',
  async run(options) {
    const stack = await startBenchStack(options);
    try {
      return await measure(stack, options);
    } finally {
      await stack.stop();
    }
  },
};

async function measure(
  stack: BenchStack,
  { contacts = 100_000, rounds, log }: BenchOptions,
): Promise<BenchResult> {
  // The worker is stopped: what is measured runs here, and nothing is delivered.
  await stack.stack.processes.worker.stop();
  const appSecret = stack.stack.env.APP_SECRET ?? '';
  const services = ownServices(stack, { connections: 4 });
  try {
    const project = await createProject(stack.db, { appSecret, signed: false });
    await fillConsents(stack.db, project.id, contacts);
    const zones = Intl.supportedValuesOf('timeZone');
    const every = Math.floor(zones.length / zoneCount);
    await spreadOverZones(
      stack.db,
      project.id,
      zones.filter((_, index) => index % every === 0).slice(0, zoneCount),
    );
    log(`${contacts} contacts in ${zoneCount} zones`);
    /** Contacts that are dealt with per second: those held out cost a look too. */
    const rateOf = async (shape: Shape): Promise<number> => {
      const campaignId = newId();
      await insertShaped(stack.db, project, campaignId, shape);
      const begun = performance.now();
      await freezeAudience(services, campaignId);
      const seconds = (performance.now() - begun) / 1_000;
      await removeEmails(stack.db, campaignId);
      return contacts / seconds;
    };
    const tomorrow = new Date(Date.now() + 36 * 3_600_000).toISOString().slice(0, 11);
    const shapes: Record<string, Shape> = {
      'freezing with a holdout': { ...plain, holdout: 10 },
      'freezing with a holdout and a test': { ...plain, holdout: 10, test },
      'freezing with a holdout and a local time': { ...plain, holdout: 10, localAt: `${tomorrow}09:00` },
    };
    await rateOf(plain);
    const label = 'freezing a plain campaign';
    const bare: number[] = [];
    const rates = new Map<string, number[]>(Object.keys(shapes).map((name) => [name, []]));
    for (let round = 1; round <= rounds; round += 1) {
      bare.push(await rateOf(plain));
      for (const [name, shape] of Object.entries(shapes)) rates.get(name)?.push(await rateOf(shape));
      log(`round ${round} of ${rounds}`);
    }
    const series: Series[] = [...rates].map(([name, own]) => ({
      ...{ label: name, unit: 'contacts/s', rounds: own },
      ...{ against: label, goal: { atLeast: 0.9 } },
    }));
    return {
      series: [...series, { label, unit: 'contacts/s', rounds: bare }],
      notes: [`${contacts} contacts, nine of ten subscribed; ${rounds} rounds.`],
    };
  } finally {
    await services.close();
  }
}
