import { createProject, insertContacts } from '@postrider/harness/project.store';
import type { BenchOptions } from '../harness/bench.ts';
import {
  type Cost,
  type Costs,
  costOf,
  type Idle,
  processorSeconds,
  type Unit,
  type UnitCost,
} from './capacity.rules.ts';
import { countInteractions, holdMail } from './capacity.store.ts';
import { driveEvenly, driveFast, type Requests } from './drive.ts';
import type { Spent } from './meter.ts';
import {
  endpoints,
  freeze,
  importRows,
  letLeave,
  reading,
  type Scene,
  type SentEmails,
  sending,
  sentEmails,
  tracking,
} from './scene.ts';

/** Units a second of the even pace. */
export const steadyRates = {
  accept: 50,
  open: 200,
  click: 50,
  event: 100,
  execution: 50,
  hooked: 20,
} as const;
const connections = 64;
const trackConnections = 20;
/** Before each phase of requests, which is not measured. */
export const warmUpSeconds = 2;
const warmUpPeople = 2_000;
/** Their rate is that of the requests: what follows from them can be done later. */
const requested: readonly Unit[] = ['accept', 'open', 'click', 'event'];
const rowsPerFile = 50_000;

export interface MeasuredUnits {
  idle: Idle;
  costs: Costs;
  /** with opens and clicks that are left */
  emails: SentEmails;
  imported: number;
}

/** Which other work a phase did for its units. */
type Others = readonly { unit: Unit; count: number }[];

interface Phase {
  spent: Spent;
  count: number;
  /** done before, to warm up */
  warmed: number;
}

export async function measureUnits(
  scene: Scene,
  { seconds, log }: Pick<BenchOptions, 'seconds' | 'log'>,
): Promise<MeasuredUnits> {
  const { meter, stack } = scene;
  const entered = await warmUp(scene);
  log('warm');
  const idle = await meter.measureIdle();
  log(
    `nothing to do: ${(processorSeconds(idle.second) * 100).toFixed(1)} % of a core, and ${processorSeconds(idle.minute).toFixed(2)} s each minute`,
  );

  const known = new Map<Unit, UnitCost>();
  const note = (
    unit: Unit,
    pace: 'steady' | 'most',
    { spent, count, warmed }: Phase,
    others: Others = [],
  ): void => {
    if (count === 0) throw new Error(`Nothing was left to measure ${unit} with: try more --seconds.`);
    const isRequested = pace === 'steady' || requested.includes(unit);
    const perSecond = count / (isRequested ? spent.driving : spent.working);
    // Tables grew by what was done to warm up, too.
    const own = count / (count + warmed);
    const { cost, bytes } = costOf(
      { ...spent, bytes: spent.bytes * own },
      { count, perSecond },
      idle,
      others.map((other) => {
        const found = known.get(other.unit);
        if (!found) throw new Error(`${other.unit} was not measured before ${unit}.`);
        return { count: other.count, cost: found[pace] ?? found.most, bytes: found.bytes };
      }),
    );
    // The even pace comes first and has little to go by for what is at rest: the other one replaces it.
    const steady = pace === 'steady' ? cost : (known.get(unit)?.steady ?? null);
    known.set(unit, { steady, most: cost, bytes });
    const tables = spent.grown
      .slice(0, 6)
      .map(([table, grown]) => `${table} ${((grown * own) / count).toFixed(0)}`);
    log(
      `${unit}, ${pace === 'steady' ? 'at an even pace' : 'at most'}: ${describe(cost, bytes, count)} (${tables.join(', ')})`,
    );
  };
  const phase = async (
    work: (length: number) => Promise<number>,
    { isWarmed = true, isDone }: { isWarmed?: boolean; isDone?: () => Promise<boolean> } = {},
  ): Promise<Phase> => {
    let count = 0;
    let warmed = 0;
    const spent = await meter.measure(
      async () => {
        count = await work(seconds);
      },
      {
        async warm() {
          if (isWarmed) warmed = await work(warmUpSeconds);
        },
        ...(isDone ? { isDone } : {}),
      },
    );
    return { spent, count, warmed };
  };
  const evenly = (requests: Requests, perSecond: number) =>
    phase((length) => driveEvenly(requests, perSecond, length));
  const fast = (requests: Requests, lanes = connections) =>
    phase((length) => driveFast(requests, lanes, length));
  const leave = async (count: number): Promise<Phase> =>
    phase(() => letLeave(scene).then(() => count), { isWarmed: false });

  // Requests are accepted while all email is held; then what was accepted leaves. At an even pace each leaves at once, so the request is
  // subtracted.
  await holdMail(stack.db, true);
  note('accept', 'steady', await evenly(sending(scene, scene.sends, 'slow'), steadyRates.accept));
  await letLeave(scene);
  for (const [unit, project] of [
    ['delivery', scene.sends],
    ['signed delivery', scene.signed],
  ] as const) {
    const both = await evenly(sending(scene, project, 'both'), steadyRates.accept);
    note(unit, 'steady', both, [{ unit: 'accept', count: both.count }]);
    await holdMail(stack.db, true);
    const many = await fast(sending(scene, project, 'many'));
    if (unit === 'delivery') note('accept', 'most', many);
    note(unit, 'most', await leave(many.warmed + many.count));
    await stack.sink.clear();
  }

  let campaignId = '';
  const frozen = await phase(
    async () => {
      campaignId = await freeze(scene, scene.audience);
      return 0;
    },
    { isWarmed: false },
  );
  const emails = await sentEmails(scene, campaignId);
  const recipients = emails.opens.length;
  note('freeze', 'most', { ...frozen, count: recipients });
  const campaign = await phase(() => letLeave(scene, campaignId).then(() => recipients), { isWarmed: false });
  note('campaign delivery', 'most', campaign);
  await stack.sink.clear();

  const isDone = async (): Promise<boolean> =>
    (await countInteractions(stack.db, campaignId)) >= emails.asked;
  for (const [unit, what] of [
    ['open', 'opens'],
    ['click', 'clicks'],
  ] as const) {
    const rate = steadyRates[unit];
    // Those of an even pace, and some that are left for loads of several kinds.
    const few = Math.ceil(rate * (seconds + 2 * warmUpSeconds));
    const slowly = reading(scene, emails, what, few);
    note(unit, 'steady', await phase((length) => driveEvenly(slowly, rate, length), { isDone }));
    // The warm-up may take no more than a fifth of the others, however fast they are.
    const rest = emails[what].length - few;
    const warming = reading(scene, emails, what, Math.floor(rest / 5));
    const quickly = reading(scene, emails, what, rest - Math.floor(rest / 5));
    const parts = [warming, quickly];
    note(
      unit,
      'most',
      await phase((length) => driveFast(parts.shift() ?? quickly, connections, length), { isDone }),
    );
  }

  note('event', 'steady', await evenly(tracking(scene, scene.events), steadyRates.event));
  note('event', 'most', await fast(tracking(scene, scene.events), trackConnections));

  const entering = tracking(scene, scene.entries, entered);
  const few = await evenly(entering, steadyRates.execution);
  note('execution', 'steady', few, [{ unit: 'event', count: few.count }]);
  const all = await fast(entering, trackConnections);
  note('execution', 'most', all, [{ unit: 'event', count: all.count }]);

  // Each email has as many attempts as there are endpoints: what is subtracted is the smaller part.
  const hooked = await evenly(sending(scene, scene.hooks, 'slow'), steadyRates.hooked);
  note(
    'webhook attempt',
    'steady',
    { ...hooked, count: hooked.count * endpoints, warmed: hooked.warmed * endpoints },
    [
      { unit: 'accept', count: hooked.count },
      { unit: 'delivery', count: hooked.count },
    ],
  );
  await holdMail(stack.db, true);
  const held = await driveFast(sending(scene, scene.hooks, 'many'), connections, seconds / endpoints);
  const told = await leave(held);
  note('webhook attempt', 'most', { ...told, count: held * endpoints }, [{ unit: 'delivery', count: held }]);
  await stack.sink.clear();

  const rows = await phase((length) => importRows(scene, 1, { perFile: rowsPerFile, seconds: length }), {
    isWarmed: false,
  });
  note('import row', 'most', rows);
  return { idle, costs: Object.fromEntries(known) as Costs, emails, imported: rows.count };
}

