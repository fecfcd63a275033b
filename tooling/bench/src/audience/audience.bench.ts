import { composeServices } from '@postrider/core/adapters';
import { computeSegment, createSegment } from '@postrider/core/audience/segments';
import { freezeAudience } from '@postrider/core/automation/campaigns';
import { readConfig, systemContext } from '@postrider/core/base/kernel';
import { newId } from '@postrider/core/base/lib';
import { createProject, type TestProject } from '@postrider/harness/project.store';
import { median } from '@postrider/harness/statistics';
import { pino } from 'pino';
import type { Bench, BenchOptions, Series } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';
import {
  changeScores,
  explainCount,
  fillProject,
  insertBare,
  insertSendingCampaign,
  removeEmails,
} from './audience.store.ts';
import { explainOperations } from './explain-operations.ts';

const repeats = 10;
const changed = 1_000;

export const audienceBench: Bench = {
  name: 'audience',
  summary:
    'lists, searches, segment counts, freezing and membership over a million contacts and five million events',
  async run(options) {
    const stack = await startBenchStack(options);
    try {
      return await measure(stack, options);
    } finally {
      await stack.stop();
    }
  },
};

const filter = (...filters: unknown[]): unknown => ({ logic: 'AND', groups: [{ filters }] });

const filters: Record<string, unknown> = {
  'data equality': filter({ field: 'data.city', operator: 'equals', value: 'city 77' }),
  'data comparison': filter({ field: 'data.score', operator: 'greaterThan', value: 900 }),
  'event window': filter({ field: 'event.bought', operator: 'triggeredWithin', value: 7, unit: 'days' }),
  nested: {
    logic: 'OR',
    groups: [
      {
        filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }],
        conditions: {
          logic: 'OR',
          groups: [
            { filters: [{ field: 'data.score', operator: 'lessThan', value: 10 }] },
            { filters: [{ field: 'event.left', operator: 'notTriggeredWithin', value: 40, unit: 'days' }] },
          ],
        },
      },
      { filters: [{ field: 'data.city', operator: 'equals', value: 'city 5' }] },
    ],
  },
};

/** The measured contact lists with the parameters of their requests. */
const pages: Record<string, Record<string, string>> = {
  'first page of contacts': { limit: '50' },
  'page by address': { limit: '50', sort: 'email', dir: 'asc' },
  'search of 7 characters': { limit: '50', search: 'p123456' },
  'search of 3 characters': { limit: '50', search: '987' },
  'search of 2 characters': { limit: '50', search: '98' },
};

async function measure(stack: BenchStack, { rounds, rows, log }: BenchOptions) {
  // The worker is stopped: only the work up to the outbox is measured, not delivery.
  await stack.stack.processes.worker.stop();
  const appSecret = stack.stack.env.APP_SECRET ?? '';
  const config = readConfig({
    NODE_ENV: 'test',
    DATABASE_URL: stack.stack.urls.database,
    APP_SECRET: appSecret,
    TEMPORAL_ADDRESS: stack.stack.urls.temporal,
  });
  const services = composeServices(config, pino({ level: 'warn' }), { connections: 4 });
  try {
    const project = await createProject(stack.db, { appSecret, signed: false });
    log(`writing ${rows} contacts and ${rows * 5} events`);
    await fillProject(stack.db, project.id, rows);
    log('written');
    const state = {
      id: project.id,
      name: 'Bench',
      disabled: false,
      language: 'en',
      timeZone: 'UTC',
      tracking: 'ENABLED',
      definesFields: false,
    } as const;
    const ctx = systemContext(services, { project: state });
    const notes: string[] = [`${rows} contacts, ${rows * 5} events, one project.`];
    const series: Series[] = await readLists(stack, project, rounds);
    for (const [name, condition] of Object.entries(filters)) {
      const segment = () => createSegment.run(ctx, { name, type: 'DYNAMIC', condition });
      series.push({ label: `segment count: ${name}`, unit: 'ms', rounds: await times(rounds, segment) });
      notes.push(
        '',
        `Count, ${name}:`,
        ...(await explainCount(stack.db, services.database.prisma, project.id, condition)),
      );
    }
    log('lists and counts are measured');

    const frozen: number[] = [];
    const bare: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const campaignId = newId();
      await insertSendingCampaign(stack.db, project.id, campaignId, project.from);
      const begun = performance.now();
      const { totalRecipients } = await freezeAudience(services, campaignId);
      frozen.push(totalRecipients / ((performance.now() - begun) / 1_000));
      await removeEmails(stack.db, campaignId);
      const other = newId();
      const bareBegun = performance.now();
      const count = await insertBare(stack.db, project.id, other, newId());
      bare.push(count / ((performance.now() - bareBegun) / 1_000));
      await removeEmails(stack.db, other);
      log(
        `round ${round}: frozen ${frozen.at(-1)?.toFixed(0)} rows/s, bare ${bare.at(-1)?.toFixed(0)} rows/s`,
      );
    }
    series.push(
      {
        label: 'freezing an audience',
        unit: 'rows/s',
        rounds: frozen,
        against: 'bare INSERT … SELECT',
        goal: { atLeast: 0.7 },
      },
      { label: 'bare INSERT … SELECT', unit: 'rows/s', rounds: bare },
    );

    const { id } = await createSegment.run(ctx, {
      name: 'High score',
      type: 'DYNAMIC',
      condition: filters['data comparison'],
      trackMembership: true,
    });
    await computeSegment.run(ctx, { id });
    const computed: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      await changeScores(stack.db, project.id, changed, round % 2 === 1 ? 999 : 1);
      computed.push(...(await times(1, () => computeSegment.run(ctx, { id }))));
    }
    series.push({
      label: `computing a tracked segment after ${changed} changes`,
      unit: 'ms',
      rounds: computed,
    });
    const plans = await explainOperations(stack, config, state, pages, {
      freezing: async (planned) => {
        const campaignId = newId();
        await insertSendingCampaign(stack.db, project.id, campaignId, project.from);
        await freezeAudience(planned.services, campaignId);
      },
      'computing a tracked segment': async (planned) => {
        await changeScores(stack.db, project.id, changed, 500);
        await computeSegment.run(planned, { id });
      },
    });
    notes.push(...plans);
    return { series, notes };
  } finally {
    await services.close();
  }
}

async function readLists(stack: BenchStack, project: TestProject, rounds: number): Promise<Series[]> {
  const series: Series[] = [];
  for (const [label, page] of Object.entries(pages)) {
    const path = `/contacts?${new URLSearchParams(page)}`;
    const read = async (): Promise<void> => {
      const headers = { authorization: `Bearer ${project.secretKey}` };
      const answer = await fetch(new URL(path, stack.stack.urls.api), { headers });
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
      await answer.arrayBuffer();
    };
    const perRound: number[] = [];
    for (let round = 0; round < rounds; round += 1) perRound.push(median(await times(repeats, read)));
    series.push({ label, unit: 'ms', rounds: perRound, digits: 1 });
  }
  return series;
}

async function times(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    const begun = performance.now();
    await work();
    took.push(performance.now() - begun);
  }
  return took;
}
