import type { Failure } from '../../errors/failure.ts';
import type { ForeignFailure } from '../../plugins/failures.ts';
import { type Meaning, meaningOf, textOf } from '../failures.rules.ts';
import { resendFields } from './resend.rules.ts';

const answers: Readonly<Record<Meaning, readonly [status: number, name: string]>> = {
  malformed: [400, 'validation_error'],
  malformed_key: [400, 'invalid_idempotency_key'],
  no_credential: [401, 'missing_api_key'],
  bad_credential: [403, 'invalid_api_key'],
  restricted: [401, 'restricted_api_key'],
  sender: [403, 'validation_error'],
  disabled: [403, 'validation_error'],
  monthly_quota: [429, 'monthly_quota_exceeded'],
  daily_quota: [429, 'daily_quota_exceeded'],
  rate: [429, 'rate_limit_exceeded'],
  no_template: [404, 'not_found'],
  not_found: [404, 'not_found'],
  required: [422, 'missing_required_field'],
  attachment: [422, 'invalid_attachment'],
  invalid: [422, 'validation_error'],
  conflict: [422, 'validation_error'],
  key_reused: [409, 'invalid_idempotent_request'],
  too_large: [413, 'validation_error'],
  unavailable: [503, 'internal_server_error'],
  internal: [500, 'internal_server_error'],
};

export function resendFailure(failure: Failure): ForeignFailure {
  const [statusCode, name] = answers[meaningOf(failure)];
  return { status: statusCode, body: { statusCode, name, message: textOf(failure, resendFields) } };
}
