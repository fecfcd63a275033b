import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pythonTool } from '@postrider/local/python-tool';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Send, startApp, type TestApp } from './harness.ts';

/** Clients that third-party generators create from `/openapi.json` call the running app. */

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const programs = fileURLToPath(new URL('clients/', import.meta.url));
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Time limit of a generator on a busy machine, including its first installation. */
const patience = 300_000;

let test: TestApp;
let send: Send;
let base: string;
let folder: string;

beforeAll(async () => {
  test = await startApp();
  send = test.withKey(test.project.secretKey);
  base = await test.app.listen({ host: '127.0.0.1', port: 0 });
  folder = await mkdtemp(join(tmpdir(), 'generated-clients-'));
  await writeFile(join(folder, 'openapi.json'), (await test.anyone('GET', '/openapi.json')).text);
  expect((await send('POST', '/domains', { domain: 'mail.example.com' })).status).toBe(201);
});
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

/** A static segment with one member. */
async function segmentWith(email: string): Promise<string> {
  const { body } = await send('POST', '/segments', { name: email, type: 'STATIC' });
  const members = { emails: [email], createMissing: true };
  expect((await send('POST', `/segments/${body.id}/members`, members)).body).toMatchObject({ added: 1 });
  return body.id;
}

/** Runs a client program and reads the one line of JSON that it prints. */
async function outcomeOf(
  command: string,
  args: string[],
  segmentId: string,
): Promise<Record<string, unknown>> {
  const given = [base, test.project.secretKey, test.project.id, segmentId];
  const { stdout } = await run(command, [...args, ...given], { cwd: folder });
  return JSON.parse(stdout) as Record<string, unknown>;
}

const successful = {
  jobId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  removed: 1,
  domains: ['mail.example.com'],
};

describe('a generated client imports contacts, removes members and lists domains', () => {
  it('by openapi-typescript, with types that tsc --strict accepts', { timeout: patience }, async () => {
    for (const program of ['generate-types.ts', 'generated-client.ts'])
      await cp(join(programs, program), join(folder, program));
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          target: 'es2024',
          module: 'nodenext',
          types: ['node'],
          allowImportingTsExtensions: true,
        },
        files: ['generated-client.ts', 'api.d.ts'],
      }),
    );
    await run(process.execPath, ['generate-types.ts'], { cwd: folder });
    const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
    await run(process.execPath, [compiler, '-p', 'tsconfig.json'], { cwd: folder });
    const segmentId = await segmentWith('typescript@example.com');
    expect(await outcomeOf(process.execPath, ['generated-client.ts'], segmentId)).toEqual(successful);
  });

  it('by openapi-python-client', { timeout: patience }, async () => {
    const tool = await pythonTool('openapi-python-client', '0.29.1');
    const generate = ['generate', '--path', 'openapi.json', '--output-path', 'postrider', '--meta', 'none'];
    const { stdout, stderr } = await run(tool.bin('openapi-python-client'), generate, { cwd: folder });
    // It omits endpoints that it cannot express; only the tracking image may be missing.
    expect(`${stdout}${stderr}`.match(/^(WARNING|ERROR).*$/gm) ?? []).toEqual([
      'WARNING parsing GET /t/o/{token}.gif within tracking.',
    ]);
    await cp(join(programs, 'generated_client.py'), join(folder, 'generated_client.py'));
    const segmentId = await segmentWith('python@example.com');
    expect(await outcomeOf(tool.python, ['generated_client.py'], segmentId)).toEqual(successful);
  });
});
