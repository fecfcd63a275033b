import { Readable } from 'node:stream';
import { getExport, openExportFile, startExport } from '@postrider/core/exports';
import type { FastifyRequest } from 'fastify';
import { credentialOf } from '../access/access-of.ts';
import { gate } from '../access/gate.ts';
import type { RestDoor } from './door.ts';
import { contextOf, mount } from './mount.ts';

export function mountExports(door: RestDoor): void {
  mount(door, 'POST', '/exports', startExport, { status: 202 });
  mount(door, 'GET', '/exports/:jobId', getExport);
  mountFile(door);
}

/** The file of an export, which is sent while it is read. */
function mountFile({ app, services, endpoints }: RestDoor): void {
  const path = '/exports/:jobId/file';
  const { permission, input, errors } = getExport;
  const credential = credentialOf(getExport);
  const produces = 'text/csv';
  endpoints.push({
    method: 'GET',
    path,
    name: 'exports.file',
    summary: 'Returns the file of a completed export, for 7 days',
    credential,
    input,
    from: 'query',
    changes: false,
    errors,
    statuses: [200],
    envelope: 'none',
    flat: false,
    idempotent: false,
    produces,
  });
  app.route({
    method: 'GET',
    url: path,
    onRequest: gate(services, { credential, permission, needsProject: true, changes: false }),
    async handler(request: FastifyRequest<{ Params: { jobId: string } }>, reply) {
      const { name, chunks } = await openExportFile(contextOf(request), request.params.jobId);
      return reply
        .header('content-type', `${produces}; charset=utf-8`)
        .header('content-disposition', `attachment; filename="${name}"`)
        .header('cache-control', 'no-store')
        .send(Readable.from(chunks));
    },
  });
}
