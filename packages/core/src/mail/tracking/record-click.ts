import { z } from 'zod';
import { databaseIsAway } from '../../base/db/index.ts';
import { direct, type Services } from '../../base/kernel/index.ts';
import { decodeLink, type LinkToken, linkTagger } from '../message/index.ts';
import { findFixedLink } from '../sending/index.ts';
import { findBlocked } from './blocked-projects.ts';
import { originOf } from './link-origins.ts';
import type { LinkOrigin } from './links.store.ts';
import { recordInteraction } from './record-interaction.ts';
import { visit } from './tracking.schema.ts';

type ClickToken = Extract<LinkToken, { kind: 'click' }>;

/** The link as written, and where it leads; or, for a link of a project that was disabled for phishing, the project's language. */
type Target = { url: string; to: string } | { blocked: string } | null;

export const recordClick = direct({
  name: 'tracking.recordClick',
  summary: 'Records that a link was followed, and says where it leads',
  permission: 'public',
  risk: 'closed',
  allowDisabled: true,
  input: visit,
  output: z.object({
    url: z
      .string()
      .nullable()
      .describe('The original link, with its tags; null for an invalid token or a blocked link'),
    blocked: z
      .string()
      .optional()
      .describe('Language of the project, if it was disabled as PHISHING_DETECTED: its links lead nowhere'),
  }),
  async handler({ services }, { token, ...visitor }) {
    const link = decodeLink(services.secrets, token);
    if (link?.kind !== 'click') return { url: null };
    const target = await targetOf(services, link);
    if (!target) return { url: null };
    if ('blocked' in target) return { url: null, blocked: target.blocked };
    const { url, to } = target;
    await recordInteraction(services, { type: 'click', emailId: link.emailId, link: url }, visitor);
    return { url: to };
  },
});

/** A tracked link as written; null for a token that is none, and a link that is blocked. */
export async function resolveClick(services: Services, token: string): Promise<string | null> {
  const link = decodeLink(services.secrets, token);
  const target = link?.kind === 'click' ? await targetOf(services, link) : null;
  return target && 'url' in target ? target.url : null;
}

async function targetOf(services: Services, { emailId, target }: ClickToken): Promise<Target> {
  const origin = await findOrigin();
  if (origin === null) return null;
  const blocked = origin && (await findBlocked(services, origin.projectId));
  if (blocked) return blocked.deleted ? null : { blocked: blocked.language };
  const url = await findUrl(origin);
  // Tracked links are always http or https; any other target would make this an open redirect for other schemes.
  if (url === null || !/^https?:\/\//i.test(url)) return null;
  return { url, to: (origin?.utm && linkTagger(origin.utm)(url)) ?? url };

  /** null for an email that was removed with its project. Without the database, a link that the token itself carries still works. */
  async function findOrigin(): Promise<LinkOrigin | null | undefined> {
    try {
      return await originOf(services, emailId);
    } catch (error) {
      if ('url' in target && databaseIsAway(error)) return undefined;
      throw error;
    }
  }

  async function findUrl(from: LinkOrigin | undefined): Promise<string | null> {
    if ('url' in target) return target.url;
    return from ? findFixedLink(services, from.contentId, target.linkId) : null;
  }
}
