import type { Failure } from '../errors/failure.ts';

/** What a failure means to clients of other services, which tell apart less than the codes here (behaviour B16.4). */
export type Meaning =
  | 'malformed'
  | 'malformed_key'
  | 'no_credential'
  | 'bad_credential'
  | 'restricted'
  | 'sender'
  | 'disabled'
  | 'monthly_quota'
  | 'daily_quota'
  | 'rate'
  | 'no_template'
  | 'not_found'
  | 'required'
  | 'attachment'
  | 'invalid'
  | 'conflict'
  | 'key_reused'
  | 'too_large'
  | 'unavailable'
  | 'internal';

export function meaningOf({ code, kind, errors, message, details }: Failure): Meaning {
  switch (kind) {
    case 'bad_request':
      return message.startsWith('The Idempotency-Key') ? 'malformed_key' : 'malformed';
    case 'unauthenticated':
      return code === 'MISSING_AUTH' ? 'no_credential' : 'bad_credential';
    case 'payment_required':
      return 'monthly_quota';
    case 'forbidden':
      if (details?.['reason'] === 'DOMAIN_NOT_VERIFIED') return 'sender';
      return code === 'PROJECT_DISABLED' ? 'disabled' : 'restricted';
    case 'not_found':
      return code === 'TEMPLATE_NOT_FOUND' ? 'no_template' : 'not_found';
    case 'conflict':
      if (code === 'APPROVAL_REQUIRED') return 'restricted';
      return code === 'IDEMPOTENCY_KEY_REUSED' ? 'key_reused' : 'conflict';
    case 'too_large':
      return 'too_large';
    case 'invalid': {
      const [first] = errors ?? [];
      if (first?.field.split('.').includes('attachments')) return 'attachment';
      return first?.code === 'required' ? 'required' : 'invalid';
    }
    case 'rate_limited':
      return details?.['limit'] === undefined ? 'rate' : 'daily_quota';
    case 'unavailable':
      return 'unavailable';
    case 'internal':
      return 'internal';
  }
}

/** Our names of fields as those of a service, by the parts of a path. */
export type FieldNames = Readonly<Record<string, string>>;

/** The path of a field in the request as the service has it. */
export function foreignField(field: string, names: FieldNames): string {
  const [whole, rest] = field.split(/\.(.*)/s);
  const own = names[field];
  if (own !== undefined) return own;
  const first = names[whole ?? ''] ?? whole ?? '';
  return rest === undefined || rest === '' ? first : `${first}.${namesOfRest(rest, names)}`;
}

const namesOfRest = (rest: string, names: FieldNames): string =>
  rest
    .split('.')
    .map((part) => names[part] ?? part)
    .join('.');

const mostNamed = 10;

/** One text for a service whose errors have no list of fields. */
export function textOf(
  { message, errors, suggestion }: Pick<Failure, 'message' | 'errors' | 'suggestion'>,
  names: FieldNames,
): string {
  if (!errors || errors.length === 0) return `${message}. ${suggestion}`;
  return errors
    .slice(0, mostNamed)
    .map((error) => `${foreignField(error.field, names)}: ${error.message}`)
    .join('; ');
}
