import { type Method, type Model, pascal, type Type } from '@postrider/sdk/generate/model';
import { banner, comment, exported, quoted } from './go.ts';
import { typeText } from './types-text.ts';

/** A description of each operation, and the operations by group as methods that name their types and pass the description on. */
export function servicesText({ declarations, methods }: Model): string {
  const groups = Map.groupBy(methods, ({ group }) => group);
  const files = new Map(
    declarations.map(({ name, ...each }) => [
      name,
      each.kind === 'object'
        ? each.fields.filter(({ type }) => type.kind === 'file').map((field) => field.name)
        : [],
    ]),
  );
  const operations = methods.map((method) => operationText(method, files));
  const services = [...groups].map(([group, members]) => serviceText(group, members));
  const fields = [...groups.keys()].map((group) => `\t${pascal(group)} *${pascal(group)}Service\n`);
  const made = [...groups.keys()].map((group) => `\t\t${pascal(group)}: &${pascal(group)}Service{c},\n`);
  return [
    `${banner}package postrider\n\nimport (\n\t"context"\n\t"iter"\n)\n\n`,
    `var (\n${operations.join('')})\n\n`,
    `// Services has the operations that a key may call, by group.\ntype Services struct {\n${fields.join('')}}\n\n`,
    `func servicesOf(c *connection) Services {\n\treturn Services{\n${made.join('')}\t}\n}\n\n`,
    services.join('\n'),
  ].join('');
}

const constant = (operationId: string): string => {
  const name = pascal(operationId);
  return `op${name}`;
};

function operationText({ operation, traits, input }: Method, files: ReadonlyMap<string, string[]>): string {
  const { method, path } = operation;
  const hasBody = traits.body ?? !(method === 'GET' || method === 'DELETE');
  const inForm = input ? (files.get(input.name) ?? []) : [];
  const given = [
    `method: ${quoted(method)}`,
    `path: ${quoted(path)}`,
    hasBody ? 'body: true' : '',
    traits.query ? `query: []string{${traits.query.map(quoted).join(', ')}}` : '',
    traits.form ? `form: true, files: []string{${inForm.map(quoted).join(', ')}}` : '',
    traits.envelope ? 'envelope: true' : '',
    traits.raw ? 'raw: true' : '',
  ];
  return `\t${constant(operation.operationId)} = operation{${given.filter((each) => each !== '').join(', ')}}\n`;
}

function serviceText(group: string, members: Method[]): string {
  const name = `${pascal(group)}Service`;
  return `// ${name} has the operations of the group ${group}.\ntype ${name} struct{ connection *connection }\n\n${members
    .map((each) => methodText(each, name))
    .join('\n')}`;
}

function methodText(method: Method, service: string): string {
  const { operation, name, sentence, input, output, item } = method;
  const operationName = constant(operation.operationId);
  const given = `ctx context.Context, ${input ? `input ${input.name}, ` : ''}options ...Option`;
  const passed = `ctx, s.connection, ${operationName}, ${input ? 'input' : 'nil'}, options`;
  const type = output === undefined ? undefined : output === 'bytes' ? '[]byte' : returned(output);
  const what = (of: string): string =>
    comment(`${of}: ${lowered(sentence)}. ${operation.method} ${operation.path}`);
  const one = exported(name);
  const texts = [
    what(one),
    `func (s *${service}) ${one}(${given}) ${type ? `(${type}, error)` : 'error'} {\n\treturn ${type ? `call[${type}]` : 'callWithoutAnswer'}(${passed})\n}\n`,
  ];
  if (item)
    texts.push(
      `\n${comment(`${one}All is ${one} for all items from there on, page after page. It ends with the first error.`)}`,
      `func (s *${service}) ${one}All(${given}) iter.Seq2[${typeText(item)}, error] {\n\treturn all[${typeText(item)}](${passed})\n}\n`,
    );
  return texts.join('');
}

const returned = (type: Type): string => (type.kind === 'named' ? `*${type.name}` : typeText(type));

const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
