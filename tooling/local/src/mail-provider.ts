type Env = Readonly<Record<string, string | undefined>>;

/**
 * What this package, which imports no other, has to know of providers of email: that SMTP is the one without `MAIL_TRANSPORT`. Api and worker
 * have the list of them, and refuse to start with any other.
 */
const providerOf = ({ MAIL_TRANSPORT }: Env): string => MAIL_TRANSPORT ?? 'smtp';

/** Whether email goes to the mail server at `SMTP_URL`, which is the local mailbox by default. */
export const usesMailServer = (env: Env): boolean => providerOf(env) === 'smtp';

/** Whether a variable belongs to the provider: its own begin with its name. */
export const isOfProvider = (name: string, env: Env): boolean =>
  name === 'MAIL_TRANSPORT' || name.startsWith(`${providerOf(env).toUpperCase()}_`);
