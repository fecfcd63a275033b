import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { contractsFolder, makeContracts } from '../src/contracts.ts';

it('the committed contracts are what the code serves (else: npm run contracts -w @postrider/api, and look at the change)', async () => {
  for (const { file, text } of await makeContracts()) {
    expect(await readFile(new URL(file, contractsFolder), 'utf8')).toBe(text);
  }
});
