import type { Failure } from '../../errors/failure.ts';
import type { ForeignFailure } from '../../plugins/failures.ts';
import { type Meaning, meaningOf, textOf } from '../failures.rules.ts';
import { mailgunFields } from './mailgun.rules.ts';

const statuses: Readonly<Record<Meaning, number>> = {
  malformed: 400,
  malformed_key: 400,
  no_credential: 401,
  bad_credential: 401,
  restricted: 403,
  sender: 403,
  disabled: 403,
  monthly_quota: 403,
  daily_quota: 429,
  rate: 429,
  no_template: 400,
  not_found: 404,
  required: 400,
  attachment: 400,
  invalid: 400,
  conflict: 400,
  key_reused: 409,
  too_large: 413,
  unavailable: 503,
  internal: 500,
};

export const mailgunFailure = (failure: Failure): ForeignFailure => ({
  status: statuses[meaningOf(failure)],
  body: { message: textOf(failure, mailgunFields) },
});
