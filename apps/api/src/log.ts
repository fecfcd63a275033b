import { createLog, type LogSource } from '@postrider/core/adapters';
import { type Logger, pino } from 'pino';

/** Names the process in its lines. */
export const apiLogSource = (level: string): LogSource => ({ level, base: { app: 'api' } });

/** Structured lines on standard output, buffered briefly, so that a busy process does not make a system call for each. */
export const createApiLog = (level: string): Logger =>
  createLog(apiLogSource(level), pino.destination({ sync: false, minLength: 4096, periodicFlush: 250 }));
