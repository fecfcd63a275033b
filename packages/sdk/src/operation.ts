/** What the generated types say of a request: its parts by place. */
interface RequestParts {
  body?: unknown;
  path?: unknown;
  query?: unknown;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Traits {
  /** Query parameters of a request that also has a body. */
  query?: readonly string[];
  /** Whether the input is sent as the body. Default: unless the method is GET or DELETE. */
  body?: boolean;
  /** The body is a form with files. */
  form?: boolean;
  /** The answer is `{success, data}`, of which callers get `data`. */
  envelope?: boolean;
  /** The answer is no JSON: callers get the response itself. */
  raw?: boolean;
  /** How the pages of a list are requested. */
  list?: 'cursor' | 'page';
}

/** An operation of the API: where it is and, for TypeScript only, what it takes and answers. */
export interface Operation<Parts = RequestParts, Responses = unknown> extends Traits {
  readonly method: Method;
  /** Path with parameters as `{id}`. */
  readonly path: string;
  /** Not present at run time: carries the generated types. */
  readonly types?: { parts: Parts; responses: Responses };
}

/**
 * Describes an operation.
 *
 * @public called by the generated operations
 */
export const operation = <Parts, Responses>(
  method: Method,
  path: string,
  traits: Traits = {},
): Operation<Parts, Responses> => ({ method, path, ...traits });

type Present<Part> = [Exclude<Part, undefined>] extends [never] ? unknown : Exclude<Part, undefined>;
type PartsOf<O> = O extends Operation<infer Parts, unknown> ? Parts : never;
type ResponsesOf<O> = O extends Operation<infer _, infer Responses> ? Responses : never;

/** The input of an operation: path, query and body in one object. */
export type InputOf<O> =
  PartsOf<O> extends infer Parts
    ? (Parts extends { path?: infer Path } ? Present<Path> : unknown) &
        (Parts extends { query?: infer Query } ? Present<Query> : unknown) &
        (Parts extends { body?: infer Body } ? Present<Body> : unknown)
    : never;

type Unwrapped<Answer> = Answer extends { success: boolean; data: infer Data } ? Data : Answer;

/** What an operation answers, without the envelope. */
export type OutputOf<O> = Unwrapped<ResponsesOf<O>[keyof ResponsesOf<O>]>;
