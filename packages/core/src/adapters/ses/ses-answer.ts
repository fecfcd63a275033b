import type { HandOver, RouteFailed, RouteReason } from '../../base/kernel/ports/mail-transport.ts';
import type { StageOf } from '../../base/providers/index.ts';
import { printable } from '../smtp/reply.ts';

/** What the AWS SDK throws; `$metadata` has a status when SES answered. */
interface SdkError extends Error {
  code?: string;
  $metadata?: { httpStatusCode?: number };
}

/** Requests are signed with credentials that SES does not accept, or that may not send. */
const authErrors =
  /^(UnrecognizedClient|InvalidClientTokenId|ExpiredToken|RequestExpired|InvalidSignature|SignatureDoesNotMatch|AccessDenied|NotAuthorized|MissingAuthenticationToken|IncompleteSignature|OptInRequired|Credentials|Token)/;
const throttled = /^(TooManyRequests|Throttl|RequestThrottled|RequestLimitExceeded|SlowDown)/;
/** The account cannot send anything at present, or the configuration set does not exist. The message is not the cause. */
const accountErrors = /^(AccountSuspended|SendingPaused|LimitExceeded|NotFound|ConfigurationSet)/;

/** Errors of a connection that was never established, so that nothing was written. */
const notConnected =
  /^(ECONNREFUSED|ENOTFOUND|EAI_|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|EMFILE)/;
const tlsErrors = /^(ERR_SSL|ERR_TLS|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO)/;
/** The SDK names a time-out of connecting like one of the answer. */
const connectTimedOut = /did not establish a connection|socket connection timed out|connection timed out/i;

/**
 * What a failed request means for its message.
 *
 * @param written whether the request may have reached the socket: without an answer, the message may have been accepted
 */
export function handOverOf(error: unknown, written: boolean): HandOver {
  const given = (error instanceof Error ? error : new Error(String(error))) as SdkError;
  const status = given.$metadata?.httpStatusCode;
  const text = textOf(given);
  if (status !== undefined) return answered(given, status, text);
  if (tlsErrors.test(given.code ?? '')) return route('tls', text, null);
  if (
    notConnected.test(given.code ?? '') ||
    (given.name === 'TimeoutError' && connectTimedOut.test(given.message))
  )
    return route('connect', text, null);
  if (written) return { kind: 'unknown', error: text };
  return route(authErrors.test(given.name) ? 'auth' : 'connect', text, null);
}

function answered(error: SdkError, status: number, text: string): HandOver {
  if (throttled.test(error.name) || status === 429) return route('unavailable', text, status);
  if (authErrors.test(error.name) || status === 401 || status === 403) return route('auth', text, status);
  if (accountErrors.test(error.name)) return route('unavailable', text, status);
  // What is behind a gateway that gave up waiting may still accept the message.
  if (status === 504) return { kind: 'unknown', error: text };
  if (status === 503) return route('unavailable', text, status);
  // An answer below 400 that cannot be read, such as that of a proxy, says nothing about the message.
  if (status < 400) return { kind: 'unknown', error: text };
  return {
    kind: 'refused',
    permanent: status < 500,
    code: status,
    enhancedCode: null,
    response: text,
    stage: 'request' satisfies StageOf<'ses'>,
  };
}

/** Whether the account sends faster than it may, and not more than it may in a day. */
export const isRateLimit = (result: HandOver): boolean =>
  result.kind === 'route' &&
  result.reason === 'unavailable' &&
  throttled.test(result.error) &&
  !/quota|daily/i.test(result.error);

const route = (reason: RouteReason, error: string, code: number | null): RouteFailed => ({
  kind: 'route',
  error,
  reason,
  code,
  othersWork: false,
});

/** The name distinguishes errors. */
const textOf = ({ name, message, code }: SdkError): string =>
  printable([name === 'Error' ? code : name, message].filter((part) => part).join(': '));
