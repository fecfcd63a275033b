export { continueErasures } from './erase-next.ts';
export { erasePerson } from './erase-person.ts';
export { exportPerson } from './export-person.ts';
export { getErasure } from './get-erasure.ts';
export { getPersonExport } from './get-person-export.ts';
export { listErasures } from './list-erasures.ts';
export { openPersonFile } from './open-person-file.ts';
export { findOpenPersonExports, giveUpPersonExport, writePersonChunk } from './write-person-chunk.ts';
