import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '@postrider/harness/call-api';
import { type ChaosStack, connectionsPerProcess } from '@postrider/harness/chaos-stack';
import { createProject, type TestProject } from '@postrider/harness/project.store';
import { createRandom, type Random } from '@postrider/harness/random';
import { createTemplate, createWorkflow } from '@postrider/harness/workflow';
import {
  readPaths,
  strandedExecutions,
  undispatchedEvents,
  type WorkflowPath,
  workflowProgress,
} from '@postrider/harness/workflow.store';
import { untilExecutionsEnd } from '@postrider/harness/workflow-run';
import { trackUntilStored } from '../harness/track-event.ts';
import { compareLedgerWithSink } from '../ledger/compare-ledger-with-sink.ts';
import { type BlowName, countKilled } from './blows.ts';
import { describeReport } from './describe-report.ts';
import type { Scenario, ScenarioOptions, ScenarioResult } from './scenario.ts';
import { strikeByProgress } from './strike.ts';
import { withStack } from './with-stack.ts';

const killWorker = 'kill -9 of the worker with its delivery processes' satisfies BlowName;
const entryEvent = 'signed up';
const neverTracked = 'never tracked';
const sinkDelayMs = 20;
const stallMs = 160_000;
const entrySeconds = 30;
const betweenPublishesMs = 700;
/** Waits and notes between the two emails of the workflow, at most. */
const mostMiddle = 6;

export const versions: Scenario = {
  name: 'versions',
  summary:
    'versions are published, moved to and rolled back while people are inside and worker, PostgreSQL and Temporal are killed',
  recipients: 400,
  mostSeeds: Number.POSITIVE_INFINITY,
  run: (options) => withStack(options, {}, (chaos) => runOn(chaos, options)),
};

const order: readonly BlowName[] = [
  killWorker,
  killWorker,
  killWorker,
  'kill -9 and restart of PostgreSQL',
  'kill -9 and restart of Temporal',
  "wiping Temporal's store",
];

async function runOn(chaos: ChaosStack, { recipients, seed, log }: ScenarioOptions): Promise<ScenarioResult> {
  await chaos.sink.setBehaviour({ delayMs: sinkDelayMs });
  const random = createRandom(seed);
  const project = await createProject(chaos.db, {
    appSecret: chaos.stack.env.APP_SECRET ?? '',
    signed: false,
  });
  const editor = await Editor.create(chaos, project, random);
  const over = new AbortController();
  const liveAtEntry = new Map<string, number>();
  const total = 2 * recipients;
  const [landed] = await Promise.all([
    strikeByProgress(chaos, random, {
      order: random.shuffle(order),
      total,
      // Steps come and go with the versions; entries and ends do not.
      done: () => entriesAndEnds(chaos, editor),
      stallMs,
      log,
    }),
    enterAll(chaos, project, recipients, (email) => liveAtEntry.set(email, editor.live)),
    editor.run(over.signal),
    untilExecutionsEnd(chaos, editor.id, { executions: recipients, stallMs }).finally(() => over.abort()),
  ]);
  log(`${editor.history.size} versions; every execution has ended; comparing`);
  const paths = await readPaths(chaos.db, editor.id);
  const report = await compareLedgerWithSink(chaos.db, chaos.sink);
  const undispatched = await undispatchedEvents(chaos.db);
  const kills = countKilled(order);
  return {
    reports: [report],
    problems: [
      ...editor.problems,
      ...(paths.length === recipients ? [] : [`${recipients} people, but ${paths.length} executions`]),
      ...paths.flatMap((path) => pathProblems(path, editor, liveAtEntry.get(path.email) ?? 0)),
      ...(undispatched === 0 ? [] : [`${undispatched} events wait to be dispatched`]),
      ...(await strandedExecutions(chaos.db)),
    ],
    notes: [
      `${editor.history.size} versions, ${[...editor.history.values()].filter(({ movesAll }) => movesAll).length} of them for everybody; ${landed} of ${order.length} blows fell while steps were taken`,
      `${paths.filter(({ movedTo }) => movedTo !== null).length} of ${paths.length} executions were moved, ${paths.filter(({ status }) => status === 'EXITED').length} of them to the end, by ${[...editor.history.values()].filter(({ removed }) => [...removed.values()].includes('EXIT')).length} publishes`,
      ...describeReport(report),
    ],
    kills,
    uncertain: { samples: [report.uncertain.length + report.resent], most: kills * connectionsPerProcess },
  };
}

