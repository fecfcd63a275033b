import { readFile } from 'node:fs/promises';
import { ConfigError, type CoreConfig, type Services } from '@postrider/core/base/kernel';
import type { Share } from '@postrider/core/base/lib';
import { type SubmissionServer, startSubmission } from './submission-server.ts';

type TlsConfig = Pick<CoreConfig, 'SUBMISSION_TLS_CERT' | 'SUBMISSION_TLS_KEY'>;

/** Starts the submission server when `SUBMISSION_PORT` is set. */
/** @param share the part of the limits for each address that this process has */
export async function startConfiguredSubmission(
  services: Services,
  share: Share,
): Promise<SubmissionServer | null> {
  const { SUBMISSION_PORT: port } = services.config;
  if (port === undefined) return null;
  return startSubmission(services, port, { tls: await readTls(services.config), share });
}

/** @throws ConfigError naming the variable whose file cannot be read */
async function readTls(config: TlsConfig): Promise<{ cert: Buffer; key: Buffer } | null> {
  const { SUBMISSION_TLS_CERT: cert, SUBMISSION_TLS_KEY: key } = config;
  if (cert === undefined || key === undefined) return null;
  return {
    cert: await readNamed('SUBMISSION_TLS_CERT', cert),
    key: await readNamed('SUBMISSION_TLS_KEY', key),
  };
}

const readNamed = (name: string, path: string): Promise<Buffer> =>
  readFile(path).catch((error: Error) => {
    throw new ConfigError([`${name} names a file that cannot be read: ${error.message}`]);
  });
