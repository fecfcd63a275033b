/** Header fields in lower case, by their names or the beginnings of their names. */
interface FieldNames {
  readonly names: ReadonlySet<string>;
  readonly prefixes: readonly string[];
}

/** What the service writes itself for a request. A submitted message brings these. */
const structure: FieldNames = {
  names: new Set(['from', 'to', 'cc', 'subject', 'date', 'message-id', 'mime-version', 'sender']),
  prefixes: ['content-'],
};

/** What no message may bring: blind copies, the trace of other servers, and what the next server takes for a command. */
const foreign: FieldNames = {
  names: new Set([
    'bcc',
    'return-path',
    'delivered-to',
    'received',
    'received-spf',
    'authentication-results',
    'dkim-signature',
    'domainkey-signature',
    'x-google-dkim-signature',
    // SendGrid's, which can even replace the recipients
    'x-smtpapi',
  ]),
  prefixes: [
    'resent-',
    'arc-',
    'x-postrider-',
    // those that control a relay
    'x-ses-',
    'x-mailgun-',
    'x-mc-',
    'x-mandrill-',
    'x-msys-',
    'x-sparkpost-',
    'x-pm-',
    'x-mj-',
    'x-mailjet-',
    'x-sg-',
    'x-elastic',
    'x-smtp-',
    'x-sib-',
    'x-brevo-',
    'x-resend-',
  ],
};

function isIn({ names, prefixes }: FieldNames, name: string): boolean {
  const lower = name.toLowerCase();
  return names.has(lower) || prefixes.some((prefix) => lower.startsWith(prefix));
}

/** Whether a request may not set a header (behaviour B1.4). Such headers in older stored contents are not sent either. */
export const isRefusedHeader = (name: string): boolean => isIn(structure, name) || isIn(foreign, name);

/** Whether a field of a submitted message is removed before it is signed (behaviour B11.8). */
export const isRemovedField = (name: string): boolean => isIn(foreign, name);
