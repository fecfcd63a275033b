import { describe, expect, it } from 'vitest';
import { lockHoles } from './lock-holes.ts';

const tool = { version: '1.0.0', optionalDependencies: { '@tool/linux': '1.0.0', '@tool/darwin': '1.0.0' } };

describe('the check of package-lock.json', () => {
  it('names a tool that lacks the package of a platform', () => {
    const packages = { 'node_modules/tool': tool, 'node_modules/@tool/linux': { version: '1.0.0' } };
    expect(lockHoles({ packages })).toEqual(['node_modules/tool@1.0.0 lacks @tool/darwin']);
  });

  it('finds platform packages beside the tool, below it, and at the top', () => {
    const packages = {
      'node_modules/user/node_modules/tool': tool,
      'node_modules/user/node_modules/@tool/linux': { version: '1.0.0' },
      'node_modules/@tool/darwin': { version: '1.0.0' },
    };
    expect(lockHoles({ packages })).toEqual([]);
  });

  it('names a hole of a nested tool whose platform package exists only elsewhere', () => {
    const packages = {
      'node_modules/user/node_modules/tool': tool,
      'node_modules/user/node_modules/@tool/linux': { version: '1.0.0' },
      'node_modules/other/node_modules/@tool/darwin': { version: '1.0.0' },
    };
    expect(lockHoles({ packages })).toEqual(['node_modules/user/node_modules/tool@1.0.0 lacks @tool/darwin']);
  });
});
