import { createHash } from 'node:crypto';
import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { downloads, savePinned, WrongSum } from './pinned-download.mjs';

const archive = Buffer.alloc(300_000, 'archive');
const sha256 = createHash('sha256').update(archive).digest('hex');
let folder: string;
let address: string;
let served = archive;

const server = createServer((_request, response) => response.end(served));
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pinned-'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/archive.tar.gz`;
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

async function download(file: string): Promise<void> {
  const { body } = await fetch(address);
  if (body) await savePinned(body, { url: address, sha256, file });
}

it('a download with the pinned sum is kept as it is', async () => {
  const file = join(folder, 'right');
  served = archive;
  await download(file);
  expect(await readFile(file)).toEqual(archive);
});

it('a download with one changed byte is discarded, and the error names both sums', async () => {
  const file = join(folder, 'wrong');
  served = Buffer.from(archive);
  served[123_456] = 0;
  const error = await download(file).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(WrongSum);
  expect(String(error)).toContain(sha256);
  expect(String(error)).toContain(createHash('sha256').update(served).digest('hex'));
  await expect(access(file)).rejects.toThrow();
});

it('every pinned sum is one of SHA-256', () => {
  for (const sum of Object.values(downloads.temporal.sha256)) expect(sum).toMatch(/^[0-9a-f]{64}$/);
});
