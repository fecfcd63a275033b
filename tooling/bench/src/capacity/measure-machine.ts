import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchStack } from '../harness/bench-stack.ts';
import { measureSigningRate } from '../harness/signing-rate.ts';
import { commitRows } from './capacity.store.ts';

/** What every installation depends on, each a second and by one program that does nothing else: figures of two machines compare by them. */
export interface MachineReference {
  /** RSA-2048 signatures on one core */
  signatures: number;
  /** writes of 8 kB that are on the disk one after another */
  fsyncs: number;
  /** rows committed one after another to PostgreSQL */
  commits: number;
}

const seconds = 2;

export async function measureMachine({ reference }: BenchStack): Promise<MachineReference> {
  return {
    signatures: await measureSigningRate(1),
    fsyncs: await measureFsyncs(),
    commits: await commitRows(reference.db, seconds),
  };
}

/** In the folder that holds the cluster of the bench, too. */
async function measureFsyncs(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-fsync-'));
  try {
    const file = await open(join(folder, 'page'), 'w');
    const page = Buffer.alloc(8_192, 1);
    const from = performance.now();
    let count = 0;
    for (; performance.now() < from + seconds * 1_000; count += 1) {
      await file.write(page, 0, page.length, 0);
      await file.sync();
    }
    const rate = (count * 1_000) / (performance.now() - from);
    await file.close();
    return rate;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
