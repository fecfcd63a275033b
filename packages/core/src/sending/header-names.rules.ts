/** Header fields that callers may not set (B1.4), in lower case. */
const refused = new Set([
  // written by the service
  'from',
  'to',
  'cc',
  'bcc',
  'subject',
  'date',
  'message-id',
  'mime-version',
  'dkim-signature',
  'return-path',
  'sender',
  // trace fields that only mail servers write
  'received',
  'delivered-to',
  'authentication-results',
  // SendGrid's, which can even replace the recipients
  'x-smtpapi',
]);

/** Prefixes of such fields: of MIME, of resending, of forwarding chains, of Postrider, and those that control a relay. */
const refusedPrefixes = [
  'content-',
  'resent-',
  'arc-',
  'x-postrider-',
  'x-ses-',
  'x-mailgun-',
  'x-mc-',
  'x-msys-',
  'x-pm-',
  'x-mj-',
];

/** Whether callers may not set a header. Such headers in older stored contents are not sent either. */
export function isRefusedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return refused.has(lower) || refusedPrefixes.some((prefix) => lower.startsWith(prefix));
}
