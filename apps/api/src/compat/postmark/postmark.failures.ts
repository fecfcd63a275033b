import type { Failure } from '../../errors/failure.ts';
import type { ForeignFailure } from '../../plugins/failures.ts';
import { type Meaning, meaningOf, textOf } from '../failures.rules.ts';
import { postmarkFields } from './postmark.rules.ts';

const answers: Readonly<Record<Meaning, readonly [status: number, code: number]>> = {
  malformed: [422, 402],
  malformed_key: [422, 300],
  no_credential: [401, 10],
  bad_credential: [401, 10],
  restricted: [401, 10],
  sender: [422, 400],
  disabled: [422, 413],
  monthly_quota: [422, 405],
  daily_quota: [429, 429],
  rate: [429, 429],
  no_template: [422, 1101],
  not_found: [404, 0],
  required: [422, 300],
  attachment: [422, 300],
  invalid: [422, 300],
  conflict: [409, 300],
  key_reused: [409, 300],
  too_large: [413, 300],
  unavailable: [503, 0],
  internal: [500, 0],
};

/** That of a message stream that is not known. */
const unknownStream = 1235;

/** The object of a message that was refused, alone or in a batch. */
export function postmarkError(failure: Failure): { ErrorCode: number; Message: string } {
  const [, code] = answers[meaningOf(failure)];
  const isStream = failure.errors?.[0]?.field.endsWith('MessageStream') ?? false;
  return { ErrorCode: isStream ? unknownStream : code, Message: textOf(failure, postmarkFields) };
}

export function postmarkFailure(failure: Failure): ForeignFailure {
  const [status] = answers[meaningOf(failure)];
  return { status, body: postmarkError(failure) };
}
