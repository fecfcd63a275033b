import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { breakingChanges, contractAtBase, decisionRecords, unexplained } from './breaking-changes.ts';
import { documentBreaches } from './document-rules.ts';
import { contractPath, contractsFolder, makeContracts } from './make-contracts.ts';

/**
 * Writes the contracts, or with `--check` compares them with the committed ones, so that no change of the API goes
 * unnoticed. Either way a change that breaks clients of the main branch fails unless a decision record names it.
 */
async function main(): Promise<void> {
  const check = process.argv.includes('--check');
  const records = await decisionRecords();
  await mkdir(contractsFolder, { recursive: true });
  for (const contract of await makeContracts()) {
    const path = contractPath(contract);
    if (check) compare(contract.file, await readFile(path, 'utf8').catch(() => ''), contract.text);
    else {
      await writeFile(path, contract.text);
      process.stdout.write(`wrote ${contract.file}\n`);
    }
    if (contract.file === 'openapi.json')
      for (const breach of documentBreaches(JSON.parse(contract.text)))
        fail(`The API document breaks ${breach} (docs/behaviour.md, B4.21).`);
    const base = (await contractAtBase(contract)) ?? contract.text;
    for (const change of unexplained(breakingChanges(contract.file, base, contract.text), records)) {
      fail(
        `This breaks clients: \`${change}\`. If it has to be, give this line in a decision record in docs/decisions.`,
      );
    }
  }
}

function compare(file: string, committed: string, text: string): void {
  const line = firstDifference(committed, text);
  if (line === null) return;
  fail(
    `${file} differs from the code, first in line ${line}. Run "npm run contracts" and look at the change.`,
  );
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

function firstDifference(a: string, b: string): number | null {
  if (a === b) return null;
  const [left, right] = [a.split('\n'), b.split('\n')];
  const at = left.findIndex((line, index) => line !== right[index]);
  return (at < 0 ? left.length : at) + 1;
}

await main();
