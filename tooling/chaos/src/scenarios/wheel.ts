import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '@postrider/harness/call-api';
import type { ChaosStack } from '@postrider/harness/chaos-stack';
import { createProject } from '@postrider/harness/project.store';
import { median, percentile } from '@postrider/harness/statistics';
import {
  countMoved,
  insertAgingContacts,
  readMoved,
  readSegment,
  type Spread,
} from '../harness/wheel.store.ts';
import { blows } from './blows.ts';
import type { Scenario, ScenarioOptions, ScenarioResult } from './scenario.ts';
import { withStack } from './with-stack.ts';

interface Plan extends Spread {
  /** time between two kills of the worker */
  everyMs: number;
  /** how late 99 of 100 contacts may move; null where other tests share the machine */
  mostLateMs: number | null;
}

const killWorker = 'kill -9 of the worker with its delivery processes';
const lookMs = 500;
const stallMs = 120_000;

export const wheel: Scenario = {
  name: 'wheel',
  summary:
    'contacts leave a tracked segment by time alone over ten minutes while the worker is killed every 30 s: one event each, none early, 99 of 100 within 30 s',
  recipients: 100_000,
  mostSeeds: 1,
  run: (options) =>
    runWheel(options, { leadMs: 60_000, overMs: 600_000, everyMs: 30_000, mostLateMs: 30_000 }),
};

export const wheelSmall: Scenario = {
  name: 'wheel-small',
  summary: 'the short form of `wheel` that is part of the long tests',
  recipients: 300,
  mostSeeds: 1,
  run: (options) => runWheel(options, { leadMs: 25_000, overMs: 12_000, everyMs: 5_000, mostLateMs: null }),
};

function runWheel(options: ScenarioOptions, plan: Plan): Promise<ScenarioResult> {
  const { recipients, log } = options;
  return withStack(options, {}, async (chaos): Promise<ScenarioResult> => {
    const { db, stack } = chaos;
    const project = await createProject(db, { appSecret: stack.env.APP_SECRET ?? '', signed: false });
    await insertAgingContacts(db, project.id, recipients, plan);
    const { id: segmentId } = await callApi<{ id: string }>(stack.urls.api, project.secretKey, '/segments', {
      name: 'Fresh',
      trackMembership: true,
      condition: {
        logic: 'AND',
        groups: [{ filters: [{ field: 'createdAt', operator: 'within', value: 1, unit: 'hours' }] }],
      },
    });
    const [entry, exit] = ['segment.fresh.entry', 'segment.fresh.exit'];
    const looks = watch(chaos, project.id, exit, recipients);
    await sleep(plan.leadMs);
    const entered = await countMoved(db, project.id, entry);
    log(`${entered.count} of ${recipients} contacts have entered`);
    let kills = 0;
    for (const end = Date.now() + plan.overMs; Date.now() < end; ) {
      await blows[killWorker](chaos);
      kills += 1;
      log(`${(await countMoved(db, project.id, exit)).count} have left; killed the worker`);
      await sleep(plan.everyMs);
    }
    log('waiting until all have left');
    const observed = await looks;
    const moved = await readMoved(db, project.id, entry, exit);
    const late = latenessOf(
      moved.map(({ due }) => due.getTime()),
      observed,
    );
    const { members, memberCount, moments } = await readSegment(db, segmentId);
    const count = (found: (each: (typeof moved)[number]) => boolean): number => moved.filter(found).length;
    const { mostLateMs } = plan;
    const problems = [
      [count(({ exits }) => exits === 0), 'contacts did not leave'],
      [count(({ exits }) => exits > 1), 'contacts left more than once'],
      [count(({ entries }) => entries !== 1), 'contacts did not enter exactly once'],
      [count(({ lateMs }) => lateMs !== null && lateMs < 0), 'contacts left early'],
      [members, 'contacts are still members'],
      [memberCount, 'members are counted'],
      [moments, 'moments are left'],
      [
        mostLateMs !== null && percentile(late, 99) > mostLateMs ? 1 : 0,
        `time: 99 of 100 were not within ${mostLateMs} ms`,
      ],
    ].flatMap(([found, words]) => (found === 0 ? [] : [`${found} ${words}`]));
    return {
      reports: [],
      problems,
      notes: [
        `${moved.length} contacts left over ${plan.overMs / 1_000} s, with ${kills} kills of the worker`,
        `late: median ${median(late).toFixed(0)} ms, p99 ${percentile(late, 99).toFixed(0)} ms, most ${Math.max(0, ...late.slice(-1)).toFixed(0)} ms for the last`,
      ],
    };
  });
}

/** How many had left at which time, as another connection sees it, until all have. */
async function watch(
  { db }: ChaosStack,
  projectId: string,
  exit: string,
  all: number,
): Promise<{ at: number; count: number }[]> {
  const looks: { at: number; count: number }[] = [];
  let changedAt = Date.now();
  for (;;) {
    const look = await countMoved(db, projectId, exit);
    if (look.count !== looks.at(-1)?.count) changedAt = Date.now();
    looks.push(look);
    // None leaves before its time.
    if (look.count >= all || (look.count > 0 && Date.now() - changedAt > stallMs)) return looks;
    if (looks.length * lookMs > 2_400_000) return looks;
    await sleep(lookMs);
  }
}

/** How late each was: the n-th has left when n events are seen. @param due in their order */
function latenessOf(due: readonly number[], looks: readonly { at: number; count: number }[]): number[] {
  let place = 0;
  return due.map((at, index) => {
    while (place < looks.length - 1 && (looks[place]?.count ?? 0) <= index) place += 1;
    return Math.max(0, (looks[place]?.at ?? at) - at);
  });
}
