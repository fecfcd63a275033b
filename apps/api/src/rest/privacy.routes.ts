import {
  erasePerson,
  exportPerson,
  getErasure,
  getPersonExport,
  listErasures,
  openPersonFile,
} from '@postrider/core/insight/privacy';
import { personDocument } from '@postrider/core/insight/privacy/contract';
import type { RestDoor } from './door.ts';
import { mountJobFile } from './job-file.ts';
import { mount } from './mount.ts';

export function mountPrivacy(door: RestDoor): void {
  mount(door, 'POST', '/privacy/exports', exportPerson, { status: 202 });
  mount(door, 'GET', '/privacy/exports/:jobId', getPersonExport);
  mountJobFile(door, {
    path: '/privacy/exports/:jobId/file',
    name: 'privacy.exportFile',
    summary: 'Returns the document of a completed export of a person, for 7 days',
    operation: getPersonExport,
    produces: 'application/json',
    output: personDocument,
    open: openPersonFile,
  });
  mount(door, 'POST', '/privacy/erasures', erasePerson, { status: 202 });
  mount(door, 'GET', '/privacy/erasures', listErasures);
  mount(door, 'GET', '/privacy/erasures/:id', getErasure);
}
