import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** `npm run gate [-- <words of a name>]`: the clients of all generators, or of those whose name contains these words. */
const folder = fileURLToPath(new URL('../../', import.meta.url));
const { status } = spawnSync('vitest', ['run', '--root', folder, 'test/generated-clients.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, GATE: process.argv.slice(2).join(' ') },
});
process.exit(status ?? 1);
