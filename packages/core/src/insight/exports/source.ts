import type { Context } from '../../base/kernel/index.ts';
import type { ExportRequest } from './exports.store.ts';

export type Row = Record<string, unknown>;

export interface SourcePage {
  rows: Row[];
  cursor: string | null;
  /** of the list, on its first page */
  total: number;
}

/** Records as their list shows them, newest first: the order by creation does not change while an export reads them. */
export interface Source {
  /** names of columns; `contact.email` is a field of an object, `data.plan` a custom field */
  columns(ctx: Context): Promise<string[]>;
  page(ctx: Context, request: ExportRequest, cursor: string | null): Promise<SourcePage>;
  /** the column with the time that `from` and `to` restrict, where the list does not do so itself */
  time?: string;
  /** whether the list is in the order of that time, so that it need not be read beyond `from` */
  byTime?: boolean;
}
