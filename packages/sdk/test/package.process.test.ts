import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '@postrider/local/root';
import { build } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** The package as it is published: compiled, with types, without the workspace. */
const run = promisify(execFile);
const here = join(import.meta.dirname, '..');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postrider-sdk-'));
  const out = join(folder, 'package');
  const program = join(ROOT, 'tooling/local/src/publish/build-package.cli.ts');
  await run(process.execPath, [program, '--out', out], { cwd: here });
  await mkdir(join(folder, 'node_modules/@postrider'), { recursive: true });
  await symlink(out, join(folder, 'node_modules/@postrider/sdk'), 'junction');
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('has compiled files, types, a README and a licence, and depends on nothing', async () => {
  const files = await readdir(join(folder, 'package'));
  expect(files).toEqual(expect.arrayContaining(['index.js', 'index.d.ts', 'README.md', 'LICENSE']));
  expect(files.filter((name) => /[.](test|fixture)[.]/.test(name))).toEqual([]);
  const manifest = JSON.parse(await readFile(join(folder, 'package/package.json'), 'utf8'));
  expect(manifest).toMatchObject({
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    sideEffects: false,
    publishConfig: { access: 'public', provenance: true },
  });
  expect(manifest).not.toHaveProperty('dependencies');
});

it('is accepted by tsc --strict with the types of browsers alone, and runs', async () => {
  const program = [
    "import { Postrider, verifyWebhook, type Contact } from '@postrider/sdk';",
    "const client = new Postrider({ apiKey: 'sk_1', baseUrl: 'http://localhost' });",
    'export const first = async (): Promise<Contact | undefined> => (await client.contacts.list()).data[0];',
    '// @ts-expect-error: the id is missing',
    'export const wrong = () => client.contacts.get({});',
    'console.log(typeof client.contacts.list, typeof verifyWebhook);',
  ];
  await writeFile(join(folder, 'program.ts'), program.join('\n'));
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom', 'esnext.disposable'],
    types: [],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  await run(process.execPath, [join(ROOT, 'node_modules/typescript-native/lib/tsc.js'), '-p', folder]);
  const { stdout } = await run(process.execPath, [join(folder, 'program.ts')]);
  expect(stdout).toBe('function function\n');
});

it('adds less than 8 kB to a bundle that only sends, and nothing of the other operations', async () => {
  const sizeOf = async (name: string, text: string): Promise<{ bytes: number; code: string }> => {
    await writeFile(join(folder, `${name}.js`), text);
    const output = await build({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      build: {
        write: false,
        minify: true,
        target: 'es2024',
        lib: { entry: join(folder, `${name}.js`), formats: ['es'] },
      },
    });
    const [chunk] = [output].flat().flatMap((each) => ('output' in each ? each.output : []));
    if (chunk?.type !== 'chunk') throw new Error('the bundle has no code');
    return { bytes: Buffer.byteLength(chunk.code), code: chunk.code };
  };
  const only = await sizeOf(
    'send',
    "import { connect, send } from '@postrider/sdk';\nexport const run = (options, input) => send(connect(options), input);",
  );
  const whole = await sizeOf('whole', "export { Postrider } from '@postrider/sdk';");
  console.log(`a bundle that only sends: ${only.bytes} bytes; with the whole client: ${whole.bytes} bytes`);
  expect(only.bytes).toBeLessThan(8_000);
  expect(only.code).not.toContain('/contacts');
  expect(whole.code).toContain('/contacts');
});
