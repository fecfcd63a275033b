import type { Failure } from '../../lib/failure.ts';

/** The failure of a form whose data lines cannot be read. */
export const dataFailure = (error: unknown): Failure => ({
  message: 'Invalid data',
  code: 'VALIDATION_ERROR',
  suggestion: null,
  requestId: null,
  fields: { data: error instanceof Error ? error.message : String(error) },
  position: null,
});

/** Combines the errors of single keys into one: the form has one field for all data. */
export function foldData(failure: Failure): Failure {
  const ofData = Object.entries(failure.fields).filter(([field]) => field.startsWith('data.'));
  if (ofData.length === 0) return failure;
  const others = Object.entries(failure.fields).filter(([field]) => !field.startsWith('data.'));
  const data = ofData.map(([field, message]) => `${field.slice('data.'.length)}: ${message}`).join('; ');
  return { ...failure, fields: { ...Object.fromEntries(others), data } };
}