async function entriesAndEnds({ db }: ChaosStack, { id }: Editor): Promise<number> {
  const { executions, active } = await workflowProgress(db, id);
  return 2 * executions - active;
}

/** A step of the chain that every definition of this run is. */
interface Link {
  id: string;
  type: 'TRIGGER' | 'SEND_EMAIL' | 'WAIT_FOR_EVENT' | 'UPDATE_CONTACT';
  name: string;
  config: object;
  templateId?: string;
}

interface Publication {
  chain: readonly string[];
  movesAll: boolean;
  /** by the id of a step that is gone: the id of the step where its people go, or EXIT */
  removed: ReadonlyMap<string, string>;
}

type Method = Parameters<typeof callApi>[4];

interface Detail {
  version: number | null;
  draft: object | null;
  steps: { id: string; key: string }[];
}

/** Publishes one version after another, and knows what each decides. */
class Editor {
  readonly id: string;
  readonly history = new Map<number, Publication>();
  readonly problems: string[] = [];
  /** the newest version whose publish has been answered */
  live = 1;
  readonly #call: <Answer>(path: string, body?: object, method?: Method) => Promise<Answer>;
  readonly #random: Random;
  #chain: readonly Link[];
  readonly #chains = new Map<number, readonly Link[]>();

  private constructor(
    { stack }: ChaosStack,
    { secretKey }: TestProject,
    { id, chain, random }: { id: string; chain: readonly Link[]; random: Random },
  ) {
    this.id = id;
    this.#random = random;
    this.#chain = chain;
    this.#chains.set(1, chain);
    this.history.set(1, { chain: idsOf(chain), movesAll: false, removed: new Map() });
    this.#call = (path, body, method) =>
      callApi(stack.urls.api, secretKey, `/workflows/${id}${path}`, body, method);
  }

  /** TRIGGER → email → a wait and a note → email */
  static async create(chaos: ChaosStack, project: TestProject, random: Random): Promise<Editor> {
    const api = chaos.stack.urls.api;
    const templateId = await createTemplate(api, project, { name: 'Hello', type: 'MARKETING' });
    const workflow = await createWorkflow(api, project, { name: 'Edited', eventName: entryEvent });
    const mail = (name: string): Link => ({
      id: randomUUID(),
      type: 'SEND_EMAIL',
      name,
      config: {},
      templateId,
    });
    const trigger: Link = {
      id: workflow.triggerId,
      type: 'TRIGGER',
      name: 'Trigger',
      config: { eventName: entryEvent },
    };
    const chain = [trigger, mail('Hello'), wait(random), note(), mail('Until soon')];
    const editor = new Editor(chaos, project, { id: workflow.id, chain, random });
    await editor.#call('/graph', { ...graphOf(chain), publish: true }, 'PUT');
    await workflow.enable();
    return editor;
  }

