import { setTimeout as delay } from 'node:timers/promises';
import type { HandOver, MailTransport, OutgoingMessage } from '../../base/kernel/ports/mail-transport.ts';
import type { Services } from '../../base/kernel/services.ts';
import { newId } from '../../base/lib/ids.ts';
import { keepSource } from '../ledger/index.ts';
import { type Script, scriptFor } from './scripts.rules.ts';
import { insertTasks, type NewTask } from './simulator.store.ts';
import { trackedLinksOf } from './tracked-links.ts';

/** Messages at the same time; each waits for the database alone. */
const connections = 32;
/** Pause of one message while its tasks cannot be stored. */
const awayMs = 1_000;

/**
 * What answers in place of a mail server (behaviour B15.9). What follows later is stored before a message begins, so that a process that
 * is killed at any time loses nothing of it; no connection to anything but the database is ever made.
 */
export class SimulatorTransport implements MailTransport {
  readonly connections = connections;
  readonly allowed = connections;
  readonly eightBit = true;
  readonly #services: Pick<Services, 'database' | 'config' | 'log'>;
  #next: ((chained: boolean) => OutgoingMessage | null) | null = null;
  readonly #running = new Set<Promise<void>>();
  #waiting: { task: NewTask; stored(isStored: boolean): void }[] = [];
  #isClosed = false;

  constructor(services: Pick<Services, 'database' | 'config' | 'log'>) {
    this.#services = services;
  }

  get free(): number {
    return Math.max(0, connections - this.#running.size);
  }

  serve(next: (chained: boolean) => OutgoingMessage | null): void {
    this.#next = next;
    this.wake();
  }

  wake(): void {
    while (!this.#isClosed && this.free > 0) {
      const message = this.#next?.(false) ?? null;
      if (!message) return;
      const run = this.#simulate(message).then((answer) => {
        this.#running.delete(run);
        message.ended(answer);
        this.wake();
      });
      this.#running.add(run);
    }
  }

  want(): void {}

  async probe(): Promise<HandOver> {
    return { kind: 'accepted', response: '250 2.0.0 The simulator works' };
  }

  resume(): void {}

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#running);
  }

  async #simulate(message: OutgoingMessage): Promise<HandOver> {
    const script = scriptFor(message.envelope.to, message.attempts ?? 0);
    const tasks = this.#tasksOf(message, script);
    try {
      await Promise.all([this.#store(tasks), this.#keep(message)]);
    } catch (error) {
      this.#services.log.warn(
        { err: error, emailId: message.emailId },
        'the simulator waits for the database',
      );
      await delay(awayMs);
      return { kind: 'withheld' };
    }
    if (script.answers === 'before') return script.answer;
    const isGranted = await new Promise<boolean>((resolve) => message.begin(resolve));
    return isGranted ? script.answer : { kind: 'withheld' };
  }

  #tasksOf({ emailId, projectId, data }: OutgoingMessage, { later }: Script): NewTask[] {
    if (emailId === undefined || projectId === undefined) return [];
    const reads = later.some(({ kind }) => kind === 'opened' || kind === 'clicked');
    const links = reads ? trackedLinksOf(data, this.#services.config.LINKS_URL) : null;
    return later.flatMap(({ kind, afterMs }): NewTask[] => {
      if (kind === 'opened' && !links?.hasPixel) return [];
      const link = kind === 'clicked' ? (links?.first ?? null) : null;
      if (kind === 'clicked' && link === null) return [];
      return [{ id: newId(), projectId, emailId, kind, link, afterMs }];
    });
  }

  /** Keeps the message of a test project, whose owner wants to see what would have left. */
  async #keep({ emailId, projectId, isTest, data }: OutgoingMessage): Promise<void> {
    if (!isTest || emailId === undefined || projectId === undefined) return;
    await keepSource(this.#services.database.asyncCommit, { emailId, projectId, bytes: data });
  }

  /** Tasks that gather in one turn of the event loop are stored by one statement. */
  async #store(tasks: readonly NewTask[]): Promise<void> {
    if (tasks.length === 0) return;
    await Promise.all(
      tasks.map(
        (task) =>
          new Promise<void>((resolve, reject) => {
            if (this.#waiting.length === 0) setImmediate(() => void this.#flush());
            this.#waiting.push({ task, stored: (isStored) => (isStored ? resolve() : reject(notStored())) });
          }),
      ),
    );
  }

  async #flush(): Promise<void> {
    const group = this.#waiting;
    this.#waiting = [];
    const isStored = await insertTasks(
      this.#services.database.durable,
      group.map(({ task }) => task),
    ).then(
      () => true,
      (error: unknown) => {
        this.#services.log.warn({ err: error }, 'tasks of the simulator could not be stored');
        return false;
      },
    );
    for (const { stored } of group) stored(isStored);
  }
}

const notStored = (): Error => new Error('its tasks are not stored');
