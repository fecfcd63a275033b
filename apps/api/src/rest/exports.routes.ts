import { exportFileInput, getExport, openExportFile, startExport } from '@postrider/core/insight/exports';
import type { RestDoor } from './door.ts';
import { mountJobFile } from './job-file.ts';
import { mount } from './mount.ts';

export function mountExports(door: RestDoor): void {
  mount(door, 'POST', '/exports', startExport, { status: 202 });
  mount(door, 'GET', '/exports/:jobId', getExport);
  mountJobFile(door, {
    path: '/exports/:jobId/file',
    name: 'exports.file',
    summary: 'Returns the file of a completed export, for 7 days',
    operation: getExport,
    query: exportFileInput,
    open: openExportFile,
  });
}
