import { availableParallelism } from 'node:os';
import { startAnswering } from '@postrider/harness/answering-process';

/**
 * How many RSA-2048 signatures per second all cores make together: the limit of signed email on this machine.
 *
 * @param threads fewer than there are cores: what so many of them make
 */
export async function measureSigningRate(threads = availableParallelism()): Promise<number> {
  const signer = await startAnswering(new URL('./signing-load.ts', import.meta.url), {
    UV_THREADPOOL_SIZE: String(threads),
  });
  try {
    return await signer.ask<number>({ threads });
  } finally {
    await signer.stop();
  }
}
