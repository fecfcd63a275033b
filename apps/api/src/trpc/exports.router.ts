import { getExport, startExport } from '@postrider/core/insight/exports';
import { asMutation, asQuery, t } from './trpc.ts';

export const exportsRouter = t.router({ start: asMutation(startExport), get: asQuery(getExport) });
