import {
  erasePerson,
  exportPerson,
  getErasure,
  getPersonExport,
  listErasures,
} from '@postrider/core/insight/privacy';
import { mutationField, queryField, recordField } from './fields.ts';
import { connectionField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';

const Erasure = objectFromZod(getErasure.output);
const PersonExportJob = objectFromZod(getPersonExport.output);

recordField('erasure', getErasure, Erasure);
connectionField('erasures', listErasures, Erasure, ({ requestedAt }) => requestedAt);
queryField('personExport', getPersonExport, PersonExportJob);
mutationField('erasePerson', erasePerson, Erasure);
mutationField('exportPerson', exportPerson, PersonExportJob);
