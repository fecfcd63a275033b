import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { workflowBundle } from './workflow-bundle.ts';

let folder: string;
let warnings: string[];
const log = { warn: (_details: object, message: string) => void warnings.push(message) };
const code = async (file: string) => {
  const bundle = await workflowBundle(log, file);
  return 'code' in bundle ? bundle.code : '';
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postrider-bundle-'));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(() => {
  warnings = [];
});

describe('the bundle of the workflows', () => {
  it('is kept for the next start, also when several workers start at once', async () => {
    const file = join(folder, 'several', 'bundle.json');
    const made = await Promise.all([code(file), code(file)]);
    expect(made[0]).toContain('deliverCampaign');
    expect(new Set(made).size).toBe(1);
    expect(await readdir(join(folder, 'several'))).toEqual(['bundle.json']);
    // What is kept is what runs.
    const kept = JSON.parse(await readFile(file, 'utf8')) as { code: string };
    await writeFile(file, JSON.stringify({ ...kept, code: 'kept' }));
    expect(await code(file)).toBe('kept');
    expect(warnings).toEqual([]);
  });

  it('is made again once a file in it has changed', async () => {
    const file = join(folder, 'changed.json');
    const first = await code(file);
    const kept = JSON.parse(await readFile(file, 'utf8')) as { files: string[]; digest: string };
    expect(kept.files).toContain('campaigns/deliver-campaign.workflow.ts');
    await writeFile(file, JSON.stringify({ ...kept, digest: 'of other contents', code: 'old' }));
    expect(await code(file)).toBe(first);
    expect(await readFile(file, 'utf8')).toContain(kept.digest);
  });

  it('runs although it cannot be kept, and the log says so', async () => {
    // Nobody, not even root, can make a file there.
    expect(await code('/proc/postrider-bundle.json')).toContain('deliverCampaign');
    expect(warnings).toHaveLength(1);
  });
});
