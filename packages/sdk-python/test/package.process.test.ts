import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runIn } from '@postrider/local/generator-tools';
import { versions } from '@postrider/local/generator-versions';
import { pythonTool } from '@postrider/local/python-tool';
import { expect, it, onTestFinished } from 'vitest';

/** The Python package by Python's own means. Its first installation takes a while. */
const patience = 600_000;
const here = join(import.meta.dirname, '..');
const withSource = { PYTHONPATH: join(here, 'src'), PYTHONDONTWRITEBYTECODE: '1' };

it('passes its tests', { timeout: patience }, async () => {
  const { python } = await pythonTool('httpx', versions.httpx);
  await runIn(here, python, ['-W', 'error', 'test/test_postrider.py'], withSource);
});

/** What the samples take from their surroundings. */
const readmeHead = `from typing import Any, List
from postrider.types import SendEmailInput
key = url = id = ""
email: SendEmailInput = {"to": "reader@example.com"}
emails: List[SendEmailInput] = [email]
`;

it('is accepted by mypy --strict with the samples of its README, and wrong calls are refused', {
  timeout: patience,
}, async () => {
  const { python } = await pythonTool('httpx', versions.httpx);
  const mypy = await pythonTool('mypy', versions.mypy);
  const folder = await mkdtemp(join(tmpdir(), 'postrider-mypy-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const options = ['--python-executable', python, '--cache-dir', folder, '--warn-unused-ignores'];
  // The samples of the README, as one program.
  const sample = join(folder, 'readme.py');
  const readme = await readFile(join(here, 'README.md'), 'utf8');
  const samples = [...readme.matchAll(/```python\n(.*?)```/gs)].map(([, code = '']) =>
    code
      .replace(/^async with (.*?)$/m, 'async def awaited() -> None:\n  async with $1')
      .replace(/^def receive\(request\):/m, 'def receive(request: Any) -> None:'),
  );
  await writeFile(sample, `${readmeHead}${samples.join('\n')}`);
  const checked = await runIn(here, mypy.bin('mypy'), [...options, 'src', 'test/typed.py', sample], {
    MYPYPATH: join(here, 'src'),
  });
  expect(checked).toContain('Success: no issues found');
});

it('is a wheel with types and a licence that installs from the file', { timeout: patience }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-wheel-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await runIn(here, process.execPath, ['generate/wheel.cli.ts', '--out', folder]);
  const files = await readdir(folder);
  expect(files.toSorted()).toEqual(['postrider-0.1.0-py3-none-any.whl', 'postrider-0.1.0.tar.gz']);
  const { python } = await pythonTool('httpx', versions.httpx);
  const wheel = files.find((name) => name.endsWith('.whl')) ?? '';
  const site = join(folder, 'site');
  await runIn(folder, python, ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', site, wheel]);
  expect(await readdir(join(site, 'postrider'))).toEqual(expect.arrayContaining(['py.typed', 'generated']));
  expect(await readdir(join(site, 'postrider-0.1.0.dist-info', 'licenses'))).toEqual(['LICENSE']);
  const program =
    "import postrider, postrider.types as t; print(postrider.__file__, t.SendEmailInput, postrider.Postrider(api_key='sk_1', base_url='http://localhost').contacts.list)";
  const printed = await runIn(folder, python, ['-c', program], { PYTHONPATH: site });
  expect(printed).toContain(site);
});
