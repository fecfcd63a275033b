import type { Declaration, Field, Input, Model, Type } from '@postrider/sdk/generate/model';
import { banner, docstring, isKeyword, quoted } from './python.ts';

/** Every object as a TypedDict with the names of the API, so that what is sent and answered is plain data. */
export function typesText({ declarations, methods, answered }: Model): string {
  const inputs = methods.flatMap(({ input }) => (input?.fields ? [input] : []));
  const texts = [
    ...declarations.map((each) => declarationText(each, !answered.has(each.name))),
    ...inputs.map((each) => inputText(each)),
  ];
  const names = [...declarations, ...inputs].map(({ name }) => `    ${quoted(name)},\n`);
  return `${banner}${header}\n${texts.join('\n\n')}\n\n__all__ = [\n${names.join('')}]\n`;
}

const header = `"""What the API takes and answers. Dates are texts of ISO 8601; in inputs they may be datetimes with a time zone."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import Any, Dict, List, Literal, Optional, Sequence, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired, TypeAlias, TypedDict
else:
    from typing_extensions import NotRequired, TypeAlias, TypedDict

from .._files import FileInput

`;

function declarationText(declaration: Declaration, isInput: boolean): string {
  const { name, description } = declaration;
  const type = (of: Type): string => typeText(of, isInput);
  switch (declaration.kind) {
    case 'object':
      // A TypedDict has no keys but its own.
      return declaration.isOpen
        ? aliasText(name, 'Dict[str, Any]', description)
        : objectText(name, description, declaration.fields, isInput);
    case 'enum':
      return aliasText(name, `Literal[${declaration.values.map(quoted).join(', ')}]`, description);
    case 'union':
      return aliasText(name, type({ kind: 'union', of: declaration.of }), description);
    case 'tagged':
      return aliasText(name, `Union[${declaration.cases.map((each) => each.name).join(', ')}]`, description);
    case 'alias':
      return aliasText(name, type(declaration.type), description);
  }
}

const inputText = ({ name, fields = [] }: Input): string => objectText(name, '', fields, true);

const aliasText = (name: string, type: string, description: string): string =>
  `${name}: TypeAlias = ${quoted(type).replaceAll('\\"', "'")}\n${docstring(description, '')}`;

function objectText(name: string, description: string, fields: Field[], isInput: boolean): string {
  const type = (field: Field): string => {
    const text = typeText(field.type, isInput);
    return field.required ? text : `NotRequired[${text}]`;
  };
  if (fields.some((field) => isKeyword(field.name))) {
    const entries = fields.map(
      (field) => `${comment(field.description)}        ${quoted(field.name)}: ${deferred(type(field))},\n`,
    );
    return `${name} = TypedDict(\n    ${quoted(name)},\n    {\n${entries.join('')}    },\n)\n${docstring(description, '')}`;
  }
  const entries = fields.map(
    (field) => `    ${field.name}: ${type(field)}\n${docstring(field.description, '    ')}`,
  );
  const body = [docstring(description, '    '), ...entries].filter((text) => text !== '');
  return `class ${name}(TypedDict):\n${body.length > 0 ? body.join('\n') : '    pass\n'}`;
}

/** In a call, types are evaluated at once, and may not be declared yet. */
const deferred = (type: string): string =>
  type.startsWith('NotRequired[')
    ? `NotRequired[${quoted(type.slice('NotRequired['.length, -1))}]`
    : quoted(type);

const comment = (text: string): string =>
  text === '' ? '' : `        # ${text.replaceAll('\n', '\n        # ')}\n`;

export function typeText(type: Type, isInput = false): string {
  switch (type.kind) {
    case 'text':
      return 'str';
    case 'time':
      return isInput ? 'Union[str, datetime]' : 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'any':
      return 'Any';
    case 'file':
      return 'FileInput';
    case 'list':
      return `${isInput ? 'Sequence' : 'List'}[${typeText(type.of, isInput)}]`;
    case 'map':
      return `Dict[str, ${typeText(type.of, isInput)}]`;
    case 'nullable':
      return `Optional[${typeText(type.of, isInput)}]`;
    case 'union':
      return `Union[${withOneList(type.of)
        .map((each) => typeText(each, isInput))
        .join(', ')}]`;
    case 'named':
      return type.name;
  }
}

/** Several lists as one of several types: type checkers find no type for a literal otherwise, and the API accepts lists that mix them. */
function withOneList(types: Type[]): Type[] {
  const lists = types.flatMap((type) => (type.kind === 'list' ? [type] : []));
  if (lists.length < 2) return types;
  const items: Type = { kind: 'union', of: lists.map(({ of }) => of) };
  return [...types.filter((type) => type.kind !== 'list'), { kind: 'list', of: items }];
}
