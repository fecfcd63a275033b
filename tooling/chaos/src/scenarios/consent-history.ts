import { setTimeout as sleep } from 'node:timers/promises';
import { createSecrets } from '@postrider/core/base/kernel';
import { beginHistory, fillOldContacts } from '@postrider/harness/old-contacts.store';
import { createProject } from '@postrider/harness/project.store';
import { createRandom, type Random } from '@postrider/harness/random';
import { insertTopic } from '../harness/consent.store.ts';
import {
  eventsAndActs,
  firstContacts,
  progressOf,
  whoCanBeMailed,
} from '../harness/consent-history.store.ts';
import { untilSettled } from '../harness/until-settled.ts';
import { compareLedgerWithSink } from '../ledger/compare-ledger-with-sink.ts';
import { killAndStart } from './batch.ts';
import { ask, brokenByWords, differences, doors, personOf, type Scene } from './consent.ts';
import { describeReport } from './describe-report.ts';
import type { Scenario, ScenarioOptions, ScenarioResult } from './scenario.ts';
import { withStack } from './with-stack.ts';

export const consentHistory: Scenario = {
  name: 'consent-history',
  summary:
    'contacts from before there was a log are brought into it while writers change some of them at every door, and the worker that does it is killed ten times: no request fails, and the same contacts can be mailed before and after',
  recipients: 1_000_000,
  mostSeeds: 3,
  run: runHistory,
};

const kills = 10;
/** Contacts that people and programs speak of; of the others nothing may change. */
const spokenTo = 400;
const writers = 4;
const betweenMs = 200;
const stallMs = 300_000;

function runHistory(options: ScenarioOptions): Promise<ScenarioResult> {
  const { seed, recipients, log } = options;
  return withStack(options, {}, async (chaos) => {
    const { db, stack } = chaos;
    const random = createRandom(seed);
    const appSecret = stack.env.APP_SECRET ?? '';
    const project = await createProject(db, { appSecret, signed: false });
    await insertTopic(db, project.id, 'news');
    log(`storing ${recipients} contacts from before`);
    await fillOldContacts(db, project.id, recipients);
    const secrets = createSecrets(appSecret);
    const people = (await firstContacts(db, project.id, spokenTo)).map(({ id, email }) =>
      personOf(secrets, id, email),
    );
    const spokenOf = people.map(({ id }) => id);
    const before = await whoCanBeMailed(db, project.id, spokenOf);
    const scene: Scene = { chaos, project, people, problems: [] };

    const speaking = speak(scene, random);
    await beginHistory(db);
    const parts: number[] = [];
    for (let n = 1; n <= kills; n += 1) {
      const { done } = await untilFurther(scene, parts.at(-1) ?? 0);
      await sleep(random.whole(0, 300));
      log(`${done} contacts are in the log; kill ${n} of ${kills}`);
      parts.push(done);
      await killAndStart(stack.processes.worker);
    }
    while (!(await progressOf(db)).isOver) await untilFurther(scene, (await progressOf(db)).done);
    const { answered, longestMs } = await speaking.end();
    log(
      `all are in the log; ${answered} requests were answered, the longest after ${longestMs.toFixed(0)} ms`,
    );

    const after = await whoCanBeMailed(db, project.id, spokenOf);
    if (after !== before) scene.problems.push(`${before} contacts could be mailed before, ${after} after`);
    const { events, acts } = await eventsAndActs(db, project.id);
    if (events !== acts) scene.problems.push(`${events} events of before have become ${acts} acts`);
    await untilSettled(chaos, { stallMs });
    // The database refuses what has no act an hour after the last contact: processes of the version before may live so long.
    scene.problems.push(...(await differences(scene)).slice(0, 20), ...(await brokenByWords(scene)));
    const report = await compareLedgerWithSink(db, chaos.sink);
    return {
      reports: [report],
      problems: scene.problems,
      notes: [
        ...describeReport(report),
        `${recipients} contacts from before, ${acts} acts of their events; the worker was killed when ${parts.join(', ')} were in the log`,
        `${answered} requests of ${writers} writers meanwhile, none failed; the longest was answered after ${longestMs.toFixed(0)} ms`,
        `${before.split(' ')[0]} could be mailed before and after`,
      ],
      // The delivery processes of the worker have next to nothing to send.
      uncertain: { samples: [report.uncertain.length], most: null },
    };
  });
}

/** Waits until more contacts are in the log, or all. @throws Error if nothing moves */
async function untilFurther({ chaos: { db } }: Scene, than: number): Promise<{ done: number }> {
  const deadline = Date.now() + stallMs;
  while (Date.now() < deadline) {
    const { done, isOver } = await progressOf(db);
    if (done > than || isOver) return { done };
    await sleep(20);
  }
  throw new Error(`Nothing has been brought into the log for ${stallMs / 1_000} s: ${than} contacts are.`);
}

interface Speaking {
  end(): Promise<{ answered: number; longestMs: number }>;
}

/** The api lives all the time, so each request has to be answered. */
function speak(scene: Scene, random: Random): Speaking {
  const api = scene.chaos.stack.urls.api;
  let isOver = false;
  let answered = 0;
  let longestMs = 0;
  const write = async (): Promise<void> => {
    for (; !isOver; await sleep(betweenMs)) {
      const person = scene.people[random.whole(0, scene.people.length - 1)];
      const door = doors[random.whole(0, doors.length - 1)];
      if (!person || !door) throw new Error('there is nobody to speak to');
      const [path, asked] = door[0](scene, person, random);
      const since = performance.now();
      const answer = await ask(api, path, asked);
      longestMs = Math.max(longestMs, performance.now() - since);
      if (answer && answer.status < 400) {
        answered += 1;
        if (door[1]) person.answered += 1;
      } else if (answer?.status !== 429)
        scene.problems.push(`${path} was answered with ${answer?.status ?? 'an error, or not at all'}`);
    }
  };
  const all = Promise.all(Array.from({ length: writers }, write));
  return {
    async end() {
      isOver = true;
      await all;
      return { answered, longestMs };
    },
  };
}
