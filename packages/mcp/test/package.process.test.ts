import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '@postrider/local/root';
import { expect, it, onTestFinished } from 'vitest';

const run = promisify(execFile);

it('the published package is a program with its tools, and pins what it depends on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-mcp-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const out = join(folder, 'package');
  const program = join(ROOT, 'tooling/local/src/publish/build-package.cli.ts');
  await run(process.execPath, [program, '--out', out], { cwd: join(import.meta.dirname, '..') });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const manifest = JSON.parse(await readFile(join(out, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({
    bin: { mcp: './main.js' },
    dependencies: {
      '@modelcontextprotocol/sdk': expect.stringMatching(/^\d/),
      '@postrider/sdk': manifest.version,
    },
  });
  const { stdout } = await run(process.execPath, [join(out, 'main.js'), '--help']);
  expect(stdout).toMatch(/^Usage: npx @postrider\/mcp/);
  expect(await readFile(join(out, 'main.js'), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
});
