import { access, constants } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Examined } from './examined.ts';
import { checksOf, failure, type Outcome, ok } from './finding.ts';
import { percent } from './quantities.ts';

async function files({ config, inspect, freeShare, limits }: Examined): Promise<Outcome[]> {
  if (config.S3_BUCKET !== undefined) {
    const subject = `bucket ${config.S3_BUCKET}`;
    const problem = await inspect.bucket();
    if (problem === null) return [ok(subject, 'answers')];
    return [
      failure({
        subject,
        found: `not usable: ${problem}`,
        cause:
          'Images cannot be stored. 403: the credentials are wrong or may not; 404: there is no such bucket, or it is in another region.',
        action: 'Correct S3_BUCKET, S3_REGION, S3_ENDPOINT and the credentials, or the policy of the bucket.',
      }),
    ];
  }
  const folder = await nearestExisting(resolve(config.DATA_DIR, 'uploads'));
  const problem = await refusal(folder);
  if (problem !== null)
    return [
      failure({
        subject: folder,
        found: `this user cannot write there: ${problem}`,
        cause: 'Images cannot be stored in DATA_DIR.',
        action: `Give the folder to the user of the api (chown), or set DATA_DIR to another one.`,
      }),
    ];
  const free = await freeShare(folder);
  if (free === null || free >= limits.filesDisk) return [ok(folder, 'writable')];
  return [
    failure({
      subject: folder,
      found: `${percent(free)} of the disk are free`,
      cause: 'Nothing is stored on a disk that is almost full: uploads are refused.',
      action: 'Make room on it, or set DATA_DIR to a larger one.',
    }),
  ];
}

/** The folder, or that in which it will be made. */
async function nearestExisting(folder: string): Promise<string> {
  for (let each = folder; ; each = dirname(each)) {
    const problem = await access(each).then(
      () => null,
      (error: NodeJS.ErrnoException) => error.code,
    );
    if (problem !== 'ENOENT' || dirname(each) === each) return each;
  }
}

/** A folder is written to by entering it and making a file: both are rights of it. */
const refusal = (folder: string): Promise<string | null> =>
  access(join(folder, '.'), constants.W_OK | constants.X_OK).then(
    () => null,
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  );

export const storageChecks = checksOf<Examined>('storage', [
  ...['DATA_DIR', 'S3_BUCKET', 'S3_REGION', 'S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
])({
  files: { reference: 'Storage: images', run: files },
});
