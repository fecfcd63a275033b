import { AppError, type Operation } from '@postrider/core/base/kernel';
import { Counter, register } from 'prom-client';

const name = 'postrider_unsupported_fields_total';

const unsupportedFields = (register.getSingleMetric(name) ??
  new Counter({
    name,
    help: 'Fields of requests that the operation does not describe',
    labelNames: ['operation'],
  })) as Counter<'operation'>;

/** Runs an operation for a caller, and counts the unknown fields of a refused input: how often clients are wrong about it. */
export async function countingUnknownFields<Output>(
  operation: Pick<Operation, 'name'>,
  run: () => Promise<Output>,
): Promise<Output> {
  try {
    return await run();
  } catch (error) {
    const errors = error instanceof AppError ? (error.errors ?? []) : [];
    // The field of a filter or of an export may have the same code, with a message of its own.
    const unknown = errors.filter(
      ({ code, message }) => code === 'unsupported_field' && message.startsWith('Unknown field'),
    );
    if (unknown.length > 0) unsupportedFields.inc({ operation: operation.name }, unknown.length);
    throw error;
  }
}
