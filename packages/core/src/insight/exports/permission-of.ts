import { getConsentEvidence } from '../../audience/contacts/index.ts';
import type { Permission } from '../../base/kernel/index.ts';
import { listAudit } from '../../people/audit/index.ts';
import type { ExportType } from './exports.schema.ts';

/** What a caller needs besides the right to export, to ask for records of this type and to read their file; null for nothing. */
export function permissionOf(type: ExportType): Permission | null {
  if (type === 'audit') return listAudit.permission;
  // Acts have the addresses of clients and what callers stated as evidence.
  return type === 'consent' ? getConsentEvidence.permission : null;
}
