import type { RouteReason, SmtpSessionFacts, SmtpSessionRefused } from '../../base/kernel/index.ts';
import { isLoopbackHost } from '../../base/lib/loopback.rules.ts';
import type { Examined } from './examined.ts';
import { advice, checksOf, failure, NotReached, type Outcome, ok, warning } from './finding.ts';
import { counted, duration, size } from './quantities.ts';
import { readPauses } from './routes.store.ts';

const dayMs = 86_400_000;
const megabyte = 1_048_576;

/** `host:port` of the mail server; null with a provider that is reached otherwise. */
const serverOf = ({ config }: Examined): string | null => config.mailProvider.server(config)?.host ?? null;

/** One session for all checks. */
const sessions = new WeakMap<Examined, Promise<SmtpSessionFacts | SmtpSessionRefused>>();

function session(examined: Examined, signal: AbortSignal) {
  const found = sessions.get(examined) ?? examined.inspect.smtp(signal);
  sessions.set(examined, found);
  return found;
}

/** A check of the session, which the mail server has to let in. */
const ofSession =
  (subject: string, judge: (facts: SmtpSessionFacts, examined: Examined) => Outcome[]) =>
  async (examined: Examined, signal: AbortSignal): Promise<Outcome[]> => {
    if (serverOf(examined) === null)
      return [ok(subject, `email leaves by ${examined.config.mailProvider.title}`)];
    const facts = await session(examined, signal);
    if (facts.kind === 'refused') throw new NotReached('the mail server let no session in');
    return judge(facts, examined);
  };

const reasons: Readonly<Record<RouteReason, { cause: string; action: string }>> = {
  connect: {
    cause:
      'Nothing listens at this address, a firewall is in the way, or the name has no address. Many providers of machines block port 25.',
    action:
      'Correct host and port in SMTP_URL; port 587 is usual with a login. Try it from the machine of the worker.',
  },
  greeting: {
    cause:
      'What listens there does not greet as a mail server, or not in time. A server with smtps:// needs that scheme.',
    action: 'Correct scheme and port in SMTP_URL: smtps:// for port 465, smtp:// for 25 and 587.',
  },
  tls: {
    cause:
      'TLS failed: the certificate has expired, is of another name or of an unknown issuer, or the server offers no STARTTLS although a password is to be sent.',
    action:
      'Name the server in SMTP_URL as its certificate does, or renew the certificate. NODE_EXTRA_CA_CERTS names an issuer of your own.',
  },
  auth: {
    cause: 'The server refuses user and password, or offers no login.',
    action:
      'Correct user and password in SMTP_URL. Characters such as @, / and % are written as %40, %2F and %25.',
  },
  unavailable: {
    cause: 'The server has no place for a session at present: too many connections, or maintenance.',
    action: 'Wait, or lower SMTP_CONNECTIONS. If it stays so, ask the operator of the mail server.',
  },
};

async function connection(examined: Examined, signal: AbortSignal): Promise<Outcome[]> {
  const server = serverOf(examined);
  if (server === null) return [ok('mail server', `email leaves by ${examined.config.mailProvider.title}`)];
  const facts = await session(examined, signal);
  if (facts.kind === 'open') return [ok(server, 'greets, and lets the user in')];
  return [
    failure({
      subject: server,
      found: `no session (${facts.reason}): ${facts.error}`,
      ...reasons[facts.reason],
    }),
  ];
}

const certificate = ofSession('certificate', ({ isEncrypted, certificateUntil }, examined) => {
  const subject = serverOf(examined) ?? '';
  const host = URL.parse(examined.config.SMTP_URL)?.hostname.replace(/^\[|\]$/g, '') ?? '';
  if (!isEncrypted) {
    if (isLoopbackHost(host)) return [ok(subject, 'a server on this machine, without TLS')];
    return [
      warning({
        subject,
        found: 'the connection is not encrypted',
        cause:
          'The server offers no STARTTLS, or SMTP_URL turns it off. Every email can be read on the way to it.',
        action: 'Have the mail server offer STARTTLS, or remove ignoreTLS from SMTP_URL.',
      }),
    ];
  }
  if (certificateUntil === null) return [ok(subject, 'encrypted')];
  const days = (certificateUntil.getTime() - examined.clock()) / dayMs;
  const { certificateFailureDays, certificateWarningDays } = examined.limits;
  if (days >= certificateWarningDays)
    return [ok(subject, `the certificate is valid for ${Math.floor(days)} days`)];
  return [
    (days < certificateFailureDays ? failure : warning)({
      subject,
      found: `the certificate of the mail server expires on ${certificateUntil.toISOString()}`,
      cause:
        'From then on no session is possible, and email waits. Certificates are usually renewed weeks before.',
      action: 'Renew it, or ask the operator of the mail server to.',
    }),
  ];
});

