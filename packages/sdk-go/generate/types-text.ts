import type { Declaration, Field, Model, Type } from '@postrider/sdk/generate/model';
import { banner, comment, exported, quoted } from './go.ts';

/** Every object as a struct. A field that may be absent is a Field, a slice, a map or any; one that may be null a pointer. */
export function typesText({ declarations, methods }: Model): string {
  const unions = new Set(declarations.filter(({ kind }) => kind === 'union').map(({ name }) => name));
  const inputs = methods.flatMap(({ input }) =>
    input?.fields ? [objectText(input.name, '', input.fields, unions)] : [],
  );
  const texts = [...declarations.map((each) => declarationText(each, unions)), ...inputs];
  return `${banner}package postrider\n\nimport (\n\t"encoding/json"\n\t"time"\n)\n\n${texts.join('\n')}`;
}

/** @param unions names of the components that are any in Go */
function declarationText(declaration: Declaration, unions: ReadonlySet<string>): string {
  const { name, description } = declaration;
  switch (declaration.kind) {
    case 'object':
      return `${objectText(name, description, declaration.fields, unions, declaration.isOpen)}${
        declaration.isOpen && declaration.fields.length > 0 ? openMethods(name, declaration.fields) : ''
      }`;
    case 'enum':
      return enumText(declaration);
    case 'union':
      // Go has no type that is one of several: the API says what does not fit.
      return `${comment(`${description}\n\nOne of: ${declaration.of.map(typeText).join(', ')}.`)}type ${name} = any\n`;
    case 'tagged':
      return taggedText(declaration);
    case 'alias':
      return `${comment(description)}type ${name} = ${typeText(declaration.type)}\n`;
  }
}

function objectText(
  name: string,
  description: string,
  fields: Field[],
  unions: ReadonlySet<string>,
  isOpen = false,
): string {
  if (isOpen && fields.length === 0) return `${comment(description)}type ${name} = map[string]any\n`;
  const names = fields.map((field) => exported(field.name));
  if (new Set(names).size < names.length) throw new Error(`two fields of ${name} have one name in Go`);
  const lines = fields.map(
    (field) =>
      `${comment(descriptionOf(field), '\t')}\t${exported(field.name)} ${fieldText(field, unions)} \`json:"${field.name}${field.required ? '' : ',omitzero'}"\`\n`,
  );
  const extra = isOpen ? '\t// All other keys.\n\tExtra map[string]any `json:"-"`\n' : '';
  return `${comment(description)}type ${name} struct {\n${lines.join('')}${extra}}\n`;
}

/** What is any in Go is one of several things for the API. */
function descriptionOf({ type, description }: Field): string {
  const given = type.kind === 'nullable' ? type.of : type;
  if (given.kind !== 'union') return description;
  return `${description}\n\nOne of: ${given.of.map(typeText).join(', ')}.`;
}

function fieldText({ type, required }: Field, unions: ReadonlySet<string>): string {
  const given = type.kind === 'nullable' ? type.of : type;
  const text = typeText(given);
  // Nothing else is needed where nil is a value.
  if (/^(any$|\[\]|map\[)/.test(text) || unions.has(text)) return text;
  if (!required) return `Field[${text}]`;
  return type.kind === 'nullable' ? `*${text}` : text;
}

export function typeText(type: Type): string {
  switch (type.kind) {
    case 'text':
      return 'string';
    case 'time':
      return 'time.Time';
    case 'integer':
      return 'int';
    case 'number':
      return 'float64';
    case 'boolean':
      return 'bool';
    case 'any':
    case 'union':
      return 'any';
    case 'file':
      return 'File';
    case 'list':
      return `[]${typeText(type.of)}`;
    case 'map':
      return `map[string]${typeText(type.of)}`;
    case 'nullable': {
      const text = typeText(type.of);
      return /^(any$|\[\]|map\[)/.test(text) ? text : `*${text}`;
    }
    case 'named':
      return type.name;
  }
}

function enumText({ name, description, values, names }: Declaration & { kind: 'enum' }): string {
  const constants = values.map((value, index) => `\t${names[index]} ${name} = ${quoted(value)}\n`);
  return `${comment(description)}type ${name} string\n\nconst (\n${constants.join('')})\n`;
}

function taggedText({ name, description, tag, cases }: Declaration & { kind: 'tagged' }): string {
  const decoded = cases.map((each) => `\tcase ${quoted(each.value)}:\n\t\tvalue = new(${each.name})\n`);
  return [
    comment(
      `${description}\n\nValue points to the struct of its ${tag}, such as *${cases[0]?.name}; it is nil for one that is newer than this module.`,
    ),
    `type ${name} struct {\n\t${exported(tag)} string\n\tValue any\n\t// The JSON as it arrived.\n\tRaw json.RawMessage\n}\n\n`,
    `// UnmarshalJSON reads it by its ${tag}.\nfunc (e *${name}) UnmarshalJSON(data []byte) error {\n`,
    `\tvar head struct {\n\t\tTag string \`json:${quoted(tag)}\`\n\t}\n\tif err := decode(data, &head); err != nil {\n\t\treturn err\n\t}\n`,
    `\tvar value any\n\tswitch head.Tag {\n${decoded.join('')}\t}\n`,
    `\tif value != nil {\n\t\tif err := decode(data, value); err != nil {\n\t\t\treturn err\n\t\t}\n\t}\n`,
    `\t*e = ${name}{${exported(tag)}: head.Tag, Value: value, Raw: append(json.RawMessage(nil), data...)}\n\treturn nil\n}\n\n`,
    `// MarshalJSON is the JSON as it arrived.\nfunc (e ${name}) MarshalJSON() ([]byte, error) {\n\tif e.Raw == nil {\n\t\treturn json.Marshal(e.Value)\n\t}\n\treturn e.Raw, nil\n}\n`,
  ].join('');
}

function openMethods(name: string, fields: Field[]): string {
  const names = fields.map((field) => quoted(field.name)).join(', ');
  return [
    `\n// UnmarshalJSON keeps keys without a field in Extra.\nfunc (o *${name}) UnmarshalJSON(data []byte) error {\n`,
    `\ttype plain ${name}\n\tif err := decode(data, (*plain)(o)); err != nil {\n\t\treturn err\n\t}\n`,
    `\tvar err error\n\to.Extra, err = extraOf(data, ${names})\n\treturn err\n}\n\n`,
    `// MarshalJSON has the fields and the keys of Extra.\nfunc (o ${name}) MarshalJSON() ([]byte, error) {\n`,
    `\ttype plain ${name}\n\treturn withExtra(plain(o), o.Extra)\n}\n`,
  ].join('');
}
