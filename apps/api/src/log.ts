import { type DestinationStream, type Logger, pino } from 'pino';

/** Lines are buffered briefly, so that a busy process does not make a system call for each. */
const buffered = (): DestinationStream =>
  pino.destination({ sync: false, minLength: 4096, periodicFlush: 250 });

/** Structured lines on standard output. */
export const createLog = (level: string): Logger => pino({ level, base: { app: 'api' } }, buffered());
