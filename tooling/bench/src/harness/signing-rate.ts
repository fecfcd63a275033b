import { availableParallelism } from 'node:os';
import { startAnswering } from '@postrider/harness/answering-process';

/** How many RSA-2048 signatures per second all cores make together: the limit of signed email on this machine. */
export async function measureSigningRate(): Promise<number> {
  const signer = await startAnswering(new URL('./signing-load.ts', import.meta.url), {
    UV_THREADPOOL_SIZE: String(availableParallelism()),
  });
  try {
    return await signer.ask<number>({ threads: availableParallelism() });
  } finally {
    await signer.stop();
  }
}
