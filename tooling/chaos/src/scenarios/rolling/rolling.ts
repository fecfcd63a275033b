import { sendCampaignNow } from '@postrider/harness/campaign';
import type { ChaosStack } from '@postrider/harness/chaos-stack';
import { createProject, insertContacts } from '@postrider/harness/project.store';
import { createRandom } from '@postrider/harness/random';
import { checkOut, commitBeforeNewestMigration } from '@postrider/local/checkout';
import { ROOT } from '@postrider/local/root';
import { startBalancer } from '../../harness/balancer.ts';
import type { Scenario, ScenarioOptions, ScenarioResult } from '../scenario.ts';
import { withStack } from '../with-stack.ts';
import { compareAll } from './compare-all.ts';
import { type Place, startPlaces } from './places.ts';
import { type Moment, startRequests } from './requests.ts';
import { buildWelcome } from './welcome.ts';

/** All processes are replaced, one after another, by one of this version or of the version before. */
type Turn = 'to this version' | 'within this version' | 'back to the version before';

interface Plan {
  turns: readonly Turn[];
  /** of api, and of workers */
  processes: number;
  drainSeconds: number;
}

/** A balancer notices within two of these that an api stops: long before it does. */
const checkMs = 250;

export const rolling: Scenario = {
  name: 'rolling',
  summary:
    'three api behind a balancer and three workers are replaced one by one: from the version before to this one, once more, and back, under requests that nobody repeats, campaigns and a workflow: no request fails, each email leaves once',
  recipients: 100,
  mostSeeds: Number.POSITIVE_INFINITY,
  run: (options) =>
    runRolling(options, {
      turns: ['to this version', 'within this version', 'back to the version before'],
      processes: 3,
      drainSeconds: 5,
    }),
};

export const rollingSmall: Scenario = {
  name: 'rolling-small',
  summary: 'the short form of `rolling` that is part of the long tests, without the version before',
  recipients: 20,
  mostSeeds: Number.POSITIVE_INFINITY,
  run: (options) => runRolling(options, { turns: ['within this version'], processes: 2, drainSeconds: 3 }),
};

async function runRolling(options: ScenarioOptions, plan: Plan): Promise<ScenarioResult> {
  const isUpgrade = plan.turns.includes('to this version');
  const before = isUpgrade
    ? await checkOut(options.before ?? (await commitBeforeNewestMigration()), options.log)
    : ROOT;
  const env = {
    MAIL_WORKERS: '1',
    DRAIN_SECONDS: String(plan.drainSeconds),
    // It outlasts the pauses of a busy machine; nobody is killed here.
    DELIVERY_LEASE_SECONDS: '20',
  };
  return withStack(options, { env, root: before }, async (chaos) => {
    const { places, ports } = await startPlaces(chaos, before, plan.processes);
    const balancer = await startBalancer(ports, { checkMs });
    try {
      return await replaceAll({ chaos, api: balancer.url, places, before }, plan, options);
    } finally {
      await balancer.stop();
    }
  });
}

interface Scene {
  chaos: ChaosStack;
  /** of the balancer */
  api: string;
  places: readonly Place[];
  /** the checkout of the version before */
  before: string;
}

async function replaceAll(
  { chaos, api, places, before }: Scene,
  { turns, drainSeconds }: Plan,
  { recipients, seed, log }: ScenarioOptions,
): Promise<ScenarioResult> {
  const random = createRandom(seed);
  const keys = { appSecret: chaos.stack.env['APP_SECRET'] ?? '', signed: false };
  const shop = await createProject(chaos.db, { ...keys, domain: 'shop.test' });
  const magazine = await createProject(chaos.db, { ...keys, domain: 'magazine.test' });
  await insertContacts(chaos.db, magazine.id, recipients);
  const workflow = await buildWelcome(api, shop);
  let moment: Moment = { during: 'all processes run', stopsBefore: false };
  const requests = startRequests({
    ...{ chaos, api, shop, entryEvent: workflow.eventName, perSecond: recipients },
    // Less than `DRAIN_SECONDS`, as Node's fetch does with its default of 4 seconds.
    idleMs: (drainSeconds - 1) * 1_000,
    moment: () => moment,
  });
  const problems: string[] = [];
  const campaigns: string[] = [];
  for (const turn of turns) {
    const root = turn === 'back to the version before' ? before : ROOT;
    for (const place of random.shuffle(places)) {
      log(`${turn}: ${place.name}`);
      // Its audience is frozen and its email sent while the process goes.
      campaigns.push(await sendCampaignNow(api, magazine));
      moment = {
        during: `${turn}, ${place.name} stops`,
        stopsBefore: place.kind === 'api' && place.root !== ROOT,
      };
      problems.push(...(await place.stop()));
      moment = { during: `${turn}, ${place.name} starts`, stopsBefore: false };
      await place.start(root);
    }
  }
  moment = { during: 'all processes run', stopsBefore: false };
  await requests.stop();
  log('all are replaced; waiting until everything is sent');
  const compared = await compareAll(chaos, {
    ...{ requests, workflow, shop, campaigns },
    perCampaign: recipients,
  });
  return { ...compared, problems: [...problems, ...compared.problems] };
}
