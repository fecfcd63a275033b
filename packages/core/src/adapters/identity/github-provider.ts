import { ClientSecretPost, Configuration, fetchProtectedResource } from 'openid-client';
import { z } from 'zod';
import type { IdentityProvider } from '../../base/kernel/ports/identity-providers.ts';
import type { SignInProvider } from '../../base/kernel/sign-in-providers.ts';
import {
  atProvider,
  authorizationUrl,
  exchangeCode,
  insecureWhenLocal,
  newChecks,
  timeoutSeconds,
} from './code-flow.ts';

const scope = 'read:user user:email';

const userReply = z.object({ id: z.int() });
const emailsReply = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** GitHub speaks OAuth 2 without ID tokens: user and address come from its REST API. */
export function createGithubProvider(
  { issuer, clientId, clientSecret, apiUrl }: SignInProvider,
  redirectUri: string,
): IdentityProvider {
  const config = new Configuration(
    {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/access_token`,
    },
    clientId,
    undefined,
    ClientSecretPost(clientSecret),
  );
  config.timeout = timeoutSeconds;
  for (const allow of insecureWhenLocal(issuer)) allow(config);

  const read = async <T>(path: string, accessToken: string, reply: z.ZodType<T>): Promise<T> => {
    const headers = new Headers({ accept: 'application/vnd.github+json', 'user-agent': 'Postrider' });
    const url = new URL(`${apiUrl}${path}`);
    const response = await fetchProtectedResource(config, accessToken, url, 'GET', null, headers);
    if (!response.ok) throw new Error(`GitHub answered ${path} with ${response.status}`);
    return reply.parse(await response.json());
  };

  return {
    newChecks,
    authorizationUrl: (checks) => atProvider(() => authorizationUrl(config, checks, { redirectUri, scope })),
    identify: (query, checks) =>
      atProvider(async () => {
        const { access_token } = await exchangeCode(config, { redirectUri, query }, checks, 'oauth');
        const user = await read('/user', access_token, userReply);
        const emails = await read('/user/emails', access_token, emailsReply);
        const primary = emails.find((each) => each.primary && each.verified);
        return { issuer, subject: String(user.id), verifiedEmail: primary?.email ?? null };
      }),
  };
}
