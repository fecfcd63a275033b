import type { SMTPError } from 'nodemailer/lib/smtp-connection';
import { rowFor } from '../../base/kernel/mail-replies.rules.ts';
import type { Refused, RouteFailed, RouteReason } from '../../base/kernel/ports/mail-transport.ts';
import type { StageOf } from '../../base/providers/index.ts';

const LONGEST_TEXT = 2_000;
const TLS_ERROR = /^(ERR_SSL|ERR_TLS|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO)/;

/** Enhanced status code (RFC 3463) of a reply as RFC 2034 places it: first after the reply code, on any of its lines. */
export function enhancedCodeOf(response: string): string | null {
  return /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})(?=\s|$)/m.exec(response)?.[1] ?? null;
}

/** Makes external text storable: no control characters except line feeds, no unpaired surrogates, at most 2,000 characters. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a server may answer with them and PostgreSQL refuses U+0000.
  const clean = text.slice(0, LONGEST_TEXT).replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, ' ');
  return clean.toWellFormed();
}

/** The storable text of a reply that was read one character per byte: UTF-8 where it is valid, else Latin-1. */
export function replyText(bytes: string): string {
  if (!/[\u0080-\u00ff]/.test(bytes)) return printable(bytes);
  const utf8 = Buffer.from(bytes, 'latin1').toString('utf8');
  return printable(utf8.includes('\ufffd') ? bytes : utf8);
}

/** A 4xx or 5xx reply to this message. */
export function refusedBy(code: number, bytes: string, stage: StageOf<'smtp'>): Refused {
  const response = replyText(bytes);
  return {
    kind: 'refused',
    permanent: code >= 500,
    code,
    enhancedCode: enhancedCodeOf(response),
    response,
    stage,
  };
}

/** Classifies a failure before MAIL FROM by the error that nodemailer ended the session with. */
export function routeFailure(error: SMTPError, upgrading: boolean): RouteFailed {
  const code = error.responseCode ?? null;
  // Connecting to several addresses fails with an AggregateError, whose message is empty.
  const text = error.message || (error as NodeJS.ErrnoException & { originalCode?: string }).originalCode;
  return {
    kind: 'route',
    error: printable(text || 'Connecting failed'),
    reason: reasonOf(error, upgrading),
    code,
    othersWork: false,
  };
}

function reasonOf(error: SMTPError, upgrading: boolean): RouteReason {
  if (error.responseCode === 421) return 'unavailable';
  // A 4xx reply to AUTH (RFC 4954: 454) is a temporary server failure, not a refusal of the credentials. Without a reply, no login is offered.
  if (error.code === 'EAUTH') {
    const code = error.responseCode ?? 535;
    const { effect } = rowFor('login', { permanent: code >= 500, code, enhancedCode: null });
    return effect === 'pause long' ? 'auth' : 'unavailable';
  }
  if (error.code === 'ETLS' || upgrading || TLS_ERROR.test(error.originalCode ?? '')) return 'tls';
  if (error.code === 'EPROTOCOL' || error.timeoutType === 'GREETING_TIMEOUT') return 'greeting';
  return 'connect';
}
