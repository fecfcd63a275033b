import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { doorEdits, readArguments } from './operation.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

const floorOf = (area: string): string | undefined => (area === 'campaigns' ? 'automation' : undefined);

describe('gen operation', () => {
  it('adds one line and its import to each of the three current doors', async () => {
    const operation = readArguments(['operation', 'campaigns', 'archive-campaign'], floorOf);
    const edits = doorEdits(operation);
    expect(edits.map(({ path }) => path.split('/')[3])).toEqual(['rest', 'trpc', 'graphql']);
    for (const { path, edit } of edits) {
      const before = await readFile(join(root, path), 'utf8');
      const after = edit(before);
      expect(after.match(/archiveCampaign/g)?.length).toBeGreaterThanOrEqual(2);
      expect(
        after.match(/^import .*archiveCampaign.* from '@postrider\/core\/automation\/campaigns';$/m),
      ).not.toBeNull();
    }
  });

  it('rejects invalid arguments with the reason', () => {
    expect(() => readArguments(['operation', 'campaigns'], floorOf)).toThrow('verb-noun');
    expect(() => readArguments(['operation', 'nothing', 'archive-campaign'], floorOf)).toThrow('the area is');
    expect(() => readArguments(['thing'], floorOf)).toThrow('usage');
  });
});
