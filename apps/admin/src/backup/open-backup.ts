import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lastMigration } from '@postrider/core/base/db';
import type { SecretCheck, Secrets, Services } from '@postrider/core/base/kernel';
import type { LostSecrets } from '@postrider/core/people/installation';
import { CommandError } from '../command.ts';
import { formatVersion, type Manifest, manifest, manifestFile, manifestHead } from './manifest.schema.ts';
import { findDamage } from './parts.ts';

/** The manifest of a folder. @throws CommandError when it is not that of a backup that this version can read */
export async function readManifest(path: string): Promise<Manifest> {
  const text = await readFile(join(path, manifestFile), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
    throw new CommandError(`${path} holds no complete backup: ${manifestFile} is missing`);
  });
  const json = jsonOf(text);
  const head = manifestHead.safeParse(json);
  if (!head.success) throw new CommandError(`${join(path, manifestFile)} is not the manifest of a backup`);
  if (head.data.version > formatVersion)
    throw new CommandError(
      `${path} has format ${head.data.version}, and this version of Postrider reads format ${formatVersion}: use a newer version`,
    );
  const parsed = manifest.safeParse(json);
  if (!parsed.success)
    throw new CommandError(`${join(path, manifestFile)} was changed: ${parsed.error.message}`);
  return parsed.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * The manifest of a backup that this installation can use, if its files are whole.
 *
 * @param isWithoutSecret what was encrypted with a secret that is not there is given up
 * @throws CommandError naming what is wrong
 */
export async function openBackup(
  { secrets }: Pick<Services, 'secrets'>,
  path: string,
  isWithoutSecret = false,
): Promise<Manifest> {
  const found = await readManifest(path);
  const known = await lastMigration();
  if (found.schema > known)
    throw new CommandError(
      `${path} was made by a newer version of Postrider (${found.product}, schema ${found.schema}; this one has ${known})`,
    );
  if (!isWithoutSecret) refuse(path, wrongSecrets(found, secrets));
  return found;
}

/** Reads every file. @throws CommandError naming those that were changed or are missing */
export async function assertWhole(path: string, { parts }: Pick<Manifest, 'parts'>): Promise<void> {
  refuse(path, await findDamage(path, parts));
}

function refuse(path: string, wrong: readonly string[]): void {
  if (wrong.length > 0)
    throw new CommandError(`${path} cannot be used:\n${wrong.map((line) => `  - ${line}`).join('\n')}`);
}

/** Without them DKIM keys, second factors and the opt-outs of deleted people are lost. */
const wrongSecrets = (backup: Pick<Manifest, 'secretIds'>, given: GivenSecrets): string[] =>
  lostSecrets(backup, given).ids.map(
    (id) =>
      `its secret ${id} is neither APP_SECRET nor one of APP_SECRET_PREVIOUS (restore goes on without it with --without-secret, and lists what is lost)`,
  );

type GivenSecrets = Pick<Secrets, 'checks'>;

/** The secrets of a backup that are not given. */
export function lostSecrets(
  { secretIds }: Pick<Manifest, 'secretIds'>,
  { checks }: GivenSecrets,
): LostSecrets {
  const isSame = (one: SecretCheck | undefined, other: SecretCheck | undefined): boolean =>
    one?.id === other?.id && one?.check === other?.check;
  const lost = secretIds.filter((one) => !checks.some((given) => isSame(one, given)));
  return { ids: lost.map(({ id }) => id), isOldestLost: !isSame(secretIds.at(-1), checks.at(-1)) };
}
