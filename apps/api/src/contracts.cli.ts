import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { contractsFolder, makeContracts } from './contracts.ts';

/**
 * Writes the contracts, or with `--check` compares them with the committed ones, so that no change of the API goes
 * unnoticed.
 */
async function main(): Promise<void> {
  const check = process.argv.includes('--check');
  await mkdir(contractsFolder, { recursive: true });
  for (const { file, text } of await makeContracts()) {
    const path = new URL(file, contractsFolder);
    if (!check) {
      await writeFile(path, text);
      process.stdout.write(`wrote contracts/${file}\n`);
      continue;
    }
    const committed = await readFile(path, 'utf8').catch(() => '');
    const line = firstDifference(committed, text);
    if (line === null) continue;
    process.stderr.write(
      `contracts/${file} differs from the code, first in line ${line}. Run "npm run contracts -w @postrider/api" and look at the change.\n`,
    );
    process.exitCode = 1;
  }
}

function firstDifference(a: string, b: string): number | null {
  if (a === b) return null;
  const [left, right] = [a.split('\n'), b.split('\n')];
  const at = left.findIndex((line, index) => line !== right[index]);
  return (at < 0 ? left.length : at) + 1;
}

await main();
