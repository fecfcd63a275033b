import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runIn } from '@postrider/local/generator-tools';
import { versions } from '@postrider/local/generator-versions';
import { pythonTool } from '@postrider/local/python-tool';
import { ROOT } from '@postrider/local/root';

/** `npm run package` of the Python package: the wheel and the source archive that are published, in `dist` unless `--out` names another folder. */
const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist' } } });
const out = resolve(values.out);
const folder = await mkdtemp(join(tmpdir(), 'postrider-wheel-'));
try {
  const tool = await pythonTool('hatchling', versions.hatchling);
  for (const name of ['src', 'README.md', 'pyproject.toml'])
    await cp(join(import.meta.dirname, '..', name), join(folder, name), {
      recursive: true,
      filter: (path) => !path.endsWith('__pycache__'),
    });
  await cp(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  await rm(out, { recursive: true, force: true });
  await runIn(folder, tool.python, ['-m', 'hatchling', 'build', '-d', out]);
} finally {
  await rm(folder, { recursive: true, force: true });
}
