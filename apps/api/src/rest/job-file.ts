import { Readable } from 'node:stream';
import type { Context } from '@postrider/core/base/kernel';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { credentialOf } from '../access/access-of.ts';
import { gate } from '../access/gate.ts';
import type { RestDoor } from './door.ts';
import type { Endpoint } from './endpoint.ts';
import { contextOf } from './mount.ts';
import { queryNames, refuseUnknown } from './refuse-unknown.ts';

interface JobFile {
  path: string;
  /** of the endpoint in the contract */
  name: string;
  summary: string;
  /** the query about the job, whose readers may read the file */
  operation: Parameters<typeof credentialOf>[0] & Pick<Endpoint, 'errors'> & { input: z.ZodObject };
  /** what the query may have besides */
  query?: z.ZodObject;
  /** media type of the file. Default: CSV */
  produces?: string;
  /** what a JSON file holds, for the contract */
  output?: z.ZodType;
  open(ctx: Context, jobId: string, query: unknown): Promise<{ name: string; chunks: AsyncIterable<Buffer> }>;
}

/** The file of a job, which is sent while it is read. */
export function mountJobFile(
  { app, services, endpoints }: RestDoor,
  { path, name, summary, operation, query, produces = 'text/csv', output, open }: JobFile,
): void {
  const { permission, errors } = operation;
  const input = query ? operation.input.extend(query.shape) : operation.input;
  const credential = credentialOf(operation);
  endpoints.push({
    method: 'GET',
    path,
    name,
    summary,
    credential,
    input,
    from: 'query',
    changes: false,
    errors,
    ...(output ? { output } : {}),
    statuses: [200],
    envelope: 'none',
    flat: false,
    idempotent: false,
    dryRun: false,
    risk: null,
    produces,
  });
  app.route({
    method: 'GET',
    url: path,
    onRequest: gate(services, { credential, permission, needsProject: true, changes: false }),
    async handler(request: FastifyRequest<{ Params: { jobId: string } }>, reply) {
      refuseUnknown(queryNames(request.query), Object.keys(query?.shape ?? {}));
      const { name: fileName, chunks } = await open(contextOf(request), request.params.jobId, request.query);
      return reply
        .header('content-type', `${produces}; charset=utf-8`)
        .header('content-disposition', `attachment; filename="${fileName}"`)
        .header('cache-control', 'no-store')
        .send(Readable.from(chunks));
    },
  });
}
