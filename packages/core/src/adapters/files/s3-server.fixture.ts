import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface S3Request {
  method: string | undefined;
  path: string | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A loopback server that answers as S3 does; `answers` are used first, then every request succeeds. */
export async function startS3Server() {
  const requests: S3Request[] = [];
  const answers: { status: number; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    requests.push({ method: request.method, path: request.url, headers: request.headers, body });
    const answer = answers.shift();
    response.writeHead(answer?.status ?? (request.method === 'DELETE' ? 204 : 200), {
      'content-type': 'application/xml',
    });
    response.end(answer?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answers,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
