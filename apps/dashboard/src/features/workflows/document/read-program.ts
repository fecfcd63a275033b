import * as builders from '@postrider/sdk/workflow';
import { parsers } from 'prettier/plugins/acorn';
import { UnreadableDocument } from './document-text.rules.ts';

/**
 * Reads the document that a program of the builders of `@postrider/sdk/workflow` makes, as `format=typescript` writes them. The program is not
 * run: only what is below has a meaning, and nothing of the page can be reached from it.
 */

/** A node of ESTree, as far as it is read here. */
interface Node {
  type: string;
  /** places of its first and behind its last character */
  range?: [number, number];
  [part: string]: unknown;
}

type Scope = ReadonlyMap<string, unknown>;

/** More is no definition, or never ends. */
const mostNodes = 100_000;
const deepest = 1_000;

const source = '@postrider/sdk/workflow';
const imported = new Map<string, unknown>(Object.entries(builders).filter(([name]) => name !== 'Chain'));
const methods: ReadonlySet<string> = new Set(
  Object.getOwnPropertyNames(builders.Chain.prototype).filter((name) => name !== 'constructor'),
);

/** @throws UnreadableDocument */
export function readProgram(text: string): unknown {
  const program = parse(text);
  try {
    return exportedBy(program);
  } catch (error) {
    if (!(error instanceof RefusedNode)) throw error;
    const line = text.slice(0, error.place).split('\n').length;
    throw new UnreadableDocument(`Line ${line}: ${error.message}`);
  }
}

/** A part of a program that has no meaning here. */
class RefusedNode extends Error {
  readonly place: number;

  constructor({ range }: Node, message: string) {
    super(message);
    this.place = range?.[0] ?? 0;
  }
}

/** What the program exports. */
function exportedBy(program: Node): unknown {
  const reader = new Reader();
  let scope: Scope = new Map();
  for (const statement of nodesIn(program['body'])) {
    switch (statement.type) {
      case 'ImportDeclaration':
        scope = new Map([...scope, ...importsOf(statement)]);
        break;
      case 'VariableDeclaration':
        for (const declared of nodesIn(statement['declarations'])) {
          const { id, init } = declared;
          if (!isNode(id) || id.type !== 'Identifier' || !isNode(init)) throw unknownPart(declared);
          scope = new Map([...scope, [String(id['name']), reader.value(init, scope)]]);
        }
        break;
      case 'ExportDefaultDeclaration': {
        const { declaration } = statement;
        if (!isNode(declaration)) throw unknownPart(statement);
        return reader.value(declaration, scope);
      }
      default:
        throw unknownPart(statement);
    }
  }
  throw new UnreadableDocument('It exports no workflow: export default workflow(…)');
}

function parse(text: string): Node {
  try {
    return parsers.acorn.parse(text, {} as never) as Node;
  } catch (error) {
    const line = lineIn(error);
    throw new UnreadableDocument(
      `${line === null ? '' : `Line ${line}: `}this cannot be read. Types and other additions of TypeScript are left out`,
    );
  }
}

/** Errors of the parser say where they are. */
function lineIn(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('loc' in error)) return null;
  const { loc } = error as { loc?: { start?: { line?: unknown } } };
  return typeof loc?.start?.line === 'number' ? loc.start.line : null;
}

function importsOf(statement: Node): [string, unknown][] {
  const from = statement['source'];
  if (!isNode(from) || from['value'] !== source) throw at(statement, `only ${source} can be imported`);
  return nodesIn(statement['specifiers']).map((specifier) => {
    const { imported: name, local } = specifier;
    if (!isNode(name) || !isNode(local)) throw unknownPart(specifier);
    const builder = imported.get(String(name['name']));
    if (builder === undefined) throw at(specifier, `${source} has no ${String(name['name'])}`);
    return [String(local['name']), builder];
  });
}

class Reader {
  #nodes = 0;
  #depth = 0;

