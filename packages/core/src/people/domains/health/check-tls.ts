import { isLoopbackHost, smtpSecurityOf } from '../../../base/lib/index.ts';
import type { DomainCheck } from '../health.schema.ts';
import type { HealthInput } from './health-input.ts';

/** The configured route to the mail server is encrypted. It reads the configuration only. */
export function checkTls({ config }: Pick<HealthInput, 'config'>): DomainCheck {
  const check = { name: 'TLS' as const, host: null, found: [] as string[], wanted: null };
  const url = config.mailProvider.server(config);
  if (url === null)
    return { ...check, status: 'ok', advice: `Email goes to ${config.mailProvider.title} over HTTPS.` };
  const flag = (name: string): boolean => url.searchParams.get(name) === 'true';
  const security = smtpSecurityOf({
    host: url.hostname,
    secure: url.protocol === 'smtps:',
    hasCredentials: url.username !== '' || url.password !== '',
    requireTLS: flag('requireTLS'),
    ignoreTLS: flag('ignoreTLS'),
    opportunisticTLS: flag('opportunisticTLS'),
  });
  const seen = { ...check, found: [words[security]], wanted: words.always };
  if (security === 'always')
    return { ...seen, status: 'ok', advice: 'Email goes to the mail server over TLS only.' };
  if (isLoopbackHost(url.hostname))
    return {
      ...seen,
      status: 'unknown',
      advice:
        'The mail server is on this machine; make sure that it uses TLS for the servers that it sends to.',
    };
  return security === 'never'
    ? { ...seen, status: 'fail', advice: 'Remove ignoreTLS from SMTP_URL: all email is sent unencrypted.' }
    : {
        ...seen,
        status: 'warn',
        advice: 'Add ?requireTLS=true to SMTP_URL, so that email is never sent unencrypted.',
      };
}

const words = {
  always: 'TLS required',
  offered: 'TLS where the server offers it',
  never: 'no TLS',
} as const;
