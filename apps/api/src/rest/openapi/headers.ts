import type { Endpoint } from '../endpoint.ts';
import { pascalOf } from './named-components.ts';

const integer = (example: number) => ({ schema: { type: 'integer', minimum: 0 }, example });

/** Headers of replies, listed once among the components. */
export const headers = {
  'X-Request-Id': {
    description:
      'Id of this request: the `X-Request-Id` that was sent, or a new UUID. Equals `error.requestId`.',
    required: true,
    schema: { type: 'string', minLength: 1, maxLength: 128 },
    example: '6f1c2a9e-4b7d-4a0e-8c55-0d9b6a1e2f34',
  },
  'RateLimit-Limit': {
    description: 'Requests that the project may make per minute with keys of this kind.',
    ...integer(1000),
  },
  'RateLimit-Remaining': { description: 'Requests left in the current window.', ...integer(987) },
  'RateLimit-Reset': { description: 'Seconds until the current window ends.', ...integer(42) },
  'Retry-After': {
    description: 'Seconds to wait before the next request, at least 1.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 12,
  },
  'Dry-Run': {
    description: '`true` where the request was carried out and undone.',
    schema: { type: 'boolean' },
    example: true,
  },
  'WWW-Authenticate': {
    description: 'The authentication scheme that the endpoint expects.',
    required: true,
    schema: { type: 'string' },
    example: 'Bearer',
  },
} as const;

type HeaderName = keyof typeof headers;

const rateLimit: readonly HeaderName[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

/** Requests with a key are counted (B8.1), on endpoints that do not require a signed-in user. */
const isCounted = ({ credential }: Endpoint): boolean => credential !== 'none' && credential !== 'session';

/** References to the headers that a reply of an endpoint has. */
export function headersOf(endpoint: Endpoint, status: number): Record<string, { $ref: string }> {
  const names: HeaderName[] = ['X-Request-Id'];
  if (isCounted(endpoint) && status !== 401) names.push(...rateLimit);
  if (endpoint.dryRun && status < 300) names.push('Dry-Run');
  if (status === 429) names.push('Retry-After');
  if (status === 401) names.push('WWW-Authenticate');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${pascalOf(name)}` }]));
}

/** Headers of requests, listed once among the components. */
export const headerParameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A key of your choice that makes a retry safe: 1 to 255 printable ASCII characters, unique within the project for 24 hours. A key that was used by a successful request is refused with 409 `IDEMPOTENCY_KEY_REUSED`, whose details have what that request created.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]{1,255}$' },
  },
  DryRun: {
    name: 'Dry-Run',
    in: 'header',
    required: false,
    description:
      '`true` carries the request out and undoes it: same checks, same reply, and nothing is stored or sent. Ids in the reply lead to nothing.',
    schema: { type: 'boolean' },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description:
      'Your own id for the request, 1 to 128 characters out of `A-Z a-z 0-9 . _ -`. It is returned in the reply; another value is replaced by a new UUID.',
    schema: { type: 'string' },
  },
};
