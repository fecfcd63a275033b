import { type HttpAnswer, type HttpConnection, openHttpConnection } from './http-connection.ts';

/** Keep-alive connections that are opened as needed: a request never waits for another one. */
export interface HttpPool {
  get(path: string): Promise<HttpAnswer>;
  post(path: string, body: string): Promise<HttpAnswer>;
  close(): void;
}

const usualPatienceMs = 20_000;

/** A request without an answer within `patienceMs` rejects. */
export function createHttpPool(
  origin: string,
  authorization: string | null,
  headers: Readonly<Record<string, string>> = {},
  patienceMs = usualPatienceMs,
): HttpPool {
  const free: HttpConnection[] = [];
  const all = new Set<HttpConnection>();
  const use = async (ask: (connection: HttpConnection) => Promise<HttpAnswer>): Promise<HttpAnswer> => {
    const connection = free.pop() ?? (await openHttpConnection(origin, authorization, headers));
    all.add(connection);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      connection.close();
    }, patienceMs);
    try {
      const answer = await ask(connection);
      free.push(connection);
      return answer;
    } catch (error) {
      connection.close();
      all.delete(connection);
      throw isLate ? new Error(`No answer came within ${patienceMs / 1_000} s.`, { cause: error }) : error;
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    get: (path) => use((connection) => connection.get(path)),
    post: (path, body) => use((connection) => connection.post(path, body)),
    close() {
      for (const connection of all) connection.close();
    },
  };
}
