import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { traceOfLine } from '../../base/kernel/traces.ts';
import { loggableError } from './loggable-error.ts';

/** What differs between processes. */
export interface LogSource {
  level: string;
  name?: string;
  base?: LoggerOptions['base'];
}

/** Structured lines on standard output, or another stream. Errors are written without the values that PostgreSQL adds to them; lines of what is traced have its `traceId`. */
export function createLog({ level, ...source }: LogSource, stream?: DestinationStream): Logger {
  const options = { level, ...source, serializers: { err: loggableError }, mixin: traceOfLine };
  return stream ? pino(options, stream) : pino(options);
}
