import { createLog } from '@postrider/core/adapters';
import { type Logger, pino } from 'pino';

/** Structured lines on standard output, buffered briefly, so that a busy process does not make a system call for each. */
export const createApiLog = (level: string): Logger =>
  createLog(
    { level, base: { app: 'api' } },
    pino.destination({ sync: false, minLength: 4096, periodicFlush: 250 }),
  );
