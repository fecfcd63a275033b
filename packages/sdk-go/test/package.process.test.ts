import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { go, runIn } from '@postrider/local/generator-tools';
import { expect, it, onTestFinished } from 'vitest';

/** The Go module by Go's own means. The first compilation takes a while. */
const patience = 600_000;
const here = join(import.meta.dirname, '..');

it('compiles, is found sound by go vet, and passes its tests', { timeout: patience }, async () => {
  const compiler = await go();
  await runIn(here, compiler, ['vet', './...']);
  await runIn(here, compiler, ['test', './...']);
});

/** The samples of a text. */
const goIn = (text: string): string[] => [...text.matchAll(/```go\n(.*?)```/gs)].map(([, code = '']) => code);

it('needs the standard library only', async () => {
  expect(await readFile(join(here, 'go.mod'), 'utf8')).not.toContain('require');
});

it('installs from files as a module, compiles the samples of its README, and refuses wrong calls', {
  timeout: patience,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-go-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const module = join(folder, 'module');
  await runIn(here, process.execPath, ['generate/module.cli.ts', '--out', module]);
  const files = await readdir(module);
  expect(files).toEqual(expect.arrayContaining(['go.mod', 'LICENSE', 'README.md', 'types.gen.go']));
  expect(files.filter((name) => /_test[.]go$|[.]ts$|[.]json$/.test(name))).toEqual([]);

  const compiler = await go();
  const shop = join(folder, 'shop');
  await mkdir(shop);
  await runIn(shop, compiler, ['mod', 'init', 'example.com/shop']);
  const name = 'github.com/postrider/postrider-go';
  await runIn(shop, compiler, [
    'mod',
    'edit',
    `-require=${name}@v0.1.0`,
    `-replace=${name}@v0.1.0=${module}`,
  ]);
  const program = (call: string): string =>
    `package main\n\nimport (\n\t"context"\n\t"fmt"\n\n\t"${name}"\n)\n\nfunc main() {\n\tclient, err := postrider.New("sk_1", "http://localhost")\n\tfmt.Println(client != nil, err)\n\tif false {\n\t\t${call}\n\t}\n}\n`;
  const main = join(shop, 'main.go');
  await writeFile(
    main,
    program('fmt.Println(client.Contacts.Get(context.Background(), postrider.ContactsGetParams{ID: "1"}))'),
  );
  expect(await runIn(shop, compiler, ['run', '.'])).toBe('true <nil>\n');
  const [first, ...others] = goIn(await readFile(join(here, 'README.md'), 'utf8'));
  await writeFile(main, first ?? '');
  await runIn(shop, compiler, ['vet', '.']);
  // The other samples are functions and statements.
  const [statements, receiver] = others;
  const imports = ['context', 'errors', 'fmt', 'io', 'net/http', 'os', name].map((each) => `\t"${each}"\n`);
  const head = `package main\n\nimport (\n${imports.join('')})\n\n`;
  const rest = `func main() {\n\tctx := context.Background()\n\tvar client *postrider.Client\n${statements}}\n\n${receiver}`;
  await writeFile(main, `${head}${rest}`);
  await runIn(shop, compiler, ['vet', '.']);
  await writeFile(
    main,
    program('fmt.Println(client.Contacts.Get(context.Background(), postrider.ContactsGetParams{ID: 1}))'),
  );
  await expect(runIn(shop, compiler, ['run', '.'])).rejects.toThrow('cannot use 1');
});
