/** The reference for tracked links: a bare Fastify route that redirects. It checks nothing and records nothing. */

import { answerParent } from '@postrider/harness/answering-process';
import { fastify } from 'fastify';

const app = fastify({ logger: false });

app.get('/t/c/*', async (_request, reply) =>
  reply
    .code(302)
    .header('location', 'https://example.com/news/1')
    .header('cache-control', 'no-store')
    .header('content-length', '0')
    .send(),
);

const address = await app.listen({ port: 0, host: '127.0.0.1' });
answerParent(async () => address);
