import {
  erasePerson,
  exportPerson,
  getErasure,
  getPersonExport,
  listErasures,
} from '@postrider/core/insight/privacy';
import { asMutation, asQuery, t } from './trpc.ts';

export const privacyRouter = t.router({
  export: asMutation(exportPerson),
  getExport: asQuery(getPersonExport),
  erase: asMutation(erasePerson),
  getErasure: asQuery(getErasure),
  listErasures: asQuery(listErasures),
});
