import { z } from 'zod';
import { clientOf, hashedAddress, writeConsent } from '../../audience/consent/index.ts';
import { dataLimitBytes } from '../../audience/contacts/index.ts';
import { textIn } from '../../audience/topics/topics.rules.ts';
import { retryConflicts } from '../../base/db/index.ts';
import { direct, mailLanguage, query, type Services } from '../../base/kernel/index.ts';
import { showProject } from '../../people/projects/index.ts';
import { shownProject } from '../../people/projects/shown-project.schema.ts';
import { decodeConfirmLink, encodeLink } from '../message/index.ts';
import { urlOfForm } from './present-form.ts';
import {
  answerRequest,
  countForForms,
  countRequest,
  findRequestOfLink,
  mergeRequestData,
  type RequestOfLink,
  tellOfRequests,
} from './requests.store.ts';

const confirmToken = z.string().max(16_000).describe('The signed token of the link');

/** What the page of a request shows. */
export const shownRequest = z.object({
  state: z.enum(['open', 'confirmed', 'declined', 'expired']),
  email: z.string(),
  topics: z.array(z.string()).describe('Names of the topics, in the language of the page'),
  wording: z.string().nullable(),
  language: mailLanguage,
  project: shownProject,
  formUrl: z.string().nullable().describe('Where to ask again; null without a form that is open'),
  confirmedUrl: z.string().nullable(),
  preferences: z.string().describe('Token of the pages on which the contact chooses what it receives'),
});

export type ShownRequest = z.output<typeof shownRequest>;

export const showRequest = query({
  name: 'subscriptionRequests.show',
  summary: 'The request of a link; null for an unknown one',
  permission: 'public',
  input: z.object({ token: confirmToken }),
  output: shownRequest.nullable(),
  async handler({ services }, { token }) {
    const request = await readRequest(services, token);
    return request && present(services, request);
  },
});

export const answerSubscriptionRequest = direct({
  name: 'subscriptionRequests.answer',
  summary: 'Confirms or declines the request of a link; null for an unknown one',
  permission: 'public',
  risk: 'closed',
  allowDisabled: true,
  input: z.object({
    token: confirmToken,
    answer: z.enum(['confirm', 'decline']),
  }),
  output: z.object({ request: shownRequest, isNew: z.boolean() }).nullable(),
  async handler({ services, request: info }, { token, answer }) {
    const request = await readRequest(services, token);
    if (!request) return null;
    const client = clientOf(info);
    const isNew =
      request.status === 'PENDING' && !request.isExpired && (await apply(services, request, answer, client));
    if (isNew) services.scheduleFollowUps(request.projectId);
    const now = isNew || request.status === 'PENDING' ? await readRequest(services, token) : request;
    return now && { request: present(services, now), isNew };
  },
});

async function readRequest(services: Services, token: string): Promise<RequestOfLink | null> {
  const id = decodeConfirmLink(services.secrets, token);
  return id === null ? null : findRequestOfLink(services.database.prisma, id);
}

/** In one transaction: of several answers at once one counts, and whoever is killed has done all or nothing. */
const apply = (
  services: Services,
  request: RequestOfLink,
  answer: 'confirm' | 'decline',
  client: ReturnType<typeof clientOf>,
): Promise<boolean> =>
  retryConflicts(() =>
    services.database.prisma.$transaction(async (db) => {
      const { projectId, contactId, form } = request;
      const confirms = answer === 'confirm';
      if (!(await answerRequest(db, request, confirms ? 'CONFIRMED' : 'DECLINED'))) return false;
      if (confirms) await mergeRequestData(db, request, dataLimitBytes);
      const consented = await writeConsent(
        db,
        projectId,
        {
          by: 'recipient',
          actor: 'recipient',
          source: 'page',
          reason: form ? 'form' : 'page',
          always: true,
          wordingId: request.wordingId,
          formId: form?.id ?? null,
          formVersion: form?.version ?? null,
          emailId: request.id,
          ...client,
        },
        {
          contact: contactId,
          kind: answer,
          requestId: request.id,
          ...(confirms && {
            // Without topics, the subscription overall was asked for.
            ...(request.topics.length === 0 ? { wanted: true } : { yes: request.topics }),
            basis: 'confirmed' as const,
            optOut: hashedAddress(services.secrets, projectId, request.email),
          }),
        },
      );
      // Deleted at this moment: nothing is answered.
      if (!consented) throw new Error('the contact of a request is gone');
      await tellOfRequests(
        db,
        confirms ? 'contact.subscription.confirmed' : 'contact.subscription.declined',
        projectId,
        [request.id],
      );
      await countForForms(db, projectId, [form?.id ?? null], confirms ? 'confirmed' : 'declined');
      if (confirms) await countRequest(db, projectId, 'confirmed');
      return true;
    }),
  );

function present(services: Services, row: RequestOfLink): ShownRequest {
  const state = {
    CONFIRMED: 'confirmed',
    DECLINED: 'declined',
    EXPIRED: 'expired',
    PENDING: 'open',
  } as const;
  return {
    state: row.status === 'PENDING' && row.isExpired ? 'expired' : state[row.status],
    email: row.email,
    topics: row.topicNames.map((texts) => textIn(texts, row.language, row.projectLanguage)),
    wording: row.wording,
    language: row.language,
    project: showProject({ name: row.projectName, brand: row.brand, consent: row.consent }),
    formUrl: row.form?.isOpen ? urlOfForm(services, row.form.id) : null,
    confirmedUrl: row.form?.confirmedUrl ?? null,
    preferences: encodeLink(services.secrets, {
      kind: 'preferences',
      contactId: row.contactId,
      emailId: row.id,
    }),
  };
}
