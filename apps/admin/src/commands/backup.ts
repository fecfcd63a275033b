import { readKeep } from '../backup/keep.rules.ts';
import { makeBackup } from '../backup/make-backup.ts';
import { pruneBackups } from '../backup/prune-backups.ts';
import { stopForMove } from '../backup/stop-for-move.ts';
import { verifyBackup } from '../backup/verify-backup.ts';
import { type Command, UsageError } from '../command.ts';

export const backup: Command = {
  summary:
    'Writes the server or the database, and the uploads, into a new folder in this folder, and prints its name. APP_SECRET is not in it. --final, for a move, first stops the installation and waits until its processes have ended. --from-standby reads a standby that DATABASE_URL names. --base copies the server and is the default where its user may do so; --dump reads the database. Needs pg_basebackup or pg_dump, of PG_BIN or the path.',
  argument: 'folder',
  flags: ['base', 'dump', 'final', 'from-standby'],
  async run({ services, out, err }, { argument: folder, flags }) {
    if (flags.has('base') && flags.has('dump'))
      throw new UsageError('A backup is either a --base or a --dump.');
    const kind = flags.has('base') ? 'base' : flags.has('dump') ? 'dump' : undefined;
    const isFinal = flags.has('final');
    let isStopped = false;
    const stop = async (): Promise<void> => {
      isStopped = true;
      await stopForMove(services, err);
    };
    const fromStandby = flags.has('from-standby');
    const options = { kind, fromStandby, beforeSaving: isFinal ? stop : undefined } as const;
    const { path, manifest, refusal } = await makeBackup(services, folder, options).catch(
      (error: unknown) => {
        if (isStopped) err('The installation is still stopped. npm run admin -- resume lets it go on.');
        throw error;
      },
    );
    const bytes = manifest.parts.reduce((sum, part) => sum + part.bytes, 0);
    out(path);
    err(`${(bytes / 1_000_000).toFixed(1)} MB with what was stored until ${manifest.dataUntil}.`);
    if (refusal !== null) err(`A dump was made. A base was not possible: ${refusal}.`);
    if (manifest.kind === 'base')
      err('It is the whole server: all of its databases, and the passwords of its users as hashes.');
    const { bucket } = manifest.uploads;
    if (bucket !== null)
      err(`The uploads are in the bucket ${bucket}, which is not copied: keep its versions.`);
    if (isFinal)
      err(
        'The installation is stopped, and nothing is in it that the backup has not: restore it with --complete. npm run admin -- resume lets this installation go on instead.',
      );
    err('Keep APP_SECRET and APP_SECRET_PREVIOUS elsewhere: a backup cannot be used without them.');
    return true;
  },
};

export const verifyOne: Command = {
  summary:
    'Checks the files of a backup, restores a dump into a database of its own on the same server or starts a server of its own on a copy of a base, and compares counters and emails there.',
  argument: 'backup',
  async run({ services, out }, { argument: path }) {
    await verifyBackup(services, path);
    out(`${path} can be restored.`);
    return true;
  },
};

export const prune: Command = {
  summary:
    'Removes backups in a folder but the newest of each of the last days, weeks and months, the newest of all, and the last verified one.',
  argument: 'folder',
  options: { keep: 'such as 7d,4w,6m' },
  async run({ out, err }, { argument: folder, options }) {
    const keep = readKeep(options['keep'] ?? '');
    if (!keep) throw new UsageError('--keep needs numbers of days, weeks and months, such as 7d,4w,6m.');
    const { removed, kept, segments, others } = await pruneBackups(folder, keep);
    for (const name of removed) out(`removed\t${name}`);
    if (segments > 0) out(`removed\t${segments} segments of WAL that no base needs`);
    for (const name of kept) out(`kept\t${name}`);
    for (const name of others) err(`${name} holds no backup that this version reads, and was left alone.`);
    return true;
  },
};
