import { verifyConsent } from '@postrider/core/audience/consent';
import { listConsentActs, runImport, startContactImport } from '@postrider/core/audience/contacts';
import { countFilter } from '@postrider/core/audience/segments';
import { freezeAudience } from '@postrider/core/automation/campaigns';
import { type Context, type Services, systemContext } from '@postrider/core/base/kernel';
import { newId } from '@postrider/core/base/lib';
import { createProject, type TestProject } from '@postrider/harness/project.store';
import { median, percentile } from '@postrider/harness/statistics';
import { removeEmails } from '../audience/audience.store.ts';
import type { Bench, BenchOptions, BenchResult, Series } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';
import { ownServices } from '../harness/own-services.ts';
import { addActs, addTurns, fillConsents, insertCampaign, someContacts, walkActs } from './consent.store.ts';

const importRows = 20_000;
/** Acts of each contact while those of single contacts are read. */
const actsEach = 10;
/** How often each contact leaves and comes back. */
const turnsEach = 4;
const readsEach = 200;
/** Counts of each kind in a round, in turns. */
const countsEach = 10;

export const consentBench: Bench = {
  name: 'consent',
  summary:
    'counts and freezing with a topic beside the same without, imports with acts beside those without, the log of --contacts (20000) verified and read',
  async run(options) {
    const stack = await startBenchStack(options);
    try {
      return await measure(stack, options);
    } finally {
      await stack.stop();
    }
  },
};

interface Scene {
  stack: BenchStack;
  services: Services;
  project: TestProject;
  ctx: Context;
  rounds: number;
}

async function measure(
  stack: BenchStack,
  { contacts = 20_000, rounds, log }: BenchOptions,
): Promise<BenchResult> {
  // The worker is stopped: what is measured runs here.
  await stack.stack.processes.worker.stop();
  const appSecret = stack.stack.env.APP_SECRET ?? '';
  const services = ownServices(stack, { connections: 4 });
  try {
    const project = await createProject(stack.db, { appSecret, signed: false });
    await fillConsents(stack.db, project.id, contacts);
    log(`${contacts} contacts with an act each`);
    const scene: Scene = { stack, services, project, ctx: contextOf(services, project), rounds };
    const series: Series[] = [
      ...(await counts(scene)),
      ...(await freezes(scene)),
      ...(await verification(scene, contacts)),
    ];
    log('counts, freezing and the log are measured');
    await addTurns(stack.db, project.id, turnsEach);
    const changes = 1 + 2 * turnsEach;
    series.push(
      ...(await verification(scene, contacts * changes, `acts verified, ${changes} of each contact`)),
    );
    await addActs(stack.db, project.id, actsEach - 2 * turnsEach);
    log(`${contacts * actsEach} acts`);
    series.push(...(await readings(scene)), ...(await imports(stack, services, rounds)));
    return {
      series,
      notes: [
        `${contacts} contacts in one project, nine of ten subscribed, three of ten with a choice; ${rounds} rounds.`,
        `Imports have ${importRows} new addresses. Ratios to the version before there was a log (campaign, accept, track) need that version beside this one: \`campaign\`, \`send\` and \`workflows\` with a baseline.`,
      ],
    };
  } finally {
    await services.close();
  }
}

const contextOf = (services: Services, { id }: Pick<TestProject, 'id'>): Context =>
  systemContext(services, {
    project: {
      ...{ id, name: 'Bench', disabled: false, language: 'en', timeZone: 'UTC' },
      ...{ tracking: 'ENABLED', definesFields: false },
    },
  });

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

const plan = { field: 'data.plan', operator: 'equals', value: 'pro' };
const news = { field: 'topic.news', operator: 'equals', value: true };

