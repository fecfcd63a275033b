import { type Callable, type CallableOperation, resolved } from './callable.ts';

/** What a call must know beyond method and path. Only what differs from the default is there. */
export interface Traits {
  /** The body is a form with files. */
  form?: true;
  /** Query parameters of a request that also has a body. */
  query?: string[];
  /** Whether the input is sent as the body. Default: unless the method is GET or DELETE. */
  body?: boolean;
  /** The answer is `{success, data}`, of which callers get `data`. */
  envelope?: true;
  /** The answer is no JSON. */
  raw?: true;
  /** How the pages of a list are requested. */
  list?: 'cursor' | 'page';
}

export function traitsOf(operation: CallableOperation, callable: Callable): Traits {
  const { method, parameters = [], requestBody, responses } = operation;
  const names = new Set(parameters.map(({ name }) => name));
  const [answer] = Object.values(responses).flatMap(({ content }) => Object.entries(content ?? {}));
  const properties = (resolved(callable, answer?.[1].schema)['properties'] ?? {}) as Record<string, unknown>;
  const hasBody = requestBody !== undefined;
  const query = parameters.filter(({ in: place }) => place === 'query').map(({ name = '' }) => name);
  const isRead = method === 'GET' || method === 'DELETE';
  return {
    ...(hasBody && 'multipart/form-data' in requestBody.content ? { form: true } : {}),
    ...(hasBody && query.length > 0 ? { query } : {}),
    ...(hasBody === isRead ? { body: hasBody } : {}),
    ...('success' in properties && 'data' in properties ? { envelope: true } : {}),
    ...(answer && answer[0] !== 'application/json' ? { raw: true } : {}),
    ...(names.has('cursor') ? { list: 'cursor' } : names.has('page') ? { list: 'page' } : {}),
  };
}
