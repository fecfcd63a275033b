import { expect, it } from 'vitest';
import { publishedManifest } from './manifest.ts';

const manifest = {
  name: '@postrider/example',
  version: '0.1.0',
  type: 'module',
  exports: { '.': './src/index.ts', './generate': './generate/main.ts' },
  bin: { example: './src/main.ts' },
  scripts: { build: 'build' },
  dependencies: { zod: '*' },
  devDependencies: { vitest: '*' },
};

it('a published manifest names compiled files and pinned versions, and nothing of the workspace', () => {
  expect(publishedManifest(manifest, { zod: '4.6.7' })).toEqual({
    name: '@postrider/example',
    version: '0.1.0',
    type: 'module',
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    bin: { example: './main.js' },
    dependencies: { zod: '4.6.7' },
  });
});

it('a dependency without a pinned version is refused', () => {
  expect(() => publishedManifest(manifest, {})).toThrow('a version of zod');
});
