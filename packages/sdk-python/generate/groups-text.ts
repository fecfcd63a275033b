import { type Method, type Model, pascal, type Type } from '@postrider/sdk/generate/model';
import { banner, docstring, quoted, snake } from './python.ts';
import { typeText } from './types-text.ts';

/** One description per operation. */
export function operationsText({ methods }: Model): string {
  const lines = methods.map(({ operation, traits }) => {
    const given = Object.entries(traits).map(([name, value]) => `, ${name}=${valueText(value)}`);
    return `${constant(operation.operationId)} = Operation(${quoted(operation.method)}, ${quoted(operation.path)}${given.join('')})\n`;
  });
  return `${banner}from .._operation import Operation\n\n${lines.join('')}`;
}

/** The operations by group, as attributes of the clients: each method names its types and passes its description on. */
export function groupsText({ methods }: Model): string {
  const groups = Map.groupBy(methods, ({ group }) => group);
  const classes = [...groups].flatMap(([group, members]) => [
    `class ${pascal(group)}(Group):\n${members.map((each) => methodText(each, false)).join('\n')}`,
    `class Async${pascal(group)}(AsyncGroup):\n${members.map((each) => methodText(each, true)).join('\n')}`,
  ]);
  return `${banner}${header}\n${classes.join('\n\n')}\n\n${all([...groups.keys()], '')}\n\n${all([...groups.keys()], 'Async')}`;
}

const header = `from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Dict, List, Optional

from . import operations as o
from .._groups import AsyncGroup, Group
from .._listing import AsyncListing, Listing

if TYPE_CHECKING:
    if sys.version_info >= (3, 11):
        from typing import Unpack
    else:
        from typing_extensions import Unpack
    from . import types as t
    from .._call import CallOptions
    from .._core import AsyncCore, Core
`;

function methodText(method: Method, isAsync: boolean): string {
  const { operation, name, sentence, input, output, item } = method;
  const type = input && `t.${input.name}`;
  const given = type && (input.required ? `, input: ${type}` : `, input: Optional[${type}] = None`);
  const answer = output === undefined ? 'None' : output === 'bytes' ? 'bytes' : qualified(output);
  const listing = `${isAsync ? 'AsyncListing' : 'Listing'}[${answer}, ${item ? qualified(item) : ''}]`;
  const returns = item ? listing : answer;
  const call = `self._${item ? 'list' : 'call'}(o.${constant(operation.operationId)}, ${input ? 'input' : 'None'}, options)`;
  const work = isAsync && !item ? `await ${call}` : call;
  return [
    `    ${isAsync && !item ? 'async ' : ''}def ${snake(name)}(self${given ?? ''}, **options: Unpack[CallOptions]) -> ${returns}:\n`,
    docstring(`${sentence}. \`${operation.method} ${operation.path}\``, '        '),
    // What is answered is read as the type that the contract gives it.
    `        result: ${returns} = ${work}\n        return result\n`,
  ].join('');
}

/** The types are in a module of their own. */
const qualified = (type: Type): string =>
  typeText(type).replace(/\b[A-Z]\w*/g, (name) =>
    ['Any', 'Dict', 'List', 'Optional', 'Union'].includes(name) ? name : `t.${name}`,
  );

const constant = (operationId: string): string => snake(operationId).toUpperCase();

const all = (groups: string[], prefix: '' | 'Async'): string =>
  `class ${prefix}Groups:\n    def __init__(self, core: ${prefix}Core) -> None:\n${groups
    .map((group) => `        self.${snake(group)} = ${prefix}${pascal(group)}(core)\n`)
    .join('')}`;

const valueText = (value: boolean | string | string[]): string =>
  typeof value === 'boolean'
    ? value
      ? 'True'
      : 'False'
    : Array.isArray(value)
      ? `(${value.map((each) => `${quoted(each)}, `).join('')})`
      : quoted(value);
