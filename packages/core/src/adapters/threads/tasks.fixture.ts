import { readlinkSync } from 'node:fs';
import { getPriority } from 'node:os';
import { basename } from 'node:path';
import { threadId } from 'node:worker_threads';
import type { Task } from '../../base/kernel/ports/threads.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Answers at once. */
export const echoTask: Task<string, string> = { name: 'echo', run: (text) => text };

/** Takes time without using the CPU, as a task does on a machine that is busy with other work. */
export const waitTask: Task<number, string> = {
  name: 'wait',
  async run(ms) {
    await pause(ms);
    return 'waited';
  },
};

/** The same in steps of 100 ms: what is left of them is left after a stop of the process, too. */
export const stepsTask: Task<number, string> = {
  name: 'steps',
  async run(steps) {
    for (let step = 0; step < steps; step += 1) await pause(100);
    return 'waited';
  },
};

export const endlessTask: Task<null, never> = {
  name: 'endless',
  run() {
    for (;;);
  },
};

export const hoardTask: Task<null, never> = {
  name: 'hoard',
  run() {
    const kept: number[][] = [];
    for (;;) kept.push(new Array(10_000).fill(kept.length));
  },
};

export const failTask: Task<string, never> = {
  name: 'fail',
  run(message) {
    throw new Error(message);
  },
};

/** The priority of the thread that runs it. */
export const priorityTask: Task<null, number> = {
  name: 'priority',
  run: () => getPriority(Number(basename(readlinkSync('/proc/thread-self')))),
};

/** Moves a buffer of this many bytes. */
export const bytesTask: Task<number, Uint8Array<ArrayBuffer>> = {
  name: 'bytes',
  run: (length) => new Uint8Array(length).fill(7),
  moves: ({ buffer }) => [buffer],
};

/** Takes the bytes, and answers how many there are. */
export const lengthTask: Task<Uint8Array<ArrayBuffer>, number> = {
  name: 'length',
  run: ({ length }) => length,
  takes: ({ buffer }) => [buffer],
};

/** The id of the thread that runs it. */
export const threadIdTask: Task<null, number> = { name: 'threadId', run: () => threadId };