/** Everything once, so that code is compiled, caches are filled and connections are open. @returns contacts that have entered the workflow */
async function warmUp(scene: Scene): Promise<number> {
  const { stack, meter } = scene;
  const warm = await createProject(stack.db, {
    ...{ appSecret: stack.stack.env['APP_SECRET'] ?? '', signed: true, domain: 'warm.test' },
  });
  await insertContacts(stack.db, warm.id, warmUpPeople);
  for (const project of [scene.sends, scene.signed])
    await driveFast(sending(scene, project, 'warm'), connections, warmUpSeconds);
  const campaignId = await freeze(scene, warm);
  await letLeave(scene, campaignId);
  const emails = await sentEmails(scene, campaignId);
  for (const what of ['opens', 'clicks'] as const)
    await driveFast(reading(scene, emails, what, warmUpPeople), connections, warmUpSeconds);
  await driveFast(tracking(scene, scene.events), trackConnections, warmUpSeconds);
  const entering = tracking(scene, scene.entries);
  await driveFast(entering, trackConnections, warmUpSeconds / 4);
  await driveFast(sending(scene, scene.hooks, 'warm'), connections, warmUpSeconds / 8);
  await importRows({ ...scene, rows: warm }, 1, { perFile: warmUpPeople * 5, seconds: 0 });
  await meter.settle();
  await stack.sink.clear();
  return entering.reached();
}

const describe = (
  { perSecond, nodeMicros, postgresMicros, temporalMicros, walBytes }: Cost,
  bytes: number,
  count: number,
): string =>
  `${count}, ${perSecond.toFixed(0)}/s, µs each: Node ${nodeMicros.toFixed(0)}, PostgreSQL ${postgresMicros.toFixed(0)}, Temporal ${temporalMicros.toFixed(0)}; ` +
  `${walBytes.toFixed(0)} B of WAL, ${bytes.toFixed(0)} B at rest`;
