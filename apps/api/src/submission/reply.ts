import { SmtpRefusal } from '@postrider/core/adapters/smtp-server';
import { AppError, type ErrorKind } from '@postrider/core/base/kernel';
import { isStorageExceeded } from '@postrider/core/people/storage';

/** The replies of behaviour B11.8 by the kind of failure. */
const replies: Record<ErrorKind, readonly [code: number, enhanced: string]> = {
  bad_request: [550, '5.6.0'],
  invalid: [550, '5.6.0'],
  too_large: [552, '5.3.4'],
  unauthenticated: [535, '5.7.8'],
  forbidden: [550, '5.7.1'],
  not_found: [550, '5.7.1'],
  conflict: [550, '5.7.1'],
  payment_required: [451, '4.7.1'],
  rate_limited: [451, '4.7.1'],
  internal: [451, '4.3.0'],
  unavailable: [451, '4.3.0'],
};

/** The reply to a failure that has a text for the caller; null for any other, whose text is never sent. */
export function replyOf(error: unknown): SmtpRefusal | null {
  if (!(error instanceof AppError) || error.kind === 'internal') return null;
  // RFC 3463 4.3.1: the mail system is full, which may pass.
  const [code, enhanced] = isStorageExceeded(error) ? [452, '4.3.1'] : replies[error.kind];
  return new SmtpRefusal(code, `${enhanced} ${error.errors?.[0]?.message ?? error.message}`);
}

/** RFC 5321 4.5.3.1.5: a line of a reply has at most 512 octets, with its code and its CRLF. */
const lineLength = 505;

/** The ids of the emails after the text; as many lines as they need. */
export function queuedAs(ids: readonly string[]): string[] {
  const lines: string[] = [];
  let line = '2.0.0 queued as';
  for (const id of ids) {
    const longer = line === '' ? id : `${line} ${id}`;
    if (longer.length > lineLength) {
      lines.push(line);
      line = id;
    } else line = longer;
  }
  return [...lines, line];
}
