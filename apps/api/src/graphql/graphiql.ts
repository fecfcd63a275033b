import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { unknownRoute } from '../errors/failure.ts';

/** Everything the page needs is in it: its scripts and styles are inline, and its editor starts workers from blobs. */
const policy = [
  "default-src 'none'",
  "script-src 'unsafe-inline' blob:",
  'worker-src blob:',
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  'font-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const examples = `# Put a secret key of your project into
# "Headers" below, then press Ctrl+Enter.
# The book on the left describes every field.

query Contacts {
  contacts(first: 10) {
    edges { node { id email subscribed data createdAt } }
    pageInfo { hasNextPage endCursor }
  }
}

# mutation Send {
#   sendEmail(input: { to: "ann@example.net", from: "hello@example.com", subject: "Hello", body: "<p>Hi</p>" }) {
#     emails { email contact { id } }
#   }
# }

# subscription Live {
#   activity { type contactEmail timestamp }
# }
`;

/** The page is several megabytes: it is loaded and compressed with the first request, off the main thread. */
let page: Promise<Buffer> | undefined;

async function renderPage(): Promise<Buffer> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const html = renderGraphiQL({
    title: 'Postrider GraphQL',
    endpoint: '/graphql',
    defaultQuery: examples,
    headers: JSON.stringify({ Authorization: 'Bearer sk_your_secret_key' }, null, 2),
    // Keys stay in the memory of the page.
    shouldPersistHeaders: false,
    subscriptionsProtocol: 'GRAPHQL_SSE',
  });
  return promisify(gzip)(html);
}

/** A browser that opens the page. Requests with a document are run. */
export const wantsGraphiql = ({ headers, query }: FastifyRequest): boolean =>
  (headers.accept ?? '').includes('text/html') && Object.keys(query as object).length === 0;

/** @throws AppError RESOURCE_NOT_FOUND for a client that does not accept gzip */
export async function sendGraphiql(reply: FastifyReply): Promise<FastifyReply> {
  if (!/\bgzip\b/.test(String(reply.request.headers['accept-encoding'] ?? ''))) throw unknownRoute();
  page ??= renderPage();
  return reply
    .header('content-security-policy', policy)
    .header('cache-control', 'public, max-age=3600')
    .header('vary', 'Accept, Accept-Encoding')
    .header('content-encoding', 'gzip')
    .type('text/html; charset=utf-8')
    .send(await page);
}