async function counts({ ctx, rounds }: Scene): Promise<Series[]> {
  const count = (...filters: object[]) =>
    timed(() => countFilter.runRaw(ctx, { condition: { logic: 'AND', groups: [{ filters }] } }));
  // Once before the first round, so that neither reads its pages from the disk.
  await count(plan, news);
  const [without, within]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const [plain, topical]: [number[], number[]] = [[], []];
    for (let turn = 0; turn < countsEach; turn += 1) {
      plain.push(await count(plan));
      topical.push(await count(plan, news));
    }
    without.push(median(plain));
    within.push(median(topical));
  }
  const label = 'filtered count without a topic';
  return [
    {
      label: 'filtered count with a topic',
      unit: 'ms',
      rounds: within,
      against: label,
      goal: { below: 1.6 },
    },
    { label, unit: 'ms', rounds: without },
  ];
}

async function freezes({ stack, services, project, rounds }: Scene): Promise<Series[]> {
  const freeze = async (topic: string | null): Promise<number> => {
    const campaignId = newId();
    await insertCampaign(stack.db, project, campaignId, topic);
    const begun = performance.now();
    const { totalRecipients } = await freezeAudience(services, campaignId);
    const rate = totalRecipients / ((performance.now() - begun) / 1_000);
    await removeEmails(stack.db, campaignId);
    return rate;
  };
  await freeze(null);
  const [general, chosen]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    general.push(await freeze(null));
    chosen.push(await freeze('general'));
  }
  const label = 'freezing without a topic';
  return [
    {
      label: 'freezing with a topic',
      unit: 'rows/s',
      rounds: chosen,
      against: label,
      goal: { atLeast: 0.95 },
    },
    { label, unit: 'rows/s', rounds: general },
  ];
}

/** Of a million acts it should take at most ten seconds. Beside it, what only reading them takes on this machine. */
async function verification(
  { stack, services, project, rounds }: Scene,
  acts: number,
  label = 'acts verified',
): Promise<Series[]> {
  const [rates, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const ms = await timed(async () => {
      for await (const { id } of verifyConsent(services, project.id))
        throw new Error(`the contact ${id} differs from its acts`);
    });
    rates.push(acts / (ms / 1_000));
    bare.push(acts / ((await timed(() => walkActs(stack.db, project.id))) / 1_000));
  }
  return [
    { label, unit: 'acts/s', rounds: rates, goal: { atLeast: 100_000 } },
    { label: `${label}: a bare loop over them`, unit: 'acts/s', rounds: bare },
  ];
}

async function readings({ stack, ctx, project, rounds }: Scene): Promise<Series[]> {
  const [slow, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const [ms, trips]: [number[], number[]] = [[], []];
    for (const contactId of await someContacts(stack.db, project.id, readsEach)) {
      ms.push(await timed(() => listConsentActs.runRaw(ctx, { contactId })));
      trips.push(await timed(() => stack.db.query('SELECT 1')));
    }
    slow.push(percentile(ms, 95));
    bare.push(percentile(trips, 95));
  }
  return [
    { label: 'acts of one contact, p95', unit: 'ms', rounds: slow, digits: 1, goal: { below: 20 } },
    { label: 'a round trip to the database, p95', unit: 'ms', rounds: bare, digits: 1 },
  ];
}

async function imports(stack: BenchStack, services: Services, rounds: number): Promise<Series[]> {
  const file = (name: string): string =>
    ['email', ...Array.from({ length: importRows }, (_, n) => `${name}${n}@people.test`), ''].join('\n');
  const rateOf = async (subscribed: string, name: string): Promise<number> => {
    const project = await createProject(stack.db, {
      appSecret: stack.stack.env.APP_SECRET ?? '',
      signed: false,
    });
    const { jobId } = await startContactImport.runRaw(contextOf(services, project), {
      ...{ csv: file(name), subscribed },
    });
    return importRows / ((await timed(() => runImport(services, jobId))) / 1_000);
  };
  const [acts, none]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    none.push(await rateOf('keep', `k${round}-`));
    acts.push(await rateOf('true', `t${round}-`));
  }
  const label = 'import of contacts without acts';
  return [
    {
      label: 'import of contacts with acts',
      unit: 'rows/s',
      rounds: acts,
      against: label,
      goal: { atLeast: 0.65 },
    },
    { label, unit: 'rows/s', rounds: none },
  ];
}