const largest = ofSession('size', ({ extensions }, examined) => {
  const subject = serverOf(examined) ?? '';
  const offered = extensions.get('SIZE');
  const bytes = Number(offered);
  // Without a number, or with 0, no limit is said (RFC 1870, 4).
  if (!offered || !(bytes > 0)) return [ok(subject, 'says no largest message')];
  const needed = examined.config.MESSAGE_MAX_MB * megabyte;
  if (bytes >= needed) return [ok(subject, `takes messages of up to ${size(bytes)}`)];
  return [
    failure({
      subject,
      found: `the mail server takes messages of up to ${size(bytes)}, and MESSAGE_MAX_MB is ${examined.config.MESSAGE_MAX_MB}`,
      cause: 'Larger messages are accepted by the API and then refused by the mail server.',
      action: `Raise the limit of the mail server (message_size_limit of Postfix), or set MESSAGE_MAX_MB to ${Math.max(1, Math.floor(bytes / megabyte))}.`,
    }),
  ];
});

const pipelining = ofSession('pipelining', ({ extensions }, examined) => {
  const subject = serverOf(examined) ?? '';
  if (extensions.has('PIPELINING')) return [ok(subject, 'offers PIPELINING')];
  return [
    warning({
      subject,
      found: 'the mail server does not offer PIPELINING',
      cause:
        'Each message takes four more round trips, so that a connection sends a fraction of what it could. Some firewalls remove the offer.',
      action: 'Turn it on at the mail server, or turn off the inspection of SMTP on the way to it.',
    }),
  ];
});

async function connections(examined: Examined, signal: AbortSignal): Promise<Outcome[]> {
  const server = serverOf(examined);
  if (server === null) return [ok('connections', `email leaves by ${examined.config.mailProvider.title}`)];
  const facts = await session(examined, signal);
  if (facts.kind === 'refused') throw new NotReached('the mail server let no session in');
  const { smtpConnections, limits } = examined;
  const most = Math.min(limits.triedConnections, smtpConnections);
  const { open, refusal } = await examined.inspect.smtpConnections(most, signal);
  if (open >= most) return [ok(server, `${open} connections at once are allowed`)];
  return [
    warning({
      subject: server,
      found: `the mail server let ${counted(open, 'connection')} in at once: ${refusal ?? 'the time was over'}`,
      cause: `SMTP_CONNECTIONS is ${smtpConnections} for each delivery process. Those that run have connections too, which count in the limit of the server.`,
      action: `Raise the limit of the mail server (smtpd_client_connection_count_limit of Postfix), or set SMTP_CONNECTIONS to what it allows, divided by the number of delivery processes.`,
    }),
  ];
}

async function pauses({ database, clock }: Examined): Promise<Outcome[]> {
  const found = await readPauses(await database.ofThisVersion());
  if (found.length === 0) return [ok('routes', 'none is paused')];
  return found.map(({ route, sender, reason, since }) =>
    warning({
      subject: route,
      found: `${sender === null ? 'email by this route' : `email of the sender ${sender}`} has been paused for ${duration((clock() - since.getTime()) / 1_000)}: ${reason}`,
      cause:
        sender === null
          ? 'The mail server failed, and is tried again at intervals. Email waits meanwhile, and is not lost.'
          : 'The mail server refuses this sender domain, and is tried again at intervals. Its email waits meanwhile.',
      action:
        'Resolve what the other checks of the mail server find, and read its log. The pause then ends by itself.',
    }),
  );
}

async function send({ sendTo, inspect }: Examined): Promise<Outcome[]> {
  if (sendTo === null) return [ok('test email', 'not asked for (--send <address>)')];
  const { isAccepted, response } = await inspect.send(sendTo);
  if (isAccepted)
    return [
      advice({
        subject: sendTo,
        found: `the test email was accepted: ${response}`,
        cause: 'It is not signed, so that a receiver may put it among spam.',
        action: `Look into the mailbox. If it does not arrive, the log of the mail server says where it stayed.`,
      }),
    ];
  return [
    failure({
      subject: sendTo,
      found: `the test email was not accepted: ${response}`,
      cause: 'The mail server refused sender or recipient, or the hand-over failed.',
      action: 'Allow the sender of PLATFORM_FROM at the mail server, and relaying for its user.',
    }),
  ];
}

export const smtpChecks = checksOf<Examined>('smtp', ['MAIL_TRANSPORT', 'SMTP_URL'])({
  connection: { reference: 'Mail server: connection', run: connection },
  certificate: { reference: 'Mail server: certificate', run: certificate },
  size: { reference: 'Mail server: largest message', run: largest, needs: ['MESSAGE_MAX_MB'] },
  pipelining: { reference: 'Mail server: pipelining', run: pipelining },
  connections: { reference: 'Mail server: connections', run: connections, needs: ['SMTP_CONNECTIONS'] },
  pauses: { reference: 'Mail server: pauses', run: pauses, needs: ['DATABASE_URL'] },
  send: { reference: 'Mail server: test email', run: send, needs: ['PLATFORM_FROM'] },
});
