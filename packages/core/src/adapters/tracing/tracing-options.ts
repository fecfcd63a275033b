import type { Logger } from 'pino';

export interface TracingOptions {
  /** names the process in the resource of its spans */
  process: 'api' | 'worker' | 'delivery' | 'small';
  log: Logger;
  /** how long spans are collected before they are exported together, in milliseconds */
  delayMs?: number;
}
