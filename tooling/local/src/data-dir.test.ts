import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appSecret, openDataDir, wipeDataDir } from './data-dir.ts';
import { identityOf } from './processes.ts';

let folder: string;
const here = () => join(folder, 'data');

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postrider-data-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** The id of a process that has just ended. */
function deadPid(): number {
  return spawnSync('true').pid;
}

describe('the lock of a data folder', () => {
  it('lets one start in and tells the second who is there', async () => {
    const first = await openDataDir(here());
    await expect(openDataDir(here())).rejects.toThrow(
      `Postrider already runs on DATA_DIR ${here()} (process ${process.pid}).`,
    );
    await first.release();
    await (await openDataDir(here())).release();
  });

  it('is waited for while the other is stopping', async () => {
    const first = await openDataDir(here());
    await first.announceStop();
    const second = openDataDir(here());
    await new Promise((resolve) => setTimeout(resolve, 300));
    await first.release();
    await (await second).release();
  });

  it('is taken over from a process that is gone', async () => {
    const first = await openDataDir(here());
    await writeFile(join(here(), 'lock'), JSON.stringify({ pid: deadPid(), identity: '1' }));
    await (await openDataDir(here())).release();
    await first.release();
  });

  it('is taken over when the process id belongs to another program by now', async () => {
    const dir = await openDataDir(here());
    const identity = `${await identityOf(process.pid)}0`;
    await writeFile(join(here(), 'lock'), JSON.stringify({ pid: process.pid, identity }));
    await (await openDataDir(here())).release();
    await dir.release();
  });

  it('is taken over when it holds nonsense', async () => {
    await (await openDataDir(here())).release();
    await writeFile(join(here(), 'lock'), 'half a wri');
    await (await openDataDir(here())).release();
  });

  it('goes to one of many that take a dead one over at the same time', async () => {
    await (await openDataDir(here())).release();
    await writeFile(join(here(), 'lock'), JSON.stringify({ pid: deadPid(), identity: '1' }));
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => openDataDir(here())));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });
});

describe('a data folder that cannot be used', () => {
  it('is named with its variable and the reason', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(openDataDir(join(folder, 'file'))).rejects.toThrow(
      /^DATA_DIR .*file cannot be used: there is a file of that name\. Choose another folder with DATA_DIR=/,
    );
    await expect(openDataDir(join(folder, 'file', 'below'))).rejects.toThrow('a part of the path is a file');
  });
});

describe('a reset', () => {
  it('empties the folder, the lock aside', async () => {
    const dir = await openDataDir(here());
    await writeFile(join(here(), 'demo.json'), '{}');
    await wipeDataDir(dir);
    expect((await readdir(here())).sort()).toEqual(['lock', 'postrider.json']);
    await dir.release();
  });

  it('refuses a folder that held other files before', async () => {
    await writeFile(join(folder, 'letter.txt'), 'dear');
    const dir = await openDataDir(folder);
    await expect(wipeDataDir(dir)).rejects.toThrow('is not wiped');
    expect(await readFile(join(folder, 'letter.txt'), 'utf8')).toBe('dear');
    await dir.release();
  });
});

describe('the secret', () => {
  it('is made once and readable for its owner only', async () => {
    const secret = await appSecret(folder);
    expect(secret.length).toBeGreaterThanOrEqual(32);
    expect(await appSecret(folder)).toBe(secret);
    expect((await stat(join(folder, 'app-secret'))).mode & 0o777).toBe(0o600);
  });
});
