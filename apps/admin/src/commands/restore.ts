import { type RestoredBackup, type RestoreRequest, restoreBackup } from '../backup/restore-backup.ts';
import { type Command, type Given, UsageError } from '../command.ts';

const inFlight = ['uncertain', 'send', 'skip'] as const;

export const restore: Command = {
  summary:
    'Restores a backup into an empty database. What waited and may have left since is UNCERTAIN and never sent by itself, and nothing leaves before restore:release; with --complete nothing happened since. Needs pg_restore, of PG_BIN or the path.',
  argument: 'backup',
  options: {
    into: 'URL of the database',
    'lost-until': 'until when the old installation worked, by default now',
    'in-flight': inFlight,
  },
  flags: ['complete', 'yes'],
  async run({ services, out, err }, given) {
    const restored = await restoreBackup(services, { ...requestOf(given), path: given.argument });
    for (const line of reportOf(restored)) out(line);
    err(afterwards(restored));
    return true;
  },
};

function requestOf({ options, flags }: Given): Omit<RestoreRequest, 'path'> {
  const { into: url, 'lost-until': given, 'in-flight': wish = 'uncertain' } = options;
  if (!url || !/^postgres(ql)?:\/\//.test(url))
    throw new UsageError('--into needs the postgres:// URL of an empty database.');
  if (flags.has('complete') && given !== undefined)
    throw new UsageError(
      '--complete says that nothing happened since the backup, and --lost-until that something did.',
    );
  const lostUntil = given === undefined ? 'now' : new Date(given);
  if (
    lostUntil !== 'now' &&
    (Number.isNaN(lostUntil.getTime()) || !/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/.test(given ?? ''))
  )
    throw new UsageError('--lost-until needs a time with a zone, such as 2026-03-01T09:30:00Z.');
  const chosen = inFlight.find((known) => known === wish);
  if (!chosen) throw new UsageError(`--in-flight must be ${inFlight.join(', ')}.`);
  if (chosen === 'send' && !flags.has('yes'))
    throw new UsageError(
      'With --in-flight send, every email that waited when the backup was made is sent, also those that the old installation has sent since: their recipients get them twice, which nothing can undo. Repeat the command with --yes if that is what you want.',
    );
  return { url, lostUntil: flags.has('complete') ? null : lostUntil, inFlight: chosen };
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

function reportOf({ epoch, counts, manifest, lostUntil }: RestoredBackup): string[] {
  return [
    `epoch\t${epoch}\tdata until ${manifest.dataUntil}${lostUntil ? `, lost until ${lostUntil.toISOString()}` : ''}`,
    ...Object.entries(counts).map(([name, count]) => `${name}\t${count}\t${words[name] ?? ''}`),
  ];
}

const afterwards = ({ lostUntil, manifest }: RestoredBackup): string =>
  [
    ...(manifest.uploads.bucket === null
      ? []
      : [`The uploads are in the bucket ${manifest.uploads.bucket}.`]),
    lostUntil
      ? 'No email leaves before npm run admin -- restore:release. What was accepted or changed in the lost time is gone: erase again whom you erased then.'
      : 'Start the processes with the URL of this database.',
  ].join('\n');
