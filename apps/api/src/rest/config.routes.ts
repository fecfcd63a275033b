import { z } from 'zod';
import type { RestDoor } from './door.ts';
import { rawRoute } from './raw-route.ts';

const enabled = z.object({ enabled: z.boolean() });

const configuration = z.object({
  environment: z.string(),
  urls: z.object({ api: z.string(), dashboard: z.string() }),
  features: z.object({
    billing: enabled,
    storage: z.object({ s3Enabled: z.boolean() }),
    authProviders: z.object({ github: z.boolean(), google: z.boolean() }),
    signup: z.object({ signupsDisabled: z.boolean(), verifyEmail: z.boolean() }),
    email: z.object({ transport: z.enum(['smtp', 'ses']), trackingToggleEnabled: z.boolean() }),
  }),
  aws: z.object({ sesRegion: z.string(), mailFromSubdomain: z.string() }).nullable(),
});

/** Label of the envelope sender's host under each verified domain (behaviour B2.10). */
const mailFromSubdomain = 'bounces';

export function mountConfig(door: RestDoor): void {
  const { config } = door.services;
  // Only what works is announced: billing, object storage and sign-in by OAuth are not part of this version.
  const providers = { github: false, google: false };
  const body: z.output<typeof configuration> = {
    environment: config.NODE_ENV,
    urls: { api: config.API_URL, dashboard: config.DASHBOARD_URL },
    features: {
      billing: { enabled: false },
      storage: { s3Enabled: false },
      authProviders: providers,
      signup: { signupsDisabled: config.SIGNUPS_DISABLED, verifyEmail: config.VERIFY_SIGNUP_EMAIL },
      email: { transport: config.MAIL_TRANSPORT, trackingToggleEnabled: true },
    },
    aws:
      config.MAIL_TRANSPORT === 'ses'
        ? { sesRegion: config.AWS_REGION ?? 'us-east-1', mailFromSubdomain }
        : null,
  };
  rawRoute(door, 'GET', '/config', {
    name: 'config.get',
    summary: 'Returns the integrations and features of this installation.',
    output: configuration,
    handler: () => body,
  });
  rawRoute(door, 'GET', '/auth/oauth-config', {
    name: 'auth.oauthConfig',
    summary: 'Returns the configured sign-in providers.',
    output: z.object({ github: z.boolean(), google: z.boolean() }),
    handler: () => providers,
  });
}
