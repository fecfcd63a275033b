import { join } from 'node:path';
import type { CoreConfig } from '../../base/kernel/config.ts';
import type { FileStorage } from '../../base/kernel/ports/file-storage.ts';
import { createLocalFiles } from './local-files.ts';
import { createS3Files, type S3Options } from './s3-files.ts';

/**
 * Where a process stores files: in S3 when `S3_BUCKET` is set, otherwise on disk. With S3, files that were stored on disk before
 * are still served, because sent emails link to them.
 */
export function createFiles(config: CoreConfig): FileStorage & { close(): Promise<void> } {
  const local = createLocalFiles({ folder: join(config.DATA_DIR, 'uploads'), apiUrl: config.API_URL });
  const options = s3OptionsOf(config);
  if (options === null) return { ...local, close: () => Promise.resolve() };
  return { ...createS3Files(options), open: local.open };
}

/** The bucket of an installation; null for one that stores files on disk. */
export function s3OptionsOf(config: CoreConfig): S3Options | null {
  if (config.S3_BUCKET === undefined) return null;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  return {
    bucket: config.S3_BUCKET,
    region: config.S3_REGION,
    endpoint: config.S3_ENDPOINT,
    forcePathStyle: config.S3_FORCE_PATH_STYLE,
    publicUrl: config.S3_PUBLIC_URL,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
  };
}
