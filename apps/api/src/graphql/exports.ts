import { getExport, startExport } from '@postrider/core/insight/exports';
import { mutationField, queryField } from './fields.ts';
import { objectFromZod } from './object-from-zod.ts';

const ExportJob = objectFromZod(getExport.output);

queryField('export', getExport, ExportJob);
mutationField('startExport', startExport, ExportJob);
