import { parseConnectionUrl } from 'nodemailer/lib/shared';
import type { AuthenticationType, Options } from 'nodemailer/lib/smtp-connection';
import { smtpSecurityOf } from '../../base/lib/smtp-security.rules.ts';

/** The address and settings of the mail server, from `SMTP_URL`. */
export interface SmtpServer {
  connection: Options;
  auth: AuthenticationType | null;
}

/** Settings that a URL may carry as query parameters. Others are not taken over: `debug=true` would log message bodies. */
const QUERY_SETTINGS = [
  'ignoreTLS',
  'requireTLS',
  'opportunisticTLS',
  'name',
  'localAddress',
  'servername',
  'tls',
  'dnsTimeout',
] as const satisfies readonly (keyof Options)[];

/**
 * Reads `smtp://user:pass@host:port` or `smtps://…` with nodemailer's query parameters (`?ignoreTLS=true`,
 * `?tls.rejectUnauthorized=false`, `?authMethod=LOGIN` …).
 *
 * @throws TypeError, which does not repeat the password, when it is no such URL
 */
export function parseSmtpUrl(url: string): SmtpServer {
  if (!/^smtps?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new TypeError(
      'The SMTP URL must look like smtp://user:pass@host:port or smtps://user:pass@host:port',
    );
  }
  const parsed: Record<string, unknown> & ReturnType<typeof parseConnectionUrl> = parseConnectionUrl(url);
  if (!parsed.host) throw new TypeError('The SMTP URL names no host');

  const connection: Options = { host: parsed.host, port: parsed.port, secure: parsed.secure };
  for (const key of QUERY_SETTINGS) {
    if (parsed[key] !== undefined) Object.assign(connection, { [key]: parsed[key] });
  }
  const { user, pass } = parsed.auth ?? {};
  if (!user && !pass) return { connection, auth: null };
  const {
    host,
    secure = false,
    requireTLS,
    ignoreTLS,
    opportunisticTLS,
  } = { ...connection, host: parsed.host };
  const settings = { host, secure, hasCredentials: true, requireTLS, ignoreTLS, opportunisticTLS };
  if (!secure && smtpSecurityOf(settings) === 'always') connection.requireTLS = true;
  const method = typeof parsed.authMethod === 'string' ? parsed.authMethod : undefined;
  return { connection, auth: { user: String(user ?? ''), pass: String(pass ?? ''), method } };
}
