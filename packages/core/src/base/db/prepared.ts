import type { QueryConfig } from 'pg';
import { Prisma } from './generated/client.ts';

/** The names of all prepared statements, which tell them apart in the metrics. */
export const statementNames = new Set<string>();

/** Marks, in the text of a prepared statement, a value that each call passes by name. */
export class Parameter {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** The parameters of a statement by the names of its values. */
export type ParametersOf<Values> = { readonly [Key in keyof Values]: Parameter };

/** Lets a fragment of SQL be used with a value, and in a prepared statement with one of its parameters. */
export type Bindable<T> = T | Parameter;

/**
 * A statement that PostgreSQL prepares once per connection under `name`. Its text is written once, when this is called, with
 * `Prisma.sql`: fragments nest, and every `${…}` that is not a fragment is bound, never part of the text. A parameter that occurs
 * several times is bound once.
 *
 * @param write receives the parameters by the names of `Values`
 * @returns a function from the values of one call to the argument of pg's `query`
 */
export function prepared<Values extends object>(
  name: string,
  write: (parameters: ParametersOf<Values>) => Prisma.Sql,
): (values: Values) => QueryConfig {
  statementNames.add(name);
  const parameters = new Map<PropertyKey, Parameter>();
  const byName = new Proxy({} as ParametersOf<Values>, {
    get: (_, key) => {
      const parameter = parameters.get(key) ?? new Parameter(String(key));
      parameters.set(key, parameter);
      return parameter;
    },
  });
  const bound: unknown[] = [];
  const { strings, values } = write(byName);
  const text = strings.reduce((before, after, index) => {
    const value = values[index - 1];
    const known = value instanceof Parameter ? bound.indexOf(value) : -1;
    return `${before}$${known < 0 ? bound.push(value) : known + 1}${after}`;
  });
  return (given) => ({
    name,
    text,
    values: bound.map((value) => (value instanceof Parameter ? given[value.name as keyof Values] : value)),
  });
}

/** A constant of the code as part of the text: for identifiers, and for values that the planner must see. */
export const constant = (value: string | number): Prisma.Sql => Prisma.raw(String(value));
