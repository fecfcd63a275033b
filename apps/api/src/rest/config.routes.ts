import { simulatorDomain } from '@postrider/core/base/kernel/contract';
import { envelopeLabel, providerNames } from '@postrider/core/base/providers';
import { z } from 'zod';
import type { RestDoor } from './door.ts';
import { rawRoute } from './raw-route.ts';

const providerFlags = z.object({
  github: z.boolean().describe('Whether GitHub is configured.'),
  google: z.boolean().describe('Whether Google is configured.'),
  oidc: z.boolean().describe('Whether an OpenID Connect provider is configured.'),
});

const engineState = z.object({
  state: z
    .enum(['ok', 'starting', 'away'])
    .describe(
      'Whether the workflow engine answers; `starting` until it has answered once. Meanwhile everything is accepted, and campaigns, imports, exports and schedules begin when it is there.',
    ),
  since: z
    .date()
    .nullable()
    .meta({ description: 'Since when it has not answered; null while it does.', examples: [null] }),
});

const configuration = z.object({
  environment: z.string().meta({ description: 'Environment of the installation.', examples: ['production'] }),
  urls: z
    .object({
      api: z.string().meta({ description: 'Base URL of the API.', examples: ['https://api.example.com'] }),
      dashboard: z
        .string()
        .meta({ description: 'Base URL of the dashboard.', examples: ['https://app.example.com'] }),
    })
    .describe('Where the installation is reached.'),
  features: z
    .object({
      billing: z
        .object({ enabled: z.boolean().describe('Whether emails are billed and limits can be set.') })
        .describe('Billing.'),
      storage: z
        .object({ s3Enabled: z.boolean().describe('Whether images are stored in S3.') })
        .describe('Storage of files.'),
      authProviders: providerFlags.describe('Sign-in providers.'),
      signup: z
        .object({
          signupsDisabled: z.boolean().describe('Whether new accounts need an invitation.'),
          verifyEmail: z.boolean().describe('Whether new accounts must verify their address.'),
        })
        .describe('Sign-up.'),
      email: z
        .object({
          transport: z.enum(providerNames).describe('How mail is delivered.'),
          trackingToggleEnabled: z.boolean().describe('Whether tracking can be set per project.'),
          sandboxFrom: z.string().meta({
            description:
              'Sender that every project may use without a domain of its own, for email to its own members.',
            examples: ['sandbox@example.com'],
          }),
          simulatorDomain: z.string().meta({
            description:
              'Domain of the simulator addresses, such as `bounced@postrider.test`: email to them is sent and settled like any other, but never leaves.',
            examples: [simulatorDomain],
          }),
          mailboxUrl: z
            .string()
            .nullable()
            .meta({
              description:
                'Page of the local mailbox, which receives all email of a development installation; null with a mail server.',
              examples: [null],
            }),
          reportsReceived: z
            .boolean()
            .describe(
              'Whether bounces and complaints are received that come after a mail server has accepted an email: on `BOUNCE_PORT`, or from the topics of `SNS_TOPIC_ARNS`.',
            ),
          feedbackAddress: z
            .string()
            .nullable()
            .meta({
              description:
                'Address to register with feedback loops of mailbox providers; null while no mail is received on `BOUNCE_PORT`.',
              examples: ['fbl@mail.example.com'],
            }),
        })
        .describe('Delivery.'),
    })
    .describe('Features that are turned on.'),
  engine: engineState.describe('The workflow engine.'),
  aws: z
    .object({
      sesRegion: z.string().meta({ description: 'Region of Amazon SES.', examples: ['eu-central-1'] }),
      mailFromSubdomain: z
        .string()
        .meta({ description: 'Label of the envelope sender under each domain.', examples: ['bounces'] }),
    })
    .nullable()
    .describe('Settings of Amazon SES; null with another transport.'),
});

export function mountConfig(door: RestDoor): void {
  const { config, engine } = door.services;
  const { github, google, oidc } = config.signInProviders;
  const sesRegion = config.mailProvider.awsRegion?.(config);
  const providers = {
    github: github !== undefined,
    google: google !== undefined,
    oidc: oidc !== undefined,
  };
  const body: Omit<z.output<typeof configuration>, 'engine'> = {
    environment: config.NODE_ENV,
    urls: { api: config.API_URL, dashboard: config.DASHBOARD_URL },
    features: {
      billing: { enabled: config.billingEnabled },
      storage: { s3Enabled: config.S3_BUCKET !== undefined },
      authProviders: providers,
      signup: { signupsDisabled: config.SIGNUPS_DISABLED, verifyEmail: config.VERIFY_SIGNUP_EMAIL },
      email: {
        transport: config.mailProvider.name,
        trackingToggleEnabled: true,
        sandboxFrom: config.sandboxFrom,
        simulatorDomain,
        mailboxUrl: config.mailboxUrl,
        reportsReceived: config.reportsReceived,
        feedbackAddress: config.BOUNCE_PORT === undefined ? null : `fbl@${config.MAIL_HOST}`,
      },
    },
    aws: sesRegion === undefined ? null : { sesRegion, mailFromSubdomain: envelopeLabel },
  };
  rawRoute(door, 'GET', '/config', {
    name: 'config.get',
    summary: 'Returns the integrations and features of this installation.',
    output: configuration,
    handler: async () => ({ ...body, engine: await engine.last() }),
  });
  rawRoute(door, 'GET', '/auth/oauth-config', {
    name: 'auth.oauthConfig',
    summary: 'Returns the configured sign-in providers.',
    output: providerFlags,
    handler: () => providers,
  });
}
