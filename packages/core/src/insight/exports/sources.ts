import { findConfirmedConsents, findTopicKeys } from '../../audience/consent/index.ts';
import {
  getContacts,
  listConsentActs,
  listContactFields,
  listSuppressions,
  unsubscribedBy,
} from '../../audience/contacts/index.ts';
import { searchEvents } from '../../audience/events/index.ts';
import { listContacts } from '../../audience/segments/index.ts';
import { listTopics } from '../../audience/topics/index.ts';
import { listRecipients } from '../../automation/campaigns/index.ts';
import { valuesOfEmails } from '../../automation/goals/index.ts';
import { projectIdOf } from '../../base/kernel/index.ts';
import { listEmails } from '../../mail/sending/index.ts';
import { listAudit } from '../../people/audit/index.ts';
import type { ExportType } from './exports.schema.ts';
import { figureSources } from './figure-sources.ts';
import { hasReached, recipientOf } from './recipient-of.ts';
import type { Source } from './source.ts';

const limit = 100;

const fieldsOf = ({ shape }: { shape: object }): string[] => Object.keys(shape);

/** Each object in place of its fields. */
const expand = (columns: string[], name: string, fields: string[]): string[] =>
  columns.flatMap((column) => (column === name ? fields.map((field) => `${name}.${field}`) : [column]));

/** Columns that only an export of contacts has, by the column that they follow. */
const beside: Readonly<Record<string, readonly string[]>> = {
  topicDefaults: ['unsubscribedBy'],
  consentedAt: ['consent.confirmedAt', 'consent.source'],
};

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
        ...expand(own, 'topics', topics).flatMap((field) => [field, ...(beside[field] ?? [])]),
        ...custom,
      ];
    },
    async page(ctx, { filter, segmentId, search, text, status }, cursor) {
      const tree = filter && JSON.stringify(filter);
      const filters = { filter: tree, segmentId, search, text, status };
      const page = await listContacts.runRaw(ctx, { limit, cursor, ...filters });
      const projectId = projectIdOf(ctx);
      const idsOf = (isSubscribed: boolean): string[] =>
        page.data.flatMap(({ id, subscribed }) => (subscribed === isSubscribed ? [id] : []));
      const by = await unsubscribedBy(ctx.db, projectId, idsOf(false));
      const confirmed = await findConfirmedConsents(ctx.db, projectId, idsOf(true));
      const rows = page.data.map((row) => ({
        ...row,
        unsubscribedBy: by.get(row.id) ?? null,
        consent: confirmed.get(row.id) ?? null,
      }));
      return { ...page, rows };
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
  consent: {
    async columns() {
      const own = fieldsOf(listConsentActs.output.shape.data.element);
      const withActor = expand(own, 'actor', ['type', 'id', 'label']);
      const withForm = expand(withActor, 'form', ['id', 'name', 'version']);
      return expand(withForm, 'wording', ['id', 'language', 'text']).flatMap((field) =>
        field === 'contactId' ? [field, 'email'] : [field],
      );
    },
    async page(ctx, { contact, from, to }, cursor) {
      const page = await listConsentActs.runRaw(ctx, { limit, cursor, email: contact, from, to });
      const ids = [...new Set(page.data.flatMap(({ contactId }) => contactId ?? []))];
      const contacts = ids.length === 0 ? [] : await getContacts.run(ctx, { ids });
      const emailOf = new Map(contacts.map(({ id, email }) => [id, email]));
      const rows = page.data.map((row) => ({ ...row, email: emailOf.get(row.contactId ?? '') ?? null }));
      return { ...page, rows };
    },
  },
  topics: {
    time: 'createdAt',
    columns: async () => fieldsOf(listTopics.output.element),
    async page(ctx) {
      const rows = [
        ...(await listTopics.run(ctx, { archived: false })),
        ...(await listTopics.run(ctx, { archived: true })),
      ];
      return { rows, total: rows.length, cursor: null };
    },
  },
  /** Read from the list of emails: that of recipients is in the order of changes, so one that changes meanwhile would be missed. */
  recipients: {
    time: 'occurredAt',
    columns: async () => [
      ...withDiagnosis(fieldsOf(listRecipients.output.shape.data.element)),
      ...['opens', 'clicks', 'value'],
    ],
    async page(ctx, { campaignId, status }, cursor) {
      const page = await listEmails.run(ctx, { limit, cursor, campaignId });
      const emails = status === undefined ? page.data : page.data.filter(hasReached(status));
      const projectId = projectIdOf(ctx);
      const ids = emails.map(({ id }) => id);
      const values = await valuesOfEmails(ctx.db, projectId, campaignId ?? '', ids);
      const rows = emails.map((email) => ({
        ...recipientOf(email),
        ...{ opens: email.opens, clicks: email.clicks, value: values.get(email.id) ?? null },
      }));
      return { ...page, rows };
    },
  },
  ...figureSources,
};
