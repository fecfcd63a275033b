import { type Callable, type CallableOperation, sentenceOf } from './callable.ts';
import { traitsOf } from './traits.ts';

/** The name of an operation's constant and types: `contacts.list` is `contactsList`. */
export const flatName = (operationId: string): string =>
  operationId.replace(/[.](.)/g, (_, letter: string) => letter.toUpperCase());

/** One constant per operation, so that a bundle contains only those that are used. */
export function operationsText(callable: Callable): string {
  const lines = callable.operations.map((each) => {
    const type = capital(flatName(each.operationId));
    const traits = traitsText(each, callable);
    const given = [`'${each.method}'`, `'${each.path}'`, ...(traits === '' ? [] : [`{ ${traits} }`])].join(
      ', ',
    );
    return `${comment(each, '')}export const ${flatName(each.operationId)} = /* @__PURE__ */ operation<T.${type}Data, T.${type}Responses>(${given});\n`;
  });
  return [
    `${banner}import { operation } from '../operation.ts';\nimport type * as T from './types.gen.ts';\n`,
    ...lines,
  ].join('\n');
}

/** All operations by group and method, as the class `Postrider` offers them. */
export function groupsText({ operations }: Callable): string {
  const groups = Map.groupBy(operations, ({ operationId }) => operationId.split('.')[0] ?? '');
  const texts = [...groups].map(([group, members]) => {
    const methods = members.map(
      (each) =>
        `${comment(each, '    ')}    ${each.operationId.split('.')[1]}: operations.${flatName(each.operationId)},\n`,
    );
    return `  ${group}: {\n${methods.join('')}  },\n`;
  });
  return `${banner}import * as operations from './operations.gen.ts';\n\nexport const groups = {\n${texts.join('')}} as const;\n`;
}

const banner = '// Generated from the OpenAPI document by `npm run generate`. Do not edit.\n\n';

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const comment = (operation: CallableOperation, indent: string): string =>
  `${indent}/** ${sentenceOf(operation)}. \`${operation.method} ${operation.path}\` */\n`;

/** The traits as an object of TypeScript, without its braces. */
const traitsText = (operation: CallableOperation, callable: Callable): string =>
  Object.entries(traitsOf(operation, callable))
    .map(([name, value]) => `${name}: ${valueText(value)}`)
    .join(', ');

const valueText = (value: boolean | string | string[]): string =>
  Array.isArray(value)
    ? `[${value.map(valueText).join(', ')}]`
    : typeof value === 'string'
      ? `'${value}'`
      : String(value);
