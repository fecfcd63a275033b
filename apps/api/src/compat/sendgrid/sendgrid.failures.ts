import type { Failure } from '../../errors/failure.ts';
import type { ForeignFailure } from '../../plugins/failures.ts';
import { foreignField, type Meaning, meaningOf } from '../failures.rules.ts';
import { sendgridFields } from './sendgrid.rules.ts';

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

/** The field of a failure that is of one field without saying so. */
const fieldOf: Partial<Record<Meaning, string>> = { sender: 'from', no_template: 'template_id' };

export function sendgridFailure(failure: Failure): ForeignFailure {
  const meaning = meaningOf(failure);
  const { errors = [], message, suggestion } = failure;
  const list = errors.map((error) => {
    const field = foreignField(error.field, sendgridFields);
    return { message: `${field}: ${error.message}`, field, help: null };
  });
  const whole = { message: `${message}. ${suggestion}`, field: fieldOf[meaning] ?? null, help: null };
  return { status: statuses[meaning], body: { errors: list.length > 0 ? list : [whole] } };
}
