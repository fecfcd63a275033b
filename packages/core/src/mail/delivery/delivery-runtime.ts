import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { listenToChannel } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/services.ts';
import { isSimulated, simulatorRouteId } from '../../base/kernel/simulator.rules.ts';
import { storable } from '../../base/lib/index.ts';
import {
  type BatchResult,
  type ClaimedEmail,
  findWaitingTests,
  holdBatch,
  outboxChannel,
  putOffBatch,
  readPayload,
} from '../ledger/index.ts';
import type { Kind } from '../ledger/ledger.rules.ts';
import { unsendable } from '../ledger/unsendable.rules.ts';
import { traceBatch } from './batch-trace.ts';
import { Claimer } from './claimer.ts';
import { DatabaseWatch } from './database-watch.ts';
import type { DeliveryOptions } from './delivery-options.ts';
import { DuePoll } from './due-poll.ts';
import type { HeldBatch } from './held-batch.ts';
import { Holdings } from './holdings.ts';
import { Housekeeping } from './housekeeping.ts';
import { refusalOf } from './intake.ts';
import { LateAnswers } from './late-answers.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { LedgerConnection } from './ledger-connection.ts';
import { countWritten } from './metrics.ts';
import { Outbox } from './outbox.ts';
import { Pacer } from './pacer.ts';
import { isHeldBack, type RoutedBatch } from './read-claimed.ts';
import { Reaper } from './reaper.ts';
import { Recorder } from './recorder.ts';
import { type Room, widestOf } from './room.ts';
import type { Route } from './route.ts';
import { senderOf } from './route-guard.ts';
import { RouteRunner } from './route-runner.ts';
import { Signals } from './signals.ts';
import { warmUp } from './warm-up.ts';
import { Writer } from './writer.ts';

const kinds: readonly Kind[] = ['direct', 'bulk'];

/** Email to the simulator that this process has no simulator for is tried again after this time, in milliseconds. */
const noSimulatorMs = 60_000;

/** A batch whose route is unknown here waits for a process that knows it, in milliseconds. */
const unknownRouteMs = 60_000;

const holderOf = (worker: string, kind: Kind): string => `${worker}:${kind}`;

export interface DeliveryHooks {
  /** A campaign of which this process holds nothing more may have ended. A hint. */
  onCampaignDrained?(campaignId: string): void;
  /** The counters of a campaign have changed. */
  onCampaignCounted?(campaignId: string): void;
}

/**
 * Delivery in one process: claims due batches of all projects, gives each to its route, and records and writes what becomes of their
 * emails. Needs PostgreSQL and the mail server alone.
 */
export class DeliveryRuntime {
  /** names this process in what it holds */
  readonly worker = `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`;
  readonly #services: Services;
  readonly #options: DeliveryOptions;
  readonly #stopped = new AbortController();
  readonly #watch: DatabaseWatch;
  readonly #connections: LedgerConnection[] = [];
  readonly #holdings: Holdings;
  readonly #upkeep: LedgerConnection;
  readonly #reaper: Reaper;
  readonly #outboxes: Record<Kind, Outbox>;
  readonly #claimers: Record<Kind, Claimer>;
  readonly #poll: DuePoll;
  readonly #pacer: Pacer;
  /** Until it is stopped. While the connection is broken, the poll finds new email. */
  readonly #listen: () => Promise<void>;
  /** by id */
  readonly #routes: ReadonlyMap<string, RouteRunner>;
  /** test projects that this process has had email of */
  readonly #tests = new Set<string>();
  readonly #recorder: Recorder;
  readonly #writer: Writer;
  readonly #late: LateAnswers;
  readonly #signals: Signals;
  readonly #housekeeping: Housekeeping;
  #loops: Promise<unknown>[] = [];
  #stopping: Promise<void> | null = null;

