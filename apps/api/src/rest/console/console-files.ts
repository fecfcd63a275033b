import { Worker } from 'node:worker_threads';
import type { Encoding } from '../../plugins/fixed-text.ts';

export interface ConsoleFiles {
  page: string;
  script: Record<Encoding, Uint8Array>;
}

let made: Promise<ConsoleFiles> | undefined;

/**
 * The files of the console, made when it is first opened, by a thread that ends with it: the module that has them would take tens of
 * megabytes of every api, also of those whose console nobody opens.
 */
export function consoleFiles(): Promise<ConsoleFiles> {
  made ??= makeFiles();
  made.catch(() => {
    made = undefined;
  });
  return made;
}

const makeFiles = (): Promise<ConsoleFiles> =>
  new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./make-console.entry.ts', import.meta.url));
    thread.once('message', (files: ConsoleFiles) => {
      resolve(files);
      void thread.terminate();
    });
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('the thread that makes the console has ended')));
  });
