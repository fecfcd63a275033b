import type { FileEdit } from './edits.ts';
import { camel, GenError } from './names.ts';

/** The output of `npm run gen operation`: one operation with its test, and its line in each door. */

export interface NewOperation {
  /** e.g. `contacts` */
  area: string;
  /** the floor of core that the area is on, e.g. `audience` */
  floor: string;
  /** file name, e.g. `archive-contact` */
  file: string;
  kind: 'query' | 'command';
}

const verbOf = (file: string): string => file.split('-')[0] ?? file;

/**
 * @param floorOf the floor of an area, or undefined if there is no such area
 * @throws GenError naming what is missing
 */
export function readArguments(
  [what, area, file, ...flags]: string[],
  floorOf: (area: string) => string | undefined,
): NewOperation {
  if (what !== 'operation')
    throw new GenError(
      'usage: npm run gen operation <area> <verb-noun> [-- --query], gen step <name>, or gen trigger <name>',
    );
  const floor = area && /^[a-z-]+$/.test(area) ? floorOf(area) : undefined;
  if (!area || !floor)
    throw new GenError(
      'the area is a folder on a floor of packages/core/src, such as contacts (audience/contacts)',
    );
  if (!file || !/^[a-z]+(-[a-z0-9]+)+$/.test(file))
    throw new GenError('the name is verb-noun, such as archive-contact');
  return { area, floor, file, kind: flags.includes('--query') ? 'query' : 'command' };
}

export function operationSource({ area, file, kind }: NewOperation): string {
  const permission = kind === 'query' ? 'data:read' : 'data:write';
  return `import { z } from 'zod';
import { ${kind}, projectIdOf, uuid } from '../../base/kernel/index.ts';

export const ${camel(file)} = ${kind}({
  name: '${area}.${camel(file)}',
  summary: '${verbOf(file)}: describe this in one sentence',
  permission: '${permission}',${kind === 'command' ? "\n  risk: 'none'," : ''}
  input: z.object({ id: uuid }),
  output: z.object({ id: z.string() }),
  async handler(ctx, { id }) {
    const projectId = projectIdOf(ctx);${kind === 'command' ? `\n    ctx.audit({ targetType: '${area}', targetId: id });` : ''}
    throw new Error(\`${camel(file)} of \${id} in \${projectId} is not written yet\`);
  },
});
`;
}

export function testSource({ file }: NewOperation): string {
  return `import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import { createTestProject, createTestServices, type TestServices } from '../../testing/index.ts';
import { ${camel(file)} } from './${file}.ts';

let test: TestServices;

beforeAll(async () => {
  test = await createTestServices();
});

afterAll(() => test.close());

describe('${camel(file)}', () => {
  it('404: an id of another project answers like an unknown one', async () => {
    const project = await createTestProject(test.services);
    await expect(${camel(file)}.run(project.ctx, { id: newId() })).rejects.toMatchObject({ kind: 'not_found' });
  });
});
`;
}

export const indexLine = ({ file }: NewOperation): string => `export { ${camel(file)} } from './${file}.ts';`;

/** One line in each door, and the import that it needs. */
export function doorEdits(operation: NewOperation): FileEdit[] {
  const { area, floor, file, kind } = operation;
  const name = camel(file);
  const specifier = `@postrider/core/${floor}/${area}`;
  const importName = (source: string): string => {
    const pattern = new RegExp(`import \\{([^}]*)\\} from '${specifier}';`);
    if (!pattern.test(source)) return `import { ${name} } from '${specifier}';\n${source}`;
    return source.replace(pattern, (_, names: string) => {
      const all = [...names.split(',').map((each) => each.trim()), name].filter((each) => each !== '').sort();
      return `import { ${all.join(', ')} } from '${specifier}';`;
    });
  };
  const method = kind === 'query' ? 'GET' : 'POST';
  return [
    {
      path: `apps/api/src/rest/${area}.routes.ts`,
      edit: (source) =>
        importName(
          beforeLast(source, '}', `  mount(door, '${method}', '/${area}/:id/${verbOf(file)}', ${name});\n`),
        ),
    },
    {
      path: `apps/api/src/trpc/${area}.router.ts`,
      edit: (source) =>
        importName(
          beforeLast(
            source,
            '});',
            `  ${camel(file)}: ${kind === 'query' ? 'asQuery' : 'asMutation'}(${name}),\n`,
          ),
        ),
    },
    {
      path: `apps/api/src/graphql/${area}.ts`,
      edit: (source) => {
        const type = name.charAt(0).toUpperCase() + name.slice(1);
        const field = kind === 'query' ? 'recordField' : 'mutationField';
        const line = `${field}('${name}', ${name}, objectFromZod(${name}.output, '${type}Result'));\n`;
        return importName(`${source.trimEnd()}\n${line}`);
      },
    },
  ];
}

function beforeLast(source: string, mark: string, line: string): string {
  const at = source.lastIndexOf(mark);
  if (at < 0) throw new GenError(`found no "${mark}" to write before`);
  return source.slice(0, at) + line + source.slice(at);
}
