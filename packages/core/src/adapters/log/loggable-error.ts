import { pino } from 'pino';

/** Fields of errors of pg and Prisma that hold values of rows and parameters, such as addresses. */
const valueFields = ['detail', 'where', 'internalQuery', 'parameters', 'query', 'meta', 'err'];

/** An error as it is logged: type, message, stack and codes, without values of customers (as do those of errors that it wraps). */
export function loggableError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { raw: _raw, aggregateErrors, ...fields } = pino.stdSerializers.err(error);
  for (const name of valueFields) delete fields[name];
  return aggregateErrors && error instanceof AggregateError
    ? { ...fields, aggregateErrors: error.errors.map(loggableError) }
    : fields;
}
