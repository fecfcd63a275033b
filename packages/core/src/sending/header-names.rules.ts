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
  // traces that only mail servers leave
  'received',
  'delivered-to',
  'authentication-results',
  // SendGrid's, which may even replace the recipients
  'x-smtpapi',
]);

/** Whole families of them: of MIME, of resending, of forwarding chains, of the service, and what steers a relay. */
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

/** Whether callers may not set a header. Contents that were stored before a name was refused do not send it either. */
export function isRefusedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return refused.has(lower) || refusedPrefixes.some((prefix) => lower.startsWith(prefix));
}
