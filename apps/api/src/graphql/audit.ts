import { listAudit } from '@postrider/core/people/audit';
import { connectionField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';

const AuditEntry = objectFromZod(listAudit.output.shape.data.element);

connectionField('audit', listAudit, AuditEntry, ({ createdAt }) => createdAt);
