import { type RestoredBackup, type RestoreRequest, restoreBackup } from '../backup/restore-backup.ts';
import { type Command, type Given, UsageError } from '../command.ts';

const inFlight = ['uncertain', 'send', 'skip'] as const;

export const restore: Command = {
  summary:
    'Restores a dump into an empty database, or a base into an empty folder. What waited and may have left since is UNCERTAIN and never sent by itself, and nothing leaves before restore:release; with --complete nothing happened since. Needs pg_restore for a dump, and the server programs of PostgreSQL for a base, of PG_BIN or the path.',
  argument: 'backup',
  options: {
    into: 'URL of the database, or folder',
    at: 'time that the WAL of a stream leads to, or latest for all of it',
    wal: 'folder of the stream, by default wal beside the backup',
    'lost-until': 'until when the old installation worked, by default now',
    'in-flight': inFlight,
  },
  flags: ['complete', 'yes', 'without-secret'],
  async run({ services, out, err }, given) {
    const restored = await restoreBackup(services, { ...requestOf(given), path: given.argument });
    for (const line of reportOf(restored)) out(line);
    for (const line of lossesOf(restored)) out(line);
    err(afterwards(restored));
    return true;
  },
};

function requestOf({ options, flags }: Given): Omit<RestoreRequest, 'path'> {
  const { into, at = null, wal = null, 'lost-until': given, 'in-flight': wish = 'uncertain' } = options;
  if (!into)
    throw new UsageError(
      '--into needs the postgres:// URL of an empty database for a dump, or an empty folder for a base.',
    );
  if (flags.has('complete') && given !== undefined)
    throw new UsageError(
      '--complete says that nothing happened since the backup, and --lost-until that something did.',
    );
  const lostUntil = given === undefined ? 'now' : timeOf('lost-until', given);
  if (wal !== null && at === null) throw new UsageError('--wal is read with --at: name a time, or latest.');
  const chosen = inFlight.find((known) => known === wish);
  if (!chosen) throw new UsageError(`--in-flight must be ${inFlight.join(', ')}.`);
  if (chosen === 'send' && !flags.has('yes'))
    throw new UsageError(
      'With --in-flight send, every email that waited when the backup was made is sent, also those that the old installation has sent since: their recipients get them twice, which nothing can undo. Repeat the command with --yes if that is what you want.',
    );
  return {
    into,
    at: at === null || at === 'latest' ? at : timeOf('at', at),
    wal,
    isWithoutSecret: flags.has('without-secret'),
    lostUntil: flags.has('complete') ? null : lostUntil,
    inFlight: chosen,
  };
}

function timeOf(option: string, given: string): Date {
  const time = new Date(given);
  if (Number.isNaN(time.getTime()) || !/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/.test(given))
    throw new UsageError(`--${option} needs a time with a zone, such as 2026-03-01T09:30:00Z.`);
  return time;
}

/** What the counts are, in words. */
const words: Readonly<Record<string, string>> = {
  begun: 'emails were being handed over when the backup was made: UNCERTAIN',
  mayHaveLeft: 'emails waited, and may have left since: UNCERTAIN',
  skipped: 'emails waited, and are SKIPPED',
  waiting: 'emails still wait',
  campaigns: 'campaigns may have been sent since: CANCELLED',
  executions: 'executions may have gone on since: FAILED, each can be retried',
  entries: 'entries into workflows by dates and new contacts were passed over',
  events: 'queued events are not given to workflows and segments',
  jobs: 'imports, exports and bulk changes were ended',
  sessions: 'sessions were ended',
  signInTokens: 'links to sign in, or to set a password, were ended',
  invitations: 'invitations were ended',
  approvals: 'requests for an approval were ended',
};

function reportOf({ epoch, counts, dataUntil, lostUntil }: RestoredBackup): string[] {
  return [
    `epoch\t${epoch}\tdata until ${dataUntil.toISOString()}${lostUntil ? `, lost until ${lostUntil.toISOString()}` : ''}`,
    ...Object.entries(counts).map(([name, count]) => `${name}\t${count}\t${words[name] ?? ''}`),
  ];
}

/** What is of no use without the secret that made it, and what to do instead. */
const losses: Readonly<Record<keyof RestoredBackup['lost'], string>> = {
  'Project.publicKeyCipher': 'public keys cannot be shown: replace them',
  'Project.secretKeyCipher': 'secret keys cannot be shown: replace them',
  'Project.webhookSecretCipher':
    'secrets of WEBHOOK steps: requests of these steps fail until they are replaced',
  'DomainKey.privateCipher': 'DKIM keys: remove these domains and add them again',
  'AuthenticatorApp.secretCipher':
    'authenticator apps: their users sign in with a recovery code, and set them up again',
  'WebhookEndpoint.secretCipher': 'secrets of webhook endpoints: make these endpoints again',
  'WebhookEndpoint.previousSecretCipher': 'previous secrets of webhook endpoints',
  'Content.sealedBody': 'emails to users of the installation, such as links to sign in',
  'Erasure.addressCipher': 'erasures that were under way: ask for them again',
  OptOut: 'opt-outs of deleted contacts: who is imported again is subscribed',
};

const lossesOf = ({ lost }: RestoredBackup): string[] =>
  Object.entries(lost).map(
    ([column, count]) => `lost ${column}\t${count}\t${losses[column as keyof typeof losses]}`,
  );

const afterwards = ({ lost, lostUntil, manifest, folder }: RestoredBackup): string =>
  [
    ...(manifest.uploads.bucket === null
      ? []
      : [`The uploads are in the bucket ${manifest.uploads.bucket}.`]),
    ...(folder !== null && manifest.kind === 'base'
      ? [
          `Start PostgreSQL ${manifest.postgres} on ${folder}, and name its database ${manifest.database} in DATABASE_URL. Its users have the passwords of the backup. Configuration that lay outside of the folder of the old server, as in /etc/postgresql, is not in it.`,
        ]
      : []),
    ...(Object.keys(lost).length > 0
      ? ['Links in emails from before, such as those to unsubscribe, are not recognized.']
      : []),
    lostUntil
      ? 'No email leaves before npm run admin -- restore:release. What was accepted or changed in the lost time is gone: erase again whom you erased then.'
      : 'Start the processes with the URL of this database.',
  ].join('\n');