  value(node: Node, scope: Scope): unknown {
    this.#nodes += 1;
    this.#depth += 1;
    if (this.#nodes > mostNodes || this.#depth > deepest) throw at(node, 'this is too much for a workflow');
    const value = this.#read(node, scope);
    this.#depth -= 1;
    return value;
  }

  #read(node: Node, scope: Scope): unknown {
    switch (node.type) {
      case 'Literal':
        if (typeof node['value'] === 'object' && node['value'] !== null) throw unknownPart(node);
        return node['value'];
      case 'TemplateLiteral':
        if (nodesIn(node['expressions']).length > 0) throw unknownPart(node);
        return nodesIn(node['quasis'])
          .map(({ value }) => (value as { cooked: string }).cooked)
          .join('');
      case 'UnaryExpression': {
        const value = node['operator'] === '-' ? this.value(part(node, 'argument'), scope) : null;
        if (typeof value !== 'number') throw unknownPart(node);
        return -value;
      }
      case 'ArrayExpression':
        return nodesIn(node['elements']).map((each) => this.value(each, scope));
      case 'ObjectExpression':
        // Own properties, whatever their names are.
        return Object.fromEntries(nodesIn(node['properties']).map((each) => this.#property(each, scope)));
      case 'Identifier':
        return this.#variable(node, scope);
      case 'ArrowFunctionExpression':
        return this.#arrow(node, scope);
      case 'CallExpression':
        return this.#call(node, scope);
      default:
        throw unknownPart(node);
    }
  }

  #property(node: Node, scope: Scope): [string, unknown] {
    if (node.type !== 'Property' || node['method'] === true || node['kind'] !== 'init')
      throw unknownPart(node);
    const key = part(node, 'key');
    const isName = key.type === 'Identifier' && node['computed'] !== true;
    const name = isName ? key['name'] : this.value(key, scope);
    if (typeof name !== 'string' && typeof name !== 'number') throw unknownPart(node);
    return [String(name), this.value(part(node, 'value'), scope)];
  }

  #variable(node: Node, scope: Scope): unknown {
    const name = String(node['name']);
    if (name === 'undefined') return undefined;
    if (!scope.has(name)) throw at(node, `there is no ${name} here`);
    return scope.get(name);
  }

  #arrow(node: Node, scope: Scope): (...given: unknown[]) => unknown {
    const names = nodesIn(node['params']).map((each) => {
      if (each.type !== 'Identifier') throw unknownPart(each);
      return String(each['name']);
    });
    const body = part(node, 'body');
    return (...given) => {
      const inside = new Map([...scope, ...names.map((name, index) => [name, given[index]] as const)]);
      if (body.type !== 'BlockStatement') return this.value(body, inside);
      for (const statement of nodesIn(body['body'])) {
        if (statement.type !== 'ExpressionStatement') throw unknownPart(statement);
        this.value(part(statement, 'expression'), inside);
      }
      return undefined;
    };
  }

  #call(node: Node, scope: Scope): unknown {
    const callee = part(node, 'callee');
    const given = nodesIn(node['arguments']).map((each) => this.value(each, scope));
    if (callee.type !== 'MemberExpression') {
      const called = this.value(callee, scope);
      if (typeof called !== 'function') throw unknownPart(node);
      return (called as (...values: unknown[]) => unknown)(...given);
    }
    const chain = this.value(part(callee, 'object'), scope);
    const name = String(part(callee, 'property')['name']);
    if (!(chain instanceof builders.Chain) || callee['computed'] === true || !methods.has(name))
      throw at(callee, `there is no ${name} here`);
    return (chain as unknown as Record<string, (...values: unknown[]) => unknown>)[name]?.(...given);
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const nodesIn = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

function part(node: Node, name: string): Node {
  const value = node[name];
  if (!isNode(value)) throw unknownPart(node);
  return value;
}

const at = (node: Node, message: string): RefusedNode => new RefusedNode(node, message);

const unknownPart = (node: Node): RefusedNode =>
  at(node, 'only calls of the builders with plain values can be read');
