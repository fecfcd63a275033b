import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appSecret, openDataDir, wipeDataDir } from './data-dir.ts';

let folder: string;
const here = () => join(folder, 'data');

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postrider-data-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the lock of a data folder', () => {
  it('admits one start and names its holder to the second', async () => {
    const first = await openDataDir(here());
    await expect(openDataDir(here())).rejects.toThrow(
      `Postrider is already running with DATA_DIR ${here()} (process ${process.pid}).`,
    );
    await first.release();
    await (await openDataDir(here())).release();
  });

  it('is waited for while its holder is stopping', async () => {
    const first = await openDataDir(here());
    await first.announceStop();
    const second = openDataDir(here());
    await new Promise((resolve) => setTimeout(resolve, 300));
    await first.release();
    await (await second).release();
  });

  it('is free again when its holder was killed', async () => {
    const script = `import { openDataDir } from ${JSON.stringify(join(import.meta.dirname, 'data-dir.ts'))};
await openDataDir(${JSON.stringify(here())});
console.log('locked');
setInterval(() => undefined, 1000);`;
    const holder = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(holder.stdout, 'data');
    await expect(openDataDir(here())).rejects.toThrow(`(process ${holder.pid})`);
    holder.kill('SIGKILL');
    await (await openDataDir(here())).release();
  });

  it('does not depend on the files beside it', async () => {
    await (await openDataDir(here())).release();
    await writeFile(join(here(), 'lock.json'), 'half a wri');
    await (await openDataDir(here())).release();
  });

  it('goes to exactly one of many simultaneous starts', async () => {
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => openDataDir(here())));
    const [winner, ...others] = results.filter((result) => result.status === 'fulfilled');
    expect(others).toHaveLength(0);
    await winner?.value.release();
  });
});

describe('a data folder that cannot be used', () => {
  it('is named with its variable and the reason', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(openDataDir(join(folder, 'file'))).rejects.toThrow(
      /^DATA_DIR .*file cannot be used: a file with that name exists\. Choose another folder with DATA_DIR=/,
    );
    await expect(openDataDir(join(folder, 'file', 'below'))).rejects.toThrow('a part of the path is a file');
  });
});

describe('a reset', () => {
  it('empties the folder except for the lock', async () => {
    const dir = await openDataDir(here());
    await writeFile(join(here(), 'demo.json'), '{}');
    await wipeDataDir(dir);
    expect((await readdir(here())).sort()).toEqual(['lock.db', 'lock.json', 'postrider.json']);
    await dir.release();
  });

  it('refuses a folder that already held other files', async () => {
    await writeFile(join(folder, 'letter.txt'), 'dear');
    const dir = await openDataDir(folder);
    await expect(wipeDataDir(dir)).rejects.toThrow('is not deleted');
    expect(await readFile(join(folder, 'letter.txt'), 'utf8')).toBe('dear');
    await dir.release();
  });
});

describe('the secret', () => {
  it('is created once and readable only by its owner', async () => {
    const secret = await appSecret(folder);
    expect(secret.length).toBeGreaterThanOrEqual(32);
    expect(await appSecret(folder)).toBe(secret);
    expect((await stat(join(folder, 'app-secret'))).mode & 0o777).toBe(0o600);
  });
});
