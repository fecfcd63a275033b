import {
  AppError,
  type ErrorCode,
  type ErrorKind,
  errorCodes,
  senderNotVerified,
  senderRefused,
  statusOfKind,
  suggestions,
} from '@postrider/core/base/kernel';
import { envelopeFor } from '../../errors/envelope.ts';
import { failureOf } from '../../errors/failure.ts';
import { pascalOf } from './named-components.ts';

const messages: Partial<Record<ErrorCode, string>> = {
  BAD_REQUEST: 'Invalid cursor',
  INVALID_REQUEST_BODY: 'Invalid JSON in request body',
  MISSING_AUTH: 'The request carries no credential',
  INVALID_API_KEY: 'The API key is invalid',
  UNAUTHORIZED: 'Your session has ended',
  INVALID_CREDENTIALS: 'The email address or the password is wrong',
  BILLING_LIMIT_EXCEEDED: 'The billing limit of this project is reached',
  FORBIDDEN: 'Your role (MEMBER) does not allow this',
  PROJECT_ACCESS_DENIED: 'You have no access to this project',
  PROJECT_DISABLED: 'This project is disabled',
  EMAIL_VERIFICATION_REQUIRED: 'Verify your email address first',
  CONFLICT: 'The record is in use',
  APPROVAL_REQUIRED: 'A person has to agree before this is done',
  PREFLIGHT_FAILED: 'The checks before sending have found errors: postal_address_missing',
  IDEMPOTENCY_KEY_REUSED: 'This Idempotency-Key was used before',
  VALIDATION_ERROR: 'Request validation failed',
  RATE_LIMIT_EXCEEDED: 'This project has reached its request limit',
  INTERNAL_SERVER_ERROR: 'An unexpected error occurred',
};

const options: Partial<Record<ErrorCode, ConstructorParameters<typeof AppError>[2]>> = {
  VALIDATION_ERROR: { errors: [{ field: 'name', message: 'Required', code: 'required' }] },
  RATE_LIMIT_EXCEEDED: { details: { retryAfter: 12 } },
  APPROVAL_REQUIRED: {
    suggestion: suggestions.APPROVAL_REQUIRED,
    details: {
      approvalId: '0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90',
      url: 'https://mail.example.com/p/0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a80/approvals/0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90',
      expiresAt: '2026-03-02T09:30:00.000Z',
      summary: 'Sends a campaign now, or at a time',
    },
  },
  PREFLIGHT_FAILED: {
    suggestion: suggestions.PREFLIGHT_FAILED,
    details: {
      findings: [
        {
          rule: 'postal_address_missing',
          level: 'error',
          blocks: false,
          field: null,
          offset: null,
          message: 'Many countries require a postal address in marketing email',
          details: {},
        },
      ],
    },
  },
  IDEMPOTENCY_KEY_REUSED: {
    suggestion: suggestions.IDEMPOTENCY_KEY_REUSED,
    details: {
      key: 'order-1001',
      originalRequest: 'POST /v1/send',
      originalRequestAt: '2026-03-01T09:30:00.000Z',
      originalStatusCode: 200,
      originalDigest: 'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:',
      emails: [
        {
          contact: { id: '0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90', email: 'customer@example.com' },
          email: '0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a91',
          to: 'customer@example.com',
          status: 'SENT',
          reason: null,
        },
      ],
    },
  },
};

const envelope = envelopeFor('https://api.example.com');

/** `TEMPLATE_NOT_FOUND` → `Template not found`. */
const worded = (code: string): string => {
  const text = code.toLowerCase().replaceAll('_', ' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
};

/** The name of an example among the components: the code, with the status if it is not the usual one of the code. */
export const errorExampleName = (code: ErrorCode, status: number): string =>
  pascalOf(statusOfKind[errorCodes[code]] === status ? code : `${code}_${status}`);

/** One example of an error body for every code and each unusual status of it. */
export function errorExample(code: ErrorCode, status: number): { summary: string; value: object } {
  const kind = Object.keys(statusOfKind).find((each) => statusOfKind[each as ErrorKind] === status);
  const usual =
    code === 'INVALID_REQUEST_BODY' && status === 413
      ? 'The request body is too large'
      : (messages[code] ?? worded(code));
  const error =
    code === senderRefused.code && status === statusOfKind[senderRefused.kind]
      ? senderNotVerified('example.com')
      : new AppError(code, usual, { ...options[code], kind: kind as ErrorKind });
  const { message } = error;
  const body = envelope(failureOf(error), '6f1c2a9e-4b7d-4a0e-8c55-0d9b6a1e2f34');
  return { summary: message, value: { ...body, timestamp: '2026-03-01T09:30:00.000Z' } };
}
