import type { ColumnMapping } from '@postrider/core/audience/contacts/contract';

/** What the columns of a file become, by their headers. */
export type Targets = ColumnMapping;

export const targetName = (target: Targets[string] | undefined): string | null =>
  typeof target === 'object' ? (target?.to ?? null) : (target ?? null);
