import type { Failure } from '../../../lib/failure.ts';
import type { DataRow } from './data-rows.rules.ts';

/** The failure of a form some of whose data rows cannot be stored; the messages are at the rows. */
export const dataFailure: Failure = {
  message: 'Some fields cannot be saved',
  code: 'VALIDATION_ERROR',
  suggestion: 'Correct the rows marked below.',
  requestId: null,
  fields: {},
  position: null,
};

const prefix = 'data.';

/** The API's messages about single keys, by the ids of their rows. */
export const problemsOf = (failure: Failure | null, rows: readonly DataRow[]): Record<string, string> =>
  Object.fromEntries(
    rows.flatMap(({ id, key }) => {
      const problem = failure?.fields[`${prefix}${key.trim()}`];
      return problem === undefined ? [] : [[id, problem]];
    }),
  );
