import { ConfigError } from '../../base/kernel/config.ts';
import { createSesClient } from './ses-client.ts';

/**
 * Checks that credentials can be found, so that a process without them does not start.
 *
 * @throws ConfigError naming the variables
 */
export async function assertSesCredentials(region: string): Promise<void> {
  const client = createSesClient({ region, connections: 1, answerTimeoutMs: 10_000 });
  try {
    await client.config.credentials();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError([
      `AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or another source of AWS credentials, are required with MAIL_TRANSPORT=ses: ${reason}`,
    ]);
  } finally {
    client.destroy();
  }
}
