import {
  AlreadyExistsException,
  CreateEmailIdentityCommand,
  GetEmailIdentityCommand,
  NotFoundException,
  PutEmailIdentityMailFromAttributesCommand,
  SESv2ServiceException,
} from '@aws-sdk/client-sesv2';
import type { SenderIdentities } from '../../base/kernel/ports/sender-identities.ts';
import { createSesClient } from './ses-client.ts';

/** Domains as identities of Amazon SES with Easy DKIM. */
export function createSesIdentities({ region }: { region: string }): SenderIdentities {
  const client = createSesClient({ region, connections: 10, answerTimeoutMs: 15_000 });
  const get = (domain: string) => client.send(new GetEmailIdentityCommand({ EmailIdentity: domain }));

  /** The tokens of a new identity; null when there is one already. */
  async function create(domain: string): Promise<string[] | null> {
    try {
      const { DkimAttributes } = await client.send(new CreateEmailIdentityCommand({ EmailIdentity: domain }));
      return DkimAttributes?.Tokens ?? [];
    } catch (error) {
      if (error instanceof AlreadyExistsException) return null;
      throw error;
    }
  }

  return {
    async register(domain, mailFrom) {
      const tokens = (await create(domain)) ?? (await get(domain)).DkimAttributes?.Tokens ?? [];
      if (tokens.length === 0) throw new Error(`Amazon SES has no DKIM tokens for ${domain}`);
      await client.send(
        new PutEmailIdentityMailFromAttributesCommand({
          EmailIdentity: domain,
          MailFromDomain: mailFrom,
          BehaviorOnMxFailure: 'USE_DEFAULT_VALUE',
        }),
      );
      return tokens;
    },
    async isReady(domain) {
      try {
        return (await get(domain)).VerifiedForSendingStatus === true;
      } catch (error) {
        if (error instanceof NotFoundException) return false;
        if (error instanceof SESv2ServiceException && error.$metadata.httpStatusCode !== undefined)
          throw error;
        return null;
      }
    },
  };
}
