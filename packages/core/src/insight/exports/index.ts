export { type ExportJob, exportJobs, insertChunk, readChunk } from './export-jobs.store.ts';
export { exportRecordsJob } from './exports.jobs.ts';
export { findOpenExports, giveUpExport } from './exports.ts';
export { getExport } from './get-export.ts';
export { exportFileInput, openExportFile } from './open-export-file.ts';
export { startExport } from './start-export.ts';
export { writeChunk } from './write-chunk.ts';