  async run(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      await sleep(betweenPublishesMs);
      await this.#publishOne();
    }
  }

  async #publishOne(): Promise<void> {
    const kind = this.#random.next();
    const earlier = kind < 0.15 ? await this.#earlier() : null;
    const isBack = earlier !== null;
    const chain = isBack ? (this.#chains.get(earlier) ?? this.#chain) : this.#edited();
    const movesAll = this.#random.next() < 0.5;
    const removed = movesAll ? this.#placesOf(chain) : new Map<string, string>();
    try {
      if (!isBack) await this.#call('/graph', { ...graphOf(chain), publish: false }, 'PUT');
      const keys = await this.#keys();
      const named = Object.fromEntries(
        [...removed].flatMap(([from, to]) => {
          const key = keys.get(from);
          return key === undefined ? [] : [[key, keys.get(to) ?? to]];
        }),
      );
      const answer = await this.#call<{ version: number }>('/publish', {
        ...(isBack ? { version: earlier } : {}),
        move: movesAll ? 'ALL' : 'NEW',
        timers: this.#random.next() < 0.5 ? 'KEEP' : 'RECOMPUTE',
        ...(movesAll ? { removed: named } : {}),
      });
      this.#note(answer.version, chain, { movesAll, removed });
    } catch (error) {
      await this.#afterFailure(error, chain, { movesAll, removed });
    }
  }

  /** A version other than the live one that is still listed: those that nobody began with are not. */
  async #earlier(): Promise<number | null> {
    try {
      const { data } = await this.#call<{ data: { version: number; live: boolean }[] }>(
        '/versions?limit=50',
        undefined,
        'GET',
      );
      const known = data.filter(({ version, live }) => !live && this.#chains.has(version));
      return this.#random.shuffle(known).at(0)?.version ?? null;
    } catch {
      return null;
    }
  }

  /** Whether a request was done whose reply was lost is seen by the version; then the draft, if any, is thrown away. */
  async #afterFailure(
    error: unknown,
    chain: readonly Link[],
    how: Pick<Publication, 'movesAll' | 'removed'>,
  ): Promise<void> {
    const text = error instanceof Error ? error.message : String(error);
    if (/answered 4\d\d/.test(text)) this.problems.push(text);
    for (let tries = 0; tries < 120; tries += 1) {
      try {
        const { version, draft } = await this.#call<Detail>('', undefined, 'GET');
        if (version !== null && version > this.live) this.#note(version, chain, how);
        if (draft) await this.#call('/draft', undefined, 'DELETE');
        return;
      } catch {
        await sleep(500);
      }
    }
    this.problems.push(`the workflow could not be read for a minute after: ${text}`);
  }

  #note(version: number, chain: readonly Link[], how: Pick<Publication, 'movesAll' | 'removed'>): void {
    this.#chain = chain;
    this.#chains.set(version, chain);
    this.history.set(version, { chain: idsOf(chain), ...how });
    this.live = version;
  }

  /** The present chain with one step more, less, or another time between its emails. */
  #edited(): readonly Link[] {
    const [trigger, first, ...rest] = this.#chain;
    const last = rest.at(-1);
    if (!trigger || !first || !last) throw new Error('The chain lost its emails.');
    const between = rest.slice(0, -1);
    const at = this.#random.whole(0, Math.max(0, between.length - 1));
    const kind = this.#random.next();
    const old = between[at];
    const changed =
      old && (between.length >= mostMiddle || kind < 0.35)
        ? between.toSpliced(at, 1)
        : old?.type === 'WAIT_FOR_EVENT' && kind < 0.6
          ? between.with(at, { ...old, config: longer(old) })
          : between.toSpliced(at, 0, kind < 0.8 ? wait(this.#random) : note());
    return [trigger, first, ...changed, last];
  }

  /** Where people go who are at steps of any earlier chain that this one does not have: its last email, or the end. */
  #placesOf(chain: readonly Link[]): ReadonlyMap<string, string> {
    const kept = new Set(idsOf(chain));
    const last = chain.at(-1)?.id ?? '';
    const known = new Set([...this.#chains.values()].flatMap(idsOf));
    const place = (): string => (this.#random.next() < 0.02 ? 'EXIT' : last);
    return new Map([...known].filter((id) => !kept.has(id)).map((id) => [id, place()]));
  }

  readonly #known = new Map<string, string>();

  /** Keys never change, so those of earlier versions are remembered. One whose version was removed can be given to another step. */
  async #keys(): Promise<ReadonlyMap<string, string>> {
    for (const path of ['?definition=draft', '']) {
      const found = await this.#call<Detail>(path, undefined, 'GET').catch((error: unknown) => {
        if (String(error).includes('answered 404')) return null;
        throw error;
      });
      for (const { id, key } of found?.steps ?? []) {
        for (const [other, known] of this.#known)
          if (known === key && other !== id) this.#known.delete(other);
        this.#known.set(id, key);
      }
    }
    return this.#known;
  }
}

