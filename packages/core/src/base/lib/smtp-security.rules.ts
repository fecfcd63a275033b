/** The settings of `SMTP_URL` that decide whether a connection to the mail server is encrypted. */
export interface SmtpSettings {
  host: string;
  /** the scheme is `smtps` */
  secure: boolean;
  hasCredentials: boolean;
  requireTLS?: boolean | undefined;
  ignoreTLS?: boolean | undefined;
  opportunisticTLS?: boolean | undefined;
}

/** `always`: unencrypted sessions are refused. `offered`: wherever the server offers STARTTLS. `never`: STARTTLS is ignored. */
export type SmtpSecurity = 'always' | 'offered' | 'never';

/**
 * Credentials require TLS, since an attacker who removes STARTTLS from a reply would otherwise read the password, unless the server is
 * this machine or the URL says so.
 */
export function smtpSecurityOf(settings: SmtpSettings): SmtpSecurity {
  if (settings.secure) return 'always';
  if (settings.ignoreTLS) return 'never';
  if (settings.requireTLS) return 'always';
  const mayBeOpen =
    !settings.hasCredentials || settings.opportunisticTLS === true || isLoopbackHost(settings.host);
  return mayBeOpen ? 'offered' : 'always';
}

export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || /^\[?::1\]?$/.test(host) || /^127(\.\d{1,3}){3}$/.test(host);
