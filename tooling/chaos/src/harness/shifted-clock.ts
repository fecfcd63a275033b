import { execFile } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const source = fileURLToPath(new URL('./shifted-clock.c', import.meta.url));

/** The clock of a program, which can be set while it runs. */
export interface ShiftedClock {
  /** for the program, which has to be linked dynamically */
  env: Record<string, string>;
  /** Sets the clock this many milliseconds ahead of the system's, or behind it if negative. */
  shift(ms: number): Promise<void>;
}

/** @param folder readable for the user of the program @throws Error if there is no C compiler */
export async function createShiftedClock(folder: string): Promise<ShiftedClock> {
  const library = join(folder, 'shifted-clock.so');
  try {
    await run('cc', ['-shared', '-fPIC', '-O2', '-Wall', '-Werror', '-o', library, source, '-ldl']);
  } catch (error) {
    throw new Error(
      'A library that sets the clock of a program could not be compiled; it needs `cc` on Linux.',
      {
        cause: error,
      },
    );
  }
  const file = join(folder, 'clock-shift');
  const shift = async (ms: number): Promise<void> => {
    const value = Buffer.alloc(8);
    value.writeBigInt64LE(BigInt(ms) * 1_000n);
    // Written in place: the program has mapped this file.
    await writeFile(file, value, { flag: 'r+' });
  };
  await writeFile(file, Buffer.alloc(8));
  await Promise.all([chmod(library, 0o755), chmod(file, 0o644)]);
  return { env: { LD_PRELOAD: library, CLOCK_SHIFT_FILE: file }, shift };
}
