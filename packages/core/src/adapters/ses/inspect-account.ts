import { GetAccountCommand } from '@aws-sdk/client-sesv2';
import type { SesFacts, SesRefused } from '../../base/kernel/ports/inspections.ts';
import { createSesClient } from './ses-client.ts';

/** Reads what the account may send. */
export async function inspectSes(region: string): Promise<SesFacts | SesRefused> {
  const client = createSesClient({ region, connections: 1, answerTimeoutMs: 10_000 });
  try {
    await client.config.credentials();
  } catch (error) {
    client.destroy();
    return { kind: 'no credentials', error: error instanceof Error ? error.message : String(error) };
  }
  try {
    const { SendingEnabled, ProductionAccessEnabled, SendQuota } = await client.send(
      new GetAccountCommand({}),
    );
    const { Max24HourSend: most = -1, SentLast24Hours: sent = 0 } = SendQuota ?? {};
    return {
      kind: 'found',
      maySend: SendingEnabled !== false,
      isSandbox: ProductionAccessEnabled === false,
      quota: most < 0 ? null : most,
      sent,
    };
  } catch (error) {
    const { name, message, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
    const status = $metadata?.httpStatusCode ?? 0;
    return { kind: status >= 400 && status < 500 ? 'not allowed' : 'away', error: `${name}: ${message}` };
  } finally {
    client.destroy();
  }
}
