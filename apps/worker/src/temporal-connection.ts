import type { CoreConfig } from '@postrider/core/base/kernel';
import { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';

const retryMs = 1_000;

/** Connects to Temporal and retries while it is unreachable: a worker that starts first waits for its server. */
export async function connectToTemporal(
  config: CoreConfig,
  log: Logger,
  stopping: AbortSignal,
): Promise<NativeConnection> {
  for (;;) {
    try {
      return await NativeConnection.connect({
        address: config.TEMPORAL_ADDRESS,
        ...(config.TEMPORAL_API_KEY ? { tls: true, apiKey: config.TEMPORAL_API_KEY } : {}),
      });
    } catch (error) {
      if (stopping.aborted) throw error;
      log.warn({ err: error, address: config.TEMPORAL_ADDRESS }, 'Temporal does not answer yet');
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
}
