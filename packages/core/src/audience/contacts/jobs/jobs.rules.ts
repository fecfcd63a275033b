import type { CsvEncoding } from '../../../base/lib/csv-encoding.rules.ts';
import type { ConsentBasis } from '../../consent/consent.rules.ts';
import type { NumberedChoices, Saying } from '../../consent/statements.rules.ts';
import type { WalkPosition } from '../bulk/selection.rules.ts';
import type { SplitData } from '../contacts.rules.ts';
import type { ImportKind } from '../imports/header.rules.ts';
import type { ColumnMapping } from '../imports/mapping.rules.ts';

/** Jobs of contacts (behaviour B2.12, B4.5): imports and bulk changes. */

export const bulkKinds = [
  'bulk-subscribe',
  'bulk-unsubscribe',
  'bulk-topics',
  'bulk-delete',
  'bulk-update',
  'bulk-join',
  'bulk-add',
] as const;
export type BulkKind = (typeof bulkKinds)[number];
/** Jobs of other areas are in the same table. */
export const isBulkKind = (kind: string): kind is BulkKind => bulkKinds.some((each) => each === kind);

/** Changes of the contacts on the list of a job; `join` makes them members of a segment. */
export type ListedOperation = 'subscribe' | 'unsubscribe' | 'topics' | 'delete' | 'update' | 'join';
/** `add` adds contacts to a segment, those on a list as those that match a condition. */
export type BulkOperation = Exclude<ListedOperation, 'join'> | 'add';
export type JobKind = 'import' | BulkKind;

export const operationOf = (kind: BulkKind): BulkOperation =>
  kind === 'bulk-join' ? 'add' : (kind.slice('bulk-'.length) as BulkOperation);

export interface ImportOptions {
  /** what the request says about every row; `keep` says nothing */
  subscribed: boolean | 'keep';
  mapping?: ColumnMapping;
  segmentId?: string;
  kind?: ImportKind;
  encoding?: CsvEncoding;
  /** reads the file and stores nothing */
  dryRun?: true;
  /** who started it */
  said?: Pick<Saying, 'actor' | 'actorId' | 'keyName'>;
  /** what the request states of the consents in the file, where its rows do not */
  stated?: StatedConsents;
}

/** Parts that are not stated are null. */
export type StatedConsents = {
  basis: ConsentBasis | null;
  at: string | null;
  /** where the people agreed, in the words of the caller */
  source: string | null;
  wordingId: string | null;
};

export interface BulkInput {
  /** contacts on its list */
  total: number;
  /** where the list ends so far; absent once it is complete */
  listedTo?: WalkPosition;
  /** who asked for it, and what the caller stated */
  said?: Omit<Saying, 'by' | 'source' | 'reason'>;
  /** what `update` does to the data of each contact: the same for all of them */
  data?: Pick<SplitData, 'set' | 'unset' | 'structured'>;
  /** of `update`: the zone of the project, for times without one */
  timeZone?: string;
  /** of `join` */
  segmentId?: string;
  /** the choices of a change of topics */
  topics?: NumberedChoices;
}

/** Who matches a condition becomes a member of a segment. The condition may contain addresses: it is the file of the job. */
export interface AddMatchingInput {
  segmentId: string;
  /** contacts of the project when it began, and how many were looked at */
  contacts: number;
  seen: number;
  /** the last contact that was looked at; absent at the beginning */
  after?: WalkPosition;
}

/** The parameters of a job; no data of a single person. */
export type JobInput = ImportOptions | BulkInput | AddMatchingInput;

/** Maximum number of errors that are stored; the counts include all. */
export const listedErrors = 100;

/** What became of the cells of one column. */
export interface ColumnResult {
  header: string;
  /** as in a mapping */
  to: string;
  /** null for columns that are no field, and in an export, whose cells have types of their own */
  type: string | null;
  format: string | null;
  read: number;
  unread: number;
  /** of a column about the subscription, how many of its cells say so; otherwise null */
  yes: number | null;
  no: number | null;
  examples: { row: number; value: string }[];
}

export interface ImportProgress {
  totalRows: number;
  successCount: number;
  createdCount: number;
  updatedCount: number;
  failureCount: number;
  errors: { row: number; email: string; error: string }[];
  dryRun: boolean;
  encoding: string | null;
  separator: string | null;
  skippedColumns: string[];
  unreadCount: number;
  columns: ColumnResult[];
  subscribedCount: number;
  unsubscribedCount: number;
  optedOutCount: number;
  suppressedCount: number;
}

/** A result before the first row; those of imports from before a figure existed have its value here. */
export const emptyImport: ImportProgress = {
  totalRows: 0,
  successCount: 0,
  createdCount: 0,
  updatedCount: 0,
  failureCount: 0,
  errors: [],
  dryRun: false,
  encoding: null,
  separator: null,
  skippedColumns: [],
  unreadCount: 0,
  columns: [],
  subscribedCount: 0,
  unsubscribedCount: 0,
  optedOutCount: 0,
  suppressedCount: 0,
};

/** Unread cells that are shown for each column. */
export const shownExamples = 5;

export interface BulkProgress {
  operation: BulkOperation;
  totalRequested: number;
  successCount: number;
  unchangedCount: number;
  /** absent in jobs from before contacts could refuse */
  refusedCount?: number;
  failureCount: number;
  errors: { contactId: string; email: string | null; error: string }[];
  /** of the operation `add`: the members that are new */
  added?: number;
}

export type JobProgress = ImportProgress | BulkProgress;

/** Number of rows an import has processed: the position to continue from. */
export const rowsDone = ({ successCount, failureCount }: ImportProgress): number =>
  successCount + failureCount;

/** Percent done; 100 is reserved for the end. */
export const progressOf = (done: number, total: number): number =>
  total === 0 ? 0 : Math.min(99, Math.floor((done / total) * 100));

/** Adds errors up to the maximum. */
export const addErrors = <Item>(errors: readonly Item[], more: readonly Item[]): Item[] =>
  [...errors, ...more].slice(0, listedErrors);
