import { z } from 'zod';
import type { Provider, SettingsOf, SharedSettings } from './provider.rules.ts';
import { sesProvider } from './ses.provider.ts';
import { smtpProvider } from './smtp.provider.ts';

export { emailIdTag, sesRegionOf } from './ses.provider.ts';

const byName = <Definitions extends { readonly [Name in keyof Definitions]: { readonly name: Name } }>(
  definitions: Definitions,
): Definitions => definitions;

/**
 * Every provider, by its value of `MAIL_TRANSPORT`. One that has no transport in `adapters`, or answers at a stage that the table of
 * replies lacks, does not compile.
 */
export const providers = byName({ smtp: smtpProvider, ses: sesProvider });

type Definitions = typeof providers;
type Definition = Definitions[ProviderName];
type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

export type ProviderName = keyof Definitions;

/** The variables of every provider. */
type ProviderVariables = Intersection<Definition['variables']>;

/** What providers ask for: the variables of all of them, and those that they share. */
export type ProviderSettings = SettingsOf<ProviderVariables> & SharedSettings;

/** The steps of a hand-over that a provider answers, and those of any. */
export type StageOf<Name extends ProviderName> = Definitions[Name]['stages'][number];
export type HandOverStage = StageOf<ProviderName>;

/** A provider that is only known at run time. */
export type MailProvider = Provider<ProviderName, ProviderSettings, HandOverStage>;

/** Settings with the provider that they belong to. */
export type ProviderConfig = ProviderSettings & { mailProvider: MailProvider };

export const providerNames = Object.keys(providers) as [ProviderName, ...ProviderName[]];

export const providerVariables: ProviderVariables = Object.assign(
  {},
  ...Object.values(providers).map(({ variables }) => variables),
);

/** `MAIL_TRANSPORT`: the one place where its value becomes the provider, which everything else asks. */
export const mailTransport = z
  .enum(providerNames, {
    error: ({ input }) => `must be one of ${providerNames.join(', ')}, but is ${JSON.stringify(input)}`,
  })
  .default('smtp')
  .transform((name): MailProvider => providers[name]);

/** The name of the route that the installation sends through. */
export const routeId = (config: ProviderConfig): string => config.mailProvider.routeId(config);
