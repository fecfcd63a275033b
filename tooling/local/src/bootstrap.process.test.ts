import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from './root.ts';

const run = promisify(execFile);

/** Stand-ins that log their start and end; `npm ci` creates the Node that the bootstrap continues in. */
const NPM = `#!/bin/sh
echo "npm begins: $*" >> "$LOG"
i=0; while [ $i -lt "$NPM_WAITS" ] && ! grep -q "temporal begins" "$LOG"; do sleep 0.1; i=$((i+1)); done
[ "$NPM_FAILS" = "" ] || { echo "lock and package.json differ"; exit 1; }
mkdir -p node_modules/.bin
printf '#!/bin/sh\\necho "node runs $*" >> "$LOG"\\n' > node_modules/.bin/node
chmod +x node_modules/.bin/node
echo "npm ends" >> "$LOG"
`;
const TEMPORAL = `#!/bin/sh
echo "temporal begins" >> "$LOG"
echo "temporal version 1.5.1"
`;

let clone: string;
let env: NodeJS.ProcessEnv;
const bootstrap = (more: NodeJS.ProcessEnv = {}) =>
  run(process.execPath, ['tooling/local/bootstrap.mjs', 'start'], { cwd: clone, env: { ...env, ...more } });
const log = async () => (await readFile(join(clone, 'log'), 'utf8')).trim().split('\n');

beforeEach(async () => {
  clone = await mkdtemp(join(tmpdir(), 'postrider-bootstrap-'));
  await mkdir(join(clone, 'bin'));
  await mkdir(join(clone, 'tooling/local/src'), { recursive: true });
  for (const file of [
    'bootstrap.mjs',
    'src/pinned-download.mjs',
    'src/progress.mjs',
    'src/temporal-binary.mjs',
    'src/tool-cache.mjs',
  ]) {
    await cp(join(ROOT, 'tooling/local', file), join(clone, 'tooling/local', file));
  }
  await writeFile(join(clone, 'package-lock.json'), '{}');
  await writeFile(join(clone, 'log'), '');
  await writeFile(join(clone, 'bin/npm'), NPM, { mode: 0o755 });
  await writeFile(join(clone, 'bin/temporal'), TEMPORAL, { mode: 0o755 });
  env = {
    PATH: `${join(clone, 'bin')}${delimiter}${process.env.PATH}`,
    LOG: join(clone, 'log'),
    XDG_CACHE_HOME: clone,
    NPM_WAITS: '100',
  };
});

afterEach(() => rm(clone, { recursive: true, force: true }));

describe('the first start of a clone', () => {
  it('looks for the Temporal server while npm installs, then continues in the installed Node', async () => {
    await bootstrap();
    const lines = await log();
    expect(lines[0]).toMatch(/^npm begins: ci /);
    expect(lines.indexOf('temporal begins')).toBeLessThan(lines.indexOf('npm ends'));
    expect(lines.at(-1)).toMatch(/^node runs .*start\.ts$/);
  });

  it('leaves the Temporal server alone when another one is configured', async () => {
    await writeFile(join(clone, '.env'), 'TEMPORAL_ADDRESS=temporal.example.com:7233\n');
    await bootstrap({ NPM_WAITS: '5' });
    expect(await log()).not.toContain('temporal begins');
  });

  it('installs only from the lock, and fails with the output of npm when that is impossible', async () => {
    await expect(bootstrap({ NPM_FAILS: '1' })).rejects.toThrow('lock and package.json differ');
    expect((await log()).filter((line) => line.startsWith('npm begins'))).toHaveLength(1);
  });

  it('is not repeated while the lock is unchanged', async () => {
    await bootstrap();
    await bootstrap();
    expect((await log()).filter((line) => line.startsWith('npm begins'))).toHaveLength(1);
  });
});