const idsOf = (chain: readonly Link[]): string[] => chain.map(({ id }) => id);

const wait = (random: Random): Link => ({
  id: randomUUID(),
  type: 'WAIT_FOR_EVENT',
  name: 'A while',
  config: { eventName: neverTracked, timeout: random.whole(1, 6) },
});

/** Another time, so that the edit is one. */
const longer = ({ config }: Link): object => {
  const timeout = 'timeout' in config ? Number(config.timeout) : 0;
  return { ...config, timeout: (timeout % 6) + 1 };
};

const note = (): Link => ({
  id: randomUUID(),
  type: 'UPDATE_CONTACT',
  name: 'Note',
  config: { data: { noted: true } },
});

const graphOf = (chain: readonly Link[]): object => ({
  steps: chain.map((link, index) => ({ ...link, position: { x: 0, y: 120 * index } })),
  transitions: chain.slice(1).map(({ id }, index) => ({ fromStepId: chain[index]?.id, toStepId: id })),
});

async function enterAll(
  { stack }: ChaosStack,
  { publicKey }: TestProject,
  people: number,
  note: (email: string) => void,
): Promise<void> {
  const enter = async (index: number): Promise<void> => {
    await sleep((index * entrySeconds * 1_000) / people);
    const email = `person${index}@people.test`;
    note(email);
    await trackUntilStored(stack.urls.api, publicKey, `entry ${email}`, {
      email,
      event: entryEvent,
      data: {},
    });
  };
  await Promise.all(Array.from({ length: people }, (_none, index) => enter(index)));
}

/** How a path breaks the promises: each step and email once, a version not older than the live one, and only ways that a version has. */
function pathProblems(path: WorkflowPath, { history }: Editor, liveAtEntry: number): string[] {
  const { email, status, exitReason, version, movedTo, steps } = path;
  const name = `the execution of ${email} (version ${version})`;
  const own = history.get(version);
  if (!own) return [`${name} began with a version that nobody published`];
  const problems: string[] = [];
  if (version < liveAtEntry) problems.push(`${name} began when version ${liveAtEntry} was live`);
  const wasRemoved = status === 'EXITED' && exitReason === 'The workflow was changed';
  if (status !== 'COMPLETED' && !wasRemoved) problems.push(`${name} is ${status} ${exitReason}`);
  const ids = steps.map(({ stepId }) => stepId);
  if (new Set(ids).size !== ids.length) problems.push(`${name} took a step twice`);
  const mails = steps.reduce((sum, step) => sum + step.emails, 0);
  const wanted = wasRemoved ? 1 : 2;
  if (mails !== wanted) problems.push(`${name} wrote ${mails} emails, not ${wanted}`);
  const place = ids.at(-1) ?? '';
  const later = [...history].filter(([number]) => number >= version).map(([, each]) => each);
  if (wasRemoved && !later.some(({ removed }) => removed.get(place) === 'EXIT'))
    problems.push(`${name} was ended at a step whose people no publish ended`);
  if (movedTo === null) {
    if (wasRemoved || ids.join() !== own.chain.join())
      problems.push(
        `${name} was not moved and took ${ids.length} steps, not the ${own.chain.length} of its version`,
      );
    return problems;
  }
  for (const [index, to] of ids.entries()) {
    const from = ids[index - 1];
    if (from === undefined) continue;
    const isWay = later.some(
      ({ chain, removed }) => removed.get(from) === to || chain[chain.indexOf(from) + 1] === to,
    );
    if (!isWay)
      problems.push(`${name} went from step ${index} to step ${index + 1}, which no version since does`);
  }
  return problems;
}
