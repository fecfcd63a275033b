import { findTopicKeys } from '../../audience/consent/index.ts';
import { listContactFields, listSuppressions, unsubscribedBy } from '../../audience/contacts/index.ts';
import { searchEvents } from '../../audience/events/index.ts';
import { listContacts } from '../../audience/segments/index.ts';
import { listRecipients } from '../../automation/campaigns/index.ts';
import { type Context, projectIdOf } from '../../base/kernel/index.ts';
import { listEmails } from '../../mail/sending/index.ts';
import { listAudit } from '../../people/audit/index.ts';
import type { ExportType } from './exports.schema.ts';
import type { ExportRequest } from './exports.store.ts';
import { hasReached, recipientOf } from './recipient-of.ts';

type Row = Record<string, unknown>;

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

const limit = 100;

const fieldsOf = ({ shape }: { shape: object }): string[] => Object.keys(shape);

/** Each object in place of its fields. */
const expand = (columns: string[], name: string, fields: string[]): string[] =>
  columns.flatMap((column) => (column === name ? fields.map((field) => `${name}.${field}`) : [column]));

const withDiagnosis = (columns: string[]): string[] =>
  expand(columns, 'diagnosis', ['class', 'code', 'reply', 'text', 'at']);

export const sources: Record<ExportType, Source> = {
  contacts: {
    time: 'createdAt',
    byTime: true,
    async columns(ctx) {
      const { fields } = await listContactFields.run(ctx, {});
      const custom = fields.map(({ field }) => field).filter((field) => field.startsWith('data.'));
      const standard = fieldsOf(listContacts.output.shape.data.element);
      const own = standard.filter((field) => field !== 'data');
      const topics = await findTopicKeys(ctx.db, projectIdOf(ctx));
      return [
        ...expand(own, 'topics', topics).flatMap((field) =>
          field === 'topicDefaults' ? [field, 'unsubscribedBy'] : [field],
        ),
        ...custom,
      ];
    },
    async page(ctx, { filter, segmentId, search, status }, cursor) {
      const tree = filter && JSON.stringify(filter);
      const page = await listContacts.runRaw(ctx, { limit, cursor, filter: tree, segmentId, search, status });
      const out = page.data.flatMap(({ id, subscribed }) => (subscribed ? [] : [id]));
      const by = await unsubscribedBy(ctx.db, projectIdOf(ctx), out);
      return { ...page, rows: page.data.map((row) => ({ ...row, unsubscribedBy: by.get(row.id) ?? null })) };
    },
  },
  emails: {
    columns: async () => withDiagnosis(fieldsOf(listEmails.output.shape.data.element)),
    async page(ctx, { campaignId, templateId, tag, search, status, sourceType, from, to }, cursor) {
      const filters = { campaignId, templateId, tag, search, status, sourceType, from, to };
      const page = await listEmails.runRaw(ctx, { limit, cursor, ...filters });
      return { ...page, rows: page.data };
    },
  },
  events: {
    time: 'createdAt',
    byTime: true,
    columns: async () => expand(fieldsOf(searchEvents.output.shape.data.element), 'contact', ['id', 'email']),
    async page(ctx, { eventName, contact }, cursor) {
      const page = await searchEvents.run(ctx, { limit, cursor, eventName, contact });
      return { ...page, rows: page.data };
    },
  },
  audit: {
    columns: async () =>
      expand(fieldsOf(listAudit.output.shape.data.element), 'actor', ['type', 'id', 'label']),
    async page(ctx, { from, to }, cursor) {
      const page = await listAudit.run(ctx, { limit, cursor, from, to });
      return { ...page, rows: page.data };
    },
  },
  suppressions: {
    time: 'createdAt',
    byTime: true,
    columns: async () => fieldsOf(listSuppressions.output.shape.data.element),
    async page(ctx, { search, reason }, cursor) {
      const page = await listSuppressions.runRaw(ctx, { limit, cursor, search, reason });
      return { ...page, rows: page.data };
    },
  },
  /** Read from the list of emails: that of recipients is in the order of changes, so one that changes meanwhile would be missed. */
  recipients: {
    time: 'occurredAt',
    columns: async () => withDiagnosis(fieldsOf(listRecipients.output.shape.data.element)),
    async page(ctx, { campaignId, status }, cursor) {
      const page = await listEmails.run(ctx, { limit, cursor, campaignId });
      const emails = status === undefined ? page.data : page.data.filter(hasReached(status));
      return { ...page, rows: emails.map(recipientOf) };
    },
  },
};
