import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { contractsFolder, makeContracts } from '../src/contracts.ts';

it('the committed contracts match the code (otherwise run npm run contracts -w @postrider/api and review the change)', async () => {
  for (const { file, text } of await makeContracts()) {
    expect(await readFile(new URL(file, contractsFolder), 'utf8')).toBe(text);
  }
});
