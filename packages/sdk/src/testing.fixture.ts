import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Answers each request with the next of the given handlers, the last one from then on, and records the requests. */
export async function serve(
  ...answers: ((response: ServerResponse, request: Received) => void)[]
): Promise<{ baseUrl: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { method, url, headers } = request;
      received.push({ method, url, headers, body });
      const answer = answers[Math.min(received.length, answers.length) - 1];
      answer?.(response, { method, url, headers, body });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

/** Cuts the connection instead of answering. */
export const cut = (response: ServerResponse): void => {
  response.destroy();
};

export const refusal = (code: string, statusCode: number, more: object = {}): object => ({
  success: false,
  error: {
    code,
    statusCode,
    message: code,
    requestId: 'r-1',
    suggestion: 'Try',
    docs: `https://api.example.com/docs/errors/${code}`,
    ...more,
  },
  timestamp: '2026-01-01T00:00:00.000Z',
});
