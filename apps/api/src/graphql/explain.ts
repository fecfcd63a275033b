import { explain } from '@postrider/core/insight/explain';
import { queryField } from './fields.ts';
import { objectFromZod } from './object-from-zod.ts';

queryField('explain', explain, objectFromZod(explain.output));