  /** @param routes the ways that email may take, the one of the installation first, and the simulator */
  constructor(
    services: Services,
    routes: readonly [Route, ...Route[]],
    options: DeliveryOptions,
    hooks: DeliveryHooks = {},
  ) {
    this.#services = services;
    this.#options = options;
    const { log, config, owners } = services;
    this.#holdings = new Holdings(owners);
    const { leaseMs, sendRate } = options;
    const watch = new DatabaseWatch(log, this.#stopped.signal, () => {
      for (const connection of this.#connections) connection.replace();
    });
    this.#watch = watch;
    const connect = (asyncCommit: boolean): LedgerConnection => {
      const connection = new LedgerConnection(config.DATABASE_URL, { asyncCommit });
      this.#connections.push(connection);
      return connection;
    };
    const [upkeep, record, write] = [connect(true), connect(false), connect(true)];
    this.#upkeep = upkeep;

    const onLost = (batch: HeldBatch): void => this.#lose(batch);
    const onDue = (projectId: string, kind: Kind): void => this.#outboxes[kind].add(projectId);
    const { worker } = this;
    const outboxOf = (kind: Kind): Outbox => new Outbox(kind, owners, () => this.#claimers[kind].wake());
    this.#outboxes = { direct: outboxOf('direct'), bulk: outboxOf('bulk') };
    const claimerOf = (kind: Kind): Claimer =>
      new Claimer(
        connect(true),
        watch,
        this.#outboxes[kind],
        {
          room: (of) => this.#room(of),
          tokens: () => this.#holdings.tokens(),
          onClaimed: (batch) => this.#holdings.add(batch),
          onRead: (batch, read) => this.#begin(batch, read),
          onUnreadable: (batch, error) => this.#failUnread(batch, error),
          onLost,
          onRound: () => this.#signals.reviewCampaigns(),
        },
        {
          worker: holderOf(worker, kind),
          leaseMs,
          sendRate,
          routeId: routes[0].id,
          takesLocal: config.mailboxUrl !== null,
        },
        log,
      );
    this.#claimers = { direct: claimerOf('direct'), bulk: claimerOf('bulk') };
    this.#poll = new DuePoll(upkeep, watch, options.pollMs, onDue);
    this.#pacer = new Pacer(upkeep, watch, options.paceMs, (projectId) => onDue(projectId, 'bulk'), log);
    this.#listen = () =>
      listenToChannel({
        url: config.DATABASE_URL,
        channel: outboxChannel,
        onPayload: (payload) => {
          const { projectId, kind } = readPayload(payload);
          onDue(projectId, kind);
        },
        log,
        stopped: this.#stopped.signal,
      });

    const runnerOf = (route: Route): RouteRunner =>
      new RouteRunner(
        route,
        {
          services,
          connection: connect(true),
          watch,
          holdings: this.#holdings,
          worker,
          stopped: this.#stopped.signal,
        },
        options,
        {
          begin: (batch, n, granted) => this.#recorder.begin(batch, n, granted),
          onResult: (batch, email, result, subject) => this.#settle(batch, email, result, subject),
          onWanted: (kind) => this.#claimers[kind].wake(),
          onGiveBack: (routeId, sender) => this.#giveBackAll(routeId, sender),
        },
      );
    this.#routes = new Map(routes.map((route) => [route.id, runnerOf(route)]));

    this.#signals = new Signals({
      services,
      holdings: this.#holdings,
      hasBulkDue: (projectId) => this.#outboxes.bulk.has(projectId),
      onCampaignCounted: (campaignId) => hooks.onCampaignCounted?.(campaignId),
      onCampaignDrained: (campaignId) => hooks.onCampaignDrained?.(campaignId),
    });
    const leases = new LeaseKeeper(connect(false), watch, this.#holdings, leaseMs, onLost);
    this.#recorder = new Recorder(
      record,
      watch,
      {
        onRecorded: (batch) => {
          if (batch.isAnswered) this.#writer.add(batch);
        },
        onLost,
        renewLeases: () => leases.renew(),
      },
      log,
    );
    this.#writer = new Writer(
      write,
      watch,
      {
        onWritten: (batches, written) => {
          countWritten(written, 'answer');
          for (const batch of batches) if (batch.isWritten) this.#holdings.remove(batch);
          this.#signals.written(written, batches);
          for (const kind of kinds) this.#claimers[kind].wake();
        },
      },
      log,
    );
    this.#late = new LateAnswers(
      write,
      watch,
      (written) => {
        countWritten(written, 'answer');
        this.#signals.written(written);
      },
      log,
      config.sandboxFrom,
    );
    this.#reaper = new Reaper(
      upkeep,
      watch,
      leaseMs / 2,
      (reaped) => {
        countWritten(reaped, 'process');
        this.#signals.written(reaped);
        this.#poll.wake();
      },
      log,
    );
    this.#housekeeping = new Housekeeping(
      { leases, reaper: this.#reaper, holdings: this.#holdings, watch, log },
      leaseMs,
      {
        onAnswered: (batch) => this.#recorder.touch(batch),
        onUnwritten: (batch) => this.#writer.add(batch),
        onRound: (gaveBack) => {
          for (const route of this.#routes.values()) route.roundEnded(gaveBack);
          void this.#findTests();
        },
      },
    );
  }

  /** Prepares what the first email would wait for. To be called before `start`, by processes that have the time. */
  prepare(): Promise<void> {
    return warmUp(
      [...this.#routes.values(), this.#recorder, this.#writer, ...Object.values(this.#claimers)].map(
        (part) => () => part.prepare(),
      ),
      this.#services.log,
    );
  }

  /** Starts delivering; returns at once. */
  start(): void {
    for (const route of this.#routes.values()) route.serve();
    const routes = [...this.#routes].flatMap(([id, route]) => (id === simulatorRouteId ? [] : route));
    this.#loops = [
      this.#claimers.direct.run(),
      this.#claimers.bulk.run(),
      this.#poll.run(),
      this.#pacer.run(),
      this.#listen(),
      ...routes.map((route) => route.run()),
      this.#housekeeping.run(),
    ].map((loop) =>
      loop.catch((error: unknown) => {
        if (!this.#stopped.signal.aborted) throw error;
      }),
    );
  }

  /**
   * Ends what a delivery process held that is known to be gone, instead of waiting for the end of its leases.
   *
   * @param worker the name of its runtime
   */
  async takeOver(worker: string): Promise<void> {
    await this.#reaper.takeOver(kinds.map((kind) => holderOf(worker, kind)));
  }

  /** For how long a loop has not gone on although the database is available: beyond minutes, only a restart helps. */
  get stalledMs(): number {
    if (this.#loops.length === 0 || this.#stopping) return 0;
    const turnAt = Math.min(...kinds.map((kind) => this.#claimers[kind].turnAt));
    return Math.min(performance.now() - turnAt, this.#watch.availableForMs);
  }

  /** Claims nothing more, finishes what the transport has taken, gives back the rest. Takes at most `stopMs`. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    const { signal } = this.#stopped;
    const deadline = delay(this.#options.stopMs, undefined, { signal }).catch(() => undefined);
    for (const loop of [...Object.values(this.#claimers), this.#poll, this.#pacer]) loop.stop();
    const finished = this.#finish().catch((error: unknown) =>
      this.#services.log.error({ err: error }, 'delivery did not stop as it should'),
    );
    await Promise.race([finished, deadline]);
    this.#housekeeping.stop();
    this.#stopped.abort();
    await Promise.race([Promise.all(this.#loops), delay(1_000)]);
    await Promise.race([
      Promise.all(this.#connections.map((connection) => connection.close())),
      delay(1_000),
    ]);
  }

  async #finish(): Promise<void> {
    const closed = Promise.all([...this.#routes.values()].map((route) => route.close()));
    await Promise.all(this.#loops.slice(0, 2));
    for (const batch of this.#holdings.all) this.#giveBack(batch);
    await closed;
    await this.#recorder.flush();
    await Promise.all(kinds.map((kind) => this.#claimers[kind].releaseUntouched()));
    for (const batch of this.#holdings.all) if (batch.hasUnwritten) this.#writer.add(batch);
    await this.#late.flush();
    await this.#writer.flush();
  }

  #room(kind: Kind): Room {
    const routes = [...this.#routes].filter(([id]) => id !== simulatorRouteId);
    const room = widestOf(routes.map(([, route]) => route.room(kind)));
    const simulator = this.#routes.get(simulatorRouteId);
    if (room.emails > 0 || !simulator || this.#tests.size === 0) return room;
    // Email of test projects does not wait for a mail server that it never goes to.
    const simulated = simulator.room(kind);
    return { ...simulated, ofProject: (id) => (this.#tests.has(id) ? simulated.ofProject(id) : 0) };
  }

  /** While the mail server is unusable, finds the test projects whose email need not wait. */
  async #findTests(): Promise<void> {
    const isPaused = [...this.#routes].every(
      ([id, route]) => id === simulatorRouteId || route.room('direct').emails === 0,
    );
    if (!isPaused || !this.#routes.has(simulatorRouteId)) return;
    const found = await this.#upkeep
      .use((client) => findWaitingTests(client))
      .catch((error: unknown) => {
        if (!this.#watch.away) this.#services.log.warn({ err: error }, 'test projects could not be found');
        return [];
      });
    for (const id of found) this.#tests.add(id);
    if (found.length > 0) for (const kind of kinds) this.#claimers[kind].wake();
  }

  /** Sorts out what must not be sent, and gives the rest to its route. */
  #begin(batch: HeldBatch, read: RoutedBatch): void {
    const route = this.#routes.get(read.routeId);
    if (!route) {
      this.#services.log.error({ batchId: batch.id, route: read.routeId }, 'the route of a batch is unknown');
      void this.#putOff(batch, unknownRouteMs);
      return;
    }
    if (isHeldBack(read)) {
      void this.#release(batch, (client) => holdBatch(client, batch));
      return;
    }
    const waitMs = route.senderWaitMs(read.domainId);
    if (waitMs !== null) {
      void this.#putOff(batch, waitMs);
      return;
    }
    batch.fill(read);
    batch.trace = traceBatch(batch, read);
    if (read.stopped) batch.stop();
    const toSend: ClaimedEmail[] = [];
    const toSimulate: ClaimedEmail[] = [];
    const simulator = this.#routes.get(simulatorRouteId);
    if (read.isTest) this.#tests.add(read.projectId);
    for (const email of read.emails) {
      const refusal = refusalOf(read, email);
      if (refusal) batch.answer(email.n, refusal);
      else if (!isSimulated(email.to) || route === simulator) toSend.push(email);
      else if (simulator) toSimulate.push(email);
      else batch.answer(email.n, { outcome: 'giveback', waitMs: noSimulatorMs });
    }
    if (toSend.length < batch.size) this.#recorder.touch(batch);
    if (this.#stopping) return;
    route.add(batch, toSend);
    simulator?.add(batch, toSimulate);
  }

  /** Its sender is paused on the route, or the route is unknown. */
  #putOff(batch: HeldBatch, waitMs: number): Promise<void> {
    return this.#release(batch, (client) => putOffBatch(client, batch, waitMs));
  }

  /** Gives a batch back of which nothing has begun. */
  async #release(batch: HeldBatch, giveBack: (client: PoolClient) => Promise<void>): Promise<void> {
    batch.lose();
    this.#holdings.remove(batch);
    await this.#watch
      .untilAnswered(() => this.#upkeep.use(giveBack))
      .catch((error: unknown) => {
        if (this.#stopped.signal.aborted) return;
        this.#services.log.error(
          { err: error, batchId: batch.id },
          'a batch could not be put off; its lease ends',
        );
      });
  }

  #giveBackAll(routeId: string, sender: string | null): void {
    for (const batch of this.#holdings.all) {
      if (batch.routeId !== routeId || (sender !== null && senderOf(batch.domainId) !== sender)) continue;
      if (batch.giveBackWaiting()) this.#recorder.touch(batch);
    }
  }

  #giveBack(batch: HeldBatch): void {
    if (batch.isUntouched) {
      batch.lose();
      this.#holdings.remove(batch);
    } else if (batch.giveBackWaiting()) {
      this.#recorder.touch(batch);
    }
  }

  #failUnread(batch: HeldBatch, error: unknown): void {
    this.#services.log.error({ err: error, batchId: batch.id }, 'a batch could not be read');
    const text = error instanceof Error ? error.message : String(error);
    for (let n = 0; n < batch.size; n += 1) {
      this.#recorder.answer(
        batch,
        n,
        { outcome: 'unsendable', error: storable(`${unsendable.notRead}${text}`) },
        null,
      );
    }
  }

  #settle(batch: HeldBatch, email: ClaimedEmail, result: BatchResult, subject: string | null): void {
    if (!batch.lost) this.#recorder.answer(batch, email.n, result, subject);
    else if (batch.hasBegun(email.n)) this.#late.add([batch.late(email, result, subject)]);
  }

  #lose(batch: HeldBatch): void {
    if (!batch.lost)
      this.#services.log.warn({ batchId: batch.id, projectId: batch.projectId }, 'a batch was taken over');
    this.#late.add(batch.lose());
    this.#holdings.remove(batch);
  }
}
