import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface BaselineRates {
  unsigned: number;
  signed: number;
}

interface BenchFile {
  results: { series: { label: string; median: number }[] }[];
}

/**
 * Runs one round of this bench in a clone of an older commit, which measures itself with its own sink.
 *
 * @param folder the clone, with its dependencies installed
 */
export async function measureBaseline(folder: string, recipients: number): Promise<BaselineRates> {
  const output = await mkdtemp(join(tmpdir(), 'postrider-baseline-'));
  const json = join(output, 'campaign.json');
  try {
    await run(
      process.execPath,
      [
        'tooling/bench/src/main.ts',
        '--rounds',
        '1',
        '--recipients',
        String(recipients),
        '--json',
        json,
        'campaign',
      ],
      { cwd: folder, maxBuffer: 2 ** 26 },
    );
    const { results } = JSON.parse(await readFile(json, 'utf8')) as BenchFile;
    const medianOf = (label: string): number => {
      const found = results.flatMap(({ series }) => series).find((series) => series.label === label);
      if (!found) throw new Error(`The bench of ${folder} has no series "${label}".`);
      return found.median;
    };
    return { unsigned: medianOf('campaign'), signed: medianOf('campaign, RSA-2048') };
  } finally {
    await rm(output, { recursive: true, force: true });
  }
}
